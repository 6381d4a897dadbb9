package block_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

// withScenarios are the blocks whose directed cases are scenarios as text, and how many there are at least. The others'
// are held to the functional model in their own folders.
var withScenarios = map[string]int{"ackgen": 24, "ackparse": 60, "credit": 4, "egress": 55, "intmd": 34, "nic": 20,
	"txpdc": 35, "switchport": 10, "trimmer": 45}

// judged plays an episode on the model of its block and gives every cycle to the judge.
func judged(t *testing.T, b *block.Block, params map[string]int, ep *stim.Episode, j stim.Judge) {
	t.Helper()
	m, err := b.NewModel(params)
	require.NoError(t, err)
	lay := event.NewLayout(b.Schema)
	in, out := make([]uint64, lay.In.Words), make([]uint64, lay.Out.Words)
	d := drive.NewDriver(lay)
	d.Begin(ep)
	for d.Drive(in) {
		m.Cycle(in, out)
		d.Observe(out)
		j.Cycle(in, out)
	}
}

// TestScenariosHold plays every scenario on the cycle-true model, with several seeds, at the default size and
// with one port: each answer that its text demands must come, and be as it says. A scenario that names its size is
// played at that one. Then every demand is turned round, and each must be missed: one that is not looked at would
// not be.
func TestScenariosHold(t *testing.T) {
	for name, least := range withScenarios {
		b := lookup(name)
		narrow := map[string]int{}
		for _, p := range b.Schema.Params[:min(len(b.Schema.Params), 1)] {
			narrow[p.Name] = p.Min
		}
		options := []stim.Options{{Seed: 1}, {Seed: 2, Params: narrow}}
		if launchtest.Longer() {
			options = append(options, stim.Options{Seed: 3}, stim.Options{Seed: 2}, stim.Options{Seed: 1, Params: narrow})
		}
		for i, o := range options {
			found, compared := 0, 0
			src, err := b.Stimulus.Open("directed", o)
			require.NoError(t, err)
			for ep, ok := src.Next(); ok; ep, ok = src.Next() {
				if ep.Judge == nil {
					continue
				}
				found++
				t.Run(fmt.Sprintf("%s/%d/%s", name, i, strings.TrimPrefix(ep.Name, "directed/")), func(t *testing.T) {
					compared += holds(t, b, o, ep)
				})
			}
			require.GreaterOrEqual(t, found, least, "scenarios of %s", name)
			t.Logf("%s %+v: %d scenarios, %d answers compared", name, o, found, compared)
		}
	}
}

// holds plays one scenario, at the size that it names if it names one, and returns how many answers were compared.
func holds(t *testing.T, b *block.Block, o stim.Options, ep *stim.Episode) int {
	t.Helper()
	if size := ep.Judge.(*casefile.Judge).Size(); size != nil {
		o.Params = size
		src, err := b.Stimulus.Open(ep.Name, o)
		require.NoError(t, err)
		ep, _ = src.Next()
	}
	params, err := b.Schema.Values(o.Params)
	require.NoError(t, err)
	contrary := ep.Judge.(*casefile.Judge).Contradiction()
	judged(t, b, params, ep, judges{ep.Judge, contrary})
	n, wrong := ep.Judge.Verdict()
	require.Empty(t, wrong[:min(len(wrong), 10)])
	require.NotZero(t, n, "nothing was compared")
	_, missed := contrary.Verdict()
	require.GreaterOrEqual(t, len(missed), n, "demands that nothing looks at")
	return n
}

// judges are fed side by side.
type judges []stim.Judge

func (j judges) Cycle(in, out []uint64) {
	for _, x := range j {
		x.Cycle(in, out)
	}
}
func (j judges) Verdict() (int, []string)  { return 0, nil }
func (j judges) Wrong() int                { return 0 }
func (j judges) Holds(map[string]int) bool { return true }

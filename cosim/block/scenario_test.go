package block_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

// withScenarios are the blocks whose directed cases are scenarios as text, and how many there are at least. The others'
// are held to the functional model in their own folders.
var withScenarios = map[string]int{"egress": 53, "trimmer": 45}

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

// TestScenariosHold plays every scenario on the cycle-true model: each answer that its text demands must come, and be
// as it says. Then every demand is turned round, and each must be missed: one that is not looked at would not be.
func TestScenariosHold(t *testing.T) {
	for name, least := range withScenarios {
		b := lookup(name)
		found, compared := 0, 0
		src, err := b.Stimulus.Open("directed", stim.Options{Seed: 1})
		require.NoError(t, err)
		for ep, ok := src.Next(); ok; ep, ok = src.Next() {
			if ep.Judge == nil {
				continue
			}
			found++
			t.Run(name+"/"+strings.TrimPrefix(ep.Name, "directed/"), func(t *testing.T) {
				params, err := b.Schema.Values(nil)
				require.NoError(t, err)
				twice := ep.Judge.(*casefile.Judge).Contradiction()
				both := judges{ep.Judge, twice}
				judged(t, b, params, ep, both)
				n, wrong := ep.Judge.Verdict()
				require.Empty(t, wrong)
				require.NotZero(t, n, "nothing was compared")
				compared += n
				_, missed := twice.Verdict()
				require.GreaterOrEqual(t, len(missed), n, "demands that nothing looks at")
			})
		}
		require.GreaterOrEqual(t, found, least, "scenarios of %s", name)
		t.Logf("%s: %d scenarios, %d answers compared", name, found, compared)
	}
}

// judges are fed side by side.
type judges []stim.Judge

func (j judges) Cycle(in, out []uint64) {
	for _, x := range j {
		x.Cycle(in, out)
	}
}
func (j judges) Verdict() (int, []string) { return 0, nil }

package diff

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/fixed"
	model "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
	"github.com/goldwire/goldwire/vectors/stim"
)

// pair is the rules in fixed point beside the cycle-true model's function of one event.
type pair struct {
	num    *arith.Fixed
	fixed  *Party[fixed.Num]
	model  *cycleModel
	events uint64
}

func newPair(t testing.TB, table *formats.Table, params map[string]int) *pair {
	t.Helper()
	num, err := arith.NewFixed(table)
	require.NoError(t, err)
	return &pair{num: num, fixed: NewParty[fixed.Num](num, SizeOf(params)), model: newCycleModel(params)}
}

func (p *pair) reset() {
	p.model.reset()
	p.fixed.Reset()
}

// regs returns the model's registers of profile 0.
func (p *pair) regs() model.Registers { return p.model.cfg.Profile(0) }

var errDiffer = errors.New("differ")

// event applies one event to both and compares every field of the response and every word of the state.
func (p *pair) event(ev *ccc.Event) error {
	p.events++
	var rsp ccc.Response
	p.fixed.Apply(ev, &rsp)
	if err := p.num.Err(); err != nil {
		return err
	}
	if what := p.model.event(ev, p.fixed); what != "" {
		return fmt.Errorf("%w: event %d, %v of context %d: %s", errDiffer, p.events-1, ev.Kind, ev.Ctx, what)
	}
	return nil
}

// sources are all whole sources of ccc.
func sources() (out []string) {
	for _, s := range block.Sources(ccc.BlockName) {
		if !strings.Contains(s, "/") {
			out = append(out, s)
		}
	}
	return out
}

func play(t testing.TB, p *pair, source string, o stim.Options) (uint64, error) {
	t.Helper()
	src, err := block.Open(ccc.BlockName, source, o)
	require.NoError(t, err)
	return Play(src, uint64(o.Events), p.reset, p.event)
}

// options returns the options for so many events.
func options(t testing.TB, seed uint64, events int) stim.Options {
	t.Helper()
	o, err := stim.Options{Seed: seed, Events: events}.Filled(ccc.Schema())
	require.NoError(t, err)
	return o
}

// At the contract's formats the rules in fixed point are the cycle-true model, bit for bit.
func TestFixedIsTheModel(t *testing.T) {
	require.GreaterOrEqual(t, len(sources()), 5)
	seeds, events := []uint64{1}, 100_000
	if os.Getenv("GOLDWIRE_LONG") != "" {
		seeds, events = []uint64{1, 2, 3, 4}, 1_000_000
	}
	total := uint64(0)
	for _, source := range sources() {
		t.Run(source, func(t *testing.T) {
			for _, seed := range seeds {
				o := options(t, seed, events)
				p := newPair(t, ccc.Formats(), o.Params)
				n, err := play(t, p, source, o)
				require.NoError(t, err)
				if source == "directed" {
					require.Greater(t, n, uint64(1000))
				} else {
					require.EqualValues(t, events, n)
				}
				total += n
			}
		})
	}
	t.Logf("%d events, no difference", total)
	if !t.Failed() && len(seeds) > 1 {
		require.Greater(t, total, uint64(10_000_000))
	}
}

// Other sizes and the coarse tick change nothing.
func TestFixedIsTheModelAtOtherSizes(t *testing.T) {
	for _, params := range []map[string]int{
		{"NumContexts": 2, "NumPdcs": 1, "NumProfiles": 1}, {"NumContexts": 300, "NumPdcs": 16, "NumProfiles": 16},
	} {
		for _, source := range []string{"random", "fabric:incast32"} {
			o, err := stim.Options{Seed: 3, Events: 20_000, Params: params, TickNs: 128}.Filled(ccc.Schema())
			require.NoError(t, err)
			n, err := play(t, newPair(t, ccc.Formats(), o.Params), source, o)
			require.NoError(t, err, "%s %v", source, params)
			require.EqualValues(t, o.Events, n)
		}
	}
}

// The same holds where registers and words have any value.
func TestFixedIsTheModelAnywhere(t *testing.T) {
	rounds := 20_000
	if os.Getenv("GOLDWIRE_LONG") != "" {
		rounds = 1_000_000
	}
	reached := map[string]bool{}
	for seed := range uint64(4) {
		p := newPair(t, ccc.Formats(), options(t, 1, 1).Params)
		p.num.Watch()
		n, err := wild(p, seed, rounds)
		require.NoError(t, err, "seed %d", seed)
		require.Greater(t, n, uint64(9*rounds))
		for _, v := range p.num.Table().Values {
			u := p.num.Use(v.Name)
			if v.Over == formats.Never {
				require.Zero(t, u.Saturated+u.Wrapped, "%s leaves %v, and the table has it that no rule takes it there", v.Name,
					v.Format)
			}
			if v.Round == formats.None {
				require.Zero(t, u.Inexact-u.Saturated, "%s is rounded, and the table has it exact", v.Name)
			}
			reached[v.Name] = reached[v.Name] || u.Saturated+u.Wrapped > 0
		}
	}
	for _, v := range ccc.Formats().Values {
		if slices.Contains(append([]string{"last_adjust_time", "last_dec_time"}, arith.Outside...), v.Name) {
			continue // the first two hold time stamps as they come
		}
		if v.Over != formats.Never {
			require.True(t, reached[v.Name], "%s never reached an end", v.Name)
		}
	}
}

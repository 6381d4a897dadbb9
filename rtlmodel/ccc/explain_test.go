package ccc

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/contract"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// The steps of every event lead to the response and the state that the model gives; each intermediate value of the
// table of formats is among them, within its format; and each rule that an output comes from is one that the table of
// rules has for it.
func TestExplain(t *testing.T) {
	table, block := port.Formats(), port.Schema()
	book, err := contract.Open("../../vectors/event/ccc", block)
	require.NoError(t, err)
	words := map[string]bool{}
	for _, w := range block.Words {
		for _, f := range w.Fields {
			words[f.Name] = true
		}
	}
	met, by := map[string]int{}, map[string]int{}
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 5))
		spec := drawSpec(rng, 2)
		stim := stimulus{spec: spec, wild: seed%2 == 1, now: rng.Uint64()}
		m, err := New(spec)
		require.NoError(t, err)
		var d *event.Decision
		m.Explain(func(x *event.Decision) { d = x })
		for i := range 1500 {
			ev := stim.next(rng)
			m.explained(&ev)
			require.Empty(t, d.Doubt, "seed %d event %d %+v", seed, i, ev)
			for _, s := range d.Steps {
				require.NotNil(t, book.Rule(s.Rule), "%s of %s", s.Rule, s.Name)
				if s.State {
					require.True(t, words[s.Name], s.Name)
					continue
				}
				v, ok := table.Lookup(s.Name)
				require.True(t, ok && v.Kind == formats.Intermediate, s.Name)
				met[s.Name]++
				if s.Name != "raw" && s.Name != "prop_inc" { // not yet within their rules
					require.LessOrEqual(t, s.Value.BitLen(), v.Format.Bits(), "%s of %+v", s.Name, ev)
				}
			}
			for output, rules := range d.By {
				for _, rule := range rules {
					require.True(t, book.Decides(output, rule), "%s comes from %s, which rules.yaml does not have for it: %+v",
						output, rule, ev)
				}
				by[output]++
			}
		}
	}
	for _, v := range table.Values {
		if v.Kind == formats.Intermediate {
			require.NotZero(t, met[v.Name], "%s is never told", v.Name)
		}
	}
	for _, f := range block.Stream("rsp").Fields {
		switch f.Name {
		case "kind", "ctx", "entropy": // echoes
		default:
			require.NotZero(t, by["rsp_"+f.Name], "no rule is ever named for %s", f.Name)
		}
	}
}

// A response that the steps do not lead to has none, and says so.
func TestExplainDoubts(t *testing.T) {
	d := &event.Decision{Steps: []event.Step{{Name: "delta"}}, By: map[string][]string{"rsp_cwnd": {"ack/13"}}}
	d.Check(true)
	require.Empty(t, d.Doubt)
	d.Check(false)
	require.NotEmpty(t, d.Doubt)
	require.Empty(t, d.Steps)
	require.Empty(t, d.By)
}

// Explaining changes nothing at the ports, and ends.
func TestExplainIsInvisible(t *testing.T) {
	plain, err := New(DefaultSpec())
	require.NoError(t, err)
	told, err := New(DefaultSpec())
	require.NoError(t, err)
	n := 0
	told.Explain(func(*event.Decision) { n++ })
	rng := rand.New(rand.NewPCG(1, 6))
	stim := stimulus{spec: DefaultSpec()}
	for range 3000 {
		var in [port.InWords]uint64
		var a, b [port.OutWords]uint64
		ev := stim.next(rng)
		port.PackEvent(&ev, in[:])
		in[0] |= port.InRstN | port.InEvValid | port.InRspReady
		plain.Cycle(in[:], a[:])
		told.Cycle(in[:], b[:])
		require.Equal(t, a, b)
	}
	require.Greater(t, n, 100)
	was := n
	told.Explain(nil)
	var in [port.InWords]uint64
	var out [port.OutWords]uint64
	in[0] = port.InRstN | port.InEvValid | port.InRspReady
	for range 200 {
		told.Cycle(in[:], out[:])
	}
	require.Equal(t, was, n)
}

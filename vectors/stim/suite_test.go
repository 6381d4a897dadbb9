package stim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// toy is a suite of a block with one input stream, whose events carry their number.
func toy(t *testing.T) *stim.Suite {
	t.Helper()
	b, err := event.Parse([]byte(`block: toy
title: takes numbers
params:
  - {name: N, default: 4, min: 2, max: 8, doc: keys}
streams:
  - {name: ev, dir: in, fields: [{name: x, width: 16}]}
  - {name: rsp, dir: out, fields: [{name: y, width: 16}]}
`))
	require.NoError(t, err)
	slot := event.NewLayout(b).In.Slot("ev", "x")
	write := func(n int) func(s *stim.Script) {
		return func(s *stim.Script) {
			for i := range n {
				slot.Set(s.Put(0, 0), uint64(i+1))
			}
		}
	}
	cases := func() []stim.Case {
		return []stim.Case{{Name: "one/two", About: "two", Write: write(2)},
			{Name: "one/three", About: "three", Write: write(3)},
			{Name: "other", About: "four", Write: write(4)}}
	}
	return &stim.Suite{Schema: b, Sources: []stim.Entry{stim.Directed(b, cases), stim.RandomScript(b, write(100))}}
}

// events returns the number of events of each episode of a source, by name.
func events(t *testing.T, src stim.Source) map[string]int {
	t.Helper()
	out := map[string]int{}
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		it := stim.Item{}
		for ep.NextItem(&it) {
			out[ep.Name]++
		}
		require.Equal(t, ep.Len, out[ep.Name])
	}
	require.NoError(t, src.Err())
	return out
}

func TestSuiteOpensWhatItLists(t *testing.T) {
	su := toy(t)
	require.Equal(t, []string{"directed", "random", "directed/one/two", "directed/one/three", "directed/other"},
		su.Names())
	for source, want := range map[string]map[string]int{
		"directed":         {"directed/one/two": 2, "directed/one/three": 3, "directed/other": 4},
		"directed/one":     {"directed/one/two": 2, "directed/one/three": 3},
		"directed/one/two": {"directed/one/two": 2},
		"directed/other":   {"directed/other": 4},
		"random":           {"random/0": 100, "random/1": 100, "random/2": 50}, // cut to the requested number
		"random/7":         {"random/7": 100},
	} {
		o := stim.Options{Seed: 1}
		if source == "random" {
			o.Events = 250
		}
		src, err := su.Open(source, o)
		require.NoError(t, err, source)
		require.Equal(t, want, events(t, src), source)
	}
}

// An unknown source is refused: opening something else instead would play what nobody asked for.
func TestSuiteRefuses(t *testing.T) {
	su := toy(t)
	for source, want := range map[string]string{
		"":                  "known sources: directed, directed/CASE, random, random/N; case groups: one, other",
		"directed/":         "unknown; known sources",
		"directed/on":       "case groups: one, other",
		"directed/one/":     "cases: one/two, one/three",
		"directed/one/four": "cases: one/two, one/three",
		"random/":           "unknown; known sources",
		"random/x":          "episode must be a number",
		"random/-1":         "episode must be a number",
		"random/1/2":        "episode must be a number",
		"other":             "unknown; known sources",
		"fabric:incast32":   "unknown; known sources",
	} {
		src, err := su.Open(source, stim.Options{Seed: 1})
		require.ErrorContains(t, err, want, source)
		require.Nil(t, src, source)
	}
	for want, o := range map[string]stim.Options{
		"events -1: must not be negative":          {Events: -1},
		"tick 2 ns: must be 1 or 128":              {TickNs: 2},
		"block toy: parameter N: 9 is not in 2..8": {Params: map[string]int{"N": 9}},
	} {
		_, err := su.Open("random", o)
		require.EqualError(t, err, want)
	}
}

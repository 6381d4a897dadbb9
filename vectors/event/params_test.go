package event_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

func TestParameterValues(t *testing.T) {
	b := &event.Block{Name: "b", Params: []event.Param{{Name: "N", Default: 4, Min: 2, Max: 9},
		{Name: "D", Default: 8, Min: 2, Max: 64, Pow2: true}}}
	for _, c := range []struct {
		block *event.Block
		given map[string]int
		want  map[string]int
		err   string
	}{
		{b, nil, map[string]int{"N": 4, "D": 8}, ""},
		{b, map[string]int{"N": 9}, map[string]int{"N": 9, "D": 8}, ""},
		{b, map[string]int{"N": 2, "D": 64}, map[string]int{"N": 2, "D": 64}, ""},
		{b, map[string]int{"N": 1}, nil, "block b: parameter N: 1 is not in 2..9"},
		{b, map[string]int{"N": 10}, nil, "block b: parameter N: 10 is not in 2..9"},
		{b, map[string]int{"D": 48}, nil, "block b: parameter D: 48 is not a power of two"},
		{b, map[string]int{"n": 4}, nil, `parameter "n": block b has N, D`},
		{&event.Block{Name: "b"}, map[string]int{"N": 4}, nil,
			`parameter "N": block b has no parameters; leave it out`},
		{&event.Block{Name: "b"}, nil, map[string]int{}, ""},
	} {
		given := map[string]int{}
		for k, v := range c.given {
			given[k] = v
		}
		got, err := c.block.Values(c.given)
		if c.err != "" {
			require.EqualError(t, err, c.err)
			require.Nil(t, got)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.want, got)
		got["N"]++
		require.Equal(t, given, mapOf(c.given), "what was given stays as it was")
	}
}

func mapOf(m map[string]int) map[string]int {
	out := map[string]int{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

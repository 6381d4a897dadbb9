package param

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/units"
)

// TestFields: each type is set and read by name; bounds, fractions, derived values and unknown names are refused, and
// a refused value changes nothing.
func TestFields(t *testing.T) {
	var (
		f = 0.5
		w float64
		i int
		l int64
		u uint32
		b bool
		p units.Picos
	)
	fields := []Field{
		{Name: "f", Ptr: &f, Min: 0, Max: 1}, {Name: "i", Ptr: &i, Min: 1, Max: math.Inf(1), Unit: "packets"},
		{Name: "l", Ptr: &l}, {Name: "u", Ptr: &u}, {Name: "b", Ptr: &b}, {Name: "p", Ptr: &p},
		{Name: "w", Ptr: &w, Min: 1, Max: 10, Whole: true}, {Name: "d", Ptr: func() float64 { return 2 * f }},
	}
	for name, v := range map[string]float64{"f": 0.25, "i": 3, "l": -4, "u": 5, "b": 1, "p": 1.5, "w": 2} {
		require.NoError(t, Set(fields, name, v))
		got, err := Find(fields, name)
		require.NoError(t, err)
		require.Equal(t, v, got.Get(), name)
	}
	require.Equal(t, 1500*units.Nanosecond, p)
	require.Equal(t, 0.5, fields[7].Get())
	for _, c := range []struct {
		name string
		v    float64
		want string
	}{
		{"f", 1.1, "f = 1.1: want from 0 to 1"}, {"f", math.NaN(), "f = NaN: want a number, from 0 to 1"},
		{"i", 0, "i = 0: want 1 packets or above"}, {"i", 1.5, "i = 1.5: want a whole number"},
		{"u", -1, "u = -1: want a whole number"}, {"l", 0.5, "l = 0.5: want a whole number"},
		{"b", 2, "b = 2: want 0 or 1"}, {"d", 1, "d: it is derived from other values and cannot be set"},
		{"i", math.NaN(), "i = NaN: want a number, 1 packets or above"}, {"l", math.NaN(), "l = NaN: want a number"},
		{"p", math.NaN(), "p = NaN: want a number"},
		{"w", 2.5, "w = 2.5: want a whole number, from 1 to 10"},
		{"w", math.NaN(), "w = NaN: want a whole number, from 1 to 10"}, {"w", 11, "w = 11: want from 1 to 10"},
		{"x", 1, "x: not known: want one of f, i, l, u, b, p, w, d"},
	} {
		require.EqualError(t, Set(fields, c.name, c.v), c.want)
	}
	require.Equal(t, 0.25, f)
	require.NoError(t, Check("a spec", fields))
	f = 7
	require.EqualError(t, Check("a spec", fields), "a spec: f = 7: want from 0 to 1")
	require.Panics(t, func() { Field{Ptr: "x"}.Get() })
}

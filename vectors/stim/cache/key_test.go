package cache

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/stim"
)

// Every field of the options is in the key, one that is added tomorrow, too: it fails here if it cannot be.
func TestEveryOptionIsInTheKey(t *testing.T) {
	b := toy(t)
	base := stim.Options{Seed: 1, Events: 2, Params: map[string]int{"Depth": 4}, TickNs: 1}
	other := stim.Options{Seed: 3, Events: 3, Params: map[string]int{"Depth": 8}, TickNs: 128}
	key, err := keyOf("p", b, "fabric:x", base)
	require.NoError(t, err)
	for i := range reflect.TypeFor[stim.Options]().NumField() {
		name := reflect.TypeFor[stim.Options]().Field(i).Name
		o := base
		from, to := reflect.ValueOf(other).Field(i), reflect.ValueOf(&o).Elem().Field(i)
		require.NotEqual(t, from.Interface(), to.Interface(), "%s: give this test another value of the new field", name)
		to.Set(from)
		changed, err := keyOf("p", b, "fabric:x", o)
		require.NoError(t, err)
		require.NotEqual(t, key, changed, name)
	}
}

func TestKeyDependsOnWhatMakesTheStimulus(t *testing.T) {
	b := toy(t)
	o := stim.Options{Seed: 1, Events: 2}
	keys := map[[32]byte]bool{}
	add := func(program, source string, change func()) {
		if change != nil {
			change()
		}
		key, err := keyOf(program, b, source, o)
		require.NoError(t, err)
		require.False(t, keys[key])
		keys[key] = true
	}
	add("p", "fabric:x", nil)
	add("q", "fabric:x", nil)
	add("p", "fabric:y", nil)
	add("p", "fabric:x/1", nil)
	add("p", "fabric:x", func() { b.Name = "other" })
	add("p", "fabric:x", func() { b.Streams[0].Fields[0].Width = 63 }) // another hash
	full, err := o.Filled(b)
	require.NoError(t, err)
	o = full // what the defaults stand for is the same
	key, err := keyOf("p", b, "fabric:x", o)
	require.NoError(t, err)
	require.True(t, keys[key])
	o.TickNs = 5
	_, err = keyOf("p", b, "fabric:x", o)
	require.Error(t, err)
}

func TestWhatHasNoKey(t *testing.T) {
	of := func(v any) (string, error) {
		var s strings.Builder
		err := represent(&s, reflect.ValueOf(v))
		return s.String(), err
	}
	for _, v := range []any{struct{ P *int }{}, struct{ F func() }{}, []any{1}, map[int]int{1: 2}, make(chan int)} {
		_, err := of(v)
		require.Error(t, err, "%T", v)
	}
	seen := map[string]any{}
	for _, v := range []any{struct{ A, B string }{"a", "b"}, struct{ A, B string }{"a\" B \"b", ""}, []string{"a", "b"},
		[]string{"ab"}, [][]int{{1}, {2}}, [][]int{{1, 2}, {}}, 1.5, true, int8(-1), map[string]int{"a": 1},
		map[string]int{"a": 1, "b": 2}} {
		s, err := of(v)
		require.NoError(t, err)
		require.NotContains(t, seen, s)
		seen[s] = v
	}
}

// The program is known by its content.
func TestProgram(t *testing.T) {
	id, err := program()
	require.NoError(t, err)
	require.Len(t, id, 64)
}

// Stimulus of another program, or of another seed, is not read.
func TestStaleFileIsNotRead(t *testing.T) {
	b := newBench(t)
	b.pass(list{episodes: 1, items: 3})
	b.program = func() (string, error) { return "a newer program", nil }
	all, read := b.pass(list{episodes: 1, items: 4})
	require.False(t, read)
	require.Len(t, all[0].items, 4)
	b.o.Seed++
	_, read = b.pass(list{episodes: 1, items: 4})
	require.False(t, read)
	require.Len(t, b.files(), 3)
}

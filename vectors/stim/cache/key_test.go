package cache

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/stim"
)

// The key covers every field of the options. A field added later fails here if the key cannot cover it.
func TestEveryOptionIsInTheKey(t *testing.T) {
	b := &stim.Suite{Schema: toy(t)}
	base := stim.Options{Seed: 1, Events: 2, Params: map[string]int{"Depth": 4}, TickNs: 1}
	other := stim.Options{Seed: 3, Events: 3, Params: map[string]int{"Depth": 8}, TickNs: 128}
	key, err := keyOf([32]byte{1}, b, "fabric:x", base)
	require.NoError(t, err)
	for i := range reflect.TypeFor[stim.Options]().NumField() {
		name := reflect.TypeFor[stim.Options]().Field(i).Name
		o := base
		from, to := reflect.ValueOf(other).Field(i), reflect.ValueOf(&o).Elem().Field(i)
		require.NotEqual(t, from.Interface(), to.Interface(), "%s: give this test another value of the new field", name)
		to.Set(from)
		changed, err := keyOf([32]byte{1}, b, "fabric:x", o)
		require.NoError(t, err)
		require.NotEqual(t, key, changed, name)
	}
}

func TestKeyDependsOnWhatMakesTheStimulus(t *testing.T) {
	b := &stim.Suite{Schema: toy(t)}
	o := stim.Options{Seed: 1, Events: 2}
	keys := map[[32]byte]bool{}
	add := func(program byte, source string, change func()) {
		if change != nil {
			change()
		}
		key, err := keyOf([32]byte{program}, b, source, o)
		require.NoError(t, err)
		require.False(t, keys[key])
		keys[key] = true
	}
	add(1, "fabric:x", nil)
	add(2, "fabric:x", nil)
	add(1, "fabric:y", nil)
	add(1, "fabric:x/1", nil)
	add(1, "fabric:x", func() { b.Schema.Name = "other" })
	add(1, "fabric:x", func() { b.Schema.Streams[0].Fields[0].Width = 63 }) // another hash
	full, err := o.Filled(b.Schema)
	require.NoError(t, err)
	o = full // explicit defaults give the same key
	key, err := keyOf([32]byte{1}, b, "fabric:x", o)
	require.NoError(t, err)
	require.True(t, keys[key])
	o.TickNs = 5
	_, err = keyOf([32]byte{1}, b, "fabric:x", o)
	require.Error(t, err)
}

// valued returns an error unless %#v of a type prints its value; of a pointer it prints an address.
func valued(of reflect.Type) error {
	switch of.Kind() {
	case reflect.Struct:
		for i := range of.NumField() {
			if err := valued(of.Field(i).Type); err != nil {
				return fmt.Errorf("%s: %w", of.Field(i).Name, err)
			}
		}
		return nil
	case reflect.Map:
		return errors.Join(valued(of.Key()), valued(of.Elem()))
	case reflect.Slice, reflect.Array:
		return valued(of.Elem())
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32,
		reflect.Uint64, reflect.Float64:
		return nil
	}
	return fmt.Errorf("a %s has no key", of.Kind())
}

func TestOptionsAreValues(t *testing.T) {
	require.NoError(t, valued(reflect.TypeFor[stim.Options]()))
	require.Error(t, valued(reflect.TypeFor[struct{ F []func() }]()))
	require.Error(t, valued(reflect.TypeFor[map[string]*int]()))
}

// The program is identified by the bytes of the file that runs, even if its path now names another file.
func TestProgram(t *testing.T) {
	if os.Getenv("CACHE_TEST_CHILD") != "" {
		require.NoError(t, os.Remove(os.Args[0]))
		require.NoError(t, os.WriteFile(os.Args[0], []byte("a newer program"), 0o700))
		id, err := program()
		require.NoError(t, err)
		fmt.Printf("id %x\n", id)
		return
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	content, err := os.ReadFile(exe)
	require.NoError(t, err)
	copied := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(copied, append(content, 0), 0o700)) // another program
	child := exec.CommandContext(t.Context(), copied, "-test.run=^TestProgram$")
	child.Env = append(os.Environ(), "CACHE_TEST_CHILD=1")
	out, err := child.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), fmt.Sprintf("id %x", sha256.Sum256(append(content, 0))))
	id, err := program()
	require.NoError(t, err)
	require.Equal(t, sha256.Sum256(content), id)
}

// Stimulus of another program or another seed is not read.
func TestStaleFileIsNotRead(t *testing.T) {
	b := newBench(t)
	b.pass(list{episodes: 1, items: 3})
	b.program = func() ([32]byte, error) { return [32]byte{2}, nil }
	all, read := b.pass(list{episodes: 1, items: 4})
	require.False(t, read)
	require.Len(t, all[0].items, 4)
	b.o.Seed++
	_, read = b.pass(list{episodes: 1, items: 4})
	require.False(t, read)
	require.Len(t, b.files(), 3)
}

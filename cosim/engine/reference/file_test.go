package reference

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

// A file of cycles gives each episode its own cycles, those that were given up included, and an episode by its whole
// name.
func TestCycleFile(t *testing.T) {
	const schema = "block: b\ntitle: t\nstreams:\n  - {name: ev, dir: in, fields: [{name: x, width: 8}]}\n  - {name: " +
		"rsp, dir: out, fields: [{name: y, width: 8}]}\n"
	b, err := event.Parse([]byte(schema))
	require.NoError(t, err)
	l := event.NewLayout(b)
	names := []string{"random/1", "random/10", "random/11", "random/2"}
	var buf bytes.Buffer
	header := format.Header{Block: b.Name, Per: format.PerCycle, Pairing: format.PairAnswers, SchemaHash: b.Hash(),
		Params: map[string]int{}, Generator: "test", Schema: schema}
	w, err := format.NewWriter(&buf, header)
	require.NoError(t, err)
	in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	for i, name := range names {
		w.Mark(name, uint64(i))
		for n := range 10 + i {
			in[0] = l.In.Control("rst_n") | l.In.Control("ev_valid")
			l.In.Slot("ev", "x").Set(in, uint64(16*i+n))
			require.NoError(t, w.Write(in, out))
		}
	}
	_, err = w.Close()
	require.NoError(t, err)
	open := func(alone string) *cycleFile {
		r, err := format.NewReader(bytes.NewReader(buf.Bytes()))
		require.NoError(t, err)
		return &cycleFile{vectorFile: &vectorFile{Reader: r, path: "f"}, alone: alone}
	}
	cycles := func(s *cycleFile, most int) (got []uint64) {
		for range most {
			more, err := s.cycle(in, out)
			require.NoError(t, err)
			if !more {
				break
			}
			got = append(got, l.In.Slot("ev", "x").Get(in))
		}
		return got
	}
	all := func(i int) (want []uint64) {
		for n := range 10 + i {
			want = append(want, uint64(16*i+n))
		}
		return want
	}
	for _, most := range []int{100, 3, 10, 0} {
		s := open("")
		for i, name := range names {
			ep, ok := s.Next()
			require.True(t, ok)
			require.Equal(t, []any{name, uint64(i)}, []any{ep.Name, ep.Seed})
			require.Equal(t, all(i)[:min(most, 10+i)], append([]uint64{}, cycles(s, most)...), "%s, given up after %d", name,
				most)
		}
		_, ok := s.Next()
		require.False(t, ok)
		require.NoError(t, s.Err())
	}
	for i, name := range names {
		s := open(name)
		ep, ok := s.Next()
		require.True(t, ok)
		require.Equal(t, name, ep.Name)
		require.Equal(t, all(i), cycles(s, 100))
		_, ok = s.Next()
		require.False(t, ok, "%s alone", name)
		require.NoError(t, s.Err())
	}
	// What no episode holds is not left out in silence.
	whole := buf
	buf = bytes.Buffer{}
	w, err = format.NewWriter(&buf, header)
	require.NoError(t, err)
	require.NoError(t, w.Write(in, out))
	w.Mark("random/1", 1)
	require.NoError(t, w.Write(in, out))
	_, err = w.Close()
	require.NoError(t, err)
	bad := open("")
	_, ok := bad.Next()
	require.False(t, ok)
	require.ErrorContains(t, bad.Err(), "f: record 0 begins no episode")
	buf = whole

	s := open("random")
	_, ok = s.Next()
	require.False(t, ok)
	require.ErrorContains(t, s.Err(), "f: it has no episode random")
}

// An error of the file that ends a run in the midst of an episode has the file's name; one of the design has not.
func TestErrorOfAFileNamesIt(t *testing.T) {
	const schema = "block: b\ntitle: t\nstreams:\n  - {name: ev, dir: in, fields: [{name: x, width: 8}]}\n  - {name: " +
		"rsp, dir: out, fields: [{name: y, width: 8}]}\n"
	b, err := event.Parse([]byte(schema))
	require.NoError(t, err)
	l := event.NewLayout(b)
	var buf bytes.Buffer
	w, err := format.NewWriter(&buf, format.Header{Block: b.Name, Per: format.PerTransaction, Pairing: format.PairAnswers,
		SchemaHash: b.Hash(), Params: map[string]int{}, Generator: "test", Schema: schema})
	require.NoError(t, err)
	in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	for n := range 20_000 { // several frames
		if n == 0 {
			w.Mark("random/0", 1)
		}
		in[0] = l.In.Control("rst_n") | l.In.Control("ev_valid")
		out[0] = l.Out.Control("rsp_valid")
		require.NoError(t, w.Write(in, out))
	}
	_, err = w.Close()
	require.NoError(t, err)
	r, err := format.NewReader(bytes.NewReader(buf.Bytes()[:buf.Len()*2/3]))
	require.NoError(t, err)
	s := &eventFile{elastic.NewFile(r, ""), &vectorFile{Reader: r, path: "cut.gwv"}}
	_, ok := s.Next()
	require.True(t, ok)
	owed := s.Owed()
	for err = nil; err == nil; {
		require.NoError(t, owed.Accept(0, false, nil))
		_, _, err = owed.Next(0)
	}
	require.NotContains(t, err.Error(), "cut.gwv")
	require.ErrorContains(t, s.blamed(fmt.Errorf("play: %w", err)), "cut.gwv: play: ")
	require.ErrorIs(t, s.blamed(err), err)
	design := errors.New("the design hangs")
	require.Equal(t, design, s.blamed(design))
	require.NoError(t, s.blamed(nil))
}

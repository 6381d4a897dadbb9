package elastic

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

const incr = `block: incr
title: a number and one
doc: the answer to x is x + 1
streams:
  - {name: ev, dir: in, doc: numbers, fields: [{name: id, width: 2, doc: who}, {name: x, width: 8, doc: number}]}
  - {name: rsp, dir: out, doc: answers, fields: [{name: id, width: 2, doc: who}, {name: y, width: 8, doc: answer}]}
`

// vectorsOf writes n transactions as two episodes and returns the file.
func vectorsOf(t *testing.T, n int) []byte { return written(t, n, true) }

// written writes them with or without the marks of the episodes; without, resets begin their parts.
func written(t *testing.T, n int, marked bool) []byte {
	b, err := event.Parse([]byte(incr))
	require.NoError(t, err)
	var buf bytes.Buffer
	w, err := format.NewWriter(&buf, format.Header{Block: b.Name, Per: format.PerTransaction, Pairing: format.PairAnswers,
		SchemaHash: b.Hash(),
		Params:     map[string]int{}, Source: "drawn", Generator: "test", Schema: incr})
	require.NoError(t, err)
	for i := range n {
		reset := uint64(0)
		if marked && i%(n/2) == 0 {
			w.Mark([]string{"first", "second"}[i/(n/2)], uint64(i))
		}
		if !marked && i%(n/2) == 0 {
			reset = rstN
		}
		id, x := uint64(i%4), uint64(i*37%256)
		require.NoError(t, w.Write([]uint64{rstN&^reset | evValid | evWords(id, x)[0]},
			[]uint64{rspValid | outFields(id, x+1)}))
	}
	_, err = w.Close()
	require.NoError(t, err)
	return buf.Bytes()
}

// playFile plays all parts of a file, or one, on a device up to the first finding.
func playFile(t *testing.T, d *device, data []byte, alone string) (out []Outcome, f *File, err error) {
	t.Helper()
	r, err := format.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	f = NewFile(r, alone)
	s := DefaultSpec(r.Block())
	s.Flush = 64
	for {
		ep, ok := f.Next()
		if !ok {
			return out, f, nil
		}
		require.NoError(t, d.Restart(1))
		o, err := Play(t.Context(), d, f.Owed(), ep, s)
		out = append(out, o)
		if err != nil || o.Finding != nil {
			return out, f, err
		}
	}
}

// A file gives the events and what is owed for them, and no more than one response an event.
func TestFile(t *testing.T) {
	data := vectorsOf(t, 200)
	out, f, err := playFile(t, &device{every: 3}, data, "")
	require.NoError(t, err)
	require.NoError(t, f.Err())
	require.Len(t, out, 2)
	for _, o := range out {
		require.Nil(t, o.Finding)
		require.Equal(t, []uint64{100, 100}, []uint64{o.Events, o.Responses})
	}
	for name, d := range map[Kind]*device{Wrong: {wrongAt: 100}, Missing: {dropAt: 100}, Extra: {twiceAt: 100}} {
		out, _, err = playFile(t, d, data, "second")
		require.NoError(t, err)
		require.Len(t, out, 1)
		require.Equal(t, name, out[0].Finding.Kind)
	}
	// In mid-stream too: what comes twice answers no event that is yet to be taken.
	out, _, err = playFile(t, &device{every: 100, twiceAt: 50}, data, "first")
	require.NoError(t, err)
	require.Equal(t, Extra, out[0].Finding.Kind)

	_, f, err = playFile(t, &device{}, data, "third")
	require.NoError(t, err)
	require.ErrorContains(t, f.Err(), "episode third: the file has none of that name, or nothing in it; goldwire "+
		"vectors show lists those it has; NAME+N is")
}

// A file that ends too soon is an error and no answer that is not owed.
func TestFileDamaged(t *testing.T) {
	whole := vectorsOf(t, 140_000) // two frames and some
	data := whole[:len(whole)*3/5]
	// Where what is owed is not to be had, that is said and not that nothing is.
	r, err := format.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	f := NewFile(r, "")
	_, ok := f.Next()
	require.True(t, ok)
	owed, given := f.Owed(), 0
	for range 140_000 {
		require.NoError(t, owed.Accept(0, false, nil))
	}
	for err == nil && ok {
		_, ok, err = owed.Next(0)
		given++
	}
	require.Greater(t, given, 60_000)
	require.Error(t, err)
	require.Equal(t, f.Err(), err)
}

// A file fits the block and the parameters that it was made for.
func TestFits(t *testing.T) {
	b := several(t)
	h := &format.Header{Block: b.Name, SchemaHash: b.Hash(), Params: map[string]int{"Depth": 4}}
	require.NoError(t, Fits(h, b, map[string]int{"Depth": 4}))
	require.ErrorContains(t, Fits(h, b, map[string]int{"Depth": 8}), "it was made with Depth=4, the design has 8")
	require.ErrorContains(t, Fits(h, incrBlock(t), nil), "it is of block several")
	h.SchemaHash = "0"
	require.ErrorContains(t, Fits(h, b, map[string]int{"Depth": 4}), "schema hash 0")
}

// Package tooltest makes small vector files for the tests of the tools.
package tooltest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
)

// Records of File, an episode each Episode records.
const (
	Records = 30
	Episode = 10
)

// Data returns a vector file of txstate with Records transactions of noise in episodes e/0, e/1, e/2, which edit may
// change; a record for which it returns false is left out.
func Data(t testing.TB, seed uint64, edit func(l *event.Layout, rec *format.Record) bool) []byte {
	t.Helper()
	b := txstate.Schema()
	text, err := format.SchemaText(b)
	require.NoError(t, err)
	params, err := b.Values(nil)
	require.NoError(t, err)
	h := format.Header{Block: b.Name, Per: format.PerTransaction, Pairing: format.PairAnswers, SchemaHash: b.Hash(),
		Params: params,
		Source: "random", Seed: seed, Generator: "tooltest 1", Args: []string{"vectors", "gen"}, Schema: text}
	var buf bytes.Buffer
	w, err := format.NewWriter(&buf, h)
	require.NoError(t, err)
	l := event.NewLayout(b)
	for n := range Records {
		in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
		l.Inputs()[0].Slots[0].Set(in, uint64(n)*seed)
		l.Outputs()[0].Slots[0].Set(out, uint64(n)*seed)
		in[0] |= l.Inputs()[0].Valid | l.Reset()
		out[0] |= l.Outputs()[0].Valid
		rec := format.Record{Number: uint64(n), In: in, Out: out}
		if n%Episode == 0 {
			in[0] &^= l.Reset()
			rec.Mark = &format.Mark{Name: "e/" + string(rune('0'+n/Episode)), Seed: seed}
		}
		if edit == nil || edit(l, &rec) {
			require.NoError(t, tool.Copy(w, &rec))
		}
	}
	_, err = w.Close()
	require.NoError(t, err)
	return buf.Bytes()
}

// File returns data as a file of that name.
func File(name string, data []byte) tool.File {
	return tool.File{Name: name, Open: func() (*format.Reader, func(), error) {
		r, err := format.NewReader(bytes.NewReader(data))
		return r, func() {}, err
	}}
}

// All returns copies of the records of a file.
func All(t testing.TB, data []byte) (out []format.Record) {
	t.Helper()
	r, err := format.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	for rec, err := range r.All() {
		require.NoError(t, err)
		x := format.Record{Number: rec.Number, In: append([]uint64(nil), rec.In...),
			Out: append([]uint64(nil), rec.Out...)}
		if rec.Mark != nil {
			m := *rec.Mark
			x.Mark = &m
		}
		out = append(out, x)
	}
	return out
}

// Flip returns an edit of Data that changes the lowest bit of the first output field of some records.
func Flip(records ...uint64) func(l *event.Layout, rec *format.Record) bool {
	return func(l *event.Layout, rec *format.Record) bool {
		for _, n := range records {
			if rec.Number == n {
				s := l.Outputs()[0].Slots[0]
				s.Set(rec.Out, s.Get(rec.Out)^1)
			}
		}
		return true
	}
}

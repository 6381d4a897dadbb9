package elastic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/vectors/event"
)

var asked = &event.Block{Name: "b", Title: "t", Streams: []event.Stream{
	{Name: "ev", Dir: event.In, Fields: []event.Field{{Name: "a", Width: 8}}},
	{Name: "rsp", Dir: event.Out, Fields: []event.Field{{Name: "x", Width: 8}}},
	{Name: "log", Dir: event.Out, Fields: []event.Field{{Name: "n", Width: 8}}},
}}

// asker is a program that answers with what answer gives for the events so far.
type asker struct {
	restarts int
	events   []uint64
	answer   func(event uint64) []uint64
}

func (a *asker) Restart(uint32) error { a.restarts++; return nil }

func (a *asker) Ask(events []uint64) (out []uint64, err error) {
	a.events = append(a.events, events...)
	for _, e := range events {
		out = append(out, a.answer(e)...)
	}
	return out, nil
}

func TestProgram(t *testing.T) {
	l := event.NewLayout(asked)
	ev, x, n := l.In.Slot("ev", "a"), l.Out.Slot("rsp", "x"), l.Out.Slot("log", "n")
	rsp, log := l.Out.Control("rsp_valid"), l.Out.Control("log_valid")
	respond := func(valid uint64, s *event.Slot, v uint64) uint64 {
		w := []uint64{valid}
		s.Set(w, v)
		return w[0]
	}
	a := &asker{answer: func(e uint64) (out []uint64) {
		v := ev.Get([]uint64{e})
		if v >= 2 {
			out = append(out, respond(log, n, v))
		}
		return append(out, respond(rsp, x, v+1))
	}}
	p := elastic.NewProgram(asked, a)
	give := func(v uint64) {
		w := make([]uint64, 1)
		ev.Set(w, v)
		require.NoError(t, p.Accept(0, false, w))
		w[0] = ^uint64(0) // the words are the caller's
	}
	next := func(stream int, s *event.Slot) (uint64, bool) {
		w, ok, err := p.Next(stream)
		require.NoError(t, err)
		if !ok {
			return 0, false
		}
		return s.Get(w), true
	}
	require.NoError(t, p.Restart(7))
	require.NoError(t, p.Reset())
	require.Equal(t, 1, a.restarts, "nothing was asked in between")
	_, ok := next(0, x)
	require.False(t, ok)
	give(1)
	give(2)
	give(3)
	require.Empty(t, a.events, "nothing is asked before an answer is due")
	for _, want := range []uint64{2, 3, 4} {
		got, ok := next(0, x)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	require.Len(t, a.events, 3)
	require.Equal(t, l.In.Control("ev_valid"), a.events[0]&l.In.ControlMask())
	got, ok := next(1, n)
	require.True(t, ok)
	require.EqualValues(t, 2, got)
	require.NoError(t, p.Reset())
	require.Equal(t, 2, a.restarts)
	_, ok = next(1, n)
	require.False(t, ok, "a reset forgets what is owed")

	for name, answer := range map[string]uint64{"no valid bit": 0, "two of them": rsp | log} {
		a.answer = func(uint64) []uint64 { return []uint64{answer} }
		give(1)
		_, _, err := p.Next(0)
		require.ErrorContains(t, err, "response 0 of its answer has", name)
	}
}

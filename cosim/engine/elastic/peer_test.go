package elastic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// A second device owes what it answers, as late as it may; a reset makes it forget what it did not take.
func TestPeer(t *testing.T) {
	l := event.NewLayout(several(t))
	d := newLogger(t)
	d.late, d.full = 50, 2
	p := NewPeer(t.Context(), d, severalSpec(t))
	require.NoError(t, p.Restart(1))
	require.NoError(t, p.Reset())
	accept := func(x uint64) {
		w := make([]uint64, l.In.Words)
		l.In.Slot("ev", "x").Set(w, x)
		require.NoError(t, p.Accept(0, false, w))
		clear(w) // the words are the caller's
	}
	next := func(stream int, s *event.Slot) []uint64 {
		t.Helper()
		w, ok, err := p.Next(stream)
		require.NoError(t, err)
		if !ok {
			return nil
		}
		return []uint64{s.Get(w)}
	}
	y, line := l.Out.Slot("rsp", "y"), l.Out.Slot("log", "l")
	for x := range uint64(6) {
		accept(x)
	}
	for x := range uint64(6) {
		require.Equal(t, []uint64{x + 1}, next(0, y))
	}
	require.Nil(t, next(0, y))
	for x := range uint64(6) {
		require.Equal(t, []uint64{x}, next(1, line))
	}
	accept(7)
	accept(8)
	accept(9)
	require.Equal(t, []uint64{8}, next(0, y))
	require.NoError(t, p.Reset())
	require.Nil(t, next(0, y))
	require.Nil(t, next(1, line), "given and not asked for before the reset")
	accept(20)
	require.Equal(t, []uint64{21}, next(0, y))
	d.full = 1
	d.late = 5000
	accept(21)
	accept(22)
	_, _, err := p.Next(0)
	require.ErrorIs(t, err, ErrStopped)
}

// packets answers an event with a packet of three transfers.
type packets struct {
	l    *event.Layout
	left int
}

func (m *packets) Reset() { m.left = 0 }
func (m *packets) Cycle(in, out []uint64) {
	clear(out)
	if m.left > 0 {
		out[0] |= m.l.Out.Control("rsp_valid")
		m.l.Out.Slot("rsp", "y").Set(out, uint64(m.left))
		if m.left--; m.left == 0 {
			m.l.Out.Slot("rsp", "last").Set(out, 1)
		}
		return
	}
	out[0] |= m.l.Out.Control("ev_ready")
	if in[0]&m.l.In.Control("ev_valid") != 0 {
		m.left = 3
	}
}

// The responses of a model that answers in packets are not counted one an event.
func TestTwinOwesPackets(t *testing.T) {
	b, err := event.Parse([]byte(`
block: packets
title: three for one
doc: a packet for each event
streams:
  - {name: ev, dir: in, doc: numbers, fields: [{name: x, width: 8, doc: number}]}
  - {name: rsp, dir: out, doc: answers, fields: [{name: y, width: 8, doc: answer},
      {name: last, width: 1, doc: of a packet}]}
`))
	require.NoError(t, err)
	x := NewModel(b, &packets{l: event.NewLayout(b)})
	require.NoError(t, x.Reset())
	for range 2 {
		require.NoError(t, x.Accept(0, false, []uint64{0}))
	}
	for range 6 {
		_, ok, err := x.Next(0)
		require.NoError(t, err)
		require.True(t, ok)
	}
	_, ok, err := x.Next(0)
	require.NoError(t, err)
	require.False(t, ok)
}

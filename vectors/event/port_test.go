package event_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// packets is a block with a packet stream beside a plain one on each side, and a stream without fields.
func packets() *event.Block {
	last := event.Field{Name: "last", Width: 1}
	return &event.Block{Name: "b", Title: "t", Streams: []event.Stream{
		{Name: "tx", Dir: event.Out, Fields: []event.Field{{Name: "data", Width: 100}, last}},
		{Name: "cfg", Dir: event.In, Fields: []event.Field{{Name: "v", Width: 3}}},
		{Name: "rx", Dir: event.In, Fields: []event.Field{{Name: "data", Width: 128}, last}},
		{Name: "tick", Dir: event.In},
	}}
}

func TestPortsOfALayout(t *testing.T) {
	l := event.NewLayout(packets())
	in, out := l.Inputs(), l.Outputs()
	require.Len(t, in, 3)
	require.Len(t, out, 1)
	for i, want := range []struct {
		name     string
		from, to int
		fields   int
		packet   bool
	}{{"cfg", 0, 1, 1, false}, {"rx", 1, 4, 2, true}, {"tick", 0, 0, 0, false}} {
		p := &in[i]
		require.Equal(t, want.name, p.Name)
		require.Equal(t, event.In, p.Dir)
		require.Equal(t, i, p.Lane)
		require.Equal(t, l.In.Control(p.Name+"_valid"), p.Valid)
		require.Equal(t, l.Out.Control(p.Name+"_ready"), p.Ready)
		require.Equal(t, l.In.StreamMask(p.Name), p.Mask)
		require.Equal(t, [2]int{want.from, want.to}, [2]int{p.From, p.To}, p.Name)
		require.Len(t, p.Slots, want.fields)
		require.Equal(t, want.packet, p.Last != nil)
	}
	require.Same(t, l.In.Slot("rx", "last"), in[1].Last)
	p := &out[0]
	require.Equal(t, l.Out.Control("tx_valid"), p.Valid)
	require.Equal(t, l.In.Control("tx_ready"), p.Ready)
	require.Equal(t, event.Out, p.Dir)
	require.Equal(t, l.In.Control("tx_ready"), l.Readies())
	require.Equal(t, uint64(1), l.Reset())
	bits := l.Reset() | l.Readies()
	for i := range in {
		require.NotZero(t, in[i].Valid)
		bits |= in[i].Valid
	}
	require.Equal(t, l.In.ControlMask(), bits, "every control bit of an input record belongs to a port or is the reset")
}

func TestPortHandshake(t *testing.T) {
	l := event.NewLayout(packets())
	for _, ports := range [][]event.Port{l.Inputs(), l.Outputs()} {
		for i := range ports {
			p := &ports[i]
			for k := range 4 {
				own, other := make([]uint64, 8), make([]uint64, 8)
				valid, ready := k&1 != 0, k&2 != 0
				// Every bit but the one that counts is the opposite.
				own[0], other[0] = ^p.Valid, ^p.Ready
				if valid {
					own[0] = p.Valid
				}
				if ready {
					other[0] = p.Ready
				}
				require.Equal(t, valid, p.Offered(own))
				require.Equal(t, ready, p.Taken(other))
				require.Equal(t, valid && ready, p.Moves(own, other), p.Name)
			}
		}
	}
}

func TestPortEndsAndCopies(t *testing.T) {
	l := event.NewLayout(packets())
	cfg, rx := &l.Inputs()[0], &l.Inputs()[1]
	rec := make([]uint64, l.In.Words)
	require.True(t, cfg.Ends(rec), "a stream without last has no packets")
	require.False(t, rx.Ends(rec))
	rx.Last.Set(rec, 1)
	require.True(t, rx.Ends(rec))

	src, dst := make([]uint64, l.In.Words), make([]uint64, l.In.Words)
	for w := range src {
		src[w] = ^uint64(0)
	}
	rx.Copy(dst, src)
	require.Equal(t, rx.Mask, dst, "only its own fields are written")
	clear(src)
	for w := range dst {
		dst[w] = ^uint64(0)
	}
	rx.Copy(dst, src)
	for w := range dst {
		require.Equal(t, ^rx.Mask[w], dst[w], "and all of them")
	}
}

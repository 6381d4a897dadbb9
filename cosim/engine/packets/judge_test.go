package packets

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// bench plays whole packets at the ports of a block.
type bench struct {
	l *event.Layout
	w *Judge
	n uint64 // cycles
}

// packetOf returns a sound packet.
func packetOf(tags int) []byte {
	f := frame.Good(tags, false, 0)
	r := stim.Seeded(1, "trimmer", "packets", 0)
	return f.Bytes(&r, nil)
}

// beats calls each with the records of a frame's beats.
func (b *bench) beats(r *event.Record, stream string, data []byte, each func(rec []uint64, last bool)) {
	for at := 0; at < len(data); at += 64 {
		part, rec := data[at:min(at+64, len(data))], make([]uint64, r.Words)
		for i, x := range part {
			rec[r.Slot(stream, "data").Word+i/8] |= uint64(x) << (8 * (i % 8))
		}
		r.Slot(stream, "keep").Set(rec, ^uint64(0)>>(64-len(part)))
		each(rec, at+64 >= len(data))
		b.n++
	}
}

func (b *bench) in(data []byte) {
	b.beats(&b.l.In, "rx", data, func(rec []uint64, last bool) { b.w.Accept(b.n, 0, rec, last) })
}

func (b *bench) out(data []byte) {
	b.beats(&b.l.Out, "tx", data, func(rec []uint64, last bool) { b.w.Respond(b.n, b.w.txAt, rec, last) })
}

func newBench(emit func(Frame) error, from uint64) *bench {
	s := trimmer.Schema()
	l := event.NewLayout(s)
	b := &bench{l: l, w: New(s, l, emit, from), n: 100}
	b.w.Begin(b.n, &stim.Episode{Name: "random/7"})
	return b
}

// A packet that came in sound and leaves unsound is found, with its episode and the cycle of the episode. A packet that
// came in unsound, or leaves unchanged, is not.
func TestJudge(t *testing.T) {
	good := packetOf(1)
	bad := append([]byte(nil), good...)
	bad[40] ^= 4 // an address
	bare := append([]byte(nil), good...)
	bare[18+20+6], bare[18+20+7] = 0, 0 // no UDP checksum
	for _, c := range []struct {
		in, out []byte
		leaves  string // "": nothing is found
	}{{good, good, ""}, {good, bad, "came in sound and leaves with a wrong"}, {bad, bad, ""}, {bad, good, ""},
		{good, bare, "with a UDP checksum and leaves without"},
		{bare, bare, ""}, {bare, good, ""}, {bad, bare, "with a UDP checksum and leaves without"}} {
		b := newBench(nil, 0)
		b.in(good)
		b.out(good)
		b.in(c.in)
		at := b.n - 100
		b.out(c.out)
		require.EqualValues(t, 2, b.w.Judged())
		f := b.w.Found()
		require.Equal(t, c.leaves != "", f != nil, "%v", f)
		if f == nil {
			continue
		}
		require.Equal(t, "random/7", f.Episode)
		require.Equal(t, at+uint64(len(c.out)-1)/64, f.At)
		require.Contains(t, f.Text, c.leaves)
		require.Equal(t, "tx_data", f.Field.Name)
		require.Contains(t, f.Place, "packet 1 at tx, counted from 0 since reset")
		require.False(t, f.Pick(nil))
		require.True(t, f.Pick(nil), "the second that came in")
	}
	require.Nil(t, New(txstate.Schema(), event.NewLayout(txstate.Schema()), nil, 0), "a block without packets")
}

// A packet that leaves and never came in is found: at a block that keeps the order by number, and at the switch port by
// its handle. A cut packet may leave before its end has come in.
func TestPacketsFromNowhere(t *testing.T) {
	good := packetOf(1)
	for _, s := range []*event.Block{trimmer.Schema(), intmd.Schema()} {
		l := event.NewLayout(s)
		b := &bench{l: l, w: New(s, l, nil, 0)}
		b.w.Begin(0, &stim.Episode{Name: "random/7"})
		b.in(good)
		b.out(good)
		b.beats(&l.In, "rx", append(good[:64:64], good...), func(rec []uint64, last bool) {
			if !last {
				b.w.Accept(b.n, 0, rec, false)
			}
		})
		b.out(good)
		require.Nil(t, b.w.Found(), s.Name)
		b.out(good)
		require.NotNil(t, b.w.Found(), s.Name)
		require.Contains(t, b.w.Found().Text, "a packet leaves that never came in")
		require.Equal(t, "tx_data", b.w.Found().Field.Name)
	}

	const handle, other = 17, 18
	for name, c := range map[string]struct {
		in    int  // packets under handle
		drop  bool // the last of them
		out   []uint64
		found bool
	}{
		"one":                {1, false, []uint64{handle}, false},
		"two in turn":        {2, false, []uint64{handle, handle}, false},
		"never came in":      {1, false, []uint64{other}, true},
		"left already":       {1, false, []uint64{handle, handle}, true},
		"dropped":            {1, true, []uint64{handle}, true},
		"one of two dropped": {2, true, []uint64{handle, handle}, true},
	} {
		s := switchport.Schema()
		l := event.NewLayout(s)
		b := &bench{l: l, w: New(s, l, nil, 0)}
		b.w.Begin(0, &stim.Episode{Name: "random/7"})
		note := func(v switchport.Verdict) {
			rec := make([]uint64, l.Out.Words)
			l.Out.Slot("note", "id").Set(rec, handle)
			l.Out.Slot("note", "verdict").Set(rec, uint64(v))
			b.w.Respond(b.n, b.w.ntAt, rec, true)
		}
		for i := range c.in {
			b.beats(&l.In, "rx", good, func(rec []uint64, last bool) {
				l.In.Slot("rx", "id").Set(rec, handle)
				b.w.Accept(b.n, b.w.rxAt, rec, last)
			})
			if c.drop && i == c.in-1 {
				note(switchport.VerdictDrop)
			} else {
				note(switchport.VerdictAdmit)
			}
		}
		for _, h := range c.out {
			rec := make([]uint64, l.Out.Words)
			l.Out.Slot("gr", "id").Set(rec, h)
			l.Out.Slot("gr", "len").Set(rec, uint64(len(good)))
			b.w.Respond(b.n, b.w.grAt, rec, true)
			b.out(good)
		}
		f := b.w.Found()
		require.Equal(t, c.found, f != nil, "%s: %v", name, f)
		if f != nil {
			require.Contains(t, f.Text, "under which none is in the block", name)
			require.Equal(t, "gr_id", f.Field.Name)
		}
	}
}

// A reset drops the packets in flight: later output is not compared with earlier input.
func TestJudgeForgetsAtReset(t *testing.T) {
	good := packetOf(0)
	bad := append([]byte(nil), good...)
	bad[30] ^= 4
	b := newBench(nil, 0)
	b.in(good)
	b.w.Reset(b.n)
	b.in(bad)
	b.out(bad)
	require.Nil(t, b.w.Found())
}

// Packets are handed out once the device has agreed in their last cycle, in order, with the cycles of all passes. An
// error of the receiver is kept.
func TestConfirmedPackets(t *testing.T) {
	good := packetOf(0)
	var got []Frame
	b := newBench(func(f Frame) error { got = append(got, f); return nil }, 1000)
	b.in(good)
	b.out(good)
	last := b.n - 1
	b.w.Confirm(last)
	require.Empty(t, got, "its last cycle is not confirmed")
	b.w.Confirm(last + 1)
	require.Equal(t, []Frame{{Bytes: good, Cycle: 1000 + last}}, got)
	b.w.Confirm(last + 1)
	require.Len(t, got, 1)
	require.NoError(t, b.w.Check())

	b = newBench(func(Frame) error { return errors.New("disk full") }, 0)
	b.in(good)
	b.out(good)
	b.w.Confirm(b.n)
	require.EqualError(t, b.w.Check(), "frames of the device: disk full")
	require.NoError(t, (*Judge)(nil).Check())
}

// Packets handed out without a word from the device are older than anything that can be in flight to it.
func TestPacketsInFlightAreKept(t *testing.T) {
	o := client.DefaultOptions()
	good := packetOf(0)
	var got []Frame
	b := newBench(func(f Frame) error { got = append(got, f); return nil }, 0)
	b.n = 1 << 20
	b.in(good)
	b.out(good)
	for n := b.n; len(got) == 0; n++ {
		b.w.Cycle(n, nil, nil)
		require.Less(t, n, b.n+1<<20)
		if len(got) > 0 {
			require.Greater(t, n-b.n, uint64(o.Window*o.MaxBatch))
		}
	}
}

package elastic

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
)

// packets reports whether an output stream is compared packet by packet.
func (p *player) packets(i int) bool { return p.spec.Packets && p.outs[i].Last != nil }

// whole compares the packets that are complete and whose input has ended: which beat of one shows when depends on the
// width of the bus. Over is set when nothing more can come; what has no end then belongs to a packet that is not there,
// unless the input was cut off.
func (p *player) whole(over bool) error {
	for i := range p.came {
		for len(p.came[i]) > 0 {
			n := 1 + slices.IndexFunc(p.came[i], func(r answer) bool { return p.outs[i].Ends(r.words) })
			c := p.board.cause[i]
			if n == 0 && over && (c < 0 || !p.board.inside[c]) {
				n = len(p.came[i])
			}
			if n == 0 || !over && c >= 0 && p.board.left[i] >= p.board.ended[c] {
				break
			}
			for _, r := range p.came[i][:n] {
				if err := p.respond(i, r); err != nil || p.res.Finding != nil {
					return err
				}
			}
			p.came[i] = p.came[i][n:]
		}
	}
	return nil
}

// packeted is an Expect of packets: what a packet consists of is the bytes that count, whatever its beats have besides.
// In a transfer of a stream of packets, keep names every byte of a beat that is not the last, and of the last one those
// below the lowest zero; the other bytes are 0; and a last beat without bytes is part of the beat before it. The device
// gets and gives the same at its edge (cosim/device/bind).
type packeted struct {
	Expect
	ins, outs []packet
	ahead     [][]uint64 // by output stream: a response that was asked for early; nil for none
}

// packet is how a stream has its packets.
type packet struct {
	data, keep, last *event.Slot // nil: none
}

func packetsOf(l *event.Layout, r *event.Record, ports []port) []packet {
	out := make([]packet, len(ports))
	for i := range ports {
		name := ports[i].Name
		x := packet{r.Slot(name, "data"), r.Slot(name, "keep"), r.Slot(name, "last")}
		if x.data != nil && x.keep != nil && x.last != nil && x.data.Field.Width == 8*x.keep.Field.Width {
			out[i] = x
		}
	}
	return out
}

// newPacketed returns an Expect of packets, which runs along if the other does.
func newPacketed(b *event.Block, exp Expect) Expect {
	l := event.NewLayout(b)
	ins, outs := portsOf(l)
	w := &packeted{exp, packetsOf(l, &l.In, ins), packetsOf(l, &l.Out, outs), make([][]uint64, len(outs))}
	if f, ok := exp.(Follower); ok {
		return &packetedAlong{w, f}
	}
	return w
}

// packetedAlong is a packeted that runs along with the device.
type packetedAlong struct {
	*packeted
	along Follower
}

func (w *packetedAlong) Follow(in, out []uint64) error { return w.along.Follow(in, out) }
func (w *packetedAlong) Settle()                       { w.along.Settle() }
func (w *packetedAlong) End() error                    { return w.along.End() }

// Anew reports whether the Expect begins again with its reset.
func (w *packeted) Anew() bool {
	x, ok := w.Expect.(interface{ Anew() bool })
	return ok && x.Anew()
}

// Reset forgets what was asked for early, too.
func (w *packeted) Reset() error {
	clear(w.ahead)
	return w.Expect.Reset()
}

// Accept passes on what of a transfer counts.
func (w *packeted) Accept(stream int, pair bool, words []uint64) error {
	words = slices.Clone(words)
	w.ins[stream].count(words)
	return w.Expect.Accept(stream, pair, words)
}

// Next returns the next beat with a byte of its packet, or the only one of a packet without.
func (w *packeted) Next(stream int) ([]uint64, bool, error) {
	p := &w.outs[stream]
	words, ok, err := w.take(stream)
	if err != nil || !ok || p.keep == nil || p.last.Get(words) != 0 {
		return words, ok, err
	}
	next, ok, err := w.take(stream)
	switch {
	case err != nil:
		return nil, false, err
	case ok && p.last.Get(next) != 0 && p.bytes(next) == 0:
		for _, s := range []*event.Slot{p.data, p.keep} { // the sideband is that of the end
			for k := range s.Field.Width {
				set(next, s, k, bit(words, s, k))
			}
		}
		return next, true, nil
	case ok:
		w.ahead[stream] = next
		return words, true, nil
	}
	w.ahead[stream] = words // whether it is the last one shows with the next
	return nil, false, nil
}

// take takes a response.
func (w *packeted) take(stream int) ([]uint64, bool, error) {
	if words := w.ahead[stream]; words != nil {
		w.ahead[stream] = nil
		return words, true, nil
	}
	words, ok, err := w.Expect.Next(stream)
	if ok && err == nil {
		w.outs[stream].count(words)
	}
	return words, ok, err
}

// bytes returns how many bytes of a beat keep names, from the first on.
func (p *packet) bytes(words []uint64) int {
	n := 0
	for n < p.keep.Field.Width && bit(words, p.keep, n) {
		n++
	}
	return n
}

// count leaves of a beat what counts.
func (p *packet) count(words []uint64) {
	if p.keep == nil {
		return
	}
	n := p.keep.Field.Width
	if p.last.Get(words) != 0 {
		n = p.bytes(words)
	}
	for k := range p.keep.Field.Width {
		set(words, p.keep, k, k < n)
		for b := 8 * k; k >= n && b < 8*k+8; b++ {
			set(words, p.data, b, false)
		}
	}
}

func bit(words []uint64, s *event.Slot, k int) bool {
	at := s.Bit + k
	return words[s.Word+at/64]>>(at%64)&1 != 0
}

func set(words []uint64, s *event.Slot, k int, on bool) {
	at := s.Bit + k
	words[s.Word+at/64] &^= 1 << (at % 64)
	if on {
		words[s.Word+at/64] |= 1 << (at % 64)
	}
}

// Frame is the packet on its way out of an output stream of packets: what has left of it since the last reset.
type Frame struct {
	Data   *event.Slot // bytes of a beat; nil: the stream carries no packets
	Bytes  []byte      // of the beats taken
	Beats  int         // how many
	Before int         // packets that left
}

// NewFrames returns one for each output stream of a block.
func NewFrames(b *event.Block, l *event.Layout) []Frame {
	streams := b.StreamsOf(event.Out)
	fs := make([]Frame, len(streams))
	for i, s := range streams {
		if l.Out.Slot(s.Name, "last") == nil || l.Out.Slot(s.Name, "keep") == nil {
			continue
		}
		if data := l.Out.Slot(s.Name, "data"); data != nil && data.Field.IsBytes() {
			fs[i].Data = data
		}
	}
	return fs
}

// Reset forgets the packet on its way out.
func (f *Frame) Reset() { *f = Frame{Data: f.Data, Bytes: f.Bytes[:0]} }

// Take notes a beat that left, in an output record; ends is set for the packet's last beat.
func (f *Frame) Take(rec []uint64, ends bool) {
	switch {
	case f.Data == nil:
	case ends:
		f.Bytes, f.Beats, f.Before = f.Bytes[:0], 0, f.Before+1
	default:
		f.Bytes, f.Beats = append(f.Bytes, f.Data.Bytes(rec)...), f.Beats+1
	}
}

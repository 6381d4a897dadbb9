package elastic

import "github.com/goldwire/goldwire/vectors/event"

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

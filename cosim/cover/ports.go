package cover

import "github.com/goldwire/goldwire/vectors/event"

// Control bits of word 0, see package event: of every block rst_n, and of a block with one stream of events its valid.
const (
	inRstN    = 1 << 0
	inEvValid = 1 << 1
)

// BeatEnd reads where the packets of an input stream end, without the rest of a beat.
type BeatEnd struct {
	keep, last int    // words
	lastBit    uint64 // in its word
}

func NewBeatEnd(l *event.Layout, stream string) BeatEnd {
	last := l.In.Slot(stream, "last")
	return BeatEnd{l.In.Slot(stream, "keep").Word, last.Word, 1 << last.Bit}
}

func (e *BeatEnd) Read(in []uint64) (keep uint64, last bool) {
	return in[e.keep], in[e.last]&e.lastBit != 0
}

package cache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/vectors/stim"
)

// The low byte of the first word of a record: what it is.
const (
	recEpisode = 1 + iota // the head of an episode
	recItem
	recEnd    // of an episode
	recTotals // of the file
)

// Flags of an item, from bit 24 of its first word on.
const (
	flagPair = 1 << (24 + iota)
	flagMore
	flagLate
	flagTimed // two words with its times follow
)

// errNotAList marks an episode that is not a list of items, or has one that a record cannot hold.
var errNotAList = errors.New("it is not a list of items")

// listed returns an error unless an episode is a list of items.
func listed(ep *stim.Episode) error {
	if ep.Judge != nil || ep.Lanes != nil || ep.Drive.ByLane || ep.Items == nil && ep.Events == nil {
		return fmt.Errorf("episode %s: %w", ep.Name, errNotAList)
	}
	return nil
}

// firstWord returns the first word of an item's record. It errors for a lane that has no room in it.
func firstWord(it *stim.Item) (uint64, error) {
	if it.Lane < 0 || it.Lane > math.MaxUint8 {
		return 0, fmt.Errorf("an item of stream %d: %w", it.Lane, errNotAList)
	}
	w := recItem | uint64(it.Lane)<<8 | uint64(it.Wait)<<16 | uint64(it.Gap)<<32
	if it.Pair {
		w |= flagPair
	}
	if it.More {
		w |= flagMore
	}
	if it.Late {
		w |= flagLate
	}
	return w, nil
}

// itemOf returns the item of a first word.
func itemOf(w uint64, words []uint64) stim.Item {
	return stim.Item{Lane: int(uint8(w >> 8)), Wait: uint8(w >> 16), Pair: w&flagPair != 0, Gap: uint16(w >> 32),
		More: w&flagMore != 0, Late: w&flagLate != 0, Words: words}
}

// appendHead appends the head of an episode: all of it but its items.
func appendHead(to []uint64, ep *stim.Episode) ([]uint64, error) {
	d := &ep.Drive
	to = append(to, recEpisode)
	to = appendString(appendString(to, ep.Name), ep.Block)
	to = append(to, ep.Seed, uint64(ep.Len), flag(ep.Times != nil), gate(d.Idle), gate(d.Stall),
		uint64(len(d.Resets)))
	for _, r := range d.Resets {
		to = append(to, uint64(r.After), uint64(r.Delay), uint64(r.Low))
	}
	to = append(to, uint64(len(d.Gaps)))
	for _, g := range d.Gaps {
		to = append(to, uint64(g))
	}
	for _, gates := range [][]stim.Gate{d.IdleMore, d.StallMore} {
		to = append(to, uint64(len(gates)))
		for _, g := range gates {
			to = append(to, gate(g))
		}
	}
	to = append(to, uint64(d.Yield), uint64(d.Ahead), uint64(len(d.Relief)))
	for i := range d.Relief {
		it := &d.Relief[i]
		w, err := firstWord(it)
		if err != nil {
			return nil, err
		}
		to = append(append(to, w, uint64(len(it.Words))), it.Words...)
	}
	return to, nil
}

func gate(g stim.Gate) uint64 { return uint64(g.Close)<<16 | uint64(g.Open) }

func flag(b bool) uint64 { return uint64(stim.Bit(b)) }

func appendString(to []uint64, s string) []uint64 {
	to = append(to, uint64(len(s)))
	for ; len(s) > 0; s = s[min(8, len(s)):] {
		var b [8]byte
		copy(b[:], s)
		to = append(to, binary.LittleEndian.Uint64(b[:]))
	}
	return to
}

// words are those of a chunk that were not read yet. Reading beyond the end gives 0 and sets short.
type words struct {
	rest  []uint64
	short bool
}

func (w *words) one() uint64 { return w.many(1)[0] }

// many returns the next n words.
func (w *words) many(n int) []uint64 {
	if n > len(w.rest) {
		w.short, w.rest = true, nil
		return make([]uint64, n)
	}
	out := w.rest[:n:n]
	w.rest = w.rest[n:]
	return out
}

// count returns the length of a list whose elements have at least one word.
func (w *words) count() int {
	n := w.one()
	if n > uint64(len(w.rest)) {
		w.short = true
		return 0
	}
	return int(n)
}

func (w *words) text() string {
	n := w.one()
	if n > 8*uint64(len(w.rest)) {
		w.short = true
		return ""
	}
	var b []byte
	for _, x := range w.many(int(n+7) / 8) {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return string(b[:n])
}

func (w *words) gate() stim.Gate {
	x := w.one()
	return stim.Gate{Close: uint16(x >> 16), Open: uint16(x)}
}

func (w *words) gates() (gs []stim.Gate) {
	for range w.count() {
		gs = append(gs, w.gate())
	}
	return gs
}

// head returns an episode of whose record the first word was read; timed reports whether its items have times.
func (w *words) head() (ep *stim.Episode, timed bool) {
	ep = &stim.Episode{Name: w.text(), Block: w.text(), Seed: w.one(), Len: int(w.one())}
	timed = w.one() != 0
	d := &ep.Drive
	d.Idle, d.Stall = w.gate(), w.gate()
	for range w.count() {
		d.Resets = append(d.Resets, stim.Reset{After: int(w.one()), Delay: int(w.one()), Low: int(w.one())})
	}
	for range w.count() {
		d.Gaps = append(d.Gaps, uint16(w.one()))
	}
	d.IdleMore, d.StallMore = w.gates(), w.gates()
	d.Yield, d.Ahead = int(w.one()), int(w.one())
	for range w.count() {
		first := w.one()
		d.Relief = append(d.Relief, itemOf(first, append([]uint64(nil), w.many(w.count())...)))
	}
	return ep, timed
}

package cache

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"unsafe"

	"github.com/goldwire/goldwire/vectors/stim"
)

// A file is a series of chunks. A chunk is one word with its length and checksum, then whole records. The checksum
// covers the chunk's number, its length and the records. Words have the machine's byte order; a program for another
// order has another key. The container of golden vectors (package format) is not used here: it holds a record for each
// cycle or transfer and compresses it, which takes longer than playing it.

// chunkWords is the size of a chunk in words. It is large enough that system calls cost little, and that the items of
// chunk n-1 are out of use when chunk n+1 is read (stim.Lookahead). It is small enough that a chunk stays in the
// processor's cache while it is filled.
const chunkWords = 1 << 13

// maxWords is the most words that an item may have. With larger items a chunk would hold fewer than stim.Lookahead.
const maxWords = chunkWords/stim.Lookahead - 4

// mostWords is the longest chunk that is read. Only an episode head with very long lists needs a chunk above
// chunkWords.
const mostWords = 1 << 22

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal fills in word 0 of a chunk, whose records begin at word 1.
func seal(chunk []uint64, number uint64) {
	n := uint64(len(chunk) - 1)
	chunk[0] = n<<32 | uint64(checksum(chunk[1:], number))
}

func checksum(records []uint64, number uint64) uint32 {
	of := []uint64{number, uint64(len(records))}
	return crc32.Update(crc32.Checksum(bytesOf(of), castagnoli), castagnoli, bytesOf(records))
}

// bytesOf returns the memory of words as bytes.
func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}

// The low byte of a record's first word is its kind. A text record holds JSON; its length in bytes starts at bit 32.
const (
	recHeader  = 1 + iota // the first of the file: text
	recEpisode            // the head of an episode: text
	recItem
	recEnd    // of an episode
	recTotals // the last of the file: text
)

// header identifies the contents of a file. A reader expects an equal header, apart from Made.
type header struct {
	Format int // version of the format
	Key    string
	Words  int   // of an item
	Made   int64 // Unix seconds
}

// format is the version of the format. A program with another version has another key too.
const format = 2

// totals counts what a file holds.
type totals struct{ Episodes, Items, Events uint64 }

// head is an episode without its items.
type head struct {
	Name, Block string
	Seed        uint64
	Len         int
	Timed       bool // some items may have times
	Drive       stim.DriveSpec
}

// appendText appends a text record. It errors for values that JSON cannot hold.
func appendText(to []uint64, kind uint64, v any) ([]uint64, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return to, err
	}
	to = append(to, kind|uint64(len(text))<<32)
	for ; len(text) > 0; text = text[min(8, len(text)):] {
		var b [8]byte
		copy(b[:], text)
		to = append(to, binary.NativeEndian.Uint64(b[:]))
	}
	return to, nil
}

// records are the unread records of a chunk.
type records []uint64

var errShort = errors.New("a record is cut off")

// many returns the next n words, or nil when fewer are left.
func (r *records) many(n int) []uint64 {
	if n > len(*r) {
		*r = nil
		return nil
	}
	out := (*r)[:n:n]
	*r = (*r)[n:]
	return out
}

// text reads a text record of the given kind into v; first is its first word, already read.
func (r *records) text(first, kind uint64, v any) error {
	n := int(first >> 32)
	if first&0xff != kind || (n+7)/8 > len(*r) {
		return fmt.Errorf("record %#x: %w", first, errShort)
	}
	return json.Unmarshal(bytesOf(r.many((n + 7) / 8))[:n], v)
}

// Flags of an item, from bit 24 of its first word on.
const (
	flagPair = 1 << (24 + iota)
	flagMore
	flagLate
	flagTimed // two words with its times follow
)

// firstWord returns the first word of an item's record. The lane must fit a byte.
func firstWord(it *stim.Item) uint64 {
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
	return w
}

// itemOf returns the item with that first word.
func itemOf(w uint64, words []uint64) stim.Item {
	return stim.Item{Lane: int(uint8(w >> 8)), Wait: uint8(w >> 16), Pair: w&flagPair != 0, Gap: uint16(w >> 32),
		More: w&flagMore != 0, Late: w&flagLate != 0, Words: words}
}

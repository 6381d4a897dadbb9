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

// A file is a row of chunks, and a chunk a word with its length and its checksum, and whole records. The checksum is
// over the chunk's number, the length and the records. Words have the byte order of the machine: a program for another
// order is another program, and its key is another one. The container of golden vectors (package format) holds a record
// for each cycle or transfer and compresses it, which takes longer than playing it.

// chunkWords is the size of a chunk: large enough that the cost of a system call does not count, and that the items of
// the chunk before are no longer in use when the one after this is read (stim.Lookahead); small enough that it stays in
// the processor's cache while it is filled.
const chunkWords = 1 << 13

// maxWords is the most words that an item may have: of larger ones a chunk would hold fewer than stim.Lookahead.
const maxWords = chunkWords/stim.Lookahead - 4

// mostWords is the longest chunk that is read. Only the head of an episode with very long lists has one above
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

// The low byte of the first word of a record: what it is. A text, in JSON, has its length in bytes from bit 32 on.
const (
	recHeader  = 1 + iota // the first of the file: a text
	recEpisode            // the head of an episode: a text
	recItem
	recEnd    // of an episode
	recTotals // the last of the file: a text
)

// header is what a file gives about itself. Its zero Made apart, it is what a reader expects.
type header struct {
	Format int // version of the format
	Key    string
	Words  int   // of an item
	Made   int64 // Unix seconds
}

// format is the version of the format. A program that has another one has another key, too.
const format = 2

// totals are what a file holds.
type totals struct{ Episodes, Items, Events uint64 }

// head is an episode but for its items.
type head struct {
	Name, Block string
	Seed        uint64
	Len         int
	Timed       bool // some of its items may have times
	Drive       stim.DriveSpec
}

// appendText appends a text record. It errors for what JSON cannot hold.
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

// records are those of a chunk that were not read yet.
type records []uint64

var errShort = errors.New("a record is cut off")

// many returns the next n words, or nil when there are fewer.
func (r *records) many(n int) []uint64 {
	if n > len(*r) {
		*r = nil
		return nil
	}
	out := (*r)[:n:n]
	*r = (*r)[n:]
	return out
}

// text reads the text record of a kind, whose first word was read.
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

// firstWord returns the first word of an item's record. The lane has room for a byte.
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

// itemOf returns the item of a first word.
func itemOf(w uint64, words []uint64) stim.Item {
	return stim.Item{Lane: int(uint8(w >> 8)), Wait: uint8(w >> 16), Pair: w&flagPair != 0, Gap: uint16(w >> 32),
		More: w&flagMore != 0, Late: w&flagLate != 0, Words: words}
}

package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"unsafe"
)

// A file is a row of chunks. The first is the header, the last has the totals, those between have the records of the
// episodes. A chunk is a word with the length and the checksum, and the words of the payload. The checksum is over the
// chunk's number, the length and the payload. Words have the byte order of the machine: a program for another order is
// another program, and its key is another one.

// chunkWords is the size of a chunk: large enough that the cost of a system call does not count, and that the items of
// the chunk before are no longer in use when the one after this is read (stim.Lookahead).
const chunkWords = 1 << 15

// maxWords is the most words that an item may have: of larger ones a chunk would hold fewer than stim.Lookahead.
const maxWords = 256

// mostWords is the longest chunk that is read. Only the head of an episode with very long lists has one above
// chunkWords.
const mostWords = 1 << 22

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal fills in word 0 of a chunk, whose payload begins at word 1.
func seal(chunk []uint64, number uint64) {
	n := uint64(len(chunk) - 1)
	chunk[0] = n<<32 | uint64(checksum(chunk[1:], number))
}

func checksum(payload []uint64, number uint64) uint32 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], number)
	binary.LittleEndian.PutUint64(b[8:], uint64(len(payload)))
	return crc32.Update(crc32.Checksum(b[:], castagnoli), castagnoli, bytesOf(payload))
}

// lengthOf returns the words of the payload of a chunk with that first word.
func lengthOf(first uint64) (int, error) {
	n := first >> 32
	if n == 0 || n > mostWords {
		return 0, fmt.Errorf("a chunk of %d words", n)
	}
	return int(n), nil
}

// check returns an error unless a payload is the one that was sealed.
func check(first uint64, payload []uint64, number uint64) error {
	if uint32(first) != checksum(payload, number) {
		return fmt.Errorf("wrong checksum of chunk %d", number)
	}
	return nil
}

// bytesOf returns the memory of words as bytes.
func bytesOf(words []uint64) []byte {
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
}

// magic is the first word of the header: the format and its version.
const magic = 0x01_6d_69_74_73_77_67 // "gwstim", 1

// header is what a file says about itself.
type header struct {
	key   [sha256.Size]byte
	words int   // of an item
	made  int64 // Unix seconds
}

// headerWords is the size of the header's chunk, with its first word.
const headerWords = 1 + 1 + sha256.Size/8 + 2

func (h *header) chunk() []uint64 {
	c := []uint64{0, magic}
	for i := 0; i < len(h.key); i += 8 {
		c = append(c, binary.LittleEndian.Uint64(h.key[i:]))
	}
	c = append(c, uint64(h.words), uint64(h.made))
	seal(c, 0)
	return c
}

// read takes a header's chunk. It errors unless it is that of a file with the same key and words.
func (h *header) read(c []uint64) error {
	if n, err := lengthOf(c[0]); err != nil || n != headerWords-1 {
		return errors.New("it has no header")
	}
	if err := check(c[0], c[1:], 0); err != nil {
		return err
	}
	at := *h
	at.made = int64(c[headerWords-1])
	for i, w := range at.chunk() {
		if w != c[i] {
			return errors.New("it is of other stimulus than its name")
		}
	}
	h.made = at.made
	return nil
}

// totals are what the last chunk holds.
type totals struct {
	episodes, items uint64
	chunks          uint64 // that come before
}

func (t *totals) chunk() []uint64 {
	c := []uint64{0, recTotals, t.episodes, t.items, t.chunks}
	seal(c, t.chunks)
	return c
}

package format

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Mark is the beginning of an episode: a stretch of records that needs nothing from those before it.
type Mark struct {
	Name string // source and case, for example random/17
	Seed uint64
}

// placed is a mark at a record of its frame.
type placed struct {
	at int
	Mark
}

const (
	frameBytes = 1 << 20 // of a full frame before compression
	maxName    = 1 << 12 // bytes of an episode's name
)

// frameRecords is how many records of that many words fill a frame.
func frameRecords(words int) int { return max(1, frameBytes/(8*words)) }

// Writer writes a file front to back. Its memory does not grow with the file, apart from 16 bytes per frame.
type Writer struct {
	w       io.Writer
	s       *shape
	enc     *zstd.Encoder
	offset  uint64
	per     int        // records of a full frame
	n       int        // records in this frame
	cols    [][]uint64 // by word of both records
	marks   []placed
	allowed []uint64
	raw     []byte
	stored  []byte
	digest  hash.Hash
	count   counter
	index   []byte
	err     error // the first, for good
	closed  bool
}

// NewWriter writes the header. It errors when the header does not agree with its own schema.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	b, err := h.check()
	if err != nil {
		return nil, err
	}
	h.CompareHash = b.CompareHash()
	text, err := canonical(&h)
	if err != nil {
		return nil, err
	}
	// One goroutine and no dictionary of earlier frames: the bytes depend on the frame alone.
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	s := newShape(b, h.Per)
	words := s.in + s.out
	x := &Writer{w: w, s: s, enc: enc, per: frameRecords(words), cols: make([][]uint64, words),
		allowed: make([]uint64, max(s.in, s.out)), digest: sha256.New(), count: newCounter(s)}
	for i := range x.cols {
		x.cols[i] = make([]uint64, x.per)
	}
	x.digest.Write(text)
	if x.put(prefix(h.version())); x.err == nil {
		x.chunk(chunk{kind: kindHead, raw: uint32(len(text))}, text)
	}
	return x, x.err
}

func (x *Writer) put(b []byte) {
	if x.err != nil {
		return
	}
	n, err := x.w.Write(b)
	x.offset += uint64(n)
	if err != nil {
		x.err = fmt.Errorf("write: %w", err)
	}
}

func (x *Writer) chunk(c chunk, payload []byte) {
	c.stored, c.sum = uint32(len(payload)), checksum(payload)
	x.put(c.bytes())
	x.put(payload)
}

// Mark makes the next record begin an episode. Of two marks without a record between them the later one counts.
func (x *Writer) Mark(name string, seed uint64) {
	if len(name) > maxName && x.err == nil {
		x.err = fmt.Errorf("episode name of %d bytes: at most %d", len(name), maxName)
	}
	if k := len(x.marks); k > 0 && x.marks[k-1].at == x.n {
		x.marks = x.marks[:k-1]
	}
	x.marks = append(x.marks, placed{x.n, Mark{name, seed}})
}

// Write adds a record. Bits without meaning are stored as 0: fields of streams whose valid is low and, per
// transaction, ready bits. It panics when the records are shorter than the block's.
func (x *Writer) Write(in, out []uint64) error {
	if x.err != nil {
		return x.err
	}
	if x.closed {
		return errors.New("write: the vector file is closed")
	}
	s, n := x.s, x.n
	a := x.allowed[:s.in]
	allow(a, in[0], s.inCtl, s.ins)
	in0 := in[0] & a[0]
	for w, m := range a {
		x.cols[w][n] = in[w] & m
	}
	a = x.allowed[:s.out]
	allow(a, out[0], s.outCtl, s.outs)
	for w, m := range a {
		x.cols[s.in+w][n] = out[w] & m
	}
	x.count.add(in0, out[0]&a[0])
	if x.n++; x.n == x.per {
		x.flush()
	}
	return x.err
}

// flush writes the frame.
func (x *Writer) flush() {
	if x.n == 0 || x.err != nil {
		return
	}
	raw := binary.AppendUvarint(x.raw[:0], uint64(len(x.marks)))
	for _, m := range x.marks {
		raw = binary.AppendUvarint(raw, uint64(m.at))
		raw = binary.LittleEndian.AppendUint64(raw, m.Seed)
		raw = binary.AppendUvarint(raw, uint64(len(m.Name)))
		raw = append(raw, m.Name...)
	}
	for _, col := range x.cols {
		for _, v := range col[:x.n] {
			raw = binary.LittleEndian.AppendUint64(raw, v)
		}
	}
	x.raw = raw
	if len(raw) > maxRaw {
		x.err = fmt.Errorf("frame of %d bytes: at most %d", len(raw), maxRaw)
		return
	}
	x.digest.Write(raw)
	x.stored = x.enc.EncodeAll(raw, x.stored[:0])
	first := x.count.records - uint64(x.n)
	x.index = binary.LittleEndian.AppendUint64(x.index, x.offset)
	x.index = binary.LittleEndian.AppendUint64(x.index, first)
	x.chunk(chunk{kind: kindData, number: uint32(x.count.frames), first: first, records: uint32(x.n),
		raw: uint32(len(raw))}, x.stored)
	x.count.frames++
	x.count.episodes += uint64(len(x.marks))
	x.n, x.marks = 0, x.marks[:0]
}

// Close writes what is left, the index and the footer, and returns the totals. It does not close the io.Writer.
func (x *Writer) Close() (Totals, error) {
	if x.closed {
		return Totals{}, errors.New("close: the vector file is closed")
	}
	x.closed = true
	// A mark that no record followed begins nothing.
	if k := len(x.marks); k > 0 && x.marks[k-1].at == x.n {
		x.marks = x.marks[:k-1]
	}
	x.flush()
	t := x.count.totals(hex.EncodeToString(x.digest.Sum(nil)))
	text, err := canonical(&t)
	if err != nil && x.err == nil {
		x.err = err
	}
	if len(x.index) > maxRaw && x.err == nil {
		x.err = fmt.Errorf("index of %d bytes: at most %d", len(x.index), maxRaw)
	}
	last := tail{index: x.offset}
	x.chunk(chunk{kind: kindIndex, first: x.count.records, records: uint32(x.count.frames),
		raw: uint32(len(x.index))}, x.index)
	last.foot = x.offset
	x.chunk(chunk{kind: kindFoot, first: x.count.records, raw: uint32(len(text))}, text)
	x.put(last.bytes())
	x.enc.Close()
	return t, x.err
}

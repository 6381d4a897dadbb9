package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/goldwire/goldwire/vectors/event"
)

// Record is one record of a file. Its slices are valid until the next one is read.
type Record struct {
	Number  uint64
	In, Out []uint64
	Mark    *Mark // the episode that begins here, or nil
}

// Reader reads a file front to back. Everything it returns had a correct checksum; after the first error it returns
// only that error.
type Reader struct {
	r      io.Reader
	offset int64
	header Header
	block  *event.Block
	s      *shape
	dec    *zstd.Decoder

	payload bytes.Buffer
	raw     []byte
	data    []byte // columns of this frame
	n, pos  int    // records in this frame, and the next of them
	marks   []placed
	rec     Record
	scratch []uint64

	frame  uint32
	next   uint64 // number of the next frame's first record
	digest hash.Hash
	count  counter
	index  []byte
	totals Totals
	err    error
}

// NewReader reads and checks the header.
func NewReader(r io.Reader) (*Reader, error) {
	x := &Reader{r: r, digest: sha256.New()}
	if err := x.head(); err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxRaw),
		zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	x.dec = dec
	x.s = newShape(x.block, x.header.Per)
	x.count = newCounter(x.s)
	words := make([]uint64, x.s.in+x.s.out)
	x.rec.In, x.rec.Out = words[:x.s.in], words[x.s.in:]
	x.scratch = make([]uint64, max(x.s.in, x.s.out))
	return x, nil
}

func (x *Reader) head() error {
	var pre [prefixSize]byte
	n, err := io.ReadFull(x.r, pre[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if n < prefixSize {
		if n == 0 {
			return fmt.Errorf("%w: the file is empty", ErrNotVectors)
		}
		if !bytes.Equal(pre[:min(n, 8)], magic[:min(n, 8)]) {
			return fmt.Errorf("%w: it does not begin as a .gwv file does", ErrNotVectors)
		}
		return &Damage{"header", 0, 0, fmt.Errorf("%w: the file ends after %d bytes", ErrTruncated, n)}
	}
	if err := checkPrefix(pre[:]); err != nil {
		if errors.Is(err, ErrDamaged) {
			return &Damage{"header", 0, 0, err}
		}
		return err
	}
	x.offset = prefixSize
	fail := func(err error) error { return &Damage{"header", prefixSize, 0, err} }
	c, err := x.chunk()
	if err != nil {
		return fail(err)
	}
	if c.kind != kindHead || c.number != 0 || c.first != 0 || c.records != 0 || c.raw != c.stored || c.raw > maxHeader {
		return fail(damaged("the header is not where it must be"))
	}
	if err := readPayload(x.r, &c, &x.payload); err != nil {
		return fail(err)
	}
	x.offset += int64(c.stored)
	text := x.payload.Bytes()
	x.digest.Write(text)
	if err := decode("header", text, &x.header); err != nil {
		return fail(damaged("%v", err))
	}
	if x.block, err = x.header.check(); err != nil {
		return fail(damaged("%v", err))
	}
	x.header.CompareHash = x.block.CompareHash() // a file of version 1 has none
	return nil
}

func (x *Reader) chunk() (chunk, error) {
	var b [chunkSize]byte
	if err := readFull(x.r, b[:]); err != nil {
		return chunk{}, err
	}
	x.offset += chunkSize
	return parseChunk(b[:])
}

// Header returns the file's header.
func (x *Reader) Header() *Header { return &x.header }

// Block returns the schema that the file carries.
func (x *Reader) Block() *event.Block { return x.block }

// Layout returns where the fields lie in the records.
func (x *Reader) Layout() *event.Layout { return x.s.layout }

// Totals returns the footer, once Next has returned io.EOF.
func (x *Reader) Totals() Totals { return x.totals }

// Sound returns the number of records that were or can be returned: those of all frames that were checked.
func (x *Reader) Sound() uint64 { return x.next }

// All returns the remaining records. The last pair has the error, if there is one.
func (x *Reader) All() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			rec, err := x.Next()
			if err == io.EOF {
				return
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Next returns the next record, io.EOF after the last one of a file that proved complete and sound, or an error that
// locates the damage.
func (x *Reader) Next() (*Record, error) {
	for x.pos == x.n {
		if x.err != nil {
			return nil, x.err
		}
		if x.err = x.load(); x.err != nil {
			return nil, x.err
		}
	}
	r, i := &x.rec, x.pos
	x.columns(i)
	r.Number = x.next - uint64(x.n-i)
	r.Mark = nil
	if len(x.marks) > 0 && x.marks[0].at == i {
		r.Mark = &x.marks[0].Mark
		x.marks = x.marks[1:]
	}
	x.pos++
	return r, nil
}

// columns gathers record i of this frame.
func (x *Reader) columns(i int) {
	stride := 8 * x.n
	at := 8 * i
	for w := range x.rec.In {
		x.rec.In[w] = binary.LittleEndian.Uint64(x.data[at:])
		at += stride
	}
	for w := range x.rec.Out {
		x.rec.Out[w] = binary.LittleEndian.Uint64(x.data[at:])
		at += stride
	}
}

// located returns an error of a part of the file with its place: a Damage if it is one.
func (x *Reader) located(part string, at int64, err error) error {
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrTruncated) {
		return &Damage{part, at, x.next, err}
	}
	return fmt.Errorf("%s at byte %d: %w", part, at, err)
}

// load reads and checks the next frame, or the end of the file.
func (x *Reader) load() error {
	at := x.offset
	fail := func(err error) error { return x.located(fmt.Sprintf("frame %d", x.frame), at, err) }
	c, err := x.chunk()
	if err != nil {
		return fail(err)
	}
	if c.kind == kindIndex {
		return x.end(&c, at)
	}
	switch {
	case c.kind != kindData:
		return fail(damaged("a chunk of kind %q", c.kind[:]))
	case c.number != x.frame:
		return fail(damaged("it is frame %d", c.number))
	case c.first != x.next:
		return fail(damaged("it begins with record %d, not %d", c.first, x.next))
	case c.records == 0:
		return fail(damaged("it has no records"))
	case uint64(c.raw) < 8*uint64(x.s.in+x.s.out)*uint64(c.records):
		return fail(damaged("%d bytes decompressed cannot hold its %d records", c.raw, c.records))
	}
	if err := readPayload(x.r, &c, &x.payload); err != nil {
		return fail(err)
	}
	x.offset += int64(c.stored)
	// Into a buffer of the claimed size, so that a few bytes cannot expand without bound.
	if x.raw, err = x.dec.DecodeAll(x.payload.Bytes(), slices.Grow(x.raw[:0], int(c.raw))); err != nil {
		return fail(damaged("zstd: %v", err))
	}
	if len(x.raw) != int(c.raw) {
		return fail(damaged("%d bytes decompressed, not %d", len(x.raw), c.raw))
	}
	if err := x.unpack(int(c.records)); err != nil {
		x.n, x.pos = 0, 0
		return fail(damaged("%v", err))
	}
	x.digest.Write(x.raw)
	x.index = binary.LittleEndian.AppendUint64(x.index, uint64(at))
	x.index = binary.LittleEndian.AppendUint64(x.index, c.first)
	x.frame++
	x.next += uint64(x.n)
	return nil
}

// unpack checks the decompressed frame.
func (x *Reader) unpack(records int) error {
	b := x.raw
	uvarint := func() (uint64, error) {
		v, n := binary.Uvarint(b)
		if n <= 0 || n > 1 && b[n-1] == 0 {
			return 0, errors.New("a number in its marks is cut off")
		}
		b = b[n:]
		return v, nil
	}
	marks, err := uvarint()
	if err != nil {
		return err
	}
	if marks > uint64(records) {
		return fmt.Errorf("%d episodes begin in %d records", marks, records)
	}
	x.marks = x.marks[:0]
	last := -1
	for range marks {
		at, err := uvarint()
		if err != nil {
			return err
		}
		if at >= uint64(records) || int(at) <= last {
			return fmt.Errorf("an episode begins at record %d of %d", at, records)
		}
		last = int(at)
		if len(b) < 8 {
			return errors.New("a seed in its marks is cut off")
		}
		seed := binary.LittleEndian.Uint64(b)
		b = b[8:]
		n, err := uvarint()
		if err != nil {
			return err
		}
		if n > maxName || n > uint64(len(b)) {
			return fmt.Errorf("an episode's name of %d bytes", n)
		}
		x.marks = append(x.marks, placed{int(at), Mark{string(b[:n]), seed}})
		b = b[n:]
	}
	if want := 8 * (x.s.in + x.s.out) * records; len(b) != want {
		return fmt.Errorf("%d bytes of records, not %d", len(b), want)
	}
	x.data, x.n, x.pos = b, records, 0
	x.count.frames++
	x.count.episodes += marks
	for i := range records {
		x.columns(i)
		if err := x.s.stray(x.rec.In, x.rec.Out, x.scratch); err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
		x.count.add(x.rec.In[0], x.rec.Out[0])
	}
	return nil
}

// end reads and checks index, footer and tail.
func (x *Reader) end(c *chunk, at int64) error {
	part := "index"
	fail := func(err error) error { return x.located(part, at, err) }
	if err := readPayload(x.r, c, &x.payload); err != nil {
		return fail(err)
	}
	x.offset += int64(c.stored)
	last := tail{index: uint64(at)}
	if c.raw != c.stored || c.number != 0 || c.first != x.next || c.records != x.frame {
		return fail(damaged("it counts %d frames with %d records, but there were %d with %d", c.records,
			c.first, x.frame, x.next))
	}
	if !slices.Equal(x.payload.Bytes(), x.index) {
		return fail(damaged("its offsets are not those of the frames"))
	}
	part, at = "footer", x.offset
	last.foot = uint64(at)
	f, err := x.chunk()
	if err != nil {
		return fail(err)
	}
	if x.totals, err = readFooter(x.r, &f, &x.payload); err != nil {
		return fail(err)
	}
	x.offset += int64(f.stored)
	if got := x.count.totals(hex.EncodeToString(x.digest.Sum(nil))); !got.Equal(&x.totals) {
		return fail(damaged("totals %+v, the frames add up to %+v", x.totals, got))
	}
	part, at = "tail", x.offset
	var b [tailSize + 1]byte
	n, err := io.ReadFull(x.r, b[:])
	switch {
	case err == nil:
		return fail(damaged("bytes follow the end mark"))
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return fail(err)
	case n < tailSize:
		return fail(fmt.Errorf("%w: %d of %d bytes are there", ErrTruncated, n, tailSize))
	}
	got, err := parseTail(b[:tailSize])
	if err != nil {
		return fail(err)
	}
	if got != last {
		return fail(damaged("it points to other places than index and footer"))
	}
	return io.EOF
}

// readFooter reads the payload of a footer.
func readFooter(r io.Reader, c *chunk, buf *bytes.Buffer) (t Totals, err error) {
	if c.kind != kindFoot || c.number != 0 || c.records != 0 || c.raw != c.stored || c.raw > maxHeader {
		return t, damaged("the footer is not where it must be")
	}
	if err := readPayload(r, c, buf); err != nil {
		return t, err
	}
	if err := decode("footer", buf.Bytes(), &t); err != nil {
		return t, damaged("%v", err)
	}
	if t.Records != c.first {
		return t, damaged("it counts %d records, then %d", c.first, t.Records)
	}
	return t, nil
}

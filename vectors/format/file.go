package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sort"
)

// File reads a file from any record on.
type File struct {
	r      io.ReaderAt
	size   int64
	head   *Reader
	totals Totals
	index  []byte
}

// Open reads header, index and footer. It errors when one of them is damaged; NewReader still reads what
// comes before the damage.
func Open(r io.ReaderAt, size int64) (*File, error) {
	head, err := NewReader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, err
	}
	f := &File{r: r, size: size, head: head}
	at := max(size-tailSize, head.offset)
	fail := func(part string, err error) error {
		return fmt.Errorf("%s at byte %d: %w; read the file from its beginning to see which records are sound", part, at, err)
	}
	var b [tailSize]byte
	if err := readFull(io.NewSectionReader(r, at, tailSize), b[:]); err != nil {
		return nil, fail("tail", err)
	}
	last, err := parseTail(b[:])
	if err != nil {
		return nil, fail("tail", err)
	}
	if last.index < uint64(head.offset) || last.foot < last.index+chunkSize || last.foot > uint64(at)-chunkSize {
		return nil, fail("tail", damaged("it points out of the file"))
	}
	read := func(offset int64) (c chunk, r io.Reader, err error) {
		at = offset
		x := Reader{r: io.NewSectionReader(f.r, offset, size-offset)}
		c, err = x.chunk()
		return c, x.r, err
	}
	c, body, err := read(int64(last.foot))
	if err != nil {
		return nil, fail("footer", err)
	}
	var buf bytes.Buffer
	if f.totals, err = readFooter(body, &c, &buf); err != nil {
		return nil, fail("footer", err)
	}
	if c, body, err = read(int64(last.index)); err != nil {
		return nil, fail("index", err)
	}
	if c.kind != kindIndex || c.first != f.totals.Records || uint64(c.records) != f.totals.Frames ||
		uint64(c.stored) != 16*f.totals.Frames {
		return nil, fail("index", damaged("it does not agree with the footer"))
	}
	if err := readPayload(body, &c, &buf); err != nil {
		return nil, fail("index", err)
	}
	f.index = bytes.Clone(buf.Bytes())
	return f, nil
}

// Header returns the file's header.
func (f *File) Header() *Header { return &f.head.header }

// Totals returns the footer.
func (f *File) Totals() Totals { return f.totals }

// At returns a reader whose first record is the one of that number, or which is at its end when the file
// has fewer. It checks every frame it reads, but not the totals of the file.
func (f *File) At(record uint64) (*Reader, error) {
	x, err := NewReader(io.NewSectionReader(f.r, 0, f.size))
	if err != nil {
		return nil, err
	}
	frames := len(f.index) / 16
	le := binary.LittleEndian
	i := sort.Search(frames, func(i int) bool { return le.Uint64(f.index[16*i+8:]) > record }) - 1
	if i <= 0 {
		i = 0
	}
	if frames > 0 {
		x.offset, x.next = int64(le.Uint64(f.index[16*i:])), le.Uint64(f.index[16*i+8:])
		if x.offset < f.head.offset || x.offset > f.size {
			return nil, damaged("index: frame %d at byte %d of %d", i, x.offset, f.size)
		}
	}
	x.frame, x.whole = uint32(i), i == 0
	x.r = io.NewSectionReader(f.r, x.offset, f.size-x.offset)
	for n := x.next; n < record; n++ {
		if _, err := x.Next(); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
	}
	return x, nil
}

package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// magic has a byte above 127, both line ends and the DOS end of file, so that a transfer in text mode
// breaks it visibly.
var magic = [8]byte{0x89, 'G', 'W', 'V', '\r', '\n', 0x1a, '\n'}

var endMark = [4]byte{'G', 'W', 'V', '\n'}

const (
	prefixSize = 16
	chunkSize  = 36
	tailSize   = 24
)

// Limits of what a reader accepts, in bytes.
const (
	maxRaw    = 64 << 20
	maxStored = maxRaw + maxRaw/8 + 1<<16
)

type kind [4]byte

var (
	kindHead  = kind{'H', 'E', 'A', 'D'}
	kindData  = kind{'D', 'A', 'T', 'A'}
	kindIndex = kind{'I', 'N', 'D', 'X'}
	kindFoot  = kind{'F', 'O', 'O', 'T'}
)

// chunk is the header of a chunk.
type chunk struct {
	kind    kind
	number  uint32 // of a frame, from 0
	first   uint64 // record
	records uint32
	stored  uint32 // bytes of the payload
	raw     uint32 // bytes of the payload decompressed
	sum     uint32 // of the payload
}

func (c *chunk) bytes() []byte {
	var b [chunkSize]byte
	le := binary.LittleEndian
	copy(b[:], c.kind[:])
	le.PutUint32(b[4:], c.number)
	le.PutUint64(b[8:], c.first)
	le.PutUint32(b[16:], c.records)
	le.PutUint32(b[20:], c.stored)
	le.PutUint32(b[24:], c.raw)
	le.PutUint32(b[28:], c.sum)
	le.PutUint32(b[32:], checksum(b[:32]))
	return b[:]
}

func parseChunk(b []byte) (c chunk, err error) {
	le := binary.LittleEndian
	if got, want := checksum(b[:32]), le.Uint32(b[32:]); got != want {
		return c, damaged("checksum of its header is %08x, stored %08x", got, want)
	}
	c = chunk{kind(b[:4]), le.Uint32(b[4:]), le.Uint64(b[8:]), le.Uint32(b[16:]), le.Uint32(b[20:]),
		le.Uint32(b[24:]), le.Uint32(b[28:])}
	if c.stored > maxStored || c.raw > maxRaw {
		return c, damaged("length of %d bytes (%d decompressed), at most %d", c.stored, c.raw, maxRaw)
	}
	return c, nil
}

// prefix returns the first bytes of a file.
func prefix(version uint32) []byte {
	b := append([]byte(nil), magic[:]...)
	b = binary.LittleEndian.AppendUint32(b, version)
	return binary.LittleEndian.AppendUint32(b, checksum(b))
}

func checkPrefix(b []byte) error {
	switch {
	case !bytes.Equal(b[:8], magic[:]):
		return fmt.Errorf("%w: it does not begin as a .gwv file does", ErrNotVectors)
	case checksum(b[:12]) != binary.LittleEndian.Uint32(b[12:]):
		return damaged("checksum of the version")
	}
	switch v := binary.LittleEndian.Uint32(b[8:]); {
	case v > Version:
		return fmt.Errorf("%w: the file has version %d, this goldwire reads up to %d; use a newer one", ErrVersion, v,
			Version)
	case v == 0:
		return damaged("version 0")
	}
	return nil
}

// tail is the last bytes of a file.
type tail struct{ index, foot uint64 }

func (t *tail) bytes() []byte {
	var b [tailSize]byte
	binary.LittleEndian.PutUint64(b[:], t.index)
	binary.LittleEndian.PutUint64(b[8:], t.foot)
	binary.LittleEndian.PutUint32(b[16:], checksum(b[:16]))
	copy(b[20:], endMark[:])
	return b[:]
}

func parseTail(b []byte) (t tail, err error) {
	if !bytes.Equal(b[20:], endMark[:]) {
		return t, damaged("no end mark")
	}
	if checksum(b[:16]) != binary.LittleEndian.Uint32(b[16:]) {
		return t, damaged("checksum")
	}
	return tail{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}, nil
}

// readFull fills b; an early end is ErrTruncated with what was missing.
func readFull(r io.Reader, b []byte) error {
	n, err := io.ReadFull(r, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: %d of %d bytes are there", ErrTruncated, n, len(b))
	}
	return err
}

// readPayload reads and checks a chunk's payload into buf. It grows with the bytes that arrive, so that a
// false length costs nothing.
func readPayload(r io.Reader, c *chunk, buf *bytes.Buffer) error {
	buf.Reset()
	n, err := io.CopyN(buf, r, int64(c.stored))
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %d of %d bytes of its payload are there", ErrTruncated, n, c.stored)
	}
	if err != nil {
		return err
	}
	if got := checksum(buf.Bytes()); got != c.sum {
		return damaged("checksum of its payload is %08x, stored %08x", got, c.sum)
	}
	return nil
}

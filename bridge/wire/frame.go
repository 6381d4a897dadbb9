package wire

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"

	"github.com/vmihailenco/msgpack/v5"
)

// Frame is one received frame. Ctrl and Bulk are valid until the next call of Next.
type Frame struct {
	Type Type
	Ctrl []byte   // msgpack control message
	Bulk []uint64 // payload words
}

// Decode fills v, a pointer to a zero message struct, from the control message, which is a map or nothing at
// all. It errors with ErrProtocol when the bytes are not such a message.
func (f *Frame) Decode(v any) error {
	if len(f.Ctrl) == 0 {
		return nil
	}
	what := fmt.Sprintf("control message of the %s frame", f.Type)
	if b := f.Ctrl[0]; b&0xf0 != 0x80 && b != 0xde && b != 0xdf { // the decoder would take an array, too
		return &Error{Kind: ErrProtocol, What: what + " is not a map"}
	}
	r := bytes.NewReader(f.Ctrl)
	if err := msgpack.NewDecoder(r).Decode(v); err != nil {
		// Not wrapped: a message that ends early is not the end of the stream.
		return &Error{Kind: ErrProtocol, What: what + ": " + err.Error()}
	}
	if r.Len() > 0 {
		return &Error{Kind: ErrProtocol, What: fmt.Sprintf("%s: %d bytes after its end", what, r.Len())}
	}
	return nil
}

// Reader reads frames from a stream. It is for one goroutine.
type Reader struct {
	r    io.Reader
	lim  Limits
	seq  uint32
	head [HeaderSize]byte
	f    Frame
}

// NewReader returns a Reader of r that refuses frames beyond lim.
func NewReader(r io.Reader, lim Limits) *Reader { return &Reader{r: r, lim: lim} }

// SetLimits changes what the Reader accepts from the next frame on.
func (r *Reader) SetLimits(lim Limits) { r.lim = lim }

// Next returns the next frame, which the call after it overwrites. It returns io.EOF bare when the stream
// ends between frames, ErrTruncated when it ends within one, and the errors of ParseHeader, ErrSequence and
// ErrChecksum. After an error the stream has no known frame border: the Reader must not be used again.
func (r *Reader) Next() (*Frame, error) {
	if n, err := io.ReadFull(r.r, r.head[:]); err != nil {
		return nil, cut(err, n, HeaderSize, "header")
	}
	h, err := ParseHeader(r.head[:], r.lim)
	if err != nil {
		return nil, err
	}
	if h.Seq != r.seq {
		return nil, &Error{Kind: ErrSequence, What: h.Type.String(), Ours: fmt.Sprint(r.seq), Theirs: fmt.Sprint(h.Seq)}
	}
	r.seq++
	r.f.Type = h.Type
	r.f.Ctrl = grow(r.f.Ctrl, int(h.CtrlLen))
	r.f.Bulk = grow(r.f.Bulk, int(h.BulkLen/8))
	if n, err := io.ReadFull(r.r, r.f.Ctrl); err != nil {
		return nil, cutInside(err, n, len(r.f.Ctrl), "control message")
	}
	b := raw(r.f.Bulk)
	if n, err := io.ReadFull(r.r, b); err != nil {
		return nil, cutInside(err, n, len(b), "bulk payload")
	}
	sum := crc32.Update(crc32.Checksum(r.f.Ctrl, castagnoli), castagnoli, b)
	if sum != h.CRC {
		return nil, checksumError(h.Type.String()+" payload", sum, h.CRC)
	}
	fixOrder(r.f.Bulk, b)
	return &r.f, nil
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// cut turns a failed header read into io.EOF between frames and ErrTruncated within one.
func cut(err error, got, want int, part string) error {
	if got == 0 && errors.Is(err, io.EOF) {
		return io.EOF
	}
	return cutInside(err, got, want, part)
}

func cutInside(err error, got, want int, part string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return Fail(ErrTruncated, "%d of %d bytes of the %s", got, want, part)
	}
	return fmt.Errorf("read %s: %w", part, err)
}

// Writer writes frames to a stream. It is for one goroutine at a time.
type Writer struct {
	w    io.Writer
	lim  Limits
	seq  uint32
	buf  bytes.Buffer
	enc  *msgpack.Encoder
	bufs net.Buffers
}

// NewWriter returns a Writer to w with the default limits.
func NewWriter(w io.Writer) *Writer {
	wr := &Writer{w: w, lim: DefaultLimits()}
	wr.enc = msgpack.NewEncoder(&wr.buf)
	wr.enc.UseCompactInts(true)
	return wr
}

// Write sends one frame: ctrl as msgpack (nil for none), then the bulk pieces one after the other. The
// pieces are not copied; they may be reused when Write returns. It errors with ErrTooLarge before anything
// is sent, else with the error of the stream.
func (w *Writer) Write(t Type, ctrl any, bulk ...[]uint64) error {
	w.buf.Reset()
	var head [HeaderSize]byte
	w.buf.Write(head[:])
	if ctrl != nil {
		if err := w.enc.Encode(ctrl); err != nil {
			return fmt.Errorf("encode %s message: %w", t, err)
		}
	}
	frame := w.buf.Bytes()
	sum := crc32.Checksum(frame[HeaderSize:], castagnoli)
	w.bufs = append(w.bufs[:0], frame)
	size := 0
	for _, p := range bulk {
		b := Bytes(p)
		size += len(b)
		sum = crc32.Update(sum, castagnoli, b)
		if len(b) > 0 {
			w.bufs = append(w.bufs, b)
		}
	}
	if n := len(frame) - HeaderSize; n > int(w.lim.Ctrl) {
		return tooLarge(t, "control", uint32(n), w.lim.Ctrl)
	}
	if size > int(w.lim.Bulk) {
		return tooLarge(t, "bulk", uint32(min(size, 1<<32-1)), w.lim.Bulk)
	}
	Header{Type: t, Seq: w.seq, CtrlLen: uint32(len(frame) - HeaderSize), BulkLen: uint32(size), CRC: sum}.Put(frame)
	w.seq++
	out := w.bufs // WriteTo consumes the slice it is called on; keep ours for its capacity
	if _, err := out.WriteTo(w.w); err != nil {
		return fmt.Errorf("send %s frame: %w", t, err)
	}
	return nil
}

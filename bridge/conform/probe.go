package conform

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/goldwire/goldwire/bridge/wire"
)

// probe is one connection. Its frames are assembled here, byte by byte, so that any part of them can be wrong.
type probe struct {
	s     *suite
	c     net.Conn
	r     *wire.Reader
	token string
	seq   uint32
	hello wire.Hello
}

// busyWait is between two tries at a server that is full: it may not have noticed yet that a client left.
const busyWait = 20 * time.Millisecond

var errBusy = errors.New("the server stays full")

// connect opens a connection and reads the server's hello. A full server has the time of an answer to make room.
func (s *suite) connect() *probe {
	for until := time.Now().Add(s.t.Timeout); ; {
		p, err := s.open()
		if !errors.Is(err, errBusy) || time.Now().After(until) {
			must(err)
			return p
		}
		select {
		case <-s.ctx.Done():
			must(context.Cause(s.ctx))
		case <-time.After(busyWait):
		}
	}
}

// open is one try of connect.
func (s *suite) open() (p *probe, err error) {
	c, token, err := s.t.Open(s.ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	p = &probe{s: s, c: c, token: token, r: wire.NewReader(c, wire.DefaultLimits())}
	err = try(func() {
		f := p.next()
		if f.Type == wire.TypeError {
			m := decoded[wire.Failure](f)
			err := fmt.Errorf("the first frame is the error %s (%s), not hello", m.Kind, m.Text)
			if wire.KindError(m.Kind) == wire.ErrBusy {
				err = fmt.Errorf("%w: %w", errBusy, err)
			}
			must(err)
		}
		if f.Type != wire.TypeHello {
			fail("the first frame is %s, not hello", f.Type)
		}
		p.hello = decoded[wire.Hello](f)
	})
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("hello of the server: %w", err)
	}
	return p, nil
}

func decoded[T any](f *wire.Frame) (m T) {
	must(f.Decode(&m))
	return m
}

// ours is a hello that must be accepted.
func (p *probe) ours() wire.Hello {
	h := p.hello
	return wire.Hello{Version: wire.Version, Block: h.Block, SchemaHash: h.SchemaHash, Params: h.Params,
		InWords: h.InWords, OutWords: h.OutWords, Token: p.token}
}

// greeted connects and exchanges hellos.
func (s *suite) greeted() *probe {
	return s.after(s.connect(), func(p *probe) { p.send(wire.TypeHello, p.ours()) })
}

// ready is greeted, with a model.
func (s *suite) ready() *probe { return s.after(s.greeted(), (*probe).configure) }

// after returns a connection after f, and closes it if f fails.
func (s *suite) after(p *probe, f func(*probe)) *probe {
	if err := try(func() { f(p) }); err != nil {
		p.c.Close()
		must(err)
	}
	return p
}

func (p *probe) configure() {
	p.send(wire.TypeConfigure, wire.Configure{Seed: 7, Reset: 2})
	p.expect(wire.TypeConfigured)
}

// frame returns the bytes of the next frame to be sent.
func (p *probe) frame(t wire.Type, ctrl []byte, bulk []uint64) []byte {
	b := append(make([]byte, wire.HeaderSize), ctrl...)
	b = append(b, wire.Bytes(bulk)...)
	h := wire.Header{Type: t, Seq: p.seq, CtrlLen: uint32(len(ctrl)), BulkLen: uint32(8 * len(bulk)),
		CRC: crc32.Checksum(b[wire.HeaderSize:], castagnoli)}
	h.Put(b)
	return b
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// send sends a frame; ctrl is a message, its bytes, or nil.
func (p *probe) send(t wire.Type, ctrl any, bulk ...uint64) {
	b, ok := ctrl.([]byte)
	if !ok && ctrl != nil {
		var err error
		b, err = msgpack.Marshal(ctrl)
		must(err)
	}
	f := p.frame(t, b, bulk)
	p.seq++
	p.raw(f)
}

func (p *probe) raw(b []byte) {
	_ = p.c.SetDeadline(time.Now().Add(p.s.t.Timeout))
	if _, err := p.c.Write(b); err != nil {
		fail("send: %w", err)
	}
}

// next returns the next frame that is not a sign of life.
func (p *probe) next() *wire.Frame {
	for {
		_ = p.c.SetReadDeadline(time.Now().Add(p.s.t.Timeout))
		f, err := p.r.Next()
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			fail("nothing came within %v", p.s.t.Timeout)
		case errors.Is(err, io.EOF):
			fail("the server closed the connection without a message")
		case err != nil:
			must(err)
		case f.Type != wire.TypeProgress:
			return f
		}
	}
}

// expect returns the next frame, which must be of the type.
func (p *probe) expect(t wire.Type) (f *wire.Frame) {
	within(func() { f = p.next() }, "%s expected: %w", t)
	if f.Type == wire.TypeError {
		var m wire.Failure
		_ = f.Decode(&m)
		fail("%s expected, not the error %s (%s)", t, m.Kind, m.Text)
	}
	if f.Type != t {
		fail("%s expected, not %s", t, f.Type)
	}
	return f
}

func (p *probe) failed(kinds ...string) wire.Failure {
	var f *wire.Frame
	within(func() { f = p.next() }, "error %s expected: %w", kinds[0])
	if f.Type != wire.TypeError {
		fail("error %s expected, not %s", kinds[0], f.Type)
	}
	m := decoded[wire.Failure](f)
	if !slices.Contains(kinds, m.Kind) {
		fail("error %s expected, not %s (%s)", kinds[0], m.Kind, m.Text)
	}
	return m
}

// refused expects an error of the kind and then the end of the stream.
func (p *probe) refused(kind string) wire.Failure {
	m := p.failed(kind)
	p.ended()
	return m
}

func (p *probe) ended() {
	_ = p.c.SetDeadline(time.Now().Add(p.s.t.Timeout))
	f, err := p.r.Next()
	switch {
	case err == nil:
		fail("the end of the stream expected, not %s", f.Type)
	case err == io.EOF, errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
	case errors.Is(err, os.ErrDeadlineExceeded):
		fail("the end of the stream did not come within %v", p.s.t.Timeout)
	default:
		fail("the end of the stream expected: %w", err)
	}
}

// half closes our direction of the connection.
func (p *probe) half() {
	h, ok := p.c.(interface{ CloseWrite() error })
	if !ok {
		skip("the connection cannot be closed in one direction")
	}
	must(h.CloseWrite())
}

// step runs records and returns the outputs.
func (p *probe) step(m wire.Step, in []uint64) []uint64 {
	p.send(wire.TypeStep, m, in...)
	f := p.expect(wire.TypeStepped)
	a := decoded[wire.Stepped](f)
	if n := p.s.layout.Out.Words; a.Cycles < 0 || len(f.Bulk) != a.Cycles*n {
		fail("stepped of %d cycles carries %d words, not %d", a.Cycles, len(f.Bulk), a.Cycles*n)
	}
	return slices.Clone(f.Bulk)
}

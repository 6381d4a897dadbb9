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

// errBusy is the error of a server that stays full.
var errBusy = errors.New("the server stays full")

// connect opens a connection and reads the server's hello. A full server has the time of an answer to make room.
func (s *suite) connect() (*probe, error) {
	for until := time.Now().Add(s.t.Timeout); ; {
		p, err := s.open()
		if !errors.Is(err, errBusy) || time.Now().After(until) {
			return p, err
		}
		select {
		case <-s.ctx.Done():
			return nil, context.Cause(s.ctx)
		case <-time.After(busyWait):
		}
	}
}

// open is one try of connect.
func (s *suite) open() (*probe, error) {
	c, token, err := s.t.Open(s.ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	p := &probe{s: s, c: c, token: token, r: wire.NewReader(c, wire.DefaultLimits())}
	f, err := p.next()
	if err == nil && f.Type == wire.TypeError {
		var m wire.Failure
		if err = f.Decode(&m); err == nil {
			err = fmt.Errorf("the first frame is the error %s (%s), not hello", m.Kind, m.Text)
			if wire.KindError(m.Kind) == wire.ErrBusy {
				err = fmt.Errorf("%w: %w", errBusy, err)
			}
		}
	}
	if err == nil && f.Type != wire.TypeHello {
		err = fmt.Errorf("the first frame is %s, not hello", f.Type)
	}
	if err == nil {
		err = f.Decode(&p.hello)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("hello of the server: %w", err)
	}
	return p, nil
}

// ours is a hello that must be accepted.
func (p *probe) ours() wire.Hello {
	h := p.hello
	return wire.Hello{Version: wire.Version, Block: h.Block, SchemaHash: h.SchemaHash, Params: h.Params,
		InWords: h.InWords, OutWords: h.OutWords, Token: p.token}
}

// greeted connects and exchanges hellos.
func (s *suite) greeted() (*probe, error) {
	p, err := s.connect()
	if err != nil {
		return nil, err
	}
	if err := p.send(wire.TypeHello, p.ours()); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// ready is greeted, with a model.
func (s *suite) ready() (*probe, error) {
	p, err := s.greeted()
	if err != nil {
		return nil, err
	}
	if err := p.configure(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *probe) close() { p.c.Close() }

func (p *probe) configure() error {
	if err := p.send(wire.TypeConfigure, wire.Configure{Seed: 7, Reset: 2}); err != nil {
		return err
	}
	_, err := p.expect(wire.TypeConfigured)
	return err
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
func (p *probe) send(t wire.Type, ctrl any, bulk ...uint64) error {
	b, ok := ctrl.([]byte)
	if !ok && ctrl != nil {
		var err error
		if b, err = msgpack.Marshal(ctrl); err != nil {
			return err
		}
	}
	f := p.frame(t, b, bulk)
	p.seq++
	return p.raw(f)
}

func (p *probe) raw(b []byte) error {
	_ = p.c.SetDeadline(time.Now().Add(p.s.t.Timeout))
	if _, err := p.c.Write(b); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

// next returns the next frame that is not a sign of life.
func (p *probe) next() (*wire.Frame, error) {
	for {
		_ = p.c.SetReadDeadline(time.Now().Add(p.s.t.Timeout))
		f, err := p.r.Next()
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, fmt.Errorf("nothing came within %v", p.s.t.Timeout)
		case errors.Is(err, io.EOF):
			return nil, errors.New("the server closed the connection without a message")
		case err != nil:
			return nil, err
		case f.Type != wire.TypeProgress:
			return f, nil
		}
	}
}

// expect returns the next frame, which must be of the type.
func (p *probe) expect(t wire.Type) (*wire.Frame, error) {
	f, err := p.next()
	if err != nil {
		return nil, fmt.Errorf("%s expected: %w", t, err)
	}
	if f.Type == wire.TypeError {
		var m wire.Failure
		_ = f.Decode(&m)
		return nil, fmt.Errorf("%s expected, not the error %s (%s)", t, m.Kind, m.Text)
	}
	if f.Type != t {
		return nil, fmt.Errorf("%s expected, not %s", t, f.Type)
	}
	return f, nil
}

// failed expects an error of one of the kinds.
func (p *probe) failed(kinds ...string) (wire.Failure, error) {
	var m wire.Failure
	f, err := p.next()
	if err != nil {
		return m, fmt.Errorf("error %s expected: %w", kinds[0], err)
	}
	if f.Type != wire.TypeError {
		return m, fmt.Errorf("error %s expected, not %s", kinds[0], f.Type)
	}
	if err := f.Decode(&m); err != nil {
		return m, err
	}
	if !slices.Contains(kinds, m.Kind) {
		return m, fmt.Errorf("error %s expected, not %s (%s)", kinds[0], m.Kind, m.Text)
	}
	return m, nil
}

// refused expects an error of the kind and then the end of the stream.
func (p *probe) refused(kind string) (wire.Failure, error) {
	m, err := p.failed(kind)
	if err == nil {
		err = p.ended()
	}
	return m, err
}

// ended expects the end of the stream.
func (p *probe) ended() error {
	_ = p.c.SetDeadline(time.Now().Add(p.s.t.Timeout))
	f, err := p.r.Next()
	switch {
	case err == nil:
		return fmt.Errorf("the end of the stream expected, not %s", f.Type)
	case err == io.EOF, errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("the end of the stream did not come within %v", p.s.t.Timeout)
	}
	return fmt.Errorf("the end of the stream expected: %w", err)
}

// half closes our direction of the connection.
func (p *probe) half() error {
	if h, ok := p.c.(interface{ CloseWrite() error }); ok {
		return h.CloseWrite()
	}
	return skip("the connection cannot be closed in one direction")
}

// step runs records and returns the outputs.
func (p *probe) step(m wire.Step, in []uint64) ([]uint64, error) {
	if err := p.send(wire.TypeStep, m, in...); err != nil {
		return nil, err
	}
	f, err := p.expect(wire.TypeStepped)
	if err != nil {
		return nil, err
	}
	var a wire.Stepped
	if err := f.Decode(&a); err != nil {
		return nil, err
	}
	if n := p.s.layout.Out.Words; a.Cycles < 0 || len(f.Bulk) != a.Cycles*n {
		return nil, fmt.Errorf("stepped of %d cycles carries %d words, not %d", a.Cycles, len(f.Bulk), a.Cycles*n)
	}
	return slices.Clone(f.Bulk), nil
}

// with runs f on a connection in the state that open makes, and closes it.
func with(open func() (*probe, error), f func(p *probe) error) error {
	p, err := open()
	if err != nil {
		return err
	}
	defer p.close()
	return f(p)
}

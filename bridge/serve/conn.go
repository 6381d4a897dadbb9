package serve

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
)

// maxSteps is how many cycles one step may have or run.
const maxSteps = 1 << 20

type conn struct {
	srv   *Server
	c     net.Conn
	r     *wire.Reader
	w     *wire.Writer
	model Model // nil before configure
	ran   bool  // the model has seen a cycle
	run   *replay
	asker *asker
	beat  time.Time // of the last sign of life
}

// newConn returns a conversation with a stranger.
func newConn(s *Server, c net.Conn) *conn {
	return &conn{srv: s, c: c, r: wire.NewReader(c, wire.Limits{Ctrl: strangerBytes,
		Bulk: strangerBytes}), w: wire.NewWriter(c)}
}

// serve returns nil after bye or when the stream ends between frames.
func (k *conn) serve() error {
	err := k.greet()
	if err == nil {
		var leave func()
		if leave, err = k.srv.enter(k.c); err == nil {
			defer leave()
			k.r.SetLimits(wire.DefaultLimits())
		}
	}
	for more := true; err == nil && more; {
		var f *wire.Frame
		if f, err = k.r.Next(); err == nil {
			more, err = k.guard(f)
		}
	}
	if err == io.EOF { // bare: between frames
		return nil
	}
	return err
}

// guard turns a panic of the model into the end of this conversation.
func (k *conn) guard(f *wire.Frame) (more bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = wire.Fail(wire.ErrModel, "%s: %v", f.Type, p)
		}
	}()
	k.beat = time.Now()
	err = k.handle(f)
	var e *wire.Error
	if errors.As(err, &e) && (e.Kind == wire.ErrUnsupported || e.Kind == wire.ErrStalled) {
		return true, k.w.Write(wire.TypeError, failure(e)) // fails the request alone
	}
	return f.Type != wire.TypeBye, err
}

func (k *conn) handle(f *wire.Frame) error {
	switch f.Type {
	case wire.TypeConfigure:
		return k.configure(f)
	case wire.TypeBatch:
		return k.batch(f)
	case wire.TypeFinish:
		if err := k.needModel(); err != nil {
			return err
		}
		return k.run.finish(k)
	case wire.TypeStep:
		return k.step(f)
	case wire.TypeAsk:
		return k.ask(f)
	case wire.TypeDescribe:
		l := k.srv.layout
		err := k.w.Write(wire.TypeDescribed, &wire.Described{In: wire.RecordText(&l.In), Out: wire.RecordText(&l.Out)})
		if errors.Is(err, wire.ErrTooLarge) {
			return wire.Fail(wire.ErrUnsupported, "the layout does not fit a message")
		}
		return err
	case wire.TypeBench, wire.TypeTrace:
		return wire.Fail(wire.ErrUnsupported, "a model in Go has no %s", f.Type)
	case wire.TypeBye:
		return k.w.Write(wire.TypeBye, nil)
	}
	return wire.Fail(wire.ErrProtocol, "%s is not a request here", f.Type)
}

func (k *conn) needModel() error {
	if k.model == nil {
		return wire.Fail(wire.ErrProtocol, "a request came before configure")
	}
	return nil
}

// request returns the message of a request that needs a model.
func request[T any](k *conn, f *wire.Frame) (m T, err error) {
	if err = k.needModel(); err == nil {
		err = f.Decode(&m)
	}
	return m, err
}

// configure makes a new model. All its registers have a defined value, so seed and reset change nothing.
func (k *conn) configure(f *wire.Frame) error {
	var m wire.Configure
	var whole struct { // the message keeps the low half of a seed only
		Seed uint64 `msgpack:"seed"`
	}
	if err := errors.Join(f.Decode(&m), f.Decode(&whole)); err != nil {
		return err
	}
	if whole.Seed > 1<<32-1 || m.Reset < 0 || m.Reset > 2 {
		return wire.Fail(wire.ErrProtocol, "configure with an impossible seed or reset mode")
	}
	if m.Shm != "" {
		return wire.Fail(wire.ErrUnsupported, "shared memory: send records as bulk")
	}
	model, err := k.srv.spec.New()
	if err != nil {
		return &wire.Error{Kind: wire.ErrModel, Err: err}
	}
	model.Reset()
	k.model, k.ran = model, false
	if k.run == nil {
		k.run = newReplay(k.srv.spec.Block, k.srv.layout)
		k.asker = newAsker(k.srv.layout)
	}
	k.run.clear()
	k.asker.loose = false
	return k.w.Write(wire.TypeConfigured, nil)
}

func (k *conn) batch(f *wire.Frame) error {
	m, err := request[wire.Batch](k, f)
	if err != nil {
		return err
	}
	in, out := k.srv.hello.InWords, k.srv.hello.OutWords
	switch {
	case m.Shm:
		return wire.Fail(wire.ErrUnsupported, "shared memory: send records as bulk")
	case m.Cycles < 1 || m.Cycles > 1<<32 || len(f.Bulk) != m.Cycles*(in+out):
		return wire.Fail(wire.ErrProtocol, "batch of %d cycles carries %d words", m.Cycles, len(f.Bulk))
	}
	k.ran, k.asker.loose = true, true
	return k.run.batch(k, f.Bulk[:m.Cycles*in], f.Bulk[m.Cycles*in:], m.Cycles)
}

// step runs the records, or on beyond them with the last one repeated, until an output control bit of until
// shows or max cycles are run.
func (k *conn) step(f *wire.Frame) error {
	m, err := request[wire.Step](k, f)
	if err != nil {
		return err
	}
	in, out := k.srv.hello.InWords, k.srv.hello.OutWords
	if m.Cycles < 1 || m.Cycles > maxSteps || m.Max < 0 || m.Max > maxSteps || (m.Until != 0) != (m.Max != 0) ||
		len(f.Bulk) != m.Cycles*in {
		return wire.Fail(wire.ErrProtocol, "step of %d cycles, at most %d, carries %d words", m.Cycles, m.Max, len(f.Bulk))
	}
	total := m.Cycles
	if m.Until != 0 {
		total = m.Max
	}
	k.ran, k.asker.loose = true, true
	// max is seldom reached, so the outputs grow with the cycles that are run.
	got := make([]uint64, 0, min(total, 1024)*out)
	n := 0
	for n < total {
		at := min(n, m.Cycles-1)
		if 8*(len(got)+out) > int(wire.DefaultLimits().Bulk) {
			return wire.Fail(wire.ErrTooLarge, "the outputs of %d cycles do not fit a frame; step fewer at once", n+1)
		}
		got = append(got, make([]uint64, out)...)
		o := got[n*out:]
		k.model.Cycle(f.Bulk[at*in:(at+1)*in], o)
		n++
		if o[0]&m.Until != 0 {
			break
		}
		if err := k.alive(uint64(n)); err != nil {
			return err
		}
	}
	return k.w.Write(wire.TypeStepped, &wire.Stepped{Cycles: n}, got)
}

func (k *conn) ask(f *wire.Frame) error {
	m, err := request[wire.Ask](k, f)
	if err != nil {
		return err
	}
	in := k.srv.hello.InWords
	if m.Events < 1 || m.Events > maxSteps || len(f.Bulk) != m.Events*in {
		return wire.Fail(wire.ErrProtocol, "ask of %d events carries %d words", m.Events, len(f.Bulk))
	}
	a, err := k.asker.ask(k, f.Bulk)
	if err != nil {
		return err
	}
	return k.w.Write(wire.TypeAnswer, a, k.asker.responses)
}

// alive sends a sign of life when the last one is some time ago. It reads the clock only now and then.
func (k *conn) alive(cycles uint64) error {
	if cycles%256 != 0 {
		return nil
	}
	if now := time.Now(); now.Sub(k.beat) >= 250*time.Millisecond {
		k.beat = now
		if err := k.w.Write(wire.TypeProgress, &wire.Progress{Cycles: cycles}); err != nil {
			return fmt.Errorf("progress: %w", err)
		}
	}
	return nil
}

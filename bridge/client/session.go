package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
)

// Session is a conversation with one DUT process.
type Session struct {
	opt     Options
	bin     *launch.Binary
	hello   wire.Hello
	proc    *launch.Process // nil when the server is not ours
	dialled string          // address of a server that is not ours
	conn    net.Conn
	r       *wire.Reader
	shm     *shm // nil for other transports than shm

	out sender

	free   chan *Batch // ready to be filled
	send   chan *Batch // filled, for the writer
	flight chan *Batch // at the DUT, in order
	target atomic.Int64

	replies chan reply
	stepOut []uint64 // where the reader puts the outputs of a Step in progress
	stepGot int      // words of them that came

	mu          sync.Mutex
	outstanding int // batches submitted and not back
	back        *sync.Cond
	stop        chan struct{} // closed by the first finding of the run
	found       bool          // stop is closed
	mismatch    *Mismatch
	rtl         *RTLError
	err         error

	pending  atomic.Int64  // requests and batches the DUT owes an answer to
	sign     atomic.Int64  // time of its last sign of life, ns since start
	start    time.Time     //
	failed   chan struct{} // closed with err set
	failOnce sync.Once
	closing  atomic.Bool
	begun    atomic.Bool // the first model is made
	wg       sync.WaitGroup
	stopCtx  func() bool
}

// reply is the answer to a request.
type reply struct {
	frame wire.Frame
	err   error
}

// Start starts the DUT of bin and builds its model with the options' seed. The session ends with ctx: the
// process is killed and every call returns the cause. It errors when the process cannot be started, when its version,
// block, schema, parameters or layout differ from bin's, or when it does not answer.
func Start(ctx context.Context, bin *launch.Binary, opt Options) (*Session, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	s := newSession(bin, opt)
	spec := launch.SpawnSpec{Network: "unix", Address: opt.Address, Timeout: opt.StartTimeout, LogLine: opt.Log,
		PlusArgs: opt.PlusArgs, Coverage: opt.Coverage}
	if opt.Transport == TCP {
		spec.Network = "tcp"
	}
	var err error
	if s.proc, s.conn, err = launch.Spawn(ctx, bin, spec, s.exchange); err != nil {
		return nil, err
	}
	return s.begin(ctx)
}

func newSession(bin *launch.Binary, opt Options) *Session {
	s := &Session{opt: opt, bin: bin, start: time.Now(), failed: make(chan struct{}), stop: make(chan struct{}),
		free: make(chan *Batch, opt.Window), send: make(chan *Batch, opt.Window), flight: make(chan *Batch, opt.Window),
		replies: make(chan reply, 1)}
	s.back = sync.NewCond(&s.mu)
	s.target.Store(int64(opt.Batch))
	return s
}

// begin starts the loops of a session that has greeted and makes the first model.
func (s *Session) begin(ctx context.Context) (*Session, error) {
	setBuffers(s.conn)
	s.stopCtx = context.AfterFunc(ctx, func() { s.fail(fmt.Errorf("session: %w", context.Cause(ctx))) })
	for _, loop := range []func(){s.read, s.write, s.watch} {
		s.wg.Go(loop)
	}
	if err := s.prepare(); err != nil {
		s.Close()
		return nil, err
	}
	s.begun.Store(true)
	return s, nil
}

// setBuffers asks for socket buffers that hold a good part of a batch: fewer wake-ups per batch. The kernel
// may give less, which costs speed only.
func setBuffers(c net.Conn) {
	if b, ok := c.(interface{ SetWriteBuffer(int) error }); ok {
		_ = b.SetWriteBuffer(4 << 20)
	}
}

// exchange reads the peer's hello on a fresh connection and answers with ours.
func (s *Session) exchange(c net.Conn, token string) error {
	r, w := wire.NewReader(c, wire.DefaultLimits()), wire.NewWriter(c)
	f, err := r.Next()
	if err != nil {
		return fmt.Errorf("%s: %w", s.opt.Peer.Hello(), err)
	}
	var h wire.Hello
	if f.Type == wire.TypeError {
		return s.reported(f)
	}
	if f.Type != wire.TypeHello {
		return wire.Fail(wire.ErrProtocol, "first frame is %s, not hello", f.Type)
	}
	if err := f.Decode(&h); err != nil {
		return err
	}
	if err := s.refuse(h, token); err != nil {
		_ = w.Write(wire.TypeError, &wire.Failure{Kind: wire.KindName(err), Text: err.Kind.Error(),
			Ours: err.Ours, Theirs: err.Theirs})
		return err
	}
	ours := &wire.Hello{Version: wire.Version, Block: s.bin.Block, SchemaHash: s.bin.SchemaHash, Params: s.bin.Params,
		InWords: s.bin.InWords, OutWords: s.bin.OutWords, Token: token}
	s.conn, s.r, s.out.w, s.hello = c, r, w, h
	return w.Write(wire.TypeHello, ours)
}

// refuse returns why the sender of a hello is not the DUT that was asked for, or nil.
func (s *Session) refuse(h wire.Hello, token string) *wire.Error {
	rebuild := "rebuild the DUT: run make gen, remove build/dut and run again"
	if s.dialled != "" {
		rebuild = "start the server with this block, parameters and schema"
	}
	differ := func(kind error, ours, theirs any, mend string) *wire.Error {
		return &wire.Error{Kind: kind, Ours: fmt.Sprint(ours), Theirs: fmt.Sprint(theirs), Mend: mend}
	}
	b := s.bin
	switch {
	case h.Version != wire.Version:
		return wire.VersionError(h.Version)
	case s.dialled == "" && h.Token != token: // a listening server never sends its token
		return &wire.Error{Kind: wire.ErrToken, Mend: "another program connected to the socket of this session"}
	case h.Block != b.Block:
		return differ(wire.ErrBlock, b.Block, h.Block, rebuild)
	case h.SchemaHash != b.SchemaHash:
		return differ(wire.ErrSchemaHash, b.SchemaHash, h.SchemaHash, rebuild)
	case h.Params != b.Params:
		return differ(wire.ErrParams, b.Params, h.Params, rebuild)
	case h.InWords != b.InWords || h.OutWords != b.OutWords:
		return differ(wire.ErrLayout, fmt.Sprintf("%d in, %d out", b.InWords, b.OutWords),
			fmt.Sprintf("%d in, %d out", h.InWords, h.OutWords), rebuild)
	}
	return nil
}

// prepare makes the buffers and the first model.
func (s *Session) prepare() error {
	c := &wire.Configure{Seed: s.opt.Seed, Reset: s.opt.Reset}
	if s.opt.Transport == Shm {
		var err error
		if s.shm, err = newShm(s.opt, s.bin); err != nil {
			return err
		}
		s.shm.describe(c)
	}
	for i := range s.opt.Window {
		s.free <- s.newBatch(i)
	}
	_, err := s.request(wire.TypeConfigure, wire.TypeConfigured, c)
	if s.shm != nil {
		s.shm.unlink()
	}
	return err
}

// Hello returns the hello of the DUT.
func (s *Session) Hello() wire.Hello { return s.hello }

// PID returns the process id of the DUT; for one that Dial reached, the id in its hello.
func (s *Session) PID() int {
	if s.proc == nil {
		return s.hello.PID
	}
	return s.proc.PID()
}

// Restart replaces the model by a new one whose initial registers come from seed. The cycle count of the
// model starts at 0. It must not be called within a run.
func (s *Session) Restart(seed uint32) error {
	_, err := s.request(wire.TypeConfigure, wire.TypeConfigured, &wire.Configure{Seed: seed, Reset: s.opt.Reset})
	return err
}

// Trace dumps the waves of cycles cycles of the model from cycle from on into a VCD file; with 0 cycles it
// ends a dump. It errors with wire.ErrTrace when the DUT was built without waves.
func (s *Session) Trace(file string, from, cycles uint64) error {
	_, err := s.request(wire.TypeTrace, wire.TypeTraced, &wire.Trace{File: file, From: from, Cycles: cycles})
	return err
}

// errInRun is the error of a request that would overtake batches in flight.
var errInRun = errors.New("request within a run: call Finish first")

// sender sends frames, for several goroutines.
type sender struct {
	mu sync.Mutex
	w  *wire.Writer
}

func (s *sender) post(t wire.Type, ctrl any, bulk ...[]uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(t, ctrl, bulk...)
}

// broken returns why the connection broke, which the reader finds: it is the better error.
func (s *Session) broken() error {
	<-s.failed
	return s.failure()
}

// ask is request for an answer with a control message, which it decodes.
func ask[T any](s *Session, t, want wire.Type, ctrl any, bulk ...[]uint64) (m T, f *wire.Frame, err error) {
	if f, err = s.request(t, want, ctrl, bulk...); err != nil {
		return m, nil, err
	}
	if err = f.Decode(&m); err != nil {
		s.fail(err)
	}
	return m, f, err
}

// request sends a control message and returns the answer, which must be of type want. It errors while
// batches are in flight.
func (s *Session) request(t, want wire.Type, ctrl any, bulk ...[]uint64) (*wire.Frame, error) {
	if err := s.failure(); err != nil {
		return nil, err
	}
	if s.pending.Load() > 0 {
		return nil, errInRun
	}
	select {
	case r := <-s.replies:
		if r.err == nil {
			s.fail(s.unasked(r.frame.Type))
			return nil, s.failure()
		}
		return nil, r.err
	default:
	}
	s.owe()
	if err := s.out.post(t, ctrl, bulk...); errors.Is(err, wire.ErrTooLarge) {
		s.pending.Add(-1)
		return nil, err
	} else if err != nil {
		return nil, s.broken()
	}
	var r reply
	select {
	case r = <-s.replies:
	case <-s.failed:
		select { // what came before the end counts
		case r = <-s.replies:
		default:
			return nil, s.failure()
		}
	}
	s.pending.Add(-1)
	if r.err != nil {
		return nil, r.err
	}
	if r.frame.Type != want {
		err := wire.Fail(wire.ErrProtocol, "answer to %s is %s, not %s", t, r.frame.Type, want)
		s.fail(err)
		return nil, err
	}
	return &r.frame, nil
}

// Close ends the session: it says goodbye, lets the DUT end by itself and waits until nothing of the session is left.
// It returns what the RTL reported at the clock edge that ended the last step, if no call has returned that, and an
// error if the DUT had to be killed, because then it is not known what it would have reported; never a failure that a
// call has returned.
func (s *Session) Close() error {
	if s.closing.Swap(true) { // a deferred call after a checked one
		s.wg.Wait()
		return nil
	}
	_ = s.conn.SetWriteDeadline(time.Now().Add(time.Second)) // also frees a writer that a hung DUT blocks
	_ = s.out.post(wire.TypeBye, nil)                        // a DUT that is gone needs no goodbye
	wait := s.opt.HangTimeout
	switch {
	case s.proc == nil:
		wait = 2 * time.Second // a server need not hang up
	case s.opt.Coverage != "":
		wait = max(wait, 30*time.Second) // it writes a file first
	}
	var killed error
	if s.failure() == nil {
		late := time.After(wait)
	ends:
		for _, ended := range []<-chan struct{}{s.gone(), s.failed} { // the DUT, then the reader of its last words
			select {
			case <-ended:
			case <-late:
				if s.proc != nil {
					killed = &wire.Error{Kind: wire.ErrDUTHung, Peer: s.opt.Peer, Log: s.log(),
						What: fmt.Sprintf("process %d did not end within %v of goodbye and was killed", s.PID(), wait),
						Mend: "look for a final block without end in the RTL, or raise the hang timeout (--timeout)"}
				}
				break ends
			}
		}
	}
	s.fail(wire.ErrClosed)
	s.stopCtx()
	if s.proc != nil {
		<-s.proc.Done()
	}
	s.wg.Wait()
	if s.shm != nil {
		s.shm.close()
	}
	select {
	case r := <-s.replies:
		return r.err
	default:
		return killed
	}
}

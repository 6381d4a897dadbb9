package client

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
)

// Transport is how bulk data travels.
type Transport string

// The transports. Control messages of Shm go over a Unix socket.
const (
	Unix Transport = "unix"
	TCP  Transport = "tcp" // loopback only
	Shm  Transport = "shm"
)

// Options of a session. Start from DefaultOptions.
type Options struct {
	Transport Transport
	Address   string // socket path or "127.0.0.1:port"; "" takes a private one
	Token     string // of a server to Dial; "": the environment's GW_TOKEN
	Seed      uint32 // of the initial register values
	Reset     int    // initial registers: 2 random, 1 ones, 0 zeros

	Window   int           // batches in flight
	Batch    int           // cycles of the first batches
	MinBatch int           // bounds of what the batch size may adapt to, in cycles
	MaxBatch int           //
	MinBusy  time.Duration // a batch that takes the DUT less grows,
	MaxBusy  time.Duration // and one that takes it longer shrinks

	StartTimeout time.Duration // until the DUT's hello
	HangTimeout  time.Duration // without a sign of life while it has work
	Spin         time.Duration // how long each side of a step may spin before it sleeps; shm only
	Log          func(line string)

	PlusArgs []string // for the RTL's $value$plusargs, each with its +

	// Coverage is the absolute path of the file that the DUT writes its coverage to when it is told goodbye; "" for none.
	Coverage string

	Peer wire.Peer // who is at the other end, for messages
}

// DefaultOptions returns Unix sockets, four batches in flight, of 4,096 cycles at first and then what takes the DUT 4
// to 16 ms each, random initial registers of seed 1, ten seconds to start and thirty without a sign of life before it
// counts as hung. A side of a step spins for up to 4 ms, as long as another process may hold its peer's processor,
// while that pays.
func DefaultOptions() Options {
	return Options{Transport: Unix, Seed: 1, Reset: 2, Window: 4, Batch: 4096, MinBatch: 256, MaxBatch: 65536,
		MinBusy: 4 * time.Millisecond, MaxBusy: 16 * time.Millisecond,
		StartTimeout: 10 * time.Second, HangTimeout: 30 * time.Second, Spin: 4 * time.Millisecond}
}

// Validate errors when the options are impossible.
func (o Options) Validate() error {
	switch {
	case !slices.Contains([]Transport{Unix, TCP, Shm}, o.Transport):
		return &wire.Error{Kind: wire.ErrAddress, What: fmt.Sprintf("transport %q is unknown", o.Transport),
			Mend: "choose unix, tcp or shm"}
	case o.Window < 1 || o.Window > 64:
		return fmt.Errorf("options: window of %d batches is not in 1..64", o.Window)
	case o.MinBatch < 1 || o.Batch < o.MinBatch || o.MaxBatch < o.Batch:
		return fmt.Errorf("options: batch sizes %d, %d, %d are not in ascending order from 1",
			o.MinBatch, o.Batch, o.MaxBatch)
	case o.MaxBatch > 1<<20:
		return fmt.Errorf("options: batch of %d cycles exceeds %d", o.MaxBatch, 1<<20)
	case o.Reset < 0 || o.Reset > 2:
		return fmt.Errorf("options: reset mode %d is not 0, 1 or 2", o.Reset)
	case o.StartTimeout <= 0 || o.HangTimeout <= 0:
		return errors.New("options: timeouts must be positive")
	case slices.ContainsFunc(o.PlusArgs, func(a string) bool { return !strings.HasPrefix(a, "+") }):
		return fmt.Errorf("options: plusargs %q: each begins with +", o.PlusArgs)
	case o.Spin < 0 || o.Spin > time.Second:
		return fmt.Errorf("options: spin of %v is not in 0..1s", o.Spin)
	}
	return nil
}

// ErrStopped is what Get returns once the DUT has reported a difference or an error of the RTL; Finish returns which.
var ErrStopped = errors.New("run stopped by a finding; call Finish")

// Mismatch is the first differing cycle of a run and its neighbourhood: up to 32 cycles before and 8 after.
type Mismatch struct {
	Cycle uint64   // from the start of the run
	From  uint64   // cycle of the first record below
	In    []uint64 // input records
	Want  []uint64 // expected output records
	Got   []uint64 // actual output records
}

// Result is the outcome of a run.
type Result struct {
	Cycles   uint64        // compared and equal
	Digest   wire.Digest   // over the compared outputs
	Busy     time.Duration // the DUT spent simulating and comparing
	Mismatch *Mismatch     // nil when all cycles were equal
}

// RTLError is an error the RTL itself reported: a failed assertion, $error, $fatal, $stop or $finish.
type RTLError struct {
	Cycle uint64 // of the run, or of the model in step mode
	Text  string // as the simulator printed it, with file and line
}

// Error returns the text and the cycle on one line.
func (e *RTLError) Error() string {
	return fmt.Sprintf("%v at cycle %d: %s", wire.ErrRTL, e.Cycle, e.Text)
}

// Unwrap returns wire.ErrRTL.
func (e *RTLError) Unwrap() error { return wire.ErrRTL }

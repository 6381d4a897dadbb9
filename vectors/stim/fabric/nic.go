package fabric

import (
	"context"
	"fmt"
	"sync"

	"github.com/goldwire/goldwire/golden/cc"
	network "github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// batchLen is the number of events in one transfer from the simulation to its reader.
const batchLen = 2048

// nicEvent is a converted event: packed words and picosecond times.
type nicEvent struct {
	words   [8]uint64
	now, tx int64
	timed   bool
}

// NICSource is one episode, fed by a simulation while it is read.
type NICSource struct {
	ep     stim.Episode
	given  bool
	ended  bool // the simulation has no more events
	ctx    context.Context
	cancel context.CancelFunc
	full   chan []nicEvent
	empty  chan []nicEvent
	done   sync.WaitGroup
	err    error

	in    []nicEvent // batch being filled by the simulation
	out   []nicEvent // batch being read
	pos   int
	taken int
	want  int

	words  int
	TickPs int64
	ids    map[int64]int // context or connection -> number in the block
	limit  int
	sent   int
}

// NICBlock describes to a simulation the NIC block that it feeds.
type NICBlock struct {
	Schema *event.Block
	Limit  int // contexts or connections that fit into the block

	// Configure writes the events that precede the simulation; it may be nil.
	Configure func(s *NICSource) error

	// Tap converts one event of the simulation. It returns the result of NICSource.Proceed, or true when the event does
	// not concern the block. NICSource.Fail ends the simulation with an error.
	Tap func(s *NICSource, t *cc.Event) bool
}

// OpenNIC starts the simulation and returns its events as one episode. Contexts of the simulation become contexts of
// the block in the order of their creation; those that do not fit are left out. The episode delivers as many events as
// the options ask for, or ends with an error.
func OpenNIC(b NICBlock, name string, spec settings.Spec, o *stim.Options) (stim.Source, error) {
	if o.Events == 0 {
		return nil, fmt.Errorf("source fabric:%s: events = 0 sets no end; give a number of events", name)
	}
	s := newNICSource(b.Limit, o)
	s.words = event.NewLayout(b.Schema).In.Words
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if b.Configure != nil {
		if err := b.Configure(s); err != nil {
			s.cancel()
			return nil, fmt.Errorf("source fabric:%s: %w", name, err)
		}
	}
	r := stim.Seeded(o.Seed, b.Schema.Name, stim.Fabric+name, 0)
	s.ep = stim.Episode{
		Name: stim.Fabric + name, Block: b.Schema.Name, Seed: o.Seed, Len: o.Events, Events: s.next, Times: s.picos,
		Drive: stim.DriveSpec{
			Idle:   stim.Gate{Close: uint16(200 + r.N(400)), Open: 20000},
			Stall:  stim.Pick(&r, stim.Density(20), stim.Density(60), stim.Bursts(200, 20), stim.Bursts(2000, 120)),
			Resets: []stim.Reset{{Low: 2}},
		},
	}
	s.done.Add(1)
	go s.run(spec, func(t *cc.Event) bool { return b.Tap(s, t) })
	return s, nil
}

// newNICSource returns a source without a simulation.
func newNICSource(limit int, o *stim.Options) *NICSource {
	s := &NICSource{
		full: make(chan []nicEvent, 3), empty: make(chan []nicEvent, 4), limit: limit,
		want: o.Events, TickPs: int64(o.TickNs) * 1000, ids: make(map[int64]int),
	}
	for range 4 {
		s.empty <- make([]nicEvent, 0, batchLen+64)
	}
	s.in = <-s.empty
	return s
}

// run simulates until enough events are delivered or the source is closed.
func (s *NICSource) run(spec settings.Spec, tap func(*cc.Event) bool) {
	defer s.done.Done()
	defer close(s.full)
	_, err := network.Run(s.ctx, spec, network.WithTap(tap))
	switch {
	case s.ctx.Err() != nil:
	case err != nil:
		s.err = fmt.Errorf("source %s: fabric run: %w", s.ep.Name, err)
	case s.flush() && s.sent < s.want:
		s.err = fmt.Errorf("source %s: only %d of %d events were made: the simulation has ended", s.ep.Name, s.sent, s.want)
	}
}

// flush hands the filled batch to the reader. It returns false when the source is closed.
func (s *NICSource) flush() bool {
	select {
	case s.full <- s.in:
	case <-s.ctx.Done():
		return false
	}
	select {
	case s.in = <-s.empty:
	case <-s.ctx.Done():
		return false
	}
	return true
}

// slot appends an event for the caller to fill in.
func (s *NICSource) slot() *nicEvent {
	s.in = append(s.in, nicEvent{})
	s.sent++
	return &s.in[len(s.in)-1]
}

// Put returns the words of the next event. t is the simulation's event, or nil for one that does not exist there.
func (s *NICSource) Put(t *cc.Event) []uint64 {
	e := s.slot()
	if t != nil {
		e.now, e.tx, e.timed = int64(t.Time), int64(t.TxTime), true
	}
	return e.words[:s.words]
}

// Number returns the block's number for a context or connection, in the order of first appearance; ok is false when the
// block is full.
func (s *NICSource) Number(nic, sub int32) (int, bool) {
	key := int64(nic)<<32 | int64(sub)
	n, ok := s.ids[key]
	if !ok {
		n = len(s.ids)
		s.ids[key] = n
	}
	return n, n < s.limit
}

// Fail ends the simulation; the source reports err. It returns false, for a tap to return.
func (s *NICSource) Fail(err error) bool {
	s.err = err
	s.cancel()
	return false
}

// Proceed ends a tap call: it hands over full batches and reports whether the simulation should continue.
func (s *NICSource) Proceed() bool {
	if len(s.in) >= batchLen && !s.flush() {
		return false
	}
	return s.sent < s.want
}

func (s *NICSource) Next() (*stim.Episode, bool) {
	if s.given {
		return nil, false
	}
	s.given = true
	return &s.ep, true
}

func (s *NICSource) next(dst []uint64) bool {
	if s.taken == s.want {
		return false
	}
	for s.pos == len(s.out) {
		if s.out != nil {
			s.empty <- s.out[:0]
		}
		s.out, s.pos = nil, 0
		b, ok := <-s.full
		if !ok {
			s.ended = true
			return false
		}
		s.out = b
	}
	copy(dst, s.out[s.pos].words[:s.words])
	s.pos++
	s.taken++
	return true
}

func (s *NICSource) picos() (now, tx int64, ok bool) {
	if s.pos == 0 {
		return 0, 0, false
	}
	e := &s.out[s.pos-1]
	return e.now, e.tx, e.timed
}

// Err returns why the simulation failed, once the episode has ended.
func (s *NICSource) Err() error {
	if !s.ended {
		return nil
	}
	s.done.Wait()
	return s.err
}

// Close ends the simulation and waits for it.
func (s *NICSource) Close() {
	s.cancel()
	s.done.Wait()
}

package gen

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// fabricNames returns the names of the simulations that a block's sources run, in order: presets stimulus/NAME of
// the fabric. Those in which flows end are for the blocks of a switch alone: contexts of a NIC would come and go, and a
// block with a fixed number of them would soon see no more.
func fabricNames(block string) []string {
	names, nics := presets.StimulusNames()
	if block == BlockCCC || block == BlockTxstate {
		names = names[:nics]
	}
	slices.Sort(names)
	return names
}

// FabricSpec returns the simulation behind a source fabric:NAME: the preset stimulus/NAME made endless and, for ccc,
// with several connections to a context. It errors when the name is unknown.
func FabricSpec(block, name string, seed uint64) (settings.Spec, error) {
	spec, ok := presets.Stimulus(name)
	if !ok || !slices.Contains(fabricNames(block), name) {
		return settings.Spec{}, fmt.Errorf("fabric %q: unknown; there are %v", name, fabricNames(block))
	}
	spec.Seed = seed
	spec.Rounds = 0
	if block == BlockCCC {
		spec.PDCsPerCCC = 2
	}
	return spec, nil
}

// batchLen is the number of events that pass between the simulation and its
// reader at once.
const batchLen = 2048

// fabricEvent is a converted event: packed words and picosecond times.
type fabricEvent struct {
	words   [8]uint64
	now, tx int64
	timed   bool
}

// fabricSource is one episode that a simulation feeds while it runs.
type fabricSource struct {
	ep     Episode
	given  bool
	ended  bool // the simulation has no more
	ctx    context.Context
	cancel context.CancelFunc
	full   chan []fabricEvent
	empty  chan []fabricEvent
	done   sync.WaitGroup
	err    error

	in    []fabricEvent // batch being filled by the simulation
	out   []fabricEvent // batch being read
	pos   int
	taken int
	want  int

	words  int
	tickPs int64
	ids    map[int64]int // context or connection -> number in the block
	limit  int
	sent   int

	profiles map[cc.Config]uint8 // of ccc: what the contexts of each set of constants are opened with
	ofCtx    map[[2]int32]uint8  // host and context -> profile
}

var (
	_ = [8 - ccc.EventWords]int{}
	_ = [8 - txstate.EventWords]int{}
)

// openFabric starts the simulation and returns its stream as one episode. Every
// context is one context of the block, in the order of their creation; those
// beyond the block's size are left out.
func openFabric(block, name string, o *Options) (Source, error) {
	spec, err := FabricSpec(block, name, o.Seed)
	if err != nil {
		return nil, err
	}
	return openSimulation(block, name, spec, o)
}

// openSimulation does so for any simulation.
func openSimulation(block, name string, spec settings.Spec, o *Options) (Source, error) {
	if o.Events == 0 {
		return nil, fmt.Errorf("source fabric:%s: events = 0 is no end; give a number of events", name)
	}
	s := &fabricSource{
		full: make(chan []fabricEvent, 3), empty: make(chan []fabricEvent, 4),
		want: o.Events, tickPs: int64(o.TickNs) * 1000, ids: make(map[int64]int),
	}
	for range 4 {
		s.empty <- make([]fabricEvent, 0, batchLen+64)
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.in = <-s.empty
	var tap func(*cc.Event) bool
	if block == BlockCCC {
		s.words, s.limit = ccc.EventWords, o.Params["NumContexts"]
		if err := s.configureCCC(spec, o); err != nil {
			return nil, fmt.Errorf("source fabric:%s: %w", name, err)
		}
		tap = s.tapCCC
	} else {
		s.words, s.limit = txstate.EventWords, o.Params["NumPdcs"]
		s.configureTx(o.TickNs)
		tap = s.tapTx
	}
	r := seeded(o.Seed, block, "fabric:"+name, 0)
	s.ep = Episode{
		Name: "fabric:" + name, Block: block, Seed: o.Seed, Len: o.Events, next: s.next, picos: s.picos,
		Drive: DriveSpec{
			Idle:   Gate{Close: uint16(200 + r.n(400)), Open: 20000},
			Stall:  pick(&r, Density(20), Density(60), Bursts(200, 20), Bursts(2000, 120)),
			Resets: []Reset{{Low: 2}},
		},
	}
	s.done.Add(1)
	go s.run(spec, tap)
	return s, nil
}

// run simulates until enough events are delivered or the source is closed.
func (s *fabricSource) run(spec settings.Spec, tap func(*cc.Event) bool) {
	defer s.done.Done()
	defer close(s.full)
	if _, err := fabric.Run(s.ctx, spec, fabric.WithTap(tap)); err != nil && s.ctx.Err() == nil {
		s.err = fmt.Errorf("fabric run: %w", err)
		return
	}
	s.flush()
}

// flush hands the batch being filled to the reader; it returns false when the
// source is closed.
func (s *fabricSource) flush() bool {
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

// slot returns the place of the next event; the caller fills it.
func (s *fabricSource) slot() *fabricEvent {
	s.in = append(s.in, fabricEvent{})
	s.sent++
	return &s.in[len(s.in)-1]
}

// proceed ends a tap call: it hands over full batches and says whether the
// simulation should go on.
func (s *fabricSource) proceed() bool {
	if len(s.in) >= batchLen && !s.flush() {
		return false
	}
	return s.sent < s.want
}

func (s *fabricSource) Next() (*Episode, bool) {
	if s.given {
		return nil, false
	}
	s.given = true
	return &s.ep, true
}

func (s *fabricSource) next(dst []uint64) bool {
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

func (s *fabricSource) picos() (now, tx int64, ok bool) {
	if s.pos == 0 {
		return 0, 0, false
	}
	e := &s.out[s.pos-1]
	return e.now, e.tx, e.timed
}

// Err returns why the simulation failed, once the episode has ended.
func (s *fabricSource) Err() error {
	if !s.ended {
		return nil
	}
	s.done.Wait()
	return s.err
}

// Close ends the simulation and waits for it.
func (s *fabricSource) Close() {
	s.cancel()
	s.done.Wait()
}

package cover

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// Control bits of word 0 that every stream block shares.
const (
	inRstN      = 1 << 0
	inEvValid   = 1 << 1
	inRspReady  = 1 << 2
	outEvReady  = 1 << 0
	outRspValid = 1 << 1
)

// sampler is the part of a collector that knows a block's events.
type sampler interface {
	define(p *plan, params map[string]int) shape
	classify(e *pending)                    // sets key, class and kind from the words
	sample(hits []uint64, in, out []uint64) // an event and its response
	reset()
}

// shape is what the timing of a block depends on.
type shape struct {
	sweep   int      // cycles of the sweep
	kinds   []string // labels of the kinds that have a key
	hasFree bool     // there are events that wait for nobody
	keyBits int      // width of a key; 0 when keys are too many for a table
}

// Collector counts how often each bin of a block was hit. It is not safe for use
// from several goroutines; give each run its own and Merge.
type Collector struct {
	block  string
	plan   plan
	hits   []uint64
	t      timing
	s      sampler
	w      watcher // in place of t and s, where a block has several streams
	words  int
	Events uint64 // responses seen
	Cycles uint64
}

// Blocks returns the names of the covered blocks.
func Blocks() []string { return []string{"ccc", "txstate", "egress", "trimmer", "intmd", "switchport"} }

// New returns an empty collector for a block with the given elaboration
// parameters; missing ones have their schema default. It errors when the block
// is unknown.
func New(block string, params map[string]int) (*Collector, error) {
	c := &Collector{block: block}
	var b *event.Block
	switch block {
	case "ccc":
		b, c.s, c.words = ccc.Schema(), &cccSampler{}, ccc.EventWords
	case "txstate":
		b, c.s, c.words = txstate.Schema(), &txSampler{}, txstate.EventWords
	case "egress":
		b, c.w = egress.Schema(), &egressWatch{}
	case "trimmer":
		b, c.w = trimmer.Schema(), &trimmerWatch{}
	case "intmd":
		b, c.w = intmd.Schema(), &intmdWatch{}
	case "switchport":
		b, c.w = switchport.Schema(), &switchWatch{}
	default:
		return nil, fmt.Errorf("coverage of block %q: unknown; known blocks: %v", block, Blocks())
	}
	full := map[string]int{}
	for _, p := range b.Params {
		full[p.Name] = p.Default
		if v, ok := params[p.Name]; ok {
			full[p.Name] = v
		}
	}
	if c.w != nil {
		c.w.define(&c.plan, b, full)
	} else {
		sh := c.s.define(&c.plan, full)
		c.t.define(&c.plan, b, sh)
	}
	c.hits = make([]uint64, len(c.plan.bins))
	return c, nil
}

// Cycle takes one clock cycle: the input record and the output record that
// belongs to it. It allocates nothing.
func (c *Collector) Cycle(in, out []uint64) {
	c.Cycles++
	if c.w != nil {
		if in[0]&inRstN == 0 {
			c.w.reset(c.hits)
		} else {
			c.w.cycle(c.hits, in, out)
		}
		return
	}
	if in[0]&inRstN == 0 {
		c.t.reset(c.hits, in[0]&inEvValid != 0)
		c.s.reset()
		return
	}
	accept := in[0]&inEvValid != 0 && out[0]&outEvReady != 0
	if accept {
		e := &c.t.ring[c.t.in%ringSize]
		copy(e.words[:c.words], in)
		c.s.classify(e)
	}
	_, take := c.t.cycle(c.hits, in[0]&inEvValid != 0, out[0]&outEvReady != 0, out[0]&outRspValid != 0, in[0]&inRspReady != 0)
	if take && c.t.out < c.t.issued {
		e := &c.t.ring[c.t.out%ringSize]
		c.t.out++
		c.Events++
		c.s.sample(c.hits, e.words[:c.words], out)
	}
}

// InUse returns the credits in use and the events in the input FIFO, as worked out
// from the handshakes so far.
func (c *Collector) InUse() (credits, queued int) {
	return int(c.t.issued - c.t.out), int(c.t.in - c.t.issued)
}

// Event takes an event and its response without cycles, for runs of a functional
// model; the bins of timing stay as they are.
func (c *Collector) Event(in, out []uint64) {
	c.Events++
	c.s.sample(c.hits, in, out)
}

// Reset forgets the contexts, as a reset of the block does, for runs that use
// Event.
func (c *Collector) Reset() { c.s.reset() }

// fold brings the bins up to date.
func (c *Collector) fold() {
	if c.w != nil {
		c.w.fold(c.hits)
	} else {
		c.t.fold(c.hits)
	}
}

// Merge adds the counts of another collector of the same block and parameters.
func (c *Collector) Merge(o *Collector) error {
	if c.block != o.block || len(c.hits) != len(o.hits) {
		return fmt.Errorf("coverage of %s (%d bins) does not merge with that of %s (%d bins)", c.block, len(c.hits), o.block, len(o.hits))
	}
	o.fold()
	for i, n := range o.hits {
		c.hits[i] += n
	}
	c.Events += o.Events
	c.Cycles += o.Cycles
	return nil
}

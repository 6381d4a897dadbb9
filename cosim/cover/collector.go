package cover

import "fmt"

// Collector counts how often each bin of a block was hit. It is not safe for use
// from several goroutines; give each run its own and Merge.
type Collector struct {
	block  string
	plan   Plan
	hits   Hits
	w      Watcher
	Cycles uint64
}

// New returns an empty collector for a block with the given elaboration
// parameters; missing ones have their schema default. It panics where the block cannot have them.
func New(block Block, params map[string]int) *Collector {
	b := block.Schema()
	full, err := b.Values(params)
	if err != nil {
		panic("coverage: " + err.Error())
	}
	c := &Collector{block: b.Name, w: block.Watcher()}
	c.w.Define(&c.plan, b, full)
	c.hits = make([]uint64, len(c.plan.bins))
	return c
}

// Cycle takes one clock cycle: the input record and the output record that belongs to it. It allocates nothing.
func (c *Collector) Cycle(in, out []uint64) {
	c.Cycles++
	if in[0]&inRstN == 0 {
		c.w.Reset(c.hits, in)
	} else {
		c.w.Cycle(c.hits, in, out)
	}
}

// InUse returns the credits in use and the events in the input FIFO, as worked out
// from the handshakes so far; ok is false where the block's Watcher is no EventWatcher.
func (c *Collector) InUse() (credits, queued int, ok bool) {
	w, ok := c.w.(EventWatcher)
	if !ok {
		return 0, 0, false
	}
	credits, queued = w.InUse()
	return credits, queued, true
}

// Event takes an event and its response without cycles, for runs of a functional
// model; the bins of timing stay as they are. The block's Watcher must be an EventWatcher.
func (c *Collector) Event(in, out []uint64) { c.w.(EventWatcher).Sample(c.hits, in, out) }

// Differences returns how many READ responses disagree with the state that the collector followed. Anything but 0
// makes the bins of hidden state unsound: the responses do not fit together under the contract.
func (c *Collector) Differences() uint64 { return c.w.Differences() }

// Difference describes the first of the Differences, where the block's Watcher keeps it.
func (c *Collector) Difference() string { return c.w.Difference() }

// Counts returns how often each bin was hit, in the order of the plan. It is valid until the next call of any method.
func (c *Collector) Counts() []uint64 {
	c.w.Fold(c.hits)
	return c.hits
}

// Merge adds the counts of another collector of the same block and parameters.
func (c *Collector) Merge(o *Collector) error {
	if c.block != o.block || len(c.hits) != len(o.hits) {
		return fmt.Errorf("coverage of %s (%d bins) does not merge with that of %s (%d bins)",
			c.block, len(c.hits), o.block, len(o.hits))
	}
	for i, n := range o.Counts() {
		c.hits[i] += n
	}
	c.Cycles += o.Cycles
	return nil
}

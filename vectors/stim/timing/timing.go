package timing

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Keyed writes events of a block with one stream of events and one of responses, in which an event waits for those
// before it that have its key: a context, or an entry of a table.
type Keyed interface {
	Keys() int         // how many keys there are, which is the length of the sweep after a reset
	Kinds() int        // how many kinds of events have a key, one refused among them
	Put(kind, key int) // appends an event of a kind
	Work(key int)      // appends an event of a kind that changes the state of its key, a different one each time
	Exclusive()        // appends an event that waits for all others, and they for it
	Open(keys int)     // makes the first keys usable
	Read(keys int)     // reads back the first keys
	Configured()       // appends events whose responses depend on what Exclusive writes
}

// New returns what writes events into a script.
type New func(s *stim.Script) Keyed

// portCase is a directed case about ports, hazards and resets. It defines what is driven; the model defines what must
// come back, cycle by cycle.
type portCase struct {
	name, doc string
	write     func(b *Build)
}

// Build gathers the events of a tcase.
type Build struct {
	Keyed
	s                              *stim.Script
	stall, latency, credits, sweep int
}

// Case returns the case that make writes for a block.
func Case(name, doc string, b *event.Block, keys New, make func(b *Build)) stim.Case {
	return stim.Case{Name: name, About: doc, Write: func(s *stim.Script) {
		x := &Build{Keyed: keys(s), s: s}
		x.sweep = x.Keys()
		x.stall, _ = b.Constant("STALL")
		x.latency, _ = b.Constant("LATENCY")
		x.credits, _ = b.Constant("CREDITS")
		make(x)
	}}
}

// gap keeps ev_valid low for that many cycles before the next event.
func (b *Build) gap(cycles int) {
	for len(b.s.Drive.Gaps) <= b.s.Used {
		b.s.Drive.Gaps = append(b.s.Drive.Gaps, 0)
	}
	b.s.Drive.Gaps[b.s.Used] = uint16(cycles)
}

// reset puts a reset after the events so far.
func (b *Build) reset(delay, low int) {
	b.s.Drive.Resets = append(b.s.Drive.Resets, stim.Reset{After: b.s.Used, Delay: delay, Low: low})
}

// again opens, works and reads after a reset, to show that it left nothing.
func (b *Build) again() {
	b.Read(3)
	b.Open(8)
	for i := range 16 {
		b.Work(i % 8)
	}
	b.Read(8)
}

// Ports returns the cases about time.
func Ports(b *event.Block, keys New) (out []stim.Case) {
	for _, c := range []portCase{
		{"timing/full-rate", "one event a cycle for a long time", func(b *Build) {
			keys := 3 * b.stall
			b.Open(keys)
			for i := range 10*b.credits + 100 {
				b.Work(i % keys)
			}
			b.Read(keys)
		}},
		{"timing/long", "more than 2^17 events in one episode", func(b *Build) {
			keys := min(3*b.stall, b.sweep)
			b.Open(keys)
			for i := range 1<<17 + 100 {
				b.Work(i % keys)
			}
			b.Read(keys)
		}},
		{"timing/one-key", "events of one key wait for each other", func(b *Build) {
			b.Open(1)
			for range 12 {
				b.Work(0)
			}
			b.Read(1)
		}},
		{"timing/distances", "every distance between two events of one key", func(b *Build) {
			b.Open(b.stall + 2)
			for d := 1; d <= b.stall+1; d++ {
				b.gap(b.stall)
				b.Work(0)
				for k := 1; k < d; k++ {
					b.Work(k)
				}
				b.Work(0)
			}
			b.Read(b.stall + 2)
		}},
		{"timing/exclusive-distances", "every distance between an event and an exclusive one", func(b *Build) {
			b.Open(4)
			for g := range b.stall + 2 {
				b.gap(b.stall)
				b.Work(g % 4)
				b.gap(g)
				b.Exclusive()
				b.Work(g % 4)
			}
			b.Exclusive()
			b.Exclusive()
			b.Read(4)
		}},
		{"timing/pairs", "every kind after every kind of one key", func(b *Build) {
			for i := range b.Kinds() {
				for j := range b.Kinds() {
					b.Open(1)
					b.Put(i, 0)
					b.Put(j, 0)
				}
			}
			b.Read(1)
		}},
		{"timing/credits", "responses are held until the credits run out", func(b *Build) {
			keys := 2 * b.stall
			b.Open(keys)
			for i := range 8 * b.credits {
				b.Work(i % keys)
			}
			b.Read(keys)
			b.s.Drive.Stall = stim.Bursts(b.credits/2, 4*b.credits)
		}},
		{"timing/trickle", "responses are taken one in a while", func(b *Build) {
			keys := 2 * b.stall
			b.Open(keys)
			for i := range 4 * b.credits {
				b.Work(i % keys)
			}
			b.Read(keys)
			b.s.Drive.Stall = stim.Density(230)
		}},
		{"timing/idle", "events come one in a while", func(b *Build) {
			b.Open(4)
			for i := range 4 * b.credits {
				b.Work(i % 4)
			}
			b.Read(4)
			b.s.Drive.Idle, b.s.Drive.Stall = stim.Density(200), stim.Density(128)
		}},
	} {
		out = append(out, Case(c.name, c.doc, b, keys, c.write))
	}
	return out
}

// Resets returns the cases about rst_n.
func Resets(block *event.Block, keys New) (out []stim.Case) {
	add := func(name, doc string, make func(b *Build)) {
		out = append(out, Case(name, doc, block, keys, make))
	}
	for _, at := range []struct {
		name  string
		delay func(sweep int) int
	}{
		{"first", func(int) int { return 1 }}, {"second", func(int) int { return 2 }},
		{"middle", func(w int) int { return w / 2 }}, {"last", func(w int) int { return w - 1 }},
		{"done", func(w int) int { return w }}, {"after", func(w int) int { return w + 1 }},
	} {
		add("reset/in-sweep-"+at.name, "a reset in mid-sweep starts it again", func(b *Build) {
			b.reset(at.delay(b.sweep), 1)
			b.again()
		})
	}
	for _, n := range []struct{ after, delay, low int }{{1, 0, 1}, {1, 3, 1}, {2, 0, 2}, {3, 0, 1}, {3, 2, 5},
		{4, 0, 3}} {
		about := "a reset finds events of one key in the input FIFO"
		add(fmt.Sprintf("reset/queued-%d-%d", n.after, n.delay), about, func(b *Build) {
			b.Open(1)
			b.gap(b.stall + b.latency)
			for range n.after {
				b.Work(0)
			}
			b.reset(n.delay, n.low)
			b.Work(0)
			b.again()
		})
	}
	for _, n := range []struct {
		name  string
		after func(credits int) int
		delay int
	}{
		{"one", func(int) int { return 1 }, 0}, {"some", func(c int) int { return c / 2 }, 0},
		{"all-but-one", func(c int) int { return c - 1 }, 8}, {"all", func(c int) int { return c }, 8},
		{"all-queued", func(c int) int { return c + 2 }, 8}, {"waiting", func(int) int { return 3 }, 60},
	} {
		add("reset/in-flight-"+n.name, "a reset finds events in the pipeline and responses waiting", func(b *Build) {
			keys := max(b.credits, b.stall)
			for i := range n.after(b.credits) {
				b.Put(0, i%keys)
			}
			b.reset(n.delay, 1)
			b.again()
			b.s.Drive.Stall = stim.Bursts(1, 700)
		})
	}
	for _, delay := range []int{0, 1, 2, 3, 8, 60} {
		about := "a reset soon after a configuration write leaves nothing of it"
		add(fmt.Sprintf("reset/config-%d", delay), about, func(b *Build) {
			b.Exclusive()
			b.reset(delay, 1)
			b.Configured()
			b.again()
		})
	}
	return out
}

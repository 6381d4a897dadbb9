package gen

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// tcase is a directed case about ports, hazards and resets. It says what is
// driven; what must come back is the twin's to say, cycle by cycle.
type tcase struct {
	name, doc string
	make      func(b *tbuild)
}

// tbuild gathers the events of a tcase.
type tbuild struct {
	block                          string
	n, depth                       int // keys there are; entries of a txstate table
	slots                          int // of a context of ccc
	stall, latency, credits, sweep int
	events                         [][]uint64
	drive                          DriveSpec
	turn                           int
}

func newTBuild(block string, o *Options) *tbuild {
	b := &tbuild{block: block, drive: DriveSpec{Resets: []Reset{{Low: 2}}}}
	var sch *event.Block
	if block == BlockCCC {
		sch, b.n = ccc.Schema(), o.Params["NumContexts"]
		b.slots = o.Params["NumPdcs"]
	} else {
		sch, b.depth = txstate.Schema(), o.Params["Depth"]
		b.n = o.Params["NumPdcs"] * b.depth
	}
	b.sweep = b.n
	b.stall, _ = sch.Constant("STALL")
	b.latency, _ = sch.Constant("LATENCY")
	b.credits, _ = sch.Constant("CREDITS")
	return b
}

// kinds returns how many kinds of events have a key, one refused among them.
func (b *tbuild) kinds() int {
	if b.block == BlockCCC {
		return 12
	}
	return 6
}

// put appends event kind k of a key; the last kind is an unknown one.
func (b *tbuild) put(k, key int) {
	key %= b.n
	b.turn++
	now := uint64(epoch + 10*b.turn)
	if b.block == BlockCCC {
		switch {
		case k == 9: // configuration has no key
			k = int(ccc.KindBind)
		case k == 10:
			k = int(ccc.KindSample)
		case k == 11:
			k = numCCCKinds + b.turn%(16-numCCCKinds)
		}
		ev := ccc.Event{
			Kind: ccc.Kind(k), Ctx: uint16(key), PDC: uint8(b.turn % b.slots), Now: now, Size: uint32(100 + b.turn), Addr: uint8(b.turn % ccc.NumWords),
			RcvdBytes: uint32(b.turn), TxValid: true, TxTime: now - 128 - 15000, ServiceTime: 1, M: b.turn%3 == 0,
			Reason: ccc.Reason(b.turn % 4), Entropy: uint16(b.turn), Data: uint64(b.turn) << 12, AckedPkts: 1,
		}
		b.pack(&ev, nil)
		return
	}
	if k == 5 {
		k = 6 + b.turn%2
	}
	b.pack(nil, &txstate.Event{
		Kind: txstate.Kind(k), PDC: uint16(key / b.depth), PSN: uint32(key % b.depth), Now: now, ServiceTime: 1,
		LoadValid: true, LoadRtxCount: uint8(b.turn & 3), IsRtx: b.turn%4 == 0, Retx: b.turn%2 == 0,
	})
}

func (b *tbuild) pack(c *ccc.Event, t *txstate.Event) {
	var w []uint64
	if c != nil {
		w = make([]uint64, ccc.EventWords)
		ccc.PackEvent(c, w)
	} else {
		w = make([]uint64, txstate.EventWords)
		txstate.PackEvent(t, w)
	}
	b.events = append(b.events, w)
}

// work appends an event of a kind that changes the state of its key, a different
// one each time.
func (b *tbuild) work(key int) {
	if b.block == BlockCCC {
		b.put(4+b.turn%7, key)
	} else {
		b.put([]int{0, 2, 0, 1}[b.turn%4], key)
	}
}

// excl appends an exclusive event.
func (b *tbuild) excl() {
	b.turn++
	if b.block == BlockCCC {
		b.pack(&ccc.Event{Kind: ccc.KindCfgWrite, Addr: ccc.RegTargetQDelay, Data: uint64(9000 + b.turn)}, nil)
		return
	}
	b.pack(nil, &txstate.Event{Kind: txstate.KindCfgWrite, TimeShift: uint8(b.turn & 7)})
}

// open makes the first keys usable.
func (b *tbuild) open(keys int) {
	if b.block == BlockCCC {
		for k := range min(keys, b.n) {
			b.put(int(ccc.KindOpen), k)
		}
	}
}

// read reads back the first keys.
func (b *tbuild) read(keys int) {
	keys = min(keys, b.n)
	if b.block != BlockCCC {
		for k := range keys {
			b.put(int(txstate.KindRead), k)
		}
		return
	}
	for a := range lastRcvd + b.slots {
		for k := range keys {
			b.pack(&ccc.Event{Kind: ccc.KindRead, Ctx: uint16(k), Addr: uint8(min(a, lastRcvd)), PDC: uint8(max(a-lastRcvd, 0))}, nil)
		}
	}
}

// gap keeps ev_valid low for so many cycles before the next event.
func (b *tbuild) gap(cycles int) {
	for len(b.drive.Gaps) <= len(b.events) {
		b.drive.Gaps = append(b.drive.Gaps, 0)
	}
	b.drive.Gaps[len(b.events)] = uint16(cycles)
}

// reset puts a reset after the events so far.
func (b *tbuild) reset(delay, low int) {
	b.drive.Resets = append(b.drive.Resets, Reset{After: len(b.events), Delay: delay, Low: low})
}

// configured appends events whose responses tell the value of the register that excl writes.
func (b *tbuild) configured() {
	if b.block == BlockCCC {
		b.pack(&ccc.Event{Kind: ccc.KindCfgRead, Addr: ccc.RegTargetQDelay}, nil)
		return
	}
	b.pack(nil, &txstate.Event{Kind: txstate.KindSend, Now: epoch})
	b.pack(nil, &txstate.Event{Kind: txstate.KindAck, Now: epoch + 15000, ServiceTime: 1})
}

// again opens, works and reads after a reset, to show that it left nothing.
func (b *tbuild) again() {
	b.read(3)
	b.open(8)
	for i := range 16 {
		b.work(i % 8)
	}
	b.read(8)
}

// timingCases returns the cases about time of a block, nil when it is unknown.
func timingCases(block string) []tcase {
	if block != BlockCCC && block != BlockTxstate {
		return nil
	}
	out := []tcase{
		{"timing/full-rate", "one event a cycle for a long time", func(b *tbuild) {
			keys := 3 * b.stall
			b.open(keys)
			for i := range 10*b.credits + 100 {
				b.work(i % keys)
			}
			b.read(keys)
		}},
		{"timing/one-key", "events of one key wait for each other", func(b *tbuild) {
			b.open(1)
			for range 12 {
				b.work(0)
			}
			b.read(1)
		}},
		{"timing/distances", "every distance between two events of one key", func(b *tbuild) {
			b.open(b.stall + 2)
			for d := 1; d <= b.stall+1; d++ {
				b.gap(b.stall)
				b.work(0)
				for k := 1; k < d; k++ {
					b.work(k)
				}
				b.work(0)
			}
			b.read(b.stall + 2)
		}},
		{"timing/exclusive-distances", "every distance between an event and an exclusive one", func(b *tbuild) {
			b.open(4)
			for g := range b.stall + 2 {
				b.gap(b.stall)
				b.work(g % 4)
				b.gap(g)
				b.excl()
				b.work(g % 4)
			}
			b.excl()
			b.excl()
			b.read(4)
		}},
		{"timing/pairs", "every kind after every kind of one key", func(b *tbuild) {
			for i := range b.kinds() {
				for j := range b.kinds() {
					b.open(1)
					b.put(i, 0)
					b.put(j, 0)
				}
			}
			b.read(1)
		}},
		{"timing/credits", "responses are held until the credits run out", func(b *tbuild) {
			keys := 2 * b.stall
			b.open(keys)
			for i := range 8 * b.credits {
				b.work(i % keys)
			}
			b.read(keys)
			b.drive.Stall = Bursts(b.credits/2, 4*b.credits)
		}},
		{"timing/trickle", "responses are taken one in a while", func(b *tbuild) {
			keys := 2 * b.stall
			b.open(keys)
			for i := range 4 * b.credits {
				b.work(i % keys)
			}
			b.read(keys)
			b.drive.Stall = Density(230)
		}},
		{"timing/idle", "events come one in a while", func(b *tbuild) {
			b.open(4)
			for i := range 4 * b.credits {
				b.work(i % 4)
			}
			b.read(4)
			b.drive.Idle, b.drive.Stall = Density(200), Density(128)
		}},
	}
	if block == BlockCCC {
		out = append(out, tcase{"timing/free", "CFG_READ waits for nobody", func(b *tbuild) {
			b.open(2)
			for i := range 12 {
				b.work(0)
				b.pack(&ccc.Event{Kind: ccc.KindCfgRead, Addr: uint8(i)}, nil)
				b.pack(&ccc.Event{Kind: ccc.KindCfgRead, Addr: uint8(i + 1)}, nil)
				b.work(1)
				if i%3 == 0 {
					b.excl()
					b.pack(&ccc.Event{Kind: ccc.KindCfgRead, Addr: ccc.RegTargetQDelay}, nil)
				}
			}
			b.read(2)
		}})
	}
	return append(out, resetCases()...)
}

// resetCases returns the cases about rst_n.
func resetCases() (out []tcase) {
	for _, at := range []struct {
		name  string
		delay func(sweep int) int
	}{
		{"first", func(int) int { return 1 }}, {"second", func(int) int { return 2 }},
		{"middle", func(w int) int { return w / 2 }}, {"last", func(w int) int { return w - 1 }},
		{"done", func(w int) int { return w }}, {"after", func(w int) int { return w + 1 }},
	} {
		out = append(out, tcase{"reset/in-sweep-" + at.name, "a reset in mid-sweep starts it again", func(b *tbuild) {
			b.reset(at.delay(b.sweep), 1)
			b.again()
		}})
	}
	for _, n := range []struct{ after, delay, low int }{{1, 0, 1}, {1, 3, 1}, {2, 0, 2}, {3, 0, 1}, {3, 2, 5}, {4, 0, 3}} {
		out = append(out, tcase{fmt.Sprintf("reset/queued-%d-%d", n.after, n.delay), "a reset finds events of one key in the input FIFO", func(b *tbuild) {
			b.open(1)
			b.gap(b.stall + b.latency)
			for range n.after {
				b.work(0)
			}
			b.reset(n.delay, n.low)
			b.work(0)
			b.again()
		}})
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
		out = append(out, tcase{"reset/in-flight-" + n.name, "a reset finds events in the pipeline and responses waiting", func(b *tbuild) {
			keys := max(b.credits, b.stall)
			for i := range n.after(b.credits) {
				b.put(0, i%keys)
			}
			b.reset(n.delay, 1)
			b.again()
			b.drive.Stall = Bursts(1, 700)
		}})
	}
	for _, delay := range []int{0, 1, 2, 3, 8, 60} {
		out = append(out, tcase{fmt.Sprintf("reset/config-%d", delay), "a reset soon after a configuration write leaves nothing of it", func(b *tbuild) {
			b.excl()
			b.reset(delay, 1)
			b.configured()
			b.again()
		}})
	}
	return out
}

package intmd

import (
	"math"
	"math/bits"

	"github.com/goldwire/goldwire/golden/fixed"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// timeFrac is the number of fraction bits of exact times, in ns: those of STEP in the schema, so that sums are exact.
const timeFrac = 16

// live is what is true of one port: in exact numbers, as the reports and writes have it, and at the formats.
type live struct {
	sent  int64 // bytes; never comes round
	queue int64 // bytes, as the reports have it: modulo 2^32
	code  uint8
	wire  [numFields]fixed.Num // of sent, queue and rate
}

// moment is the entry of a port at a time, before it is brought to the format of an entry.
type moment struct {
	live
	clock int64     // 2^-16 ns: the block's clock, but that it never comes round
	ticks fixed.Num // the clock at its format, ns
	since int64     // 2^-16 ns since the reset; no write of TIME moves it
	drift float64   // ns by which the clock at its format may be off, at most
}

// ledger keeps clock, counters and table. Source: contract.md, "Clock, counters, table".
type ledger struct {
	w       *wire
	ports   []live
	table   []live // as of the last tick
	changed uint64 // ports whose table row is older
	now, at moment // clock in this cycle, and as of the last tick
	step    int64
	period  uint32
	age     uint32
	magic   uint16
	wStep   fixed.Num // STEP at its format
	off     float64   // ns by which that is off

	// wrote is called with what a write makes of a register: its word, with the schema's fraction bits, and its number
	// at the format.
	wrote func(f field, word int64, frac uint8, x fixed.Num)
}

func newLedger(w *wire, ports int, wrote func(field, int64, uint8, fixed.Num)) *ledger {
	l := &ledger{w: w, ports: make([]live, ports), table: make([]live, ports), wrote: wrote}
	l.reset()
	return l
}

func (l *ledger) reset() {
	none := live{code: 4}
	none.wire[rate], _ = l.w.fit(rate, fixed.Of(4, 0))
	for p := range l.ports {
		l.ports[p] = none
	}
	l.changed = ^uint64(0) >> (64 - len(l.ports))
	l.now, l.age = moment{}, 0
	l.at = l.now
	for p := range l.table { // an entry before the first tick is all 0
		l.table[p] = live{}
	}
	l.period = uint32(port.RegInfo[port.RegPeriod].Reset)
	l.magic = uint16(port.RegInfo[port.RegMagic].Reset)
	l.setStep(int64(port.RegInfo[port.RegStep].Reset))
}

func (l *ledger) setStep(word int64) {
	l.step = word
	l.wStep, _ = l.w.fit(step, fixed.Of(word, timeFrac))
	l.off = math.Abs(math.Ldexp(float64(word), -timeFrac) - l.wStep.Float64())
}

// entry returns the table's row of a port, which must exist.
func (l *ledger) entry(port int) moment {
	m := l.at
	m.live = l.table[port]
	return m
}

// tick executes the clock and the table of a cycle.
func (l *ledger) tick() {
	l.age++
	if l.age >= l.period {
		l.age = 0
		l.at = l.now
		for m := l.changed; m != 0; m &= m - 1 {
			p := bits.TrailingZeros64(m)
			l.table[p] = l.ports[p]
		}
		l.changed = 0
	}
	l.now.clock += l.step
	l.now.since += l.step
	sum := l.w.Add(l.now.ticks, l.wStep)
	y, flags := l.w.fit(clock, sum)
	if flags&fixed.Inexact != 0 {
		l.now.drift += math.Ldexp(1, -int(l.w.values[clock].Format.Frac))
	}
	l.now.ticks = y
	l.now.drift += l.off
}

// write executes a cfg event, after tick of its cycle.
func (l *ledger) write(ev *port.Cfg) {
	switch {
	case ev.Kind == port.KindRateWrite && int(ev.Port) < len(l.ports):
		p := &l.ports[ev.Port]
		p.code = uint8(ev.Data & 15)
		p.wire[rate], _ = l.w.fit(rate, fixed.Of(int64(p.code), 0))
		l.changed |= 1 << ev.Port
		return
	case ev.Kind != port.KindCfgWrite || int(ev.Addr) >= port.NumRegs:
		return
	}
	word := int64(ev.Data) & (1<<port.RegInfo[ev.Addr].Width - 1)
	switch int(ev.Addr) {
	case port.RegPeriod:
		l.period = uint32(word)
	case port.RegMagic:
		l.magic = uint16(word)
	case port.RegStep:
		l.setStep(word)
		l.wrote(step, word, timeFrac, l.wStep)
	case port.RegTime:
		l.now.clock = word << timeFrac
		x, _ := l.w.fit(setTime, fixed.Of(word, 0))
		l.wrote(setTime, word, 0, x)
		l.now.ticks, _ = l.w.fit(clock, x)
		l.now.drift += math.Abs(float64(word) - x.Float64())
	}
}

// report executes a counter report, after tick of its cycle. What an ADD adds may be negative: it is modulo 2^32.
func (l *ledger) report(r *port.Cnt) {
	if int(r.Port) >= len(l.ports) {
		return
	}
	p := &l.ports[r.Port]
	add, more := int64(int32(r.TxBytes)), int64(int32(r.Qlen))
	if r.Op == port.OpSet {
		p.sent, p.queue, p.wire[sent], p.wire[queue] = 0, 0, fixed.Num{}, fixed.Num{}
		add, more = int64(r.TxBytes), int64(r.Qlen)
	}
	p.sent += add
	p.queue = (p.queue + more) & (1<<32 - 1)
	p.wire[sent], _ = l.w.fit(sent, l.w.Add(p.wire[sent], fixed.Of(add, 0)))
	p.wire[queue], _ = l.w.fit(queue, l.w.Add(p.wire[queue], fixed.Of(more, 0)))
	l.changed |= 1 << r.Port
}

package intmd

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/golden/telemetry"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// rates are the link rates of the rate codes, Gb/s. Source: contract.md, "Clock, counters, table".
var rates = [...]int64{25, 50, 100, 200, 400, 800}

// measurement compares what is read from exact telemetry with what is read from that of a table.
type measurement struct {
	w              *wire
	bounds         *bounds
	reader         telemetry.Spec
	modes          []diff.Mode
	beside         bool // the packets of the model must have the entries of the table
	turnTS, turnTx float64
	episode        string
	paths          []*path
	res            *Result
	flips          int

	fields  [numFields]signal
	txRate  signal
	share   signal
	results []byMode
}

type byMode struct {
	mode      diff.Mode
	u, window [2]signal // by rule
	decisions []Decision
	compared  uint64
	flips     []Flip
	lost      uint64
}

// Decisions of a rule.
const (
	above = iota
	branch
	bottleneck
	numDecisions
)

func newMeasurement(w *wire, b *bounds, spec *Spec, ports int, res *Result) *measurement {
	m := &measurement{w: w, bounds: b, reader: spec.Reader, modes: spec.Modes, res: res, flips: spec.Flips,
		turnTS: b.turn(ts, clock), turnTx: b.turn(txBytes, sent), paths: pathsOf(ports)}
	units := [numFields]string{step: "ns", setTime: "ns", clock: "ns", sent: "bytes", queue: "bytes", rate: "code",
		ts: "ns", txBytes: "bytes", qLen: "bytes"}
	for f := range numFields {
		v := &w.values[f]
		m.fields[f] = signal{name: v.Name, unit: units[f], format: v.String(), lsb: b.lsb(f)}
	}
	m.txRate = signal{name: "txRate", unit: "Gb/s"}
	m.share = signal{name: "u"}
	for _, mode := range spec.Modes {
		x := byMode{mode: mode}
		for _, k := range telemetry.Kinds {
			x.u[k] = signal{name: k.String() + " U"}
			x.window[k] = signal{name: k.String() + " window", unit: "bytes"}
			for _, d := range []string{"U above eta", "branch", "bottleneck"} {
				x.decisions = append(x.decisions, Decision{Name: k.String() + " " + d})
			}
		}
		m.results = append(m.results, x)
	}
	return m
}

func (m *measurement) reset() {
	for _, p := range m.paths {
		*p = path{ports: p.ports, stamps: p.stamps, fresh: p.fresh}
		clear(p.fresh)
	}
}

func (m *measurement) part(format string, args ...any) {
	if m.res.Parted == "" {
		m.res.Parted = fmt.Sprintf(format, args...)
	}
}

// beyond notes an error beyond its bound.
func (m *measurement) beyond(what string, packet uint64, of string) {
	if what == "" {
		return
	}
	if m.res.Beyond++; len(m.res.Examples) < 10 {
		m.res.Examples = append(m.res.Examples, fmt.Sprintf("packet %d of %s, %s: %s", packet, m.episode, of, what))
	}
}

// wrote compares a register with the word that was written to it.
func (m *measurement) wrote(f field, word int64, frac uint8, x fixed.Num) {
	want := math.Ldexp(float64(word), -int(frac))
	b := m.bounds.register(f, want, math.Ldexp(1, -int(frac)))
	what := m.fields[f].add(x.Float64()-want, want, limits{b.lo - want, b.hi - want})
	m.beyond(what, 0, "a write")
}

func (m *measurement) read(x *reading) {
	m.res.Entries++
	w := m.w
	s := stamp{reading: *x}
	var flags [numFields]fixed.Flags
	var at [numFields]fixed.Num
	at[rate] = x.wire[rate]
	at[ts], flags[ts] = w.fit(ts, x.ticks)
	at[txBytes], flags[txBytes] = w.fit(txBytes, x.wire[sent])
	at[qLen], flags[qLen] = w.fit(qLen, x.wire[queue])
	m.signals(x, &at)
	code := at[rate].Bits(0)
	if m.beside && !m.same(x, &at) {
		return
	}
	if max(uint64(x.code), code) >= uint64(len(rates)) {
		m.res.NoRate++
		return
	}
	s.pegged = (flags[ts]|flags[txBytes])&fixed.Saturated != 0
	s.rate = float64(rates[code])
	s.queued = m.bounds.queued(x.wire[queue].Float64())
	e := telemetry.Exact{}
	s.exact = telemetry.Stamp[real]{Rate: e.Whole(rates[x.code]), TS: e.Of(x.clock, timeFrac), Tx: e.Whole(x.sent),
		Queue: e.Whole(x.queue)}
	s.wire = telemetry.Stamp[real]{Rate: e.Whole(rates[code]), TS: e.OfFixed(at[ts]),
		Tx: e.OfFixed(w.real(txBytes, at[txBytes])), Queue: e.OfFixed(w.real(qLen, at[qLen]))}
	s.float = inFloat(&s.exact)
	s.table = inFloat(&s.wire)
	if m.beside {
		if s.decoded = decode(x.word); s.decoded != s.table {
			m.part("packet %d of %s, entry of port %d: want %+v (table), got %+v (decoded from the packet of the model)",
				x.packet, m.episode, x.port, s.table, s.decoded)
			return
		}
	}
	for _, p := range m.paths {
		for _, port := range p.ports {
			if port == x.port {
				m.take(p, &s)
			}
		}
	}
}

func inFloat(s *telemetry.Stamp[real]) telemetry.Stamp[float64] {
	return telemetry.Stamp[float64]{Rate: exactly.Float(s.Rate), TS: exactly.Float(s.TS), Tx: exactly.Float(s.Tx),
		Queue: exactly.Float(s.Queue)}
}

// layout is where the fields stand in an entry. Source: contract.md, "The INT header on the wire".
var layout = [...]struct {
	f         field
	low, bits int
}{{rate, 60, 4}, {ts, 36, 24}, {txBytes, 16, 20}, {qLen, 0, 16}}

// same reports whether the word in the packet is the one that the table gives.
func (m *measurement) same(x *reading, at *[numFields]fixed.Num) bool {
	m.res.Model++
	of := fmt.Sprintf("packet %d of %s, entry of port %d", x.packet, m.episode, x.port)
	for _, l := range layout {
		v := &m.w.values[l.f]
		if v.Format.Bits() != l.bits {
			m.part("%s: %s: want %d bits (table), got %d (an entry)", of, v.Name, v.Format.Bits(), l.bits)
		}
		want, got := at[l.f].Bits(v.Format.Frac), x.word>>l.low&(1<<l.bits-1)
		if want != got {
			m.part("%s: %s: want %d (table), got %d (packet of the model)", of, v.Name, want, got)
		}
	}
	return m.res.Parted == ""
}

// signals compares clock, counters and fields with the exact numbers.
func (m *measurement) signals(x *reading, at *[numFields]fixed.Num) {
	of := fmt.Sprintf("port %d", x.port)
	add := func(f field, err, exact float64, b limits) {
		m.beyond(m.fields[f].add(err, exact, b), x.packet, of)
	}
	// What an entry is taken from, and then the field of the entry: its error is that of what it is taken from and its
	// own. Readers undo the wraps of time and of bytes sent, whose errors count the shorter way, but not those of a level.
	b, clocks, waiting := m.bounds, m.bounds.rounding(clock, math.Ldexp(1, -timeFrac)), float64(x.queue)
	level := b.within(queue, limits{waiting, waiting})
	for _, c := range []struct {
		live, field field
		got         fixed.Num
		exact, turn float64
		b, rounding limits
	}{
		{clock, ts, x.ticks, math.Ldexp(float64(x.clock), -timeFrac), b.span(clock),
			limits{clocks.lo - x.drift, clocks.hi + x.drift}, b.rounding(ts, b.tsGrain())},
		{sent, txBytes, x.wire[sent], float64(x.sent), b.span(sent), limits{}, b.rounding(txBytes, 1)},
		{queue, qLen, x.wire[queue], waiting, 0, limits{level.lo - waiting, level.hi - waiting}, b.rounding(qLen, 1)},
	} {
		live := c.got.Float64()
		off := live - c.exact
		if c.turn > 0 {
			off = math.Remainder(off, c.turn)
		}
		add(c.live, off, c.exact, c.b)
		err := m.w.real(c.field, at[c.field]).Float64() - live
		if c.turn > 0 && b.values[c.field].Over == formats.Wrap {
			err = math.Remainder(err, b.span(c.field))
		} else {
			v := b.within(c.field, limits{live + c.rounding.lo, live + c.rounding.hi})
			c.rounding = limits{v.lo - live, v.hi - live}
		}
		add(c.field, err+off, c.exact, limits{c.rounding.lo + off, c.rounding.hi + off})
	}
	code := float64(x.code)
	r := b.register(rate, code, 1)
	add(rate, at[rate].Float64()-code, code, limits{r.lo - code, r.hi - code})
}

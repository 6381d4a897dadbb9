package telemetry

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/cosim/diff"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/golden/telemetry"
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

// byMode are the figures of one mode.
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
	units := [numFields]string{step: "ns", setTime: "ns", clock: "ns", sent: "bytes", queue: "bytes", rate: "code", ts: "ns",
		txBytes: "bytes", qLen: "bytes"}
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

// reset begins all senders anew.
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

// remainder returns an error the shorter way round.
func remainder(err, span float64) float64 { return math.Remainder(err, span) }

// reports have 32 bits, so counters are known modulo that.
const reports = 1 << 32

// read takes an entry.
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
	if int(x.code) >= len(rates) {
		m.res.NoRate++
		return
	}
	if code >= uint64(len(rates)) {
		m.res.Misread++
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

// same reports whether the word in the packet is the one that the table gives.
func (m *measurement) same(x *reading, at *[numFields]fixed.Num) bool {
	m.res.Model++
	word, low := uint64(0), 0
	for _, f := range []field{qLen, txBytes, ts, rate} {
		bits := m.w.values[f].Format.Bits()
		want, got := at[f].Bits(m.w.values[f].Format.Frac), x.word>>low&(1<<bits-1)
		if want != got {
			m.part("packet %d of %s, entry of port %d: %s: want %#x (table), got %#x (packet of the model)", x.packet,
				m.episode, x.port, m.w.values[f].Name, want, got)
		}
		word |= want << low
		low += bits
	}
	if low != 64 || word != x.word {
		m.part("packet %d of %s, entry of port %d: want %#x (table, %d bits), got %#x (packet of the model)", x.packet,
			m.episode, x.port, word, low, x.word)
	}
	return m.res.Parted == ""
}

// signals compares clock, counters and fields with the exact numbers.
func (m *measurement) signals(x *reading, at *[numFields]fixed.Num) {
	now, b := math.Ldexp(float64(x.clock), -timeFrac), m.bounds
	bytes, waiting := float64(x.sent), float64(x.queue)
	live := b.rounding(clock, math.Ldexp(1, -timeFrac))
	for _, c := range []struct {
		f          field
		got, exact float64
		turn       float64
		b          limits
	}{
		{clock, x.ticks.Float64(), now, b.span(clock), limits{live.lo - x.drift, live.hi + x.drift}},
		{sent, x.wire[sent].Float64(), bytes, b.span(sent), limits{}},
		{queue, x.wire[queue].Float64(), waiting, min(b.span(queue), reports), limits{}},
		{ts, at[ts].Float64(), now, m.turn(ts, clock), b.stamp(x.drift)},
		{txBytes, m.w.real(txBytes, at[txBytes]).Float64(), bytes, m.turn(txBytes, sent), b.sentBytes()},
	} {
		err := c.got - c.exact
		if c.turn > 0 {
			err = remainder(err, c.turn)
		} else if v := b.within(c.f, limits{c.exact + c.b.lo, c.exact + c.b.hi}); true {
			c.b = limits{v.lo - c.exact, v.hi - c.exact}
		}
		m.beyond(m.fields[c.f].add(err, c.exact, c.b), x.packet, fmt.Sprintf("port %d", x.port))
	}
	of := fmt.Sprintf("port %d", x.port)
	q := b.queued(x.wire[queue].Float64())
	m.beyond(m.fields[qLen].add(m.w.real(qLen, at[qLen]).Float64()-waiting, waiting,
		limits{q.lo - waiting, q.hi - waiting}), x.packet, of)
	code := float64(x.code)
	r := b.register(rate, code, 1)
	m.beyond(m.fields[rate].add(at[rate].Float64()-code, code, limits{r.lo - code, r.hi - code}), x.packet, of)
}

// turn returns after how much a field comes round, or 0 where it stops at its end.
func (m *measurement) turn(f, from field) float64 {
	if m.w.values[f].Over != m.w.values[from].Over {
		return 0
	}
	return m.bounds.turn(f, from)
}

package intmd

import (
	"math"
	"slices"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/golden/telemetry"
)

type real = telemetry.Real

var (
	exactly telemetry.Numbers[real]    = telemetry.Exact{}
	floats  telemetry.Numbers[float64] = telemetry.Float{}
)

// stamp is one entry as every reader has it.
type stamp struct {
	reading
	exact, wire    telemetry.Stamp[real]
	float          telemetry.Stamp[float64]
	table, decoded telemetry.Stamp[float64] // of the table, and of the word by another decoder
	rate           float64                  // on the wire, Gb/s
	queued         limits                   // of qLen
	pegged         bool                     // TS or txBytes stands at its end
}

// reader is one rule on one path: a sender for each telemetry and arithmetic.
type reader struct {
	kind           telemetry.Kind
	wire           *telemetry.Flow[real]
	table, decoded *telemetry.Flow[float64]
	modes          []parties
}

// parties are the senders that are compared with the one that reads the wire.
type parties struct {
	mode  diff.Mode
	exact *telemetry.Flow[real]
	float *telemetry.Flow[float64]
	u     []limits // of the averages of the wire
}

// path is a sender's path: one port, or several. An ACK is due once every hop has given an entry, and has the newest of
// each.
type path struct {
	ports   []int
	stamps  []stamp // the newest of each hop
	fresh   []bool
	last    []stamp // of the last ACK
	seq     int64   // bytes acknowledged
	window  int64   // bytes sent beyond them: what the first hop sends in a base round trip
	readers []reader
}

// maxHops is the number of hops of the longest path.
const maxHops = 4

// pathsOf returns a path over every port, and one over every four ports that lie together.
func pathsOf(ports int) (out []*path) {
	add := func(of ...int) {
		out = append(out, &path{ports: of, stamps: make([]stamp, len(of)), fresh: make([]bool, len(of))})
	}
	for p := range ports {
		add(p)
	}
	for p := 0; p+1 < ports; p += maxHops {
		var of []int
		for k := p; k < min(p+maxHops, ports); k++ {
			of = append(of, k)
		}
		if len(of) > 1 {
			add(of...)
		}
	}
	return out
}

func (m *measurement) begin(p *path) {
	gbitS := p.stamps[0].exact.Rate
	p.window = int64(exactly.Float(gbitS) * float64(m.reader.RTT) / 8)
	turns := telemetry.Span[real]{TS: exactly.Whole(int64(m.turnTS)), Tx: exactly.Whole(int64(m.turnTx))}
	turnsF := telemetry.Span[float64]{TS: m.turnTS, Tx: m.turnTx}
	p.readers = nil
	for _, kind := range telemetry.Kinds {
		r := reader{kind: kind, wire: telemetry.NewFlow(exactly, kind, m.reader, turns),
			table:   telemetry.NewFlow(floats, kind, m.reader, turnsF),
			decoded: telemetry.NewFlow(floats, kind, m.reader, turnsF)}
		r.wire.Begin(gbitS)
		r.table.Begin(exactly.Float(gbitS))
		r.decoded.Begin(exactly.Float(gbitS))
		for _, mode := range m.modes {
			x := parties{mode: mode, exact: telemetry.NewFlow(exactly, kind, m.reader, telemetry.Span[real]{}),
				float: telemetry.NewFlow(floats, kind, m.reader, telemetry.Span[float64]{})}
			x.exact.Begin(gbitS)
			x.float.Begin(exactly.Float(gbitS))
			r.modes = append(r.modes, x)
		}
		p.readers = append(p.readers, r)
	}
}

// take gives an entry to a path and plays the ACK that it makes due.
func (m *measurement) take(p *path, x *stamp) {
	for i, port := range p.ports {
		if port == x.port {
			p.stamps[i], p.fresh[i] = *x, true
		}
	}
	p.seq += int64(x.bytes)
	if slices.Contains(p.fresh, false) {
		return
	}
	clear(p.fresh)
	if p.readers == nil {
		m.begin(p)
	}
	m.res.Acks++
	first := p.last == nil
	if !first {
		switch why := m.stale(p); why {
		case "":
		case "late":
			m.res.Late++
			first = true
		default:
			m.res.Turned++
			first = true
		}
	} else {
		m.res.First++
	}
	for i := range p.readers {
		m.ack(p, &p.readers[i], first)
	}
	p.last = append(p.last[:0], p.stamps...)
}

// stale returns why the stamps of a path cannot be compared with the last ones, or "". Source: congestion-control.md
// section 6: no ACK for longer than half the shorter turn of time and bytes makes the next one the first. What turned
// all the same is known to the exact numbers alone.
func (m *measurement) stale(p *path) string {
	why := ""
	for i := range p.stamps {
		x, before := &p.stamps[i], &p.last[i]
		half := min(m.turnTS, m.turnTx*8/exactly.Float(x.exact.Rate)) / 2
		if math.Ldexp(float64(x.since-before.since), -timeFrac) > half {
			return "late"
		}
		dt := math.Ldexp(float64(x.clock-before.clock), -timeFrac)
		sent := float64(x.sent - before.sent)
		stamps, bytes := m.bounds.stampWidth()+x.drift-before.drift, m.bounds.sentWidth()
		if dt < 0 || dt >= m.turnTS-stamps || sent < 0 || sent >= m.turnTx-bytes || x.pegged || before.pegged {
			why = "turned"
		}
	}
	return why
}

// gapOf returns what the wire may show of a hop.
func (m *measurement) gapOf(x, before *stamp) gap {
	dt := math.Ldexp(float64(x.clock-before.clock), -timeFrac)
	sent := float64(x.sent - before.sent)
	drift := x.drift - before.drift
	stamps, bytes := m.bounds.stampWidth()+drift, m.bounds.sentWidth()
	return gap{dt: limits{max(dt-stamps, 0), dt + stamps}, sent: limits{max(sent-bytes, 0), sent + bytes},
		queue: limits{min(x.queued.lo, before.queued.lo), min(x.queued.hi, before.queued.hi)}, rate: x.rate}
}

// stampsOf returns the stamps of an ACK as one reader has them.
func stampsOf[N any](p *path, of func(*stamp) telemetry.Stamp[N]) []telemetry.Stamp[N] {
	out := make([]telemetry.Stamp[N], len(p.stamps))
	for i := range p.stamps {
		out[i] = of(&p.stamps[i])
	}
	return out
}

func (m *measurement) ack(p *path, r *reader, first bool) {
	next := p.seq + p.window
	exact := stampsOf(p, func(x *stamp) telemetry.Stamp[real] { return x.exact })
	wire := stampsOf(p, func(x *stamp) telemetry.Stamp[real] { return x.wire })
	float := stampsOf(p, func(x *stamp) telemetry.Stamp[float64] { return x.float })
	table := stampsOf(p, func(x *stamp) telemetry.Stamp[float64] { return x.table })
	if first {
		r.wire.Forget()
		r.table.Forget()
		r.decoded.Forget()
	}
	before := kept(&r.wire.State)
	rw := r.wire.Ack(p.seq, next, wire)
	r.table.Ack(p.seq, next, table)
	if m.beside {
		decoded := stampsOf(p, func(x *stamp) telemetry.Stamp[float64] { return x.decoded })
		r.decoded.Ack(p.seq, next, decoded)
		if a, b := &r.table.State, &r.decoded.State; !slices.Equal(a.U, b.U) || a.W != b.W || a.Wc != b.Wc ||
			a.Stage != b.Stage || a.Last != b.Last {
			m.part("packet %d of %s: %v on ports %v: want U %v, window %v (table), got U %v, window %v (packets of the model)",
				p.stamps[0].packet, m.episode, r.kind, p.ports, a.U, a.W, b.U, b.W)
		}
	}
	var gaps []gap
	if !first {
		for i := range p.stamps {
			gaps = append(gaps, m.gapOf(&p.stamps[i], &p.last[i]))
		}
	}
	for i := range r.modes {
		x := &r.modes[i]
		if first {
			x.exact.Forget()
			x.float.Forget()
		}
		if x.mode == diff.Step {
			x.start(before)
		}
		from := x.float.State // as the ACK finds it
		re, rf := x.exact.Ack(p.seq, next, exact), x.float.Ack(p.seq, next, float)
		if x.mode == diff.Step || len(x.u) != len(r.wire.U) {
			x.u = x.u[:0]
			for k := range r.wire.U {
				u := exactly.Float(r.wire.U[k])
				if len(before.U) == len(r.wire.U) {
					u = exactly.Float(before.U[k])
				}
				x.u = append(x.u, limits{u, u})
			}
		}
		if first {
			continue
		}
		if i == 0 && r.kind == telemetry.HPCC { // the same in all modes and rules
			m.hops(p, rw, re, rf, gaps)
		}
		m.compare(p, r, x, rw, re, rf, gaps, &from)
	}
}

func kept(s *telemetry.State[real]) telemetry.State[real] {
	c := *s
	c.U, c.L = slices.Clone(s.U), nil
	return c
}

// start gives the parties the state of the sender that reads the wire, but for the stamps.
func (x *parties) start(s telemetry.State[real]) {
	l := x.exact.L
	x.exact.State = kept(&s)
	x.exact.L = l
	f := telemetry.State[float64]{W: exactly.Float(s.W), Wc: exactly.Float(s.Wc), Stage: s.Stage, Last: s.Last,
		L: x.float.L}
	for _, u := range s.U {
		f.U = append(f.U, exactly.Float(u))
	}
	x.float.State = f
}

// decode returns a word as the other decoder has it.
func decode(word uint64) telemetry.Stamp[float64] {
	e := packet.DecodeEntry(word)
	return telemetry.Stamp[float64]{Rate: e.GbitPerS, TS: float64(e.TS), Tx: float64(e.TxBytes), Queue: float64(e.Queue)}
}

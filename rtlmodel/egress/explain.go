package egress

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/egress"
)

// StateOf fills words with the state words of the port and class that an event names, after the events issued so far,
// as READ gives them; for a grant, which names no class, those of the lowest. It returns "" for an event without a
// port.
func (m *Model) StateOf(lane int, in, words []uint64) string {
	p, c := 0, 0
	if lane == 0 {
		var ev port.Enq
		port.UnpackEnq(in, &ev)
		if ev.Kind == port.KindCfgWrite || ev.Kind == port.KindCfgRead {
			return ""
		}
		p, c = int(ev.Port), int(ev.Cls)
	} else {
		var ev port.Deq
		port.UnpackDeq(in, &ev)
		p = int(ev.Port)
	}
	return m.stateOf(p, c, words)
}

func (m *Model) stateOf(p, c int, words []uint64) string {
	if p >= m.spec.NumPorts || c >= port.Classes {
		return ""
	}
	w := m.queue.Words(p, c)
	for addr := range words {
		words[addr] = w.Word(addr)
	}
	return fmt.Sprintf("port=%d cls=%v", p, port.Cls(c))
}

// Explain has tell called with how each event is decided from now on; nil ends it.
func (m *Model) Explain(tell func(*event.Decision)) { m.tell = tell }

// decide runs an event between the state before it and after it, of a port and a class, and tells it.
func (m *Model) decide(d *event.Decision, p, c int, run func()) {
	d.Before, d.After = make([]uint64, port.NumWords), make([]uint64, port.NumWords)
	d.Concern = m.stateOf(p, c, d.Before)
	run()
	if m.stateOf(p, c, d.After) == "" {
		d.Before, d.After = nil, nil
	}
	m.tell(d)
}

// The rules of the contract, by name.
const (
	ruleAdmission = "enq-events/admission"
	ruleScheduler = "grants/scheduler"
	ruleECN       = "grants/ecn"
)

// explainEnq is Enq for an event whose steps are told: the sums of an admission and the limits that they are held to,
// in the order of the contract.
func (m *Model) explainEnq(ev *port.Enq, rsp *port.Enqr) {
	d := event.NewDecision("enqr")
	q := m.queue
	if ev.Kind == port.KindEnq && int(ev.Port) < m.spec.NumPorts && ev.Cls < port.Classes {
		x, n, c := &q.ports[ev.Port], uint64(ev.Len), ev.Cls
		limit := q.cfg[port.RegTrim]
		if ev.LastHop {
			limit = q.cfg[port.RegTrimLasthop]
		}
		d.Value(ruleAdmission, "limit", uint64(limit))
		d.Value(ruleAdmission, "bytes[p][0] + n", uint64(x.class[0].bytes)+n)
		due := c == port.ClsLow && ev.Trimmable && q.cfg[port.RegTrimEn] == 1 && uint64(x.class[0].bytes)+n > uint64(limit)
		d.Flag(ruleAdmission, "due", due)
		if due && ev.TrimSize > 0 {
			c, n = port.ClsMedium, uint64(ev.TrimSize)
		}
		d.Value(ruleAdmission, "c", uint64(c))
		d.Value(ruleAdmission, "n", n)
		d.Value(ruleAdmission, "bytes[p][c] + n", uint64(x.class[c].bytes)+n)
		d.Value(ruleAdmission, "D", uint64(q.cfg[port.RegDropLow+int(c)]))
		d.Value(ruleAdmission, "shared_bytes + n", uint64(q.shared)+n)
		d.Value(ruleAdmission, "SHARED", uint64(q.cfg[port.RegShared]))
		d.Value(ruleAdmission, "packets[p][c]", uint64(x.class[c].packets()))
		d.Value(ruleAdmission, "port_bytes[p]", uint64(x.bytes))
		d.From(ruleAdmission, "verdict", "cause", "cls", "len", "trimmed", "depth", "port_bytes", "xoff")
	}
	m.decide(d, int(ev.Port), int(ev.Cls), func() { q.Enq(ev, rsp) })
}

// explainDeq is Deq for a grant whose steps are told: the class and what the scheduler chose it by, and how ECN marks.
// The state is that of the class served.
func (m *Model) explainDeq(ev *port.Deq, rsp *port.Deqr) {
	d := event.NewDecision("deqr")
	q, c := m.queue, 0
	if int(ev.Port) < m.spec.NumPorts && q.ports[ev.Port].busy() {
		x := q.ports[ev.Port] // a copy, on which the scheduler runs first
		d.Value(ruleScheduler, "drr_ptr[p]", uint64(x.ptr))
		for k := range x.class {
			if x.class[k].busy() {
				name := fmt.Sprintf("(%v)", port.Cls(k))
				d.Value(ruleScheduler, "deficit[p]"+name, uint64(x.class[k].deficit))
				d.Value(ruleScheduler, "L"+name, uint64(x.class[k].first().Len))
			}
		}
		c = q.schedule(&x)
		d.Value(ruleScheduler, "c", uint64(c))
		d.From(ruleScheduler, "cls", "id", "len")
		d.From("grants/3", "trimmed", "last_hop", "depth", "port_bytes", "xoff")
		if first := x.class[c].first(); c == 0 && first.ECT {
			depth := x.class[0].bytes - uint32(first.Len)
			d.Value(ruleECN, "d", uint64(depth))
			kMin, kMax := q.cfg[port.RegKMin], q.cfg[port.RegKMax]
			if port.ECNMode(q.cfg[port.RegECNMode]) == port.ECNModeProbabilistic && depth > kMin && depth < kMax {
				r := uint64(Draw(q.lfsr) & 0xffff)
				d.Value(ruleECN, "r", r)
				d.Value(ruleECN, "r * (K_MAX - K_MIN)", r*uint64(kMax-kMin))
				d.Value(ruleECN, "(d - K_MIN) * P_MAX", uint64(depth-kMin)*uint64(q.cfg[port.RegPMax]))
			}
			d.From(ruleECN, "ce")
		}
	}
	m.decide(d, int(ev.Port), c, func() { q.Deq(ev, rsp) })
}

package intmd

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// StateOf fills words with the counters, which all events share.
func (m *Model) StateOf(_ int, _, words []uint64) string {
	copy(words, m.counters.words())
	return "counters"
}

// Explain has tell called with how each beat at tx and each response at cfgr is decided from now on; nil ends it.
func (m *Model) Explain(tell func(*event.Decision)) { m.tell = tell }

// The rules of the contract, by name. Those of the decision are numbered.
const (
	ruleBeats  = "beats"
	ruleInsert = "insertion"
	ruleTable  = "clock-counters-table"
	ruleCfg    = "cfg"
	ruleCount  = "counters"
)

func rule(n int) string { return fmt.Sprintf("decision/%d", n) }

// explainRelease tells how the decision on a packet with the plan p was made. was holds the A bytes seen of the packet
// before they are changed, f is its length F.
func (m *Model) explainRelease(was []byte, f int, side *Side, p *plan) {
	d := event.NewDecision("tx")
	d.Value(ruleBeats, "A", uint64(len(was)))
	d.Value(ruleBeats, "F", uint64(f))
	d.From(ruleBeats, "keep", "last")
	d.From(ruleInsert, "out_port", "hops")
	by, cause := m.explainWalk(d, was, f, side)
	d.From(by, "inserted", "cause")
	if p.Inserted {
		d.From(ruleInsert, "data", "keep", "last")
		d.Value(ruleInsert, "I", uint64(p.at))
	}
	d.Check(cause == p.Cause && (cause == port.CauseNone) == p.Inserted)
	p.why = d
}

// explainWalk tells the steps of a decision and returns the rule that ends it and its cause.
func (m *Model) explainWalk(d *event.Decision, was []byte, f int, side *Side) (string, port.Cause) {
	h, cause := trimmer.ParseNetwork(was)
	if h.L2 > 0 {
		d.Value(rule(1), "L2", uint64(h.L2))
	}
	if cause == pt.CauseNone {
		d.Value(rule(1), "H", uint64(h.H))
		cause = h.ParseUDP(was, f)
		d.Value(rule(1), "E", uint64(h.E))
		if h.E >= h.H {
			d.Value(rule(1), "plen", uint64(h.PayloadLen()))
		}
	}
	if cause == pt.CauseNone {
		d.Value(rule(1), "be16[H+2]", uint64(h.UDPPort(was)))
		d.Value(rule(1), "UDP_PORT", uint64(m.cfg[port.RegUdpPort]))
		if h.UDPPort(was) != uint16(m.cfg[port.RegUdpPort]) {
			cause = pt.CausePort
		}
	}
	if cause != pt.CauseNone {
		return rule(1), port.Cause(cause) // both blocks give these causes the same codes
	}
	kind := h.UETType(was)
	d.Value(rule(2), "UET type", uint64(kind))
	sort, o := telemetry(kind)
	if sort == Other {
		return rule(2), port.CauseType
	}
	index := side.index(sort)
	g, plen := h.H+8+o, h.PayloadLen()
	d.Value(rule(2), "O", uint64(o))
	d.Value(rule(2), "G", uint64(g))
	d.Value(rule(2), "index", uint64(index))
	d.Value(rule(3), "MODE", uint64(m.cfg[port.RegMode]))
	if m.cfg[port.RegMode]>>(sort-Ack)&1 == 0 {
		return rule(3), port.CauseOff
	}
	d.Value(rule(4), "8 + O + 8", uint64(8+o+port.IntBytes))
	if plen < 8+o+port.IntBytes {
		return rule(4), port.CauseAbsent
	}
	d.Value(rule(4), "be16[G]", uint64(be16(was, g)))
	d.Value(rule(4), "MAGIC", uint64(m.cfg[port.RegMagic]))
	if be16(was, g) != uint16(m.cfg[port.RegMagic]) {
		return rule(4), port.CauseAbsent
	}
	hops, hmax := int(was[g+2]), int(was[g+3])
	d.Value(rule(5), "h", uint64(hops))
	d.Value(rule(5), "hmax", uint64(hmax))
	d.Value(rule(5), "byte G+4", uint64(was[g+4]))
	d.Value(rule(5), "byte G+5", uint64(was[g+5]))
	if was[g+4] != port.Form || int(was[g+5]) != 255-hmax || hops > hmax {
		return rule(5), port.CauseMalformed
	}
	need := 8 + o + port.IntBytes + port.HopBytes*hops
	d.Value(rule(6), "8 + O + 8 + 8 h", uint64(need))
	if plen < need {
		return rule(6), port.CauseLength
	}
	d.Value(rule(7), "E + 8", uint64(h.E+port.HopBytes))
	d.Value(rule(7), "MAX_FRAME", uint64(m.cfg[port.RegMaxFrame]))
	if hops == hmax || h.E+port.HopBytes > int(m.cfg[port.RegMaxFrame]) {
		return rule(7), port.CauseNoRoom
	}
	if int(index) >= m.spec.NumPorts {
		return rule(8), port.CauseRange
	}
	return rule(9), port.CauseNone
}

// explainEmit tells how a beat leaves: what the table gave the packet, and its checksum.
func (m *Model) explainEmit(added bool) {
	l := &m.leave
	d := event.NewDecision("tx")
	if l.plan.why != nil { // nil: released before anybody asked
		*d = *l.plan.why
		d.Steps = append([]event.Step(nil), d.Steps...)
	}
	if l.plan.Inserted {
		tx, ql, rate := m.table.Live(int(l.plan.Index))
		d.Value(ruleTable, "tx[p] now", uint64(tx))
		d.Value(ruleTable, "ql[p] now", uint64(ql))
		d.Value(ruleTable, "B[p] now", uint64(rate))
		d.Value(ruleTable, "entry.B", l.entry>>60)
		d.Value(ruleTable, "entry.TS", l.entry>>tsShift&0xffffff)
		d.Value(ruleTable, "entry.txBytes", l.entry>>16&0xfffff)
		d.Value(ruleTable, "entry.qLen", l.entry&0xffff)
		if l.plan.sumAt != 0 {
			d.Value(ruleInsert, "~C + 2 (~l + l') + ~g + g'", l.plan.sum)
			d.Value(ruleInsert, "C'", uint64(l.plan.checksum(l.entry)))
		}
	}
	number := l.number
	if !added {
		number--
	}
	d.Flag(ruleBeats, "added beat", added)
	d.Value(ruleBeats, "beat", uint64(number))
	m.pend(d)
}

// explainCfg tells the response to a cfg event.
func (m *Model) explainCfg(kind port.Kind) {
	d := event.NewDecision("cfgr")
	d.From(ruleCfg, "kind", "port", "refused", "data")
	switch kind {
	case port.KindRead:
		d.From(ruleCount, "data")
	case port.KindEntryRead:
		d.From(ruleTable, "data")
	}
	m.pend(d)
}

// pend keeps a decision until the end of the cycle, which changes the counters.
func (m *Model) pend(d *event.Decision) {
	d.Concern, d.Before = "counters", m.counters.words()
	m.pending = append(m.pending, d)
}

// tellAll tells what was decided in the cycle that ends.
func (m *Model) tellAll() {
	for _, d := range m.pending {
		d.After = m.counters.words()
		m.tell(d)
	}
	m.pending = nil
}

func (c *Counters) words() (out []uint64) {
	for _, v := range c {
		out = append(out, uint64(v))
	}
	return out
}

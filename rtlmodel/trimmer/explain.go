package trimmer

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/fxp"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/trimmer"
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
	ruleBeats   = "beats"
	ruleRewrite = "rewriting-a-trimmed-packet"
	ruleMarking = "marking"
	ruleCfg     = "cfg"
	ruleCounter = "counters"
)

func rule(n int) string { return fmt.Sprintf("decision/%d", n) }

// explainRelease tells how the packet that is released in this cycle is treated. was holds the A bytes seen of it
// before they are changed, f is its length F.
func (m *Model) explainRelease(was []byte, f int) {
	d, side, res := event.NewDecision("tx"), &m.pkt.side, &m.pkt.res
	d.Flag(rule(1), "trim", side.Trim)
	d.From(rule(1), "trimmed", "cause", "data")
	d.From(ruleBeats, "tag", "keep", "last")
	m.pkt.why = d
	if !side.Trim && !side.CE {
		return
	}
	explainDecision(d, &m.cfg, was, f, side, res)
	if d.Doubt != "" {
		return
	}
	now := m.head[:len(was)]
	if res.Trimmed {
		now = now[:res.Size]
	}
	explainRewrite(d, was, now, res)
}

// explainDecision adds the values of the decision on a packet, in the order of the contract, to d, and the rule that
// trimmed, cause and unchanged data come from. head holds the A bytes seen before any change, f is the length F.
func explainDecision(d *event.Decision, cfg *Config, head []byte, f int, side *Side, res *Result) {
	a := len(head)
	d.Value(ruleBeats, "A", uint64(a))
	d.Value(ruleBeats, "F", uint64(f))
	by, cause, size := explainWalk(d, cfg, head, f, side)
	if side.Trim {
		d.From(by, "trimmed", "cause", "data") // data as it came, unless it is rewritten or marked
		d.Check(cause == res.Cause && size == res.Size)
	}
}

// ExplainSize returns how Size decides, with the values in the order of the contract. Its Doubt is set if they lead
// elsewhere.
func ExplainSize(cfg *Config, head []byte, f int) *event.Decision {
	d := event.NewDecision("tx")
	var res Result
	res.Size, res.Cause = Size(cfg, head, f)
	res.Trimmed = res.Cause == port.CauseNone
	explainDecision(d, cfg, head, f, &Side{Trim: true}, &res)
	return d
}

// explainWalk tells the steps of the decision, and of the parsing for a mark where trim is 0. It returns the rule that
// ends it, its cause and the size.
func explainWalk(d *event.Decision, cfg *Config, head []byte, f int, side *Side) (string, port.Cause, int) {
	h, cause := ParseNetwork(head)
	if h.L2 == 0 {
		return rule(2), cause, 0
	}
	d.Value(rule(3), "v", uint64(h.L2-14)/4)
	d.Value(rule(3), "L2", uint64(h.L2))
	if len(head) < h.L2 {
		return rule(3), cause, 0
	}
	d.Value(rule(3), "type", uint64(be16(head, h.L2-2)))
	if cause == port.CauseEthertype {
		return rule(4), cause, 0
	}
	if h.H > 0 {
		d.Value(rule(5), "HL", uint64(h.H-h.L2))
		d.Value(rule(5), "H", uint64(h.H))
	}
	if cause != port.CauseNone || !side.Trim {
		return rule(5), cause, 0
	}
	cause = h.ParseUDP(head, f)
	d.Value(rule(5), "E", uint64(h.E))
	if h.E < h.H || cause != port.CauseNone && cause != port.CauseLength {
		return rule(5), cause, 0
	}
	d.Value(rule(5), "plen", uint64(h.PayloadLen()))
	if cause != port.CauseNone {
		if len(head) >= h.H+6 {
			d.Value(rule(6), "be16[H+4]", uint64(be16(head, h.H+4)))
		}
		return rule(6), cause, 0
	}
	d.Value(rule(7), "S", uint64(side.TrimSize))
	base := min(int(side.TrimSize), port.MaxTrim)
	if side.TrimSize == 0 {
		d.Value(rule(7), "be16[H+2]", uint64(h.UDPPort(head)))
		d.Value(rule(7), "UDP_PORT", uint64(cfg[port.RegUdpPort]))
		if h.UDPPort(head) != uint16(cfg[port.RegUdpPort]) {
			return rule(7), port.CausePort, 0
		}
		base = max(int(cfg[port.RegTrimSize]), int(cfg[port.RegMinSize]))
	}
	d.Value(rule(8), "u[7:3]", uint64(h.UETType(head)))
	switch h.UETType(head) {
	case uetRUD, uetROD, uetRUDCC, uetRODCC:
	default:
		return rule(8), port.CauseType, 0
	}
	size := max(base, h.H+port.UetMin)
	d.Value(rule(9), "B", uint64(base))
	d.Value(rule(9), "H + UET_MIN", uint64(h.H+port.UetMin))
	d.Value(rule(9), "T", uint64(size))
	if size >= h.E {
		return rule(9), port.CauseShort, 0
	}
	return rule(10), port.CauseNone, size
}

// explainRewrite tells what a trimmed or marked packet's headers hold before and after.
func explainRewrite(d *event.Decision, was, now []byte, res *Result) {
	h, cause := ParseNetwork(was)
	if cause != port.CauseNone {
		return
	}
	d.Value(ruleMarking, "ECN", uint64(h.Class(was)&3))
	d.Flag(ruleMarking, "marked", res.Marked)
	d.From(ruleMarking, "marked")
	by := ruleMarking
	switch {
	case res.Trimmed:
		by = ruleRewrite
		d.From(by, "data", "keep", "last")
	case res.Marked:
		d.From(by, "data")
	default:
		return
	}
	d.Value(by, "DSCP", uint64(h.Class(now)>>2))
	if !h.V6 {
		m, n := be16(was, h.L2), be16(was, h.L2+2)
		m1, n1 := be16(now, h.L2), be16(now, h.L2+2)
		hc := be16(was, h.L2+10)
		d.Value(by, "HC", uint64(hc))
		if res.Trimmed {
			d.Value(by, "~HC + ~m + m' + ~n + n'", comp(hc)+comp(m)+uint64(m1)+comp(n)+uint64(n1))
		} else {
			d.Value(by, "~HC + ~m + m'", comp(hc)+comp(m)+uint64(m1))
		}
		d.Value(by, "HC'", uint64(be16(now, h.L2+10)))
	}
	if res.Trimmed {
		d.Value(by, "T - L2", uint64(res.Size-h.L2))
		d.Value(by, "T - H", uint64(res.Size-h.H))
		d.Value(by, "C", uint64(be16(was, h.H+6)))
		if be16(was, h.H+6) != 0 {
			d.Value(by, "sum of pseudo header and UDP segment", explainSum(now, &h))
		}
		d.Value(by, "C'", uint64(be16(now, h.H+6)))
	}
}

// explainSum returns the sum that the UDP checksum of a trimmed frame is made of.
func explainSum(now []byte, h *Headers) uint64 {
	addresses := now[h.L2+12 : h.L2+20]
	if h.V6 {
		addresses = now[h.L2+8 : h.L2+40]
	}
	segment := now[h.H:]
	return fxp.Sum16(addresses) + protoUDP + uint64(len(segment)) + fxp.Sum16(segment) - uint64(be16(segment, 6))
}

// explainPop tells how a retained beat leaves the store. before are the counters without its packet.
func (m *Model) explainPop(b *beat, before *Counters) {
	if b.first {
		m.number = 0
	} else {
		m.number++
	}
	if b.why == nil { // released before anybody asked
		b.why = event.NewDecision("tx")
	}
	d := *b.why
	d.Steps = append([]event.Step(nil), d.Steps...)
	d.Value(ruleBeats, "beat", m.number)
	if b.first {
		d.Concern, d.Before, d.After = "counters", before.words(), m.counters.words()
	}
	m.tell(&d)
}

// explainCfg tells the response to a cfg event. before are the counters that the event found.
func (m *Model) explainCfg(kind port.Kind, before *Counters) {
	d := event.NewDecision("cfgr")
	d.Concern, d.Before, d.After = "counters", before.words(), m.counters.words()
	d.From(ruleCfg, "kind", "refused", "data")
	if kind == port.KindRead {
		d.From(ruleCounter, "data")
	}
	m.tell(d)
}

func (c *Counters) words() (out []uint64) {
	for _, v := range c {
		out = append(out, uint64(v))
	}
	return out
}

package nic

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// The rules of the contract, by name.
const (
	ruleSettle   = "timing/settle"
	ruleNote     = "timing/note"
	ruleTx       = "timing/tx"
	ruleCommands = "timing/commands"
	ruleAccess   = "access-to-the-writer"
	rulePackets  = "packets"
)

// explainer composes what the blocks inside tell. Rules of a block inside have its name in front, such as ccc/ack/3.
type explainer struct {
	tell func(*event.Decision) // nil: decisions are not explained

	acts    []*event.Decision // of txpdc, whose notes are not made
	times   []*event.Decision // of txstate, not joined
	joined  []*event.Decision // of txstate, by the actions in order; nil where it had no event
	windows []*event.Decision // of ccc, not settled
	reply   *event.Decision   // of txpdc, ackgen or ackparse, not collected
	answers []*event.Decision // by the beats of answers that have not been at tx
	packets []*event.Decision // by the packets whose last beats have not been at tx
	beat    uint64            // beats of the first of these that have been there
	shown   bool              // the beat at tx is told
}

// Explain has tell called with how each response is decided from now on; nil ends it. Call it when the block is empty.
func (m *Model) Explain(tell func(*event.Decision)) {
	m.why = explainer{tell: tell}
	if tell == nil {
		m.ackparse.Explain(nil)
		m.ackgen.Explain(nil)
		m.txpdc.Explain(nil)
		m.txstate.Explain(nil)
		m.ccc.Explain(nil)
		return
	}
	x := &m.why
	m.ackparse.Explain(func(d *event.Decision) {
		if d.Stream == "cfgr" {
			x.reply = d
		}
	})
	m.ackgen.Explain(x.ofAckgen)
	m.txpdc.Explain(func(d *event.Decision) {
		if d.Stream == "act" {
			x.acts = append(x.acts, d)
		} else {
			x.reply = d
		}
	})
	m.txstate.Explain(func(d *event.Decision) { x.times = append(x.times, d) })
	m.ccc.Explain(func(d *event.Decision) { x.windows = append(x.windows, d) })
}

// reset forgets what is on its way.
func (x *explainer) reset() { *x = explainer{tell: x.tell} }

// next takes the oldest of a list.
func next(list *[]*event.Decision) *event.Decision {
	d := (*list)[0]
	*list = (*list)[1:]
	return d
}

// within adds the steps of a block inside.
func within(out *event.Decision, block string, d *event.Decision) {
	for _, s := range d.Steps {
		s.Rule = block + "/" + s.Rule
		out.Steps = append(out.Steps, s)
	}
	if d.Doubt != "" {
		out.Doubt = block + ": " + d.Doubt
	}
}

func (x *explainer) ofAckgen(d *event.Decision) {
	switch d.Stream {
	case "ind":
		out := event.NewDecision("ind")
		within(out, "ackgen", d)
		x.tell(out)
	case "tx":
		out := event.NewDecision("tx")
		within(out, "ackgen", d)
		out.From(ruleTx, "keep", "last", "tag", "answer")
		x.answers = append(x.answers, out)
	case "cfgr":
		x.reply = d
	}
}

// joins notes an action that goes to order.
func (x *explainer) joins(a *ps.Act) {
	if x.tell == nil {
		return
	}
	var d *event.Decision
	if a.Tx {
		d = next(&x.times)
	}
	x.joined = append(x.joined, d)
}

// settled tells the note of an action.
func (x *explainer) settled(counts bool) {
	if x.tell == nil {
		return
	}
	out := event.NewDecision("note")
	within(out, "txpdc", next(&x.acts))
	if d := next(&x.joined); d != nil {
		within(out, "txstate", d)
	}
	if counts {
		within(out, "ccc", next(&x.windows))
	}
	for _, f := range port.Schema().Stream("note").Fields {
		out.From(ruleNote, f.Name)
	}
	out.From(ruleSettle, "ar")
	x.tell(out)
}

// replied tells the response to a command.
func (x *explainer) replied(c *port.Cmd) {
	if x.tell == nil {
		return
	}
	out := event.NewDecision("rsp")
	out.From(ruleCommands, "target", "kind", "index", "refused", "busy", "missing", "psn", "data")
	switch {
	case unknown(c):
	case c.Target == port.TargetSource:
		within(out, "txpdc", x.reply)
	case c.Target == port.TargetDestination:
		within(out, "ackgen", x.reply)
	case c.Target == port.TargetParser:
		within(out, "ackparse", x.reply)
	case c.Target == port.TargetWindow:
		within(out, "ccc", next(&x.windows))
	case c.Target == port.TargetTimes:
		within(out, "txstate", next(&x.times))
	case c.Target == port.TargetWriter:
		out.From(ruleAccess, "refused", "data")
	}
	x.tell(out)
}

// started works out a packet that starts, for its beats at tx. It is called before the packet counts.
func (x *explainer) started(t *template, cfg *config, f *frame, p *packet) {
	if x.tell == nil {
		return
	}
	d := event.NewDecision("tx")
	u, ip := uint64(udp), uint64(ipv4)
	if t.native {
		u = native
	}
	if t.ipv6 {
		ip = ipv6
	}
	h, size, data := uint64(t.size), uint64(p.act.Size), uint64(0)
	if p.act.Kind == ps.ActionSent && size > uint64(cfg.header) {
		data = size - uint64(cfg.header)
	}
	for _, v := range []struct {
		name  string
		value uint64
	}{{"h", h}, {"ip", h - ip}, {"u", u}, {"size", size}, {"header", uint64(cfg.header)}, {"D", data},
		{"p", u + pds + data}, {"SPRAY", uint64(cfg.spray)}, {"spray", uint64(t.spray)},
		{"entropy of the form", uint64(t.entropy)},
		{"psn", uint64(p.act.PSN)}, {"request for an ACK", bit(p.ar)}} {
		d.Value(rulePackets, v.name, v.value)
	}
	d.From(rulePackets, "data", "keep", "last")
	d.From(ruleTx, "tag", "answer")
	d.Check(uint64(f.length) == max(h+u+pds+data, port.MinFrame))
	x.packets = append(x.packets, d)
}

// show tells the beat at tx when it is there for the first time.
func (m *Model) show() {
	x := &m.why
	if x.shown {
		return
	}
	b := m.Tx()
	if b == nil {
		return
	}
	x.shown = true
	if b.Answer {
		x.tell(next(&x.answers))
		return
	}
	d := *x.packets[0]
	d.Steps = slices.Clone(d.Steps)
	d.Value(rulePackets, "beat", x.beat)
	if x.beat++; b.Last {
		x.packets, x.beat = x.packets[1:], 0
	}
	x.tell(&d)
}

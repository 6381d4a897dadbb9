package txstate

import (
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/txstate"
)

// Explain has tell called with how each event is decided from now on; nil ends it.
func (m *Model) Explain(tell func(*event.Decision)) { m.tell = tell }

// explained is Apply for an event whose steps are told: the entry before it, and the parts of the sample.
func (m *Model) explained(st *State, ev *port.Event) {
	d := event.NewDecision("rsp")
	const page, sample = "contract", "sample"
	d.Place(page, place(st, ev))
	if st != nil {
		d.Flag(page, "entry.valid", st.Valid)
		d.Value(page, "entry.psn", uint64(st.PSN))
		d.Value(page, "entry.tx_time", st.TxTime)
		d.Value(page, "entry.rtx_count", uint64(st.RtxCount))
		hit := st.Valid && st.PSN == ev.PSN
		d.Flag(page, "hit", hit)
		if hit && (ev.Kind == port.KindAck || ev.Kind == port.KindNack) {
			p := m.cfg.parts(st, ev)
			d.Value(sample, "service", p.service)
			d.Value(sample, "raw", p.raw)
			d.Flag(sample, "ok", p.ok)
			d.Flag(sample, "usable", p.usable)
			d.From(sample, "rtt", "rtt_valid")
		}
	}
	Apply(&m.cfg, st, ev, &m.rsp)
	m.tell(d)
}

// place returns the row of the contract's table that decides an event, by its first cell, or the beginning of the
// paragraph that ends it before the table.
func place(st *State, ev *port.Event) string {
	if ev.Kind >= port.KindCfgWrite || st == nil {
		return "Checks, in this order"
	}
	hit := st.Valid && st.PSN == ev.PSN
	switch ev.Kind {
	case port.KindSend:
		switch {
		case hit:
			return "SEND, hit"
		case ev.IsRtx:
			return "SEND, no hit, is_rtx = 1"
		}
		return "SEND, no hit, is_rtx = 0"
	case port.KindAck, port.KindNack:
		if !hit {
			return "ACK, NACK, no hit"
		}
		return ev.Kind.String() + ", hit"
	}
	return ev.Kind.String()
}

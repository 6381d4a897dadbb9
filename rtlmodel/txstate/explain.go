package txstate

import (
	"math/big"

	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/txstate"
)

// Explain has tell called with how each event is decided from now on; nil ends it.
func (m *Model) Explain(tell func(*event.Decision)) { m.tell = tell }

// explained is Apply for an event whose steps are told: the entry before it, and the parts of the sample.
func (m *Model) explained(st *State, ev *port.Event) {
	d := &event.Decision{Stream: "rsp", By: map[string][]string{}}
	value := func(rule, name string, v uint64) {
		d.Steps = append(d.Steps, event.Step{Rule: rule, Name: name, Value: new(big.Int).SetUint64(v)})
	}
	bit := map[bool]uint64{true: 1}
	const page = "contract"
	if st != nil {
		value(page, "entry.valid", bit[st.Valid])
		value(page, "entry.psn", uint64(st.PSN))
		value(page, "entry.tx_time", st.TxTime)
		value(page, "entry.rtx_count", uint64(st.RtxCount))
		hit := st.Valid && st.PSN == ev.PSN
		value(page, "hit", bit[hit])
		if hit && (ev.Kind == port.KindAck || ev.Kind == port.KindNack) {
			p := m.cfg.parts(st, ev)
			value("sample", "service", p.service)
			value("sample", "raw", p.raw)
			value("sample", "ok", bit[p.ok])
			value("sample", "usable", bit[p.usable])
			d.By["rsp_rtt"], d.By["rsp_rtt_valid"] = []string{"sample"}, []string{"sample"}
		}
	}
	Apply(&m.cfg, st, ev, &m.rsp)
	m.tell(d)
}

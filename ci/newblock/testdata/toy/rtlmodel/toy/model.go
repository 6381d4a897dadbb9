// Package toy is the cycle-true, bit-true model of the toy block, a saturating byte counter with a limit. It is written
// only from vectors/event/toy/contract.md.
//
//	m := toy.New()
//	var in [port.InWords]uint64 // port is vectors/event/toy
//	var out [port.OutWords]uint64
//	port.PackEvent(&port.Event{Kind: port.KindAdd, Len: 64}, in[:])
//	in[0] |= port.InRstN | port.InEvValid
//	m.Cycle(in[:], out[:])
package toy

import port "github.com/goldwire/goldwire/vectors/event/toy"

// Model is the clocked block.
type Model struct {
	count, limit uint16
	held         bool
	rsp          port.Response
}

// New returns a model in its power-on state.
func New() *Model {
	m := &Model{}
	m.Reset()
	return m
}

// Reset returns the model to its state after one cycle of rst_n low.
func (m *Model) Reset() { *m = Model{limit: 1500} }

// Cycle executes one clock cycle on packed records.
func (m *Model) Cycle(in, out []uint64) {
	clear(out[:port.OutWords])
	if in[0]&port.InRstN == 0 {
		m.Reset()
		return
	}
	if m.held {
		port.PackResponse(&m.rsp, out)
		out[0] |= port.OutRspValid
		m.held = in[0]&port.InRspReady == 0
		return
	}
	out[0] |= port.OutEvReady
	if in[0]&port.InEvValid == 0 {
		return
	}
	var ev port.Event
	port.UnpackEvent(in, &ev)
	m.apply(&ev)
	m.held = true
}

// apply executes one event.
func (m *Model) apply(ev *port.Event) {
	m.rsp = port.Response{Kind: ev.Kind}
	switch ev.Kind {
	case port.KindAdd:
		sum := int(m.count) + int(ev.Len)
		m.rsp.Saturated = sum > port.Most
		m.count = uint16(min(sum, port.Most))
	case port.KindRead:
	case port.KindClear:
		m.count = 0
	case port.KindLimit:
		m.limit = ev.Len
	default:
		m.rsp.Refused = true
	}
	m.rsp.Count, m.rsp.Over = m.count, m.count > m.limit
}

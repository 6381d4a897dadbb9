// Package twin is the test block of the bridge as a model in Go.
package twin

import "github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"

// Model is the test block in Go, written from its header comment. Its zero value is ready for reset.
type Model struct {
	valid   bool
	rsp     adder.Response
	scratch uint32
}

// Reset is power-on.
func (m *Model) Reset() { *m = Model{} }

// Cycle is one clock cycle on packed records.
func (m *Model) Cycle(in, out []uint64) {
	rstN, evValid, rspReady := in[0]&adder.InRstN != 0, in[0]&adder.InEvValid != 0, in[0]&adder.InRspReady != 0
	ready := rstN && (!m.valid || rspReady)
	clear(out)
	if rstN && m.valid {
		adder.PackResponse(&m.rsp, out)
		out[0] |= adder.OutRspValid
	}
	if ready {
		out[0] |= adder.OutEvReady
	}
	switch {
	case !rstN:
		m.valid = false
	case ready:
		m.valid = evValid
	}
	if !ready || !evValid {
		return
	}
	var ev adder.Event
	adder.UnpackEvent(in, &ev)
	m.rsp = adder.Response{Sum: uint64(ev.A) + uint64(ev.B) + adder.DefaultOffset, Tag: ev.Tag}
	switch ev.Op {
	case adder.OpPoke:
		m.scratch = ev.A
	case adder.OpPeek:
		m.rsp.Sum = uint64(m.scratch)
	}
}

package switchport

import (
	pe "github.com/goldwire/goldwire/vectors/event/egress"
	pi "github.com/goldwire/goldwire/vectors/event/intmd"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// access is the cfg event that has left its FIFO and is not yet answered.
type access struct {
	out   bool
	here  bool // answered here, with a refusal
	taken bool // its answer leaves in this cycle
	ev    port.Cfg
}

func (a *access) tick() {
	if a.taken {
		a.out, a.taken = false, false
	}
}

// configure offers the event at the head of the cfg FIFO to its block. It reports whether it occupies egress.enq, with
// or without a transfer.
func (m *Model) configure() (holdsEnq bool) {
	if m.access.out || m.cfg.Len() == 0 {
		return false
	}
	ev := m.cfg.Front()
	here, leaves := false, false
	switch ev.Target {
	case port.TargetEgress:
		if ev.Kind == uint8(pe.KindEnq) {
			here, leaves = true, true
			break
		}
		holdsEnq = true
		if leaves = m.egress.EnqReady(); leaves {
			*m.egress.AcceptEnq() = pe.Enq{Kind: pe.Kind(ev.Kind), Port: ev.Port, Cls: pe.Cls(ev.Cls), Addr: ev.Addr,
				Data: ev.Data}
			m.why.offered(false)
		}
	case port.TargetTrimmer:
		if leaves = m.trimmer.CfgReady(); leaves {
			m.copies.follow(ev)
			*m.trimmer.AcceptCfg() = pt.Cfg{Kind: pt.Kind(ev.Kind), Addr: ev.Addr, Data: ev.Data}
		}
	case port.TargetIntmd:
		if leaves = m.intmd.CfgReady(); leaves {
			*m.intmd.AcceptCfg() = pi.Cfg{Kind: pi.Kind(ev.Kind), Port: ev.Port, Addr: ev.Addr, Data: ev.Data}
		}
	default:
		here, leaves = true, true
	}
	if leaves {
		m.access = access{out: true, here: here, ev: *ev}
		m.cfg.Pop()
		m.why.accessed()
	}
	return holdsEnq
}

// Cfgr returns the response at cfgr in this cycle, or nil. It stays until TakeCfgr and is valid until the next call.
func (m *Model) Cfgr() *port.Cfgr {
	if !m.access.out {
		return nil
	}
	ev := &m.access.ev
	r := &m.cfgr
	*r = port.Cfgr{Target: ev.Target, Kind: ev.Kind, Port: ev.Port}
	switch {
	case m.access.here:
		r.Refused = true
		return r
	case ev.Target == port.TargetEgress:
		if x := m.egress.Enqr(); x != nil && x.Kind != pe.KindEnq {
			r.Refused, r.Data = x.Refused, uint64(x.Data)
			return r
		}
	case ev.Target == port.TargetTrimmer:
		if x := m.trimmer.Cfgr(); x != nil {
			r.Refused, r.Data = x.Refused, uint64(x.Data)
			return r
		}
	default:
		if x := m.intmd.Cfgr(); x != nil {
			r.Refused, r.Data = x.Refused, x.Data
			return r
		}
	}
	return nil
}

// TakeCfgr is a transfer at cfgr.
func (m *Model) TakeCfgr() {
	switch {
	case m.access.here:
	case m.access.ev.Target == port.TargetEgress:
		m.egress.TakeEnqr()
	case m.access.ev.Target == port.TargetTrimmer:
		m.trimmer.TakeCfgr()
	default:
		m.intmd.TakeCfgr()
	}
	m.access.taken = true
}

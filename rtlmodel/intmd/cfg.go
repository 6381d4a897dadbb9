package intmd

import port "github.com/goldwire/goldwire/vectors/event/intmd"

// answer fills all of the response to a cfg event from the state before the clock edge. It reports whether the event
// writes anything. Source: contract.md, "cfg".
func (m *Model) answer(ev *port.Cfg, rsp *port.Cfgr) (write bool) {
	*rsp = port.Cfgr{Kind: ev.Kind, Port: ev.Port}
	addr := int(ev.Addr)
	switch ev.Kind {
	case port.KindLoad, port.KindRead:
		rsp.Refused = addr >= port.NumWords
	case port.KindCfgWrite, port.KindCfgRead:
		rsp.Refused = addr >= port.NumRegs
	case port.KindRateWrite, port.KindEntryRead:
		rsp.Refused = int(ev.Port) >= m.spec.NumPorts
	default:
		rsp.Refused = true
	}
	if rsp.Refused {
		return false
	}
	switch ev.Kind {
	case port.KindRead:
		rsp.Data = uint64(m.counters[addr])
	case port.KindCfgRead:
		rsp.Data = uint64(m.cfg[addr])
		if addr == port.RegTime {
			rsp.Data = uint64(m.table.Time())
		}
	case port.KindEntryRead:
		rsp.Data = m.table.Entry(int(ev.Port))
	default:
		return true
	}
	return false
}

// write executes the write of a cfg event. Call it only when answer returned true.
func (m *Model) write(ev *port.Cfg) {
	addr := int(ev.Addr)
	switch {
	case ev.Kind == port.KindLoad:
		m.counters[addr] = ev.Data
	case ev.Kind == port.KindRateWrite:
		m.table.SetRate(int(ev.Port), ev.Data)
	case addr == port.RegTime:
		m.table.SetTime(ev.Data)
	default:
		m.cfg[addr] = ev.Data & (1<<port.RegInfo[addr].Width - 1)
	}
}

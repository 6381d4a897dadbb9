package nic

import (
	pg "github.com/goldwire/goldwire/vectors/event/ackgen"
	pp "github.com/goldwire/goldwire/vectors/event/ackparse"
	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
	pt "github.com/goldwire/goldwire/vectors/event/txstate"
)

// access is the command that has left its FIFO and whose response has not: `out` and `reply` of the contract.
type access struct {
	out, replied bool
	cmd          port.Cmd
	rsp          port.Response

	left, got, taken bool // in this cycle: a command leaves, something becomes the reply, the reply is taken
}

func (a *access) tick() {
	if a.left {
		a.out = true
	}
	if a.got {
		a.replied = true
	}
	if a.taken {
		a.out, a.replied = false, false
	}
	a.left, a.got, a.taken = false, false, false
}

// reply makes the reply with its echo, and returns it for what the command's block gives.
func (a *access) reply() *port.Response {
	a.got = true
	a.rsp = port.Response{Target: a.cmd.Target, Kind: a.cmd.Kind, Index: a.cmd.Index}
	return &a.rsp
}

// times makes the reply of txstate's response.
func (a *access) times(r *pt.Response) {
	x := a.reply()
	x.Refused, x.Missing, x.PSN = r.Refused, r.NoPDC, r.PSN
	x.Data = uint64(r.RtxCount)<<49 | bit(r.Found)<<48 | r.TxTime
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// window makes the reply of ccc's response.
func (a *access) window(r *pc.Response) {
	x := a.reply()
	x.Refused, x.Missing, x.Data = r.Refused, r.NoContext, r.Data
}

// unknown reports whether a command is refused without being offered to a block.
func unknown(c *port.Cmd) bool {
	far := c.Addr>>5 != 0 // an address that txpdc, ccc and ackparse do not have
	switch c.Target {
	case port.TargetSource, port.TargetParser:
		return far
	case port.TargetWindow:
		switch pc.Kind(c.Kind) {
		case pc.KindOpen, pc.KindClose, pc.KindLoad, pc.KindRead, pc.KindCfgWrite, pc.KindCfgRead:
			return far
		}
		return true
	case port.TargetTimes:
		switch pt.Kind(c.Kind) {
		case pt.KindLoad, pt.KindRead, pt.KindCfgWrite:
			return false
		}
		return true
	}
	return c.Target >= port.NumTargets
}

// offers returns offer_window and offer_time of the contract.
func (m *Model) offers() (toWindow, toTimes bool) {
	if m.access.out || m.cmd.Len() == 0 {
		return false, false
	}
	switch c := m.cmd.Front(); {
	case c.Target == port.TargetWindow:
		toWindow = !m.order.Full() && !unknown(c)
	case c.Target == port.TargetTimes:
		toTimes = !m.pend.Full() && !unknown(c)
	}
	return toWindow, toTimes
}

// command has the command at the head leave, or takes the response that it waits for.
func (m *Model) command(toWindow, toTimes bool) {
	switch {
	case m.access.out:
		m.collect()
	case m.cmd.Len() > 0 && m.accepted(m.cmd.Front(), toWindow, toTimes):
		c := m.cmd.Front()
		m.access.left, m.access.cmd = true, *c
		m.cmd.Pop()
		switch {
		case unknown(c):
			m.access.reply().Refused = true
		case c.Target == port.TargetWriter:
			m.writer.access(c, m.access.reply())
		case c.Target == port.TargetSource && ps.Kind(c.Kind) == ps.KindCfgWrite && c.Addr == ps.RegHeader:
			m.writer.header = uint32(c.Data) & (1<<ps.RegInfo[ps.RegHeader].Width - 1)
		}
	}
}

// accepted passes a command to its block, and reports whether the block takes it. A command that is refused at once, or
// is for the writer, always leaves.
func (m *Model) accepted(c *port.Cmd, toWindow, toTimes bool) bool {
	if unknown(c) {
		return true
	}
	switch c.Target {
	case port.TargetSource:
		if !m.txpdc.CmdReady() {
			return false
		}
		*m.txpdc.AcceptCmd() = ps.Cmd{Kind: ps.Kind(c.Kind), PDC: c.Index, Addr: c.Addr, PSN: c.PSN, Data: uint32(c.Data)}
	case port.TargetWindow:
		if !toWindow || !m.ccc.EvReady() {
			return false
		}
		ev := pc.Event{Kind: pc.Kind(c.Kind), Ctx: c.Index, PDC: c.Slot, Profile: c.Profile, Addr: c.Addr, Data: c.Data,
			Now: m.latest}
		m.ccc.AcceptEv(&ev)
		m.order.Push().pending = pending{command: true}
	case port.TargetTimes:
		if !toTimes || !m.txstate.EvReady() {
			return false
		}
		ev := pt.Event{Kind: pt.Kind(c.Kind), PDC: c.Index, PSN: c.PSN, Now: c.Data & (1<<48 - 1),
			LoadValid: c.Data>>48&1 != 0, LoadRtxCount: uint8(c.Data >> 49 & 3), TimeShift: uint8(c.Data & 7)}
		m.txstate.AcceptEv(&ev)
		*m.pend.Push() = pending{command: true}
	case port.TargetDestination:
		if !m.ackgen.CfgReady() {
			return false
		}
		*m.ackgen.AcceptCfg() = pg.Cfg{Kind: pg.Kind(c.Kind), PDC: c.Index, Addr: c.Addr, Data: uint32(c.Data)}
	case port.TargetParser:
		if !m.ackparse.CfgReady() {
			return false
		}
		*m.ackparse.AcceptCfg() = pp.Cfg{Kind: pp.Kind(c.Kind), Addr: c.Addr, Data: uint32(c.Data)}
	}
	return true
}

// collect takes the response of txpdc, ackgen or ackparse. The others' come by pend and order.
func (m *Model) collect() {
	switch m.access.cmd.Target {
	case port.TargetSource:
		if r := m.txpdc.Rsp(); r != nil {
			x := m.access.reply()
			x.Refused, x.Busy, x.Data = r.Refused, r.Busy, uint64(r.Data)
			m.txpdc.TakeRsp()
		}
	case port.TargetDestination:
		if r := m.ackgen.Cfgr(); r != nil {
			x := m.access.reply()
			x.Refused, x.Data = r.Refused, uint64(r.Data)
			m.ackgen.TakeCfgr()
		}
	case port.TargetParser:
		if r := m.ackparse.Cfgr(); r != nil {
			x := m.access.reply()
			x.Refused, x.Data = r.Refused, uint64(r.Data)
			m.ackparse.TakeCfgr()
		}
	}
}

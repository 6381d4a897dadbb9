package nic

import (
	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
	pt "github.com/goldwire/goldwire/vectors/event/txstate"
)

// pending is an action of txpdc on its way to ccc, or the command whose response of txstate is awaited.
type pending struct {
	command bool
	act     ps.Act
}

// ordered is an action whose response of ccc is awaited, if it has one, or the command whose response is.
type ordered struct {
	pending
	times pt.Response // of txstate, where the action has tx
}

// counted returns the event of ccc that a kind of action has; false where it has none.
func counted(k ps.Action) (pc.Kind, bool) {
	switch k {
	case ps.ActionOpened:
		return pc.KindBind, true
	case ps.ActionMessage:
		return pc.KindNewData, true
	case ps.ActionSent:
		return pc.KindSend, true
	case ps.ActionAcked:
		return pc.KindAck, true
	case ps.ActionNacked:
		return pc.KindNack, true
	case ps.ActionLost:
		return pc.KindLoss, true
	}
	return 0, false
}

// leaves reports whether a packet comes of a kind of action.
func leaves(k ps.Action) bool { return k == ps.ActionSent || k == ps.ActionClosing }

// act takes the next action of txpdc. toTimes means that a command is offered to txstate in this cycle.
func (m *Model) act(toTimes bool) {
	a := m.txpdc.Act()
	if a == nil || m.pend.Full() || toTimes || a.Tx && !m.txstate.EvReady() {
		return
	}
	if a.Tx {
		ev := pt.Event{PDC: a.PDC, PSN: a.PSN, Now: a.Now, IsRtx: a.IsRtx, Retx: a.Retx, ServiceTime: a.ServiceTime}
		switch a.Kind {
		case ps.ActionSent:
			ev.Kind = pt.KindSend
		case ps.ActionAcked:
			ev.Kind = pt.KindAck
		default:
			ev.Kind = pt.KindNack
		}
		m.txstate.AcceptEv(&ev)
	}
	*m.pend.Push() = pending{act: *a}
	m.txpdc.TakeAct()
}

// join moves the oldest entry of pend, with txstate's response, to ccc and to order. toWindow means that a command is
// offered to ccc in this cycle.
func (m *Model) join(toWindow bool) {
	if m.pend.Len() == 0 {
		return
	}
	p := m.pend.Front()
	if p.command {
		if m.txstate.RspValid() {
			var r pt.Response
			m.txstate.TakeRsp(&r)
			m.pend.Pop()
			m.access.times(&r)
		}
		return
	}
	kind, counts := counted(p.act.Kind)
	if m.order.Full() || toWindow || p.act.Tx && !m.txstate.RspValid() || counts && !m.ccc.EvReady() {
		return
	}
	o := m.order.Push()
	o.pending = *p
	m.pend.Pop()
	if o.act.Tx {
		m.txstate.TakeRsp(&o.times)
	} else {
		o.times = pt.Response{}
	}
	m.latest = o.act.Now
	m.why.joins(&o.act)
	if counts {
		ev := o.event(kind)
		m.ccc.AcceptEv(&ev)
	}
}

// event returns the event of ccc for an action.
func (o *ordered) event(kind pc.Kind) pc.Event {
	a := &o.act
	slot := uint8(a.PDC % port.Slots)
	ev := pc.Event{Kind: kind, Ctx: a.PDC / port.Slots, Now: a.Now}
	switch kind {
	case pc.KindBind:
		ev.PDC, ev.Size = slot, a.Size
	case pc.KindSend:
		ev.Size, ev.IsRtx = a.Size, a.IsRtx
	case pc.KindAck:
		ev.PDC, ev.RcvdBytes, ev.AckedPkts, ev.UnmarkPkts = slot, a.RcvdBytes, uint16(a.AckedPkts), uint16(a.UnmarkPkts)
		ev.UnmarkBytes, ev.M, ev.Entropy, ev.ServiceTime = a.UnmarkBytes, a.M, a.Entropy, a.ServiceTime
		ev.Retx, ev.Pend, ev.RC = a.Retx, a.Pend, a.RC
		ev.TxValid, ev.TxTime, ev.RtxCount = o.times.Found, o.times.TxTime, o.times.RtxCount
	case pc.KindNack:
		ev.Size, ev.M, ev.Entropy, ev.Retx, ev.Reason = a.Size, a.M, a.Entropy, a.Retx, pc.Reason(a.Code)
		ev.TxValid, ev.TxTime, ev.RtxCount = o.times.Found, o.times.TxTime, o.times.RtxCount
	default: // NEW_DATA, LOSS
		ev.Size = a.Size
	}
	return ev
}

// settle takes the oldest entry out of order when everything that it waits for is there.
func (m *Model) settle() {
	if m.order.Len() == 0 {
		return
	}
	o := m.order.Front()
	_, counts := counted(o.act.Kind)
	counts = counts || o.command
	switch {
	case counts && !(m.ccc.RspValid() && m.txpdc.ViewReady()),
		!o.command && (m.notes.Full() || leaves(o.act.Kind) && m.packets.Full()):
		return
	}
	m.order.Pop()
	w := &m.window
	*w = pc.Response{}
	if counts {
		m.ccc.TakeRsp(w)
		*m.txpdc.AcceptView() = ps.View{Kind: uint8(w.Kind), Ctx: w.Ctx, CanSend: w.CanSend, Refused: w.Refused}
	}
	if o.command {
		m.access.window(w)
		return
	}
	ar := o.act.Kind == ps.ActionSent && (o.act.Ar || w.AckRequest)
	if leaves(o.act.Kind) {
		*m.packets.Push() = packet{act: o.act, ar: ar}
	}
	o.note(w, counts, ar, m.notes.Push())
	m.why.settled(counts)
}

// note fills all of n. counts means that ccc had an event; w is its response.
func (o *ordered) note(w *pc.Response, counts, ar bool, n *port.Note) {
	a := &o.act
	*n = port.Note{
		Kind: port.Act(a.Kind), PDC: a.PDC, Now: a.Now, PSN: a.PSN, Size: a.Size, IsRtx: a.IsRtx, Syn: a.Syn, Ar: ar,
		Eom: a.Eom, Code: a.Code, Done: a.Done, AckedPkts: a.AckedPkts, UnmarkPkts: a.UnmarkPkts, M: a.M, Retx: a.Retx,
		Entropy: a.Entropy, Tx: a.Tx, Window: counts,
	}
	if a.Tx {
		n.Found, n.RTTValid, n.RTT = o.times.Found, o.times.RTTValid, o.times.RTT
	}
	if counts {
		n.Action, n.LB, n.State, n.Cwnd, n.Inflight = uint8(w.Action), uint8(w.LB), uint8(w.State), w.Cwnd, w.Inflight
		n.Delay, n.CanSend, n.Missing = w.Delay, w.CanSend, w.NoContext || w.Refused
	}
}

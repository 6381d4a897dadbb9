package nic

import (
	pg "github.com/goldwire/goldwire/vectors/event/ackgen"
	pp "github.com/goldwire/goldwire/vectors/event/ackparse"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// up reports whether the sweep is over.
func (m *Model) up() bool { return m.sweep == 0 }

// RxReady reports whether the block accepts a beat at rx in this cycle.
func (m *Model) RxReady() bool { return m.up() && m.ackparse.RxReady() && m.ackgen.RxReady() }

// AcceptRx is a transfer at rx: the caller fills in the beat before Tick.
func (m *Model) AcceptRx() *port.Rx {
	m.arrives = true
	return &m.beat
}

// arrive passes the beat that was accepted to both edges.
func (m *Model) arrive() {
	m.arrives = false
	b := &m.beat
	*m.ackparse.AcceptRx() = pp.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Tag: b.Tag}
	*m.ackgen.AcceptRx() = pg.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Tag: b.Tag}
}

// forward moves a record from ackparse to txpdc.
func (m *Model) forward() {
	r := m.ackparse.Rec()
	if r == nil || !m.txpdc.RecReady() {
		return
	}
	*m.txpdc.AcceptRec() = ps.Rec{
		PdsType: ps.PdsType(r.PdsType), Entropy: r.Entropy, M: r.M, Retx: r.Retx, Probe: r.Probe, PSN: r.PSN,
		AckPSN: r.AckPSN, Spdcid: r.Spdcid, Dpdcid: r.Dpdcid, NackCode: r.NackCode, CcType: r.CcType, Mpr: r.Mpr,
		SackBase: r.SackBase, SackBitmap: r.SackBitmap, ServiceTime: r.ServiceTime, RC: r.RC, Pend: r.RcvCwndPend,
		RcvdBytes: r.RcvdBytes,
	}
	m.ackparse.TakeRec()
}

// CmdReady reports whether the block accepts a command in this cycle.
func (m *Model) CmdReady() bool { return m.up() && !m.cmd.Full() }

// AcceptCmd is a transfer at cmd: the caller fills in the command before Tick.
func (m *Model) AcceptCmd() *port.Cmd { return m.cmd.Push() }

// turn is whose packet is at tx.
type turn uint8

const (
	none turn = iota
	ofAnswer
	ofPacket
)

// chosen returns whose beat tx has in this cycle.
func (m *Model) chosen() turn {
	switch {
	case m.turn != none:
		return m.turn
	case m.ackgen.Tx() != nil:
		return ofAnswer
	case m.feed.Valid():
		return ofPacket
	}
	return none
}

// Tx returns the beat at tx in this cycle, or nil. It stays until TakeTx and is valid until the next call.
func (m *Model) Tx() *port.Tx {
	switch m.chosen() {
	case ofAnswer:
		if x := m.ackgen.Tx(); x != nil {
			m.tx = port.Tx{Data: x.Data, Keep: x.Keep, Last: x.Last, Tag: x.Tag, Answer: true}
			return &m.tx
		}
	case ofPacket:
		if m.feed.Valid() {
			return m.feed.Front()
		}
	}
	return nil
}

// TakeTx is a transfer at tx.
func (m *Model) TakeTx() {
	m.leaves = true
	if m.chosen() == ofAnswer {
		m.ends = m.ackgen.Tx().Last
		m.ackgen.TakeTx()
		return
	}
	m.ends = m.feed.Front().Last
	m.feed.Take()
}

// Ind returns the indication in this cycle, or nil. It stays until TakeInd and is valid until the next call.
func (m *Model) Ind() *port.Ind {
	x := m.ackgen.Ind()
	if x == nil {
		return nil
	}
	m.ind = port.Ind{Tag: x.Tag, Verdict: uint8(x.Verdict), NackCode: uint8(x.NackCode), Pdcid: x.Pdcid, PSN: x.PSN,
		Opened: x.Opened, Answered: x.Answered}
	return &m.ind
}

// TakeInd is a transfer at ind.
func (m *Model) TakeInd() { m.ackgen.TakeInd() }

// Note returns the note in this cycle, or nil.
func (m *Model) Note() *port.Note {
	if m.notes.Len() == 0 {
		return nil
	}
	return m.notes.Front()
}

// TakeNote is a transfer at note.
func (m *Model) TakeNote() { m.notes.Pop() }

// Rsp returns the response in this cycle, or nil.
func (m *Model) Rsp() *port.Response {
	if !m.access.replied {
		return nil
	}
	return &m.access.rsp
}

// TakeRsp is a transfer at rsp.
func (m *Model) TakeRsp() { m.access.taken = true }

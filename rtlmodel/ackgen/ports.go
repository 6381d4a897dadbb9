package ackgen

import (
	"github.com/goldwire/goldwire/rtlmodel/beats"
	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// The methods here are the ports that an enclosing block uses: what they return depends on the state before the clock
// edge, and what they change is visible after Tick. For a cycle with rst_n low, call Reset instead.

// up reports whether the sweep is over.
func (m *Model) up() bool { return m.receiver.pdcs.rows.Swept() }

// RxReady returns rx_ready.
func (m *Model) RxReady() bool { return m.up() && !m.rx.Full() }

// AcceptRx is a transfer at rx. It returns the slot of the beat; the caller must write all of it before Tick. Call it
// only when RxReady.
func (m *Model) AcceptRx() *port.Rx { return m.rx.Push() }

// CfgReady returns cfg_ready.
func (m *Model) CfgReady() bool { return m.up() && !m.cfg.Full() }

// AcceptCfg is the same for a transfer at cfg. Call it only when CfgReady.
func (m *Model) AcceptCfg() *port.Cfg { return m.cfg.Push() }

// Tx returns the beat at tx, nil when it is not valid. It is valid until the next call.
func (m *Model) Tx() *port.Tx {
	if !m.answers.Valid() {
		return nil
	}
	if !m.made {
		m.made = true
		m.answers.Front().beat(m.sent, &m.tx)
	}
	return &m.tx
}

// TakeTx is a transfer at tx. Call it only when tx is valid.
func (m *Model) TakeTx() { m.taken = true }

// Ind returns the indication at ind, nil when it is not valid.
func (m *Model) Ind() *port.Ind {
	if m.ind.Len() == 0 {
		return nil
	}
	return m.ind.Front()
}

// TakeInd is a transfer at ind. Call it only when ind is valid.
func (m *Model) TakeInd() { m.ind.Pop() }

// Cfgr returns the response at cfgr, nil when it is not valid.
func (m *Model) Cfgr() *port.Cfgr {
	if m.cfgr.Len() == 0 {
		return nil
	}
	return m.cfgr.Front()
}

// TakeCfgr is a transfer at cfgr. Call it only when cfgr is valid.
func (m *Model) TakeCfgr() { m.cfgr.Pop() }

// InUse returns the beats in the rx FIFO and the credits of packets, indications and answers, before the clock edge.
func (m *Model) InUse() (fifo, credits, inds, answers int) {
	inds, answers = m.ind.Len(), m.answers.Len()
	if m.left > 0 && !m.access {
		inds, answers = inds+1, answers+1
	}
	return m.rx.Len(), m.credits(), inds, answers
}

// Tick executes the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	period := m.receiver.cfg[port.RegTick]
	if m.rx.Len() > 0 && m.credits() < port.Credits { // before the job: its write takes effect in the next cycle
		m.issue()
	}
	m.work() // before counting: a packet counts on top of a LOAD, and a READ does not see it
	m.count()
	if m.taken {
		m.leave()
	}
	m.now++
	m.time.pass(period)
	m.receiver.pdcs.rows.Tick()
	m.rx.Tick()
	m.cfg.Tick()
	m.requests.Tick()
	m.answers.Tick()
	m.ind.Tick()
	m.cfgr.Tick()
}

// leave is a beat that leaves at tx: after the last one, so does its answer.
func (m *Model) leave() {
	m.taken, m.made = false, false
	a := m.answers.Front()
	if m.sent += beats.Size; m.sent >= a.len {
		m.sent = 0
		m.answers.Take()
	}
}

// Rests reports whether cycles only count until something comes.
func (m *Model) Rests() bool {
	return m.up() && m.left == 0 && m.ended == [len(m.ended)]Reason{} &&
		m.rx.Len()+m.cfg.Len()+m.requests.Len()+m.answers.Len()+m.ind.Len()+m.cfgr.Len() == 0
}

// Skip is n cycles of a rest.
func (m *Model) Skip(n clk.Cycle) {
	m.now += uint(n)
	m.time.skip(n, m.receiver.cfg[port.RegTick])
	m.requests.Skip(n)
	m.answers.Skip(n)
}

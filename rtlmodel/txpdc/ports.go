package txpdc

import port "github.com/goldwire/goldwire/vectors/event/txpdc"

// The methods here are the ports that an enclosing block uses: what they return depends on the state before the clock
// edge, and what they change is visible after Tick. For a cycle with rst_n low, call Reset instead.

// CmdReady returns cmd_ready.
func (m *Model) CmdReady() bool { return m.source.swept() && !m.cmd.Full() }

// AcceptCmd is a transfer at cmd. It returns the slot of the command; the caller must write all of it before Tick. Call
// it only when CmdReady.
func (m *Model) AcceptCmd() *port.Cmd {
	m.moves = true
	return m.cmd.Push()
}

// RecReady returns rec_ready.
func (m *Model) RecReady() bool { return m.source.swept() && !m.rec.Full() }

// AcceptRec is the same for a transfer at rec. Call it only when RecReady.
func (m *Model) AcceptRec() *port.Rec {
	m.moves = true
	return m.rec.Push()
}

// ViewReady returns view_ready.
func (m *Model) ViewReady() bool { return m.source.swept() && !m.view.Full() }

// AcceptView is the same for a transfer at view. Call it only when ViewReady.
func (m *Model) AcceptView() *port.View {
	m.moves = true
	return m.view.Push()
}

// Act returns the action at act, nil when it is not valid.
func (m *Model) Act() *port.Act {
	if m.act.Len() == 0 {
		return nil
	}
	return m.act.Front()
}

// TakeAct is a transfer at act. Call it only when act is valid.
func (m *Model) TakeAct() {
	m.moves = true
	m.act.Pop()
}

// Rsp returns the response at rsp, nil when it is not valid.
func (m *Model) Rsp() *port.Response {
	if m.rsp.Len() == 0 {
		return nil
	}
	return m.rsp.Front()
}

// TakeRsp is a transfer at rsp. Call it only when rsp is valid.
func (m *Model) TakeRsp() {
	m.moves = true
	m.rsp.Pop()
}

// Tick executes the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	period := m.source.cfg[port.RegTick] // before the job: its write takes effect in the next cycle
	if m.source.swept() {
		m.work()
	} else {
		m.source.sweep()
	}
	m.time.pass(period)
	if !m.moves {
		return
	}
	m.moves, m.quiet = false, false
	m.cmd.Tick()
	m.rec.Tick()
	m.view.Tick()
	m.act.Tick()
	m.rsp.Tick()
}

// InUse returns the commands, records and views in their FIFOs, and the credits of commands and of actions, before the
// clock edge.
func (m *Model) InUse() (cmds, recs, views, credits, acts int) {
	credits, acts = m.rsp.Len(), m.act.Len()
	if m.left > 0 && m.job != ofView {
		acts++
		if m.job == ofCommand {
			credits++
		}
	}
	return m.cmd.Len(), m.rec.Len(), m.view.Len(), credits, acts
}

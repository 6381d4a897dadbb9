package txpdc

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Model is the clocked block. It is not safe for concurrent use.
type Model struct {
	spec   Spec
	source *Source
	time   instant

	cmd  clk.FIFO[port.Cmd]
	rec  clk.FIFO[port.Rec]
	view clk.FIFO[port.View]
	act  clk.FIFO[port.Act]
	rsp  clk.FIFO[port.Response]

	moves bool // a FIFO changes in this cycle
	quiet bool // no FIFO has changed since no command, record or view could start
	job   job
	left  int // cycles of the job after this one; at the start of a cycle, with this one; 0: none runs
	gap   int // cycles since the timer's last start
	turn  job // of the three that take turns, the one that is first

	command port.Cmd // what the job is of
	record  port.Rec
	seen    port.View

	tell func(*event.Decision) // nil: nobody asks
}

// job is what runs. The first three take turns.
type job uint8

const (
	ofRecord job = iota
	ofCommand
	ofTurn
	ofView
	ofTimer

	turns = 3
)

// New returns a model in its power-on state. It returns an error when the spec is invalid.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("txpdc: %w", err)
	}
	m := &Model{spec: spec, source: NewSource(spec)}
	m.cmd.Init(port.InFIFODepth)
	m.rec.Init(port.InFIFODepth)
	m.view.Init(port.InFIFODepth)
	m.act.Init(port.Acts)
	m.rsp.Init(port.Cmds)
	m.Reset()
	return m, nil
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low.
func (m *Model) Reset() {
	m.source.reset()
	m.time = instant{}
	m.cmd.Reset()
	m.rec.Reset()
	m.view.Reset()
	m.act.Reset()
	m.rsp.Reset()
	m.moves, m.quiet, m.job, m.left, m.gap, m.turn = false, false, 0, 0, 0, 0
}

// work is the job that starts, runs or ends in this cycle.
func (m *Model) work() {
	if m.gap < port.TimerGap-1 {
		m.gap++
		if m.left == 0 && (!m.quiet || m.source.Waiting()) {
			m.start(false)
		}
	} else if m.left == 0 {
		m.start(true)
	}
	switch m.left {
	case 0:
	case 1:
		m.left = 0
		m.moves = true
		m.end()
	default:
		m.left--
	}
}

// start starts a job if there is one; due is whether the timer may. As none runs, what was started and is not taken is
// what the FIFOs hold.
func (m *Model) start(due bool) {
	switch {
	case m.view.Len() > 0:
		m.job, m.left, m.moves = ofView, port.ViewBusy, true
		m.seen = *m.view.Front()
		m.view.Pop()
		return
	case m.act.Full():
		return
	case due:
		m.job, m.left, m.gap = ofTimer, port.TimerBusy+m.source.Retires(), 0
		return
	}
	for i := range job(turns) {
		if m.starts((m.turn + i) % turns) {
			m.turn = (m.job + 1) % turns
			return
		}
	}
	m.quiet = true
}

// starts starts one of the jobs that take turns, and reports whether it may.
func (m *Model) starts(j job) bool {
	switch j {
	case ofRecord:
		if m.rec.Len() == 0 {
			return false
		}
		m.record = *m.rec.Front()
		m.rec.Pop()
		m.left = port.RecBusy + m.source.Unmarks(&m.record) // nothing else changes what it will find
	case ofCommand:
		if m.cmd.Len() == 0 || m.rsp.Full() {
			return false
		}
		m.command = *m.cmd.Front()
		m.cmd.Pop()
		m.left = port.CmdBusy
	case ofTurn:
		if !m.source.Waiting() {
			return false
		}
		m.left = port.SendBusy
	}
	m.job, m.moves = j, true
	return true
}

// end executes the job.
func (m *Model) end() {
	if m.tell != nil {
		m.explain()
		return
	}
	m.execute()
}

// execute executes the job, and returns what comes of it, nil for what does not.
func (m *Model) execute() (rsp *port.Response, act *port.Act) {
	var x port.Act
	var acts bool
	switch now := m.time.tick; m.job {
	case ofView:
		m.source.View(&m.seen)
	case ofTimer:
		acts = m.source.Timer(now, &x)
	case ofRecord:
		acts = m.source.Record(&m.record, now, &x)
	case ofCommand:
		rsp = m.rsp.Push()
		acts = m.source.Command(&m.command, now, rsp, &x)
	case ofTurn:
		acts = m.source.Turn(now, &x)
	}
	if acts {
		act = m.act.Push()
		*act = x
	}
	return rsp, act
}

// Spec returns the model's parameters.
func (m *Model) Spec() Spec { return m.spec }

// Source returns the state inside the ports after the jobs that have ended. It is not a copy: what is executed on it
// changes the model.
func (m *Model) Source() *Source { return m.source }

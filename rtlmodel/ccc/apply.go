package ccc

import (
	"github.com/goldwire/goldwire/rtlmodel/fxp"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// exec is one event under execution. Its methods are the sections of the contract.
type exec struct {
	cfg *Config
	st  *State
	ev  *port.Event
	rsp *port.Response
}

// Apply executes one event: it changes cfg and st and fills all of rsp. st is the context that
// ev.Ctx names, nil when there is none of that number. Source: contract.md, Dispatch.
func Apply(cfg *Config, st *State, ev *port.Event, rsp *port.Response) {
	*rsp = port.Response{Kind: ev.Kind, Ctx: ev.Ctx, Entropy: ev.Entropy}
	x := exec{cfg, st, ev, rsp}
	switch {
	case ev.Kind > port.KindCfgRead:
		rsp.Refused = true
	case ev.Kind == port.KindCfgWrite:
		rsp.Refused = !cfg.Write(ev.Addr, ev.Data)
	case ev.Kind == port.KindCfgRead:
		if ev.Addr >= port.NumRegs {
			rsp.Refused = true
			return
		}
		rsp.Data = cfg[ev.Addr]
	case st == nil:
		rsp.NoContext = true
	case ev.Kind == port.KindOpen:
		x.open()
		x.view()
	case !st.Valid:
		rsp.NoContext = true
	case ev.Kind == port.KindClose:
		st.Valid = false
	default:
		x.onContext()
	}
}

// onContext executes the events that need a valid context and answer with its view.
func (x *exec) onContext() {
	switch x.ev.Kind {
	case port.KindLoad, port.KindRead:
		if x.ev.Addr >= port.NumWords {
			x.rsp.Refused = true
			return
		}
		if x.ev.Kind == port.KindLoad {
			x.load()
		} else {
			x.rsp.Data = x.st.Word(int(x.ev.Addr))
		}
	case port.KindNewData:
		x.st.Backlog = x.sat48(x.st.Backlog, uint64(x.ev.Size))
		x.updateState()
	case port.KindSend:
		x.send()
		x.updateState()
	case port.KindAck:
		x.ack()
		x.updateState()
	case port.KindNack:
		x.nack()
		x.updateState()
	case port.KindLoss:
		x.loss()
		x.updateState()
	}
	x.view()
}

func (x *exec) open() {
	wnd := max(x.mtu(), uint32(x.cfg[port.RegMaxWnd]))
	*x.st = State{Valid: true, Words: port.Words{
		Cwnd:           wnd,
		MaxWnd:         wnd,
		BaseRTT:        uint32(x.cfg[port.RegConfigBaseRTT]),
		LastAdjustTime: x.ev.Now,
		LastDecTime:    x.ev.Now,
		CccState:       port.StateIdle,
	}}
}

// load writes a state word. The windows in it are raised to MTU; those in other words stay, although MTU
// may have grown since they were set (contract.md, Decisions, 1).
func (x *exec) load() {
	s := x.st
	s.SetWord(int(x.ev.Addr), x.ev.Data)
	switch x.ev.Addr {
	case port.WordCwnd:
		s.Cwnd = max(s.Cwnd, x.mtu())
		s.MaxWnd = max(s.MaxWnd, x.mtu())
	case port.WordSavedCwnd:
		if s.SavedCwnd != 0 {
			s.SavedCwnd = max(s.SavedCwnd, x.mtu())
		}
	}
}

func (x *exec) send() {
	s, size := x.st, x.ev.Size
	if x.ev.IsRtx {
		s.WaitingRtx = x.sub0(s.WaitingRtx, 1)
		s.RtxBacklog = x.sub0(s.RtxBacklog, size)
	} else {
		left, fl := fxp.SubSat(s.Backlog, uint64(size))
		s.Backlog = left
		x.rsp.Underflow = x.rsp.Underflow || fl != 0
	}
	s.Inflight = x.sats32(int64(s.Inflight) + int64(size))
	s.InflightPkts = x.sat32(s.InflightPkts, 1)
}

// view fills in the state after the event.
func (x *exec) view() {
	s, r := x.st, x.rsp
	r.State = s.CccState
	r.Cwnd = s.Cwnd
	r.Inflight = s.Inflight
	r.BaseRTT = s.BaseRTT
	r.AvgDelay = s.AvgDelay
	r.CanSend = x.canSend()
	r.AckRequest = int64(s.Cwnd)-int64(s.Inflight) < int64(x.mtu()) ||
		uint64(s.Cwnd) < x.cfg[port.RegAckGenTrigger]
}

func (x *exec) canSend() bool {
	return int64(x.st.Inflight)+int64(x.mtu()) <= int64(x.st.Cwnd)
}

func (x *exec) updateState() {
	s := x.st
	switch {
	case s.Backlog == 0 && s.WaitingRtx == 0 && s.InflightPkts == 0:
		s.CccState = port.StateIdle
	case s.Backlog == 0 && s.WaitingRtx == 0:
		s.CccState = port.StatePending
	case x.canSend():
		s.CccState = port.StateReady
	default:
		s.CccState = port.StateActive
	}
}

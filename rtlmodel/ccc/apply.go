package ccc

import port "github.com/goldwire/goldwire/vectors/event/ccc"

// exec is one event being executed. Its methods follow the sections of the contract.
type exec struct {
	cfg *Config
	reg *Registers // registers of the context's profile; TIME_SHIFT is in cfg
	st  *State
	ev  *port.Event
	rsp *port.Response
}

// Apply executes one event: it changes cfg and st and fills all of rsp. st is the context that
// ev.Ctx names, or nil when that number is out of range. Source: contract.md, Dispatch.
func Apply(cfg *Config, st *State, ev *port.Event, rsp *port.Response) {
	*rsp = port.Response{Kind: ev.Kind, Ctx: ev.Ctx, Entropy: ev.Entropy}
	var x exec // filled field by field: the compiler builds a literal of five fields and then copies it
	x.cfg, x.st, x.ev, x.rsp = cfg, st, ev, rsp
	switch {
	case ev.Kind >= port.NumKinds: // 1
		rsp.Refused = true
	case ev.Kind == port.KindCfgWrite: // 2
		rsp.Refused = !cfg.Write(ev.Profile, ev.Addr, ev.Data)
	case ev.Kind == port.KindCfgRead:
		v, ok := cfg.Read(ev.Profile, ev.Addr)
		rsp.Data, rsp.Refused = v, !ok
	case st == nil: // 3
		rsp.NoContext = true
	case ev.Kind == port.KindOpen: // 4
		if ev.Profile >= cfg.numProfiles {
			rsp.Refused = true
			return
		}
		x.reg = &cfg.sets[ev.Profile]
		x.open()
		x.view()
	case !st.Valid: // 5
		rsp.NoContext = true
	case ev.Kind == port.KindClose: // 6
		*st = State{}
	default:
		x.reg = &cfg.sets[st.Profile]
		x.onContext()
	}
}

// onContext executes the events that need a valid context and respond with its view: steps 7 to 10 of the dispatch.
func (x *exec) onContext() {
	if x.refuses() { // 7
		x.rsp.Refused = true
		return
	}
	if x.ev.Kind == port.KindLoad { // 8
		x.st.SetWord(int(x.ev.Addr), x.ev.PDC, x.ev.Data)
		x.reg = &x.cfg.sets[x.st.Profile]
	}
	x.floor() // 9
	switch x.ev.Kind {
	case port.KindLoad:
	case port.KindRead:
		x.rsp.Data = x.st.Word(int(x.ev.Addr), x.ev.PDC)
	case port.KindBind:
		x.bind()
		x.updateState()
	case port.KindSample:
		x.sample()
		x.updateState()
	case port.KindNewData:
		x.st.Backlog = x.sat48(x.st.Backlog, uint64(x.ev.Size))
		x.updateState()
	case port.KindSend:
		x.send()
		if x.reg.creditOn() {
			x.spend()
			x.rsp.Target = x.target(x.want())
		}
		x.updateState()
	case port.KindAck:
		x.ack()
		x.stop()
		x.updateState()
	case port.KindNack:
		x.nack()
		x.stop()
		x.updateState()
	case port.KindLoss:
		if x.st.RtxBacklog > 0 {
			x.stop()
		}
		x.loss()
		x.updateState()
	case port.KindCredit:
		x.pull()
		x.updateState()
	}
	x.view()
}

// refuses reports whether the event names a state word, a slot or a profile that does not exist, or is a pull without
// credit.
func (x *exec) refuses() bool {
	ev := x.ev
	badSlot := ev.PDC >= x.cfg.numPdcs
	switch {
	case ev.Kind == port.KindLoad || ev.Kind == port.KindRead:
		return ev.Addr >= port.NumWords || ev.Addr == port.WordLastRcvd && badSlot ||
			ev.Kind == port.KindLoad && ev.Addr == port.WordProfile && x.badProfile(ev.Data)
	case badSlot && (ev.Kind == port.KindAck || ev.Kind == port.KindBind): // the rare one first
		return true
	}
	return ev.Kind == port.KindCredit && !x.reg.creditOn()
}

// badProfile reports whether data, read as a state word, names a profile that does not exist.
func (x *exec) badProfile(data uint64) bool {
	return data>>port.WordProfileLSB&(1<<port.WordProfileWidth-1) >= uint64(x.cfg.numProfiles)
}

// floor raises the windows to MTU, which may have grown since the context's last event. It sets no flag. Without it a
// context whose cwnd is below MTU would never send again.
func (x *exec) floor() {
	s, mtu := x.st, x.mtu()
	s.Cwnd = max(s.Cwnd, mtu)
	s.MaxWnd = max(s.MaxWnd, mtu)
	if s.SavedCwnd != 0 {
		s.SavedCwnd = max(s.SavedCwnd, mtu)
	}
}

// view fills the response with the state after the event.
func (x *exec) view() {
	s, r := x.st, x.rsp
	r.State = s.CccState
	r.Cwnd = s.Cwnd
	r.Inflight = s.Inflight
	r.BaseRTT = s.BaseRTT
	r.AvgDelay = s.AvgDelay
	r.CanSend = x.canSend()
	scarce := int64(s.Cwnd)-int64(s.Inflight) < int64(x.mtu()) || uint64(s.Cwnd) < x.reg[port.RegAckGenTrigger]
	r.AckRequest = !x.reg.noWindow() && scarce || x.reg.creditOn() && (s.Backlog == 0 || s.Credit <= 0)
}

func (x *exec) canSend() bool {
	fits := int64(x.st.Inflight)+int64(x.mtu()) <= int64(x.st.Cwnd)
	return (fits || x.reg.noWindow()) && (x.st.Credit > 0 || !x.reg.creditOn())
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

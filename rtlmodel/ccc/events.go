package ccc

import (
	"github.com/goldwire/goldwire/rtlmodel/fxp"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// The short events; ack.go and nack.go hold the others.

func (x *exec) open() {
	wnd := max(x.mtu(), uint32(x.reg[port.RegMaxWnd]))
	*x.st = State{Valid: true, Words: port.Words{
		Profile:        x.ev.Profile,
		Cwnd:           wnd,
		MaxWnd:         wnd,
		BaseRTT:        uint32(x.reg[port.RegConfigBaseRTT]),
		LastAdjustTime: x.ev.Now,
		LastDecTime:    x.ev.Now,
		CccState:       port.StateIdle,
		Credit:         int32(x.reg.most()),
		LastPull:       x.ev.Credit,
		Speculating:    true,
	}}
}

// bind gives a slot to a new PDC and adds back to inflight the excess that rounding subtracted for the previous PDC.
func (x *exec) bind() {
	s, ev := x.st, x.ev
	s.LastRcvd[ev.PDC] = ev.RcvdBytes
	s.Inflight = x.sats32(int64(s.Inflight) + int64(ev.Size))
}

// sample takes an RTT that was measured without an ACK.
func (x *exec) sample() {
	if rtt := x.ev.Data; plausible(rtt) {
		x.rsp.RTTValid = true
		x.lowerBase(rtt)
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

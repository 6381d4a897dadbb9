package gen

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// registerFile orders the constants by register address.
func registerFile(g *exact.Registers) regs {
	return regs{
		ccc.RegMTU: g.MTU, ccc.RegMaxWnd: g.MaxWnd, ccc.RegConfigBaseRTT: g.ConfigBaseRTT, ccc.RegTargetQDelay: g.TargetQDelay,
		ccc.RegAlpha: g.Alpha, ccc.RegFI: g.Fi, ccc.RegEta: g.Eta, ccc.RegFIScale: g.FiScale,
		ccc.RegGamma: g.Gamma, ccc.RegMaxMDJump: g.MaxMDJump, ccc.RegQAGate: g.QAGate, ccc.RegQAThreshold: g.QAThreshold,
		ccc.RegAdjustBytes: g.AdjustBytes, ccc.RegAdjustPeriod: g.AdjustPeriod, ccc.RegEWMAGain: g.EWMAGain, ccc.RegFastDelay: g.FastDelay,
		ccc.RegMwndRate: g.MwndRate, ccc.RegAckGenTrigger: g.AckGenTrigger, ccc.RegTimeShift: g.TimeShift, ccc.RegCtrl: 0,
	}
}

// configureCCC puts the register writes in front of the stream.
func (s *fabricSource) configureCCC(g *exact.Registers) {
	for a, v := range registerFile(g) {
		ev := ccc.Event{Kind: ccc.KindCfgWrite, Addr: uint8(a), Data: v}
		ccc.PackEvent(&ev, s.slot().words[:ccc.EventWords])
	}
}

func (s *fabricSource) configureTx(tickNs int) {
	shift := uint8(7)
	for tickNs > 1 {
		tickNs >>= 1
		shift--
	}
	ev := txstate.Event{Kind: txstate.KindCfgWrite, TimeShift: shift}
	txstate.PackEvent(&ev, s.slot().words[:txstate.EventWords])
}

// ticks converts a simulated time to a time stamp.
func (s *fabricSource) ticks(p fabric.Picos) uint64 { return uint64(int64(p)/s.tickPs) & mask48 }

// number returns the block's number for a context or connection, given in the
// order of first appearance; false when the block has no room for it.
func (s *fabricSource) number(nic, sub int32) (int, bool) {
	key := int64(nic)<<32 | int64(sub)
	n, ok := s.ids[key]
	if !ok {
		n = len(s.ids)
		s.ids[key] = n
	}
	return n, n < s.limit
}

// fail ends the simulation with an error.
func (s *fabricSource) fail(format string, args ...any) bool {
	s.err = fmt.Errorf(format, args...)
	s.cancel()
	return false
}

var cccKindOf = [...]ccc.Kind{
	fabric.KindOpen: ccc.KindOpen, fabric.KindNewData: ccc.KindNewData, fabric.KindSend: ccc.KindSend,
	fabric.KindAck: ccc.KindAck, fabric.KindNack: ccc.KindNack, fabric.KindLoss: ccc.KindLoss,
}

// tapCCC converts one event of a context.
func (s *fabricSource) tapCCC(t *fabric.TapEvent) bool {
	n, ok := s.number(t.NIC, t.CCC)
	if !ok {
		return true
	}
	for name, v := range [...]int64{t.Size, t.UnmarkBytes, int64(t.AckedPkts) << 16, int64(t.UnmarkPkts) << 16} {
		if v < 0 || v > math.MaxUint32 {
			return s.fail("fabric event %v at %v: %s does not fit its field", t.Kind, t.Time,
				[...]string{"size", "unmark_bytes", "acked_pkts", "unmark_pkts"}[name])
		}
	}
	ev := ccc.Event{
		Kind: cccKindOf[t.Kind], Ctx: uint16(n), PDC: t.PDC, Now: s.ticks(t.Time), Size: uint32(t.Size), IsRtx: t.IsRtx,
		RcvdBytes: t.RcvdBytes, AckedPkts: uint16(t.AckedPkts), UnmarkPkts: uint16(t.UnmarkPkts), UnmarkBytes: uint32(t.UnmarkBytes),
		M: t.M, Entropy: t.Entropy, TxValid: t.TxValid, TxTime: s.ticks(t.TxTime), RtxCount: t.RtxCount,
		ServiceTime: t.ServiceTime, Retx: t.Retx, Pend: t.RcvCwndPend, RC: t.RestoreCwnd, Reason: ccc.Reason(t.Reason),
	}
	e := s.slot()
	e.now, e.tx, e.timed = int64(t.Time), int64(t.TxTime), true
	ccc.PackEvent(&ev, e.words[:ccc.EventWords])
	return s.proceed()
}

// tapTx converts one event of a connection: a send, a NACK, or each packet that
// an ACK frees. Only the packet that the ACK names has a service time.
func (s *fabricSource) tapTx(t *fabric.TapEvent) bool {
	switch t.Kind {
	case fabric.KindSend, fabric.KindAck, fabric.KindNack:
	default:
		return true
	}
	n, ok := s.number(t.NIC, t.NICPDC)
	if !ok {
		return true
	}
	ev := txstate.Event{PDC: uint16(n), PSN: t.PSN, Now: s.ticks(t.Time), IsRtx: t.IsRtx, Retx: t.Retx}
	switch t.Kind {
	case fabric.KindSend:
		ev.Kind = txstate.KindSend
	case fabric.KindNack:
		ev.Kind = txstate.KindNack
	case fabric.KindAck:
		ev.Kind = txstate.KindAck
		ev.ServiceTime = t.ServiceTime
		s.putTx(&ev, t)
		ev.ServiceTime = 0
		for _, psn := range t.AckedPSNs {
			if psn != t.PSN {
				ev.PSN = psn
				s.putTx(&ev, t)
			}
		}
		return s.proceed()
	}
	s.putTx(&ev, t)
	return s.proceed()
}

func (s *fabricSource) putTx(ev *txstate.Event, t *fabric.TapEvent) {
	e := s.slot()
	e.now, e.tx, e.timed = int64(t.Time), int64(t.TxTime), true
	txstate.PackEvent(ev, e.words[:txstate.EventWords])
}

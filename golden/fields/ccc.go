package fields

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Controls whose contexts the block runs.
const (
	NSCC = "nscc"
	RCCC = "rccc"      // receiver credit, without a window
	Both = "nscc+rccc" // a packet needs window and credit
)

// ContextSI returns what the constants of the registers of a context that runs
// one of the controls are computed from, with a tick in nanoseconds.
func ContextSI(cfg cc.Config, control string, tickNs int) exact.SI {
	si := exact.DefaultSI()
	si.SenderBps = uint64(math.Round(float64(cfg.LinkGbps) * 1e9))
	si.ConfigBaseRTTPs = uint64(cfg.BaseRTT)
	si.Trimming = cfg.Trim
	si.MTU = uint16(cfg.MTU)
	si.TickPs = uint64(tickNs) * 1000
	si.AckGenTrigger = uint32(cfg.AckTrigger)
	si.TargetPs = uint64(max(cfg.Target, 0))
	si.AvgWithoutSample = cfg.AvgWithoutSample
	si.Credit, si.CreditAlone = control == RCCC || control == Both, control == RCCC
	if cfg.QAGate >= 0 {
		si.QAGate = uint8(cfg.QAGate)
	}
	return si
}

// RegisterFile orders the constants by register address.
func RegisterFile(g *exact.Registers) (file [ccc.NumRegs]uint64) {
	for addr := range file {
		file[addr] = g.Raw(ccc.RegInfo[addr].Name)
	}
	return file
}

// Ticks converts a simulated time to a time stamp of 48 bits, in ticks of tickPs picoseconds.
func Ticks(p units.Picos, tickPs int64) uint64 { return uint64(int64(p)/tickPs) & (1<<48 - 1) }

// Share returns the part of the wanted credit that one of n contexts asks for: 2^16 / n, rounded to nearest, and 0 for
// all of it.
func Share(n int32) uint16 {
	if n <= 1 {
		return 0
	}
	return uint16(max((1<<16+n/2)/n, 1))
}

var cccKindOf = [...]ccc.Kind{
	cc.KindOpen: ccc.KindOpen, cc.KindNewData: ccc.KindNewData, cc.KindSend: ccc.KindSend,
	cc.KindAck: ccc.KindAck, cc.KindNack: ccc.KindNack, cc.KindLoss: ccc.KindLoss,
	cc.KindCNP: ccc.NumKinds, cc.KindTimer: ccc.NumKinds, cc.KindCredit: ccc.KindCredit,
}

// SampleEvent fills ev with the SAMPLE of an RTT measured by a probe of context ctx. It returns false when the RTT is
// below a tick.
func SampleEvent(now, rtt units.Picos, ctx uint16, tickPs int64, ev *ccc.Event) bool {
	*ev = ccc.Event{Kind: ccc.KindSample, Ctx: ctx, Now: Ticks(now, tickPs), Data: uint64(int64(rtt) / tickPs)}
	return int64(rtt) >= tickPs
}

// CCCEvent fills ev with what the ccc block is given for a simulated event of its
// context ctx, in ticks of tickPs picoseconds. It errors when a value does not fit
// its field.
func CCCEvent(t *cc.Event, ctx uint16, tickPs int64, ev *ccc.Event) error {
	if int(t.Kind) >= len(cccKindOf) || cccKindOf[t.Kind] == ccc.NumKinds {
		return fmt.Errorf("fabric event %v at %v: the ccc block has no such event", t.Kind, t.Time)
	}
	for i, v := range [...]int64{t.Size, t.UnmarkBytes, int64(t.AckedPkts) << 16, int64(t.UnmarkPkts) << 16} {
		if v < 0 || v > math.MaxUint32 {
			field, most, unit := "size", int64(math.MaxUint32), "bytes"
			switch i {
			case 1:
				field = "unmark_bytes"
			case 2, 3:
				field, most, unit, v = [...]string{2: "acked_pkts", 3: "unmark_pkts"}[i], math.MaxUint16, "packets", v>>16
			}
			return fmt.Errorf("fabric event %v at %v: %s = %d: the field of the ccc block holds at most %d %s",
				t.Kind, t.Time, field, v, most, unit)
		}
	}
	*ev = ccc.Event{
		Kind: cccKindOf[t.Kind], Ctx: ctx, PDC: t.PDC, Now: Ticks(t.Time, tickPs), Size: uint32(t.Size), IsRtx: t.IsRtx,
		RcvdBytes: t.RcvdBytes, AckedPkts: uint16(t.AckedPkts), UnmarkPkts: uint16(t.UnmarkPkts),
		UnmarkBytes: uint32(t.UnmarkBytes), M: t.M, Entropy: t.Entropy, TxValid: t.TxValid,
		TxTime: Ticks(t.TxTime, tickPs), RtxCount: t.RtxCount,
		ServiceTime: t.ServiceTime, Retx: t.Retx, Pend: t.RcvCwndPend, RC: t.RestoreCwnd, Reason: ccc.Reason(t.Reason),
		NoCredit: t.Request, Share: Share(t.Sources), Credit: t.Credit,
	}
	if t.Kind == cc.KindOpen {
		ev.Credit = uint32(rccc.First)
	}
	return nil
}

package arith

import (
	"math/big"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Numbers is an arithmetic with conversions between the block's words and its numbers.
type Numbers[N any] interface {
	nscc.Arith[N]

	// Of returns raw / 2^frac.
	Of(raw int64, frac uint8) N
	// Register returns the number that a register holds when its word, in the block's own format, is raw.
	Register(addr int, raw uint64) N
	// RegisterWord returns the word that such a register reads as: bits that it does not hold are 0.
	RegisterWord(addr int, raw uint64) uint64
	// Bits returns the low 64 bits of floor(x * 2^frac).
	Bits(x N, frac uint8) uint64
	// Rat returns the number as a ratio.
	Rat(x N) *big.Rat
	// Float returns the nearest float64.
	Float(x N) float64
	// Err returns the first error; numbers computed after it have no meaning.
	Err() error
}

// Registers are the words of one profile's registers by address, with TIME_SHIFT.
type Registers [ccc.NumRegs]uint64

// Reset returns the registers after reset.
func Reset() (r Registers) {
	for addr := range r {
		r[addr] = ccc.RegInfo[addr].Reset
	}
	return r
}

// Outside are the state words of the table of formats that are integers of their own, whatever the arithmetic: a PDC's
// counter and the words of credit.
var Outside = []string{"last_rcvd", "credit", "last_pull"}

// regFrac holds the fraction bits of each register.
var regFrac = func() (f [ccc.NumRegs]uint8) {
	for addr, r := range ccc.RegInfo {
		if r.Q == "" {
			continue
		}
		q, err := formats.ParseFormat(r.Q)
		if err != nil {
			panic(err) // the schema has been checked
		}
		f[addr] = q.Frac
	}
	return f
}()

// Bits of the CTRL register.
const (
	ctrlNoQuickAdapt     = 1 << 0
	ctrlRCCC             = 1 << 1
	ctrlAvgWithoutSample = 1 << 2
	ctrlNoWindow         = 1 << 3 // with ctrlRCCC
)

// maxShift bounds shift distances: a shift this far leaves 0 of any 64-bit value, so larger ones need no distinction.
const maxShift = 100

func pow2[N any](a Numbers[N], n uint64) N {
	x, n := a.Whole(1), min(n, maxShift)
	for ; n > 0; n-- {
		x = a.Add(x, x)
	}
	return x
}

// Params returns the constants of the rules from registers: bytes, ticks, bytes per tick.
func Params[N any](a Numbers[N], regs *Registers) nscc.ParamsOf[N] {
	reg := func(addr int) N { return a.Register(addr, regs[addr]) }
	ctrl := regs[ccc.RegCtrl]
	return nscc.ParamsOf[N]{
		Arith:            a,
		MTU:              reg(ccc.RegMTU),
		InitWnd:          reg(ccc.RegMaxWnd),
		ConfigBaseRTT:    reg(ccc.RegConfigBaseRTT),
		Target:           reg(ccc.RegTargetQDelay),
		Alpha:            reg(ccc.RegAlpha),
		Fi:               reg(ccc.RegFI),
		Eta:              reg(ccc.RegEta),
		FiScale:          reg(ccc.RegFIScale),
		Gamma:            reg(ccc.RegGamma),
		MaxMDJump:        reg(ccc.RegMaxMDJump),
		QAGateDiv:        pow2(a, a.Bits(reg(ccc.RegQAGate), 0)),
		QAThreshold:      reg(ccc.RegQAThreshold),
		QADisabled:       ctrl&ctrlNoQuickAdapt != 0,
		AdjustBytes:      reg(ccc.RegAdjustBytes),
		AdjustPeriod:     reg(ccc.RegAdjustPeriod),
		EWMAGain:         reg(ccc.RegEWMAGain),
		FastDelay:        reg(ccc.RegFastDelay),
		WndRate:          reg(ccc.RegMwndRate),
		AckGenTrigger:    reg(ccc.RegAckGenTrigger),
		RCCC:             ctrl&ctrlRCCC != 0,
		NoWindow:         ctrl&ctrlRCCC != 0 && ctrl&ctrlNoWindow != 0,
		AvgWithoutSample: ctrl&ctrlAvgWithoutSample != 0,
		ServiceUnit:      pow2(a, a.Bits(reg(ccc.RegTimeShift), 0)),
		TimeMod:          a.Whole(1 << ccc.TimeW),
		MaxSample:        a.Whole(1 << 31),
	}
}

// avgFrac is the number of fraction bits of the word avg_delay.
const avgFrac = 16

// StateOf returns a context's words as numbers of an arithmetic.
func StateOf[N any](a Numbers[N], w *ccc.Words) nscc.StateOf[N] {
	s := nscc.StateOf[N]{CCC: nscc.CCCState(w.CccState), Increase: w.Increase, TriggerQA: w.TriggerQA, QAValid: w.QAValid}
	for v, raw := range [nscc.ValInflightPkts + 1]int64{
		nscc.ValCwnd: int64(w.Cwnd), nscc.ValMaxWnd: int64(w.MaxWnd), nscc.ValInflight: int64(w.Inflight),
		nscc.ValSavedCwnd: int64(w.SavedCwnd), nscc.ValBaseRTT: int64(w.BaseRTT),
		nscc.ValAchievedBytes: int64(w.AchievedBytes), nscc.ValReceivedBytes: int64(w.ReceivedBytes),
		nscc.ValFiCount: int64(w.FICount), nscc.ValBytesIgnored: int64(w.BytesIgnored),
		nscc.ValBytesToIgnore: int64(w.BytesToIgnore), nscc.ValQAEnd: int64(w.QAEndtime),
		nscc.ValLastAdjust: int64(w.LastAdjustTime), nscc.ValLastDec: int64(w.LastDecTime),
		nscc.ValIncBytes: int64(w.IncBytes), nscc.ValAvgDelay: int64(w.AvgDelay), nscc.ValBacklog: int64(w.Backlog),
		nscc.ValRtxBacklog: int64(w.RtxBacklog), nscc.ValWaitingRtx: int64(w.WaitingRtx),
		nscc.ValInflightPkts: int64(w.InflightPkts),
	} {
		at, frac := nscc.Value(v), uint8(0)
		if at == nscc.ValAvgDelay {
			frac = avgFrac
		}
		*s.Word(at) = a.Quantise(at, a.Of(raw, frac))
	}
	return s
}

// WordsOf returns the words of a state. A number that does not fit its word's format is floored and loses its high
// bits. Profile, LastRcvd and the words of credit, which are not numbers of the rules, are 0.
func WordsOf[N any](a Numbers[N], s *nscc.StateOf[N]) ccc.Words {
	bits := func(v nscc.Value) uint64 { return a.Bits(*s.Word(v), 0) }
	u32 := func(v nscc.Value) uint32 { return uint32(bits(v)) }
	const mask48 = 1<<48 - 1
	return ccc.Words{
		TriggerQA: s.TriggerQA, QAValid: s.QAValid, Increase: s.Increase, CccState: ccc.State(s.CCC),
		Cwnd: u32(nscc.ValCwnd), MaxWnd: u32(nscc.ValMaxWnd), Inflight: int32(u32(nscc.ValInflight)),
		SavedCwnd: u32(nscc.ValSavedCwnd), BaseRTT: u32(nscc.ValBaseRTT), AchievedBytes: u32(nscc.ValAchievedBytes),
		ReceivedBytes: u32(nscc.ValReceivedBytes), FICount: u32(nscc.ValFiCount), BytesIgnored: u32(nscc.ValBytesIgnored),
		BytesToIgnore: u32(nscc.ValBytesToIgnore), QAEndtime: bits(nscc.ValQAEnd) & mask48,
		LastAdjustTime: bits(nscc.ValLastAdjust) & mask48, LastDecTime: bits(nscc.ValLastDec) & mask48,
		IncBytes: bits(nscc.ValIncBytes) & mask48, AvgDelay: a.Bits(s.AvgDelay, avgFrac) & mask48,
		Backlog: bits(nscc.ValBacklog) & mask48, RtxBacklog: u32(nscc.ValRtxBacklog), WaitingRtx: u32(nscc.ValWaitingRtx),
		InflightPkts: u32(nscc.ValInflightPkts),
	}
}

package precision

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// lsbAvg is one least significant bit of avg_delay in ticks.
const lsbAvg = 1.0 / 65536

// boundAvg is one floor of avg_delay; the added 256th part is far more than float64 itself is off by.
const boundAvg = lsbAvg * (1 + 1.0/256)

// Bounds of one event, in the unit of each field. The contract's table "Error bounds" derives them; the terms for the
// rounding of constants are absent, because the reference takes its constants from the registers.
type bounds struct {
	cwnd, maxWnd, inc, avg float64
	// quotient is how far apart the quotients of inc_bytes and two windows within their bound lie.
	quotient float64
}

// boundsOf returns how far fixed point may be off in an event with the reference's response r.
func boundsOf(p *nscc.Params, before *nscc.State, r *nscc.Response, baseFell bool) bounds {
	var b bounds
	if r.AvgStepped {
		b.avg = boundAvg
	}
	if baseFell {
		b.maxWnd = 1 // one floor of rate * base_rtt
		b.cwnd = 1   // where the window is clamped to it
	}
	start := max(before.Cwnd, before.SavedCwnd, p.MTU)
	if r.MDApplied {
		// The ratio is floored to 2^-16, and computed from an average lowered by one floor.
		b.cwnd += start*lsbAvg*(1+1/max(r.AvgDelay, lsbAvg)) + 1
	}
	if r.Action == nscc.FAST {
		b.cwnd++
	}
	if r.Action == nscc.FAIR || r.Action == nscc.PROP {
		b.inc = 1
	}
	if r.Fulfilled {
		// A window that differs by b.cwnd divides inc_bytes into another quotient.
		least := max(r.FulfillingBy-b.cwnd, p.MTU, 1)
		b.quotient = r.Fulfilling * b.cwnd / (least * least)
		b.cwnd += 1 + b.quotient
	}
	return b
}

// field is one value that is compared.
type field struct {
	name  string
	about string // of the bound
	of    func(*nscc.State) float64
	bound func(*bounds) float64 // nil: exact
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

var fields = []field{
	{"cwnd", "2^-16 * (1 + 1/avg_delay) of cwnd in a decrease; 1 byte for each floor of the event",
		func(s *nscc.State) float64 { return s.Cwnd }, func(b *bounds) float64 { return b.cwnd }},
	{"max_wnd", "1 byte when base_rtt fell", func(s *nscc.State) float64 { return s.MaxWnd },
		func(b *bounds) float64 { return b.maxWnd }},
	{"inc_bytes", "1 byte*byte in an increase", func(s *nscc.State) float64 { return s.IncBytes },
		func(b *bounds) float64 { return b.inc }},
	{"avg_delay", "2^-16 tick when a sample enters", func(s *nscc.State) float64 { return s.AvgDelay },
		func(b *bounds) float64 { return b.avg }},
	{"inflight", "", func(s *nscc.State) float64 { return s.Inflight }, nil},
	{"saved_cwnd", "", func(s *nscc.State) float64 { return s.SavedCwnd }, nil},
	{"base_rtt", "", func(s *nscc.State) float64 { return s.BaseRTT }, nil},
	{"achieved_bytes", "", func(s *nscc.State) float64 { return s.AchievedBytes }, nil},
	{"received_bytes", "", func(s *nscc.State) float64 { return s.ReceivedBytes }, nil},
	{"fi_count", "", func(s *nscc.State) float64 { return s.FiCount }, nil},
	{"bytes_ignored", "", func(s *nscc.State) float64 { return s.BytesIgnored }, nil},
	{"bytes_to_ignore", "", func(s *nscc.State) float64 { return s.BytesToIgnore }, nil},
	{"qa_endtime", "", func(s *nscc.State) float64 { return s.QAEnd }, nil},
	{"last_adjust_time", "", func(s *nscc.State) float64 { return s.LastAdjust }, nil},
	{"last_dec_time", "", func(s *nscc.State) float64 { return s.LastDec }, nil},
	{"backlog", "", func(s *nscc.State) float64 { return s.Backlog }, nil},
	{"rtx_backlog", "", func(s *nscc.State) float64 { return s.RtxBacklog }, nil},
	{"waiting_rtx", "", func(s *nscc.State) float64 { return s.WaitingRtx }, nil},
	{"inflight_pkts", "", func(s *nscc.State) float64 { return s.InflightPkts }, nil},
	{"trigger_qa", "", func(s *nscc.State) float64 { return flag(s.TriggerQA) }, nil},
	{"qa_valid", "", func(s *nscc.State) float64 { return flag(s.QAValid) }, nil},
	{"increase", "", func(s *nscc.State) float64 { return flag(s.Increase) }, nil},
}

// StateOf returns a context's words in real numbers: bytes, packets, times in ticks multiplied by unit.
func StateOf(w *ccc.Words, unit float64) nscc.State {
	return nscc.State{
		CCC: nscc.CCCState(w.CccState), Backlog: float64(w.Backlog), RtxBacklog: float64(w.RtxBacklog),
		WaitingRtx: float64(w.WaitingRtx), InflightPkts: float64(w.InflightPkts),
		Cwnd: float64(w.Cwnd), MaxWnd: float64(w.MaxWnd), Inflight: float64(w.Inflight), SavedCwnd: float64(w.SavedCwnd),
		BaseRTT: float64(w.BaseRTT) * unit, AvgDelay: math.Ldexp(float64(w.AvgDelay), -16) * unit,
		AchievedBytes: float64(w.AchievedBytes), ReceivedBytes: float64(w.ReceivedBytes),
		BytesIgnored: float64(w.BytesIgnored), BytesToIgnore: float64(w.BytesToIgnore),
		IncBytes: float64(w.IncBytes), FiCount: float64(w.FICount),
		Increase: w.Increase, TriggerQA: w.TriggerQA, QAValid: w.QAValid,
		QAEnd: float64(w.QAEndtime) * unit, LastAdjust: float64(w.LastAdjustTime) * unit,
		LastDec: float64(w.LastDecTime) * unit,
	}
}

package nscc

import "math"

// Value names a number that the rules store, round or clamp, as the table of the block's number formats does
// (vectors/event/ccc/formats.yaml).
type Value uint8

// The values: first the state, then what the rules compute on the way.
const (
	ValCwnd Value = iota
	ValMaxWnd
	ValInflight
	ValSavedCwnd
	ValBaseRTT
	ValAchievedBytes
	ValReceivedBytes
	ValFiCount
	ValBytesIgnored
	ValBytesToIgnore
	ValQAEnd
	ValLastAdjust
	ValLastDec
	ValIncBytes
	ValAvgDelay
	ValBacklog
	ValRtxBacklog
	ValWaitingRtx
	ValInflightPkts

	ValDelta     // bytes that an acknowledgement newly acknowledges
	ValService   // service time
	ValSince     // time between two time stamps
	ValRaw       // RTT sample
	ValPenalty   // decrease that receiver flow control asks for
	ValDelay     // queueing delay
	ValOutlier   // sample in place of a long unmarked delay
	ValAvgStep   // step of the average
	ValRateWnd   // max_wnd before its limits
	ValWindow    // longest window of quick adapt
	ValGate      // what quick adapt compares the achieved bytes with
	ValFairInc   // contribution of a fair increase
	ValPropInc   // contribution of a proportional increase
	ValFastInc   // growth of a fast increase
	ValRatio     // share of the average above the target
	ValFactor    // factor of a decrease
	ValDecreased // cwnd after a decrease
	ValQuotient  // growth of a fulfilment
	ValEtaBytes  // additive increase of a period
	ValWant      // bytes that a credit target asks for; of the rules of package rccc beside these

	NumValues = int(ValWant) + 1
)

// String returns the value's name in the table of formats.
func (v Value) String() string {
	return [...]string{"cwnd", "max_wnd", "inflight", "saved_cwnd", "base_rtt", "achieved_bytes", "received_bytes",
		"fi_count", "bytes_ignored", "bytes_to_ignore", "qa_endtime", "last_adjust_time", "last_dec_time", "inc_bytes",
		"avg_delay",
		"backlog", "rtx_backlog", "waiting_rtx", "inflight_pkts",
		"delta", "service", "since", "raw", "penalty", "delay", "outlier", "avg_step", "rate_wnd", "window", "gate",
		"fair_inc", "prop_inc", "fast_inc", "ratio", "factor", "decreased", "quotient", "eta_bytes",
		"want"}[v]
}

// Limits of the stored counters. Adding saturates at the top and subtracting at
// 0, with a flag, so that no wrap can pass for a value.
const (
	maxCounter  = 1<<32 - 1
	maxBacklog  = 1<<48 - 1
	maxIncBytes = 1<<48 - 1
	maxInflight = 1<<31 - 1
	minInflight = -1 << 31
)

type limit struct{ lo, hi float64 }

// limits are the ends at which values are clamped with a flag; the others have none.
var limits = func() (l [NumValues]limit) {
	for v := range l {
		l[v] = limit{math.Inf(-1), math.Inf(1)}
	}
	for _, v := range []Value{ValAchievedBytes, ValReceivedBytes, ValFiCount, ValBytesIgnored, ValRtxBacklog,
		ValWaitingRtx, ValInflightPkts, ValQuotient} {
		l[v].hi = maxCounter
	}
	l[ValBacklog].hi = maxBacklog
	l[ValIncBytes].hi = maxIncBytes
	l[ValInflight] = limit{minInflight, maxInflight}
	return l
}()

// Limits returns the ends at which the rules clamp a value; they are whole numbers, or infinite where they do not.
func (v Value) Limits() (lo, hi float64) { return limits[v].lo, limits[v].hi }

package replay

import "github.com/goldwire/goldwire/golden/cc/nscc/htsim"

// header is every column of a trace, in order.
var header = [...]string{
	"n", "flow", "time_ps", "kind", "rtt_valid", "raw_rtt_ps", "ecn", "last_hop",
	"rtx_echo", "is_rts", "newly_bytes", "nacked_bytes", "psn", "cum_ack", "ev", "ooo",
	"base_rtt_before_ps", "base_rtt_after_ps", "maxwnd_before", "maxwnd_after",
	"delay_ps", "avg_delay_before_ps", "avg_delay_after_ps", "in_flight_before",
	"in_flight_cc", "achieved_before", "achieved_at_qa", "achieved_after",
	"received_before", "received_after", "bytes_ignored_before", "bytes_ignored_after",
	"bytes_to_ignore_before", "bytes_to_ignore_after", "qa_endtime_before_ps",
	"qa_endtime_after_ps", "trigger_qa_before", "trigger_qa_after", "qa_window",
	"qa_fired", "qa_ignored", "action", "inc_bytes_before", "inc_bytes_peak",
	"inc_bytes_after", "fi_count_before", "fi_count_after", "fi_mode_before",
	"fi_mode_after", "fulfill", "eta_applied", "last_adjust_before_ps",
	"last_adjust_after_ps", "last_dec_before_ps", "last_dec_after_ps", "md_applied",
	"cwnd_before", "cwnd_after",
}

// Columns read as inputs, by index into header.
const (
	colN        = 0
	colFlow     = 1
	colTime     = 2
	colKind     = 3
	colRTTValid = 4
	colRawRTT   = 5
	colECN      = 6
	colIsRTS    = 9
	colNewly    = 10
	colLost     = 11
	colInFlight = 24
	colAction   = 41
)

// checked lists the columns of numbers that a replay must reproduce, by index
// into header, in the order outputs fills them. The action, which is a name, is
// compared apart. inc_bytes_peak is the accumulator before a fulfilment or quick
// adapt clears it. in_flight_before is not a product of the algorithm: it also
// holds what the simulator's retransmission queue took out.
var checked = [...]int{
	16, 17, 18, 19, 20, 21, 22,
	25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
	42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57,
}

const numChecked = len(checked)

// cwndAfter is the position in checked of the column the tolerance applies to.
const cwndAfter = numChecked - 1

func bit[T int64 | float64](b bool) T {
	if b {
		return 1
	}
	return 0
}

// outputs lays an outcome out in the order of checked.
func outputs[T int64 | float64](o *htsim.Outcome[T]) [numChecked]T {
	b, a := &o.Before, &o.After
	return [numChecked]T{
		b.BaseRTT, a.BaseRTT, b.MaxWnd, a.MaxWnd, o.Delay, b.AvgDelay, a.AvgDelay,
		b.Achieved, o.AchievedAtQA, a.Achieved, b.Received, a.Received,
		b.BytesIgnored, a.BytesIgnored, b.BytesToIgnore, a.BytesToIgnore,
		b.QAEnd, a.QAEnd, bit[T](b.TriggerQA), bit[T](a.TriggerQA),
		bit[T](o.QAWindow), bit[T](o.QAFired), bit[T](o.QAIgnored),
		b.IncBytes, o.IncPeak, a.IncBytes, b.FiCount, a.FiCount,
		bit[T](b.FiMode), bit[T](a.FiMode), bit[T](o.Fulfilled), bit[T](o.EtaApplied),
		b.LastAdjust, a.LastAdjust, b.LastDec, a.LastDec, bit[T](o.MDApplied),
		b.Cwnd, a.Cwnd,
	}
}

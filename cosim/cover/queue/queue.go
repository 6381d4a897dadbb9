// Package queue is what the coverage of egress and of the port around it shares: the labels of classes, modes, levels
// and verdicts.
package queue

import (
	"strings"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// Labels of classes, of scheduler and ECN modes, and of how full a queue is.
var (
	Classes = cover.Labels("low medium high")
	Modes   = cover.Labels("0 1 2 3")
	Levels  = cover.Labels("empty one some all_but_one full")
)

// Verdicts with their cause, of packets as they came and of trimmed ones.
var Verdicts = cover.Labels(`admit trim drop_limit drop_shared drop_full trimmed_drop_limit trimmed_drop_shared
	trimmed_drop_full drop_untrimmable`)

// Verdict returns the row of a packet that was queued or dropped.
func Verdict(cause egress.Cause, trimmed bool) int {
	switch k := cover.Among(cause, egress.CauseLimit, egress.CauseShared, egress.CauseFull, egress.CauseUntrimmable); k {
	case 3:
		return 8
	case 4:
		return cover.Bit(trimmed)
	default:
		return 2 + k + 3*cover.Bit(trimmed)
	}
}

// VerdictCan reports whether a row can be met in a class: what is trimmed here goes to the medium queue, and only
// packets of the low class are due to be.
func VerdictCan(row, cls, _, _ int) bool {
	switch name := Verdicts[row]; {
	case strings.HasPrefix(name, "trim"):
		return cls == int(egress.ClsMedium)
	case name == "drop_untrimmable":
		return cls == int(egress.ClsLow)
	}
	return true
}

// NoBetween proves that level never is "some" or "all_but_one" for so few places.
func NoBetween(depth int) func() error {
	return cover.None(depth+1, "packets:", func(n int) bool { return Level(n, depth)&^1 == 2 })
}

// Level sorts a number of packets: none, one, some, all but one, full.
func Level(n, depth int) int {
	return [...]int{0, 4, 1, 3, 2}[cover.First(n == 0, n == depth, n == 1, n == depth-1)]
}

// High are bins for limits of which only the bits from 24 on decide: without them the content would be above.
type High struct {
	Trim                                [2]int // and at the last hop
	Drop                                [3]int // by class
	Shared, KDet, KMin, KMax, Xoff, Xon int
}

// Define adds the bins.
func (h *High) Define(p *cover.Plan) {
	p.Places("limit_from_2^24_above_content_that_is_above_its_low_bits", cover.Labels(`TRIM TRIM_LASTHOP
		DROP_LOW DROP_MED DROP_HIGH SHARED K_DET K_MIN K_MAX XOFF XON`), h)
}

// Far sorts a content against a limit.
func Far[N int64 | uint64](hits cover.Hits, limit int, content N, value uint64) {
	hits.If(value >= 1<<24 && content > N(value&(1<<24-1)) && content < N(value), limit)
}

// Against sorts a content against a limit: by its side and k, and by whether high bits of the limit decide.
func Against[N int64 | uint64](hits cover.Hits, side *cover.Cross, k, high int, content N, limit uint64) {
	hits[side.At2(cover.Side(int64(content), int64(limit)), k)]++
	Far(hits, high, content, limit)
}

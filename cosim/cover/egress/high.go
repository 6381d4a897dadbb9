package egress

import (
	"github.com/goldwire/goldwire/cosim/cover"
)

// Limits by their place among the bins of high bits.
const (
	highTrim   = 0 // and TRIM_LASTHOP
	highDrop   = 2 // low, medium, high
	highShared = 5 + iota - 2
	highKDet
	highKMin
	highKMax
	highXoff
	highXon
)

// far sorts a content against a limit whose bits from 24 on decide: without them it would be above.
func (w *watch) far(hits []uint64, limit int, content, value uint64) {
	if value >= 1<<24 && content > value&(1<<24-1) && content < value {
		hits[w.high.At1(limit)]++
	}
}

// found notes that an event looks at a pause request as an empty port left it.
func (w *watch) found(hits []uint64, p *portState, by int) {
	if p.byEmpty {
		hits[w.byEmpty.At2(cover.Bit(!p.xoff), by)]++
	}
}

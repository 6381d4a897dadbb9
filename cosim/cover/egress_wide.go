package cover

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
func (w *egressWatch) far(hits []uint64, limit int, content, value uint64) {
	if value >= 1<<24 && content > value&(1<<24-1) && content < value {
		hits[w.high.at1(limit)]++
	}
}

// found notes that an event looks at a pause request as an empty port left it.
func (w *egressWatch) found(hits []uint64, p *egressPort, by int) {
	if p.byEmpty {
		hits[w.byEmpty.at2(b2i(!p.xoff), by)]++
	}
}

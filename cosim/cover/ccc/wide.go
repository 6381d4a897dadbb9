package ccc

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/cosim/cover"
)

// Products whose highest bit is sorted, in the order of productNames. Only those count that nothing hides: that did not
// saturate, and were not cut off by a clamp.
const (
	productFair = iota
	productProp
	productFast
	productPenalty
)

var productNames = cover.Labels("FAIR PROP FAST PENALTY")

// productBits are the lowest and the highest bit that a product can show.
var productBits = [...][2]int{productFair: {0, 47}, productProp: {0, 47}, productFast: {0, 31}, productPenalty: {1, 30}}

// satTogether lists the saturation points that one event can pass together, by kind of event; mutually exclusive ones
// are left out by satPair.
var satTogether = [][]int{
	{satInflightSend, satPkts},
	{satInflightAckLow, satInflightAckHigh, satIgnoredAck, satReceived, satAchieved, satFI, satIncFair, satIncProp,
		satQuotient},
	{satInflightNack, satIgnoredNack, satWaitingNack, satRtxNack},
	{satInflightLoss, satIgnoredLoss, satWaitingLoss, satRtxLoss},
}

// satApart are pairs that no event passes together: one sum goes one way, an ACK has one place in the quadrants, and a
// window for which fi_count saturates without fast increase is too wide for the quotient to saturate.
var satApart = map[[2]int]bool{
	{satInflightAckLow, satInflightAckHigh}: true, {satFI, satIncFair}: true, {satIncFair, satIncProp}: true,
}

// satPair reports whether a pair of saturation points is a bin.
func satPair(i, j int) bool {
	if i >= j || satApart[[2]int{i, j}] {
		return false
	}
	for _, of := range satTogether {
		a, b := false, false
		for _, x := range of {
			a, b = a || x == i, b || x == j
		}
		if a && b {
			return true
		}
	}
	return false
}

// wide sorts values that use all their bits, and long episodes.
type wide struct {
	product, satBoth  cover.Sparse
	gateDecides, long cover.Cross

	passed uint64 // saturation points that this event has passed
	events uint64 // since the reset
}

// define adds the bins.
func (c *wide) define(p *cover.Plan) {
	var bit []string
	for k := range 48 {
		bit = append(bit, fmt.Sprint(k))
	}
	c.product = p.AddSome("product_highest_bit", func(i, j, _, _ int) bool {
		return j >= productBits[i][0] && j <= productBits[i][1]
	}, productNames, bit)
	c.satBoth = p.AddSome("saturates_together", func(i, j, _, _ int) bool { return satPair(i, j) }, satNames, satNames)
	c.gateDecides = p.Add("qa_gate_decides", cover.Numbers(0, 31), cover.Labels("below at"))
	c.long = p.Add("events_of_episode", cover.Labels("2^16 2^17"))
}

// bit counts the highest bit of a product that shows as it is.
func (s *wide) bit(hits []uint64, product int, n uint64) {
	if n > 0 {
		s.product.Hit(hits, product, bits.Len64(n)-1, 0, 0)
	}
}

// saturate counts a saturation point that an event passes.
func (s *watch) saturate(hits []uint64, point int) {
	hits[s.sat.At1(point)]++
	s.passed |= 1 << point
}

// together counts the pairs of saturation points that one event passed.
func (s *wide) together(hits []uint64) {
	for a := s.passed; a&(a-1) != 0; a &= a - 1 {
		i := bits.TrailingZeros64(a)
		for b := a & (a - 1); b != 0; b &= b - 1 {
			s.satBoth.Hit(hits, i, bits.TrailingZeros64(b), 0, 0)
		}
	}
	s.passed = 0
}

// count counts an event of an episode.
func (s *wide) count(hits []uint64) {
	s.events++
	if s.events >= 1<<16 {
		hits[s.long.At1(cover.Bit(s.events >= 1<<17))]++
	}
}

// gateLabels are the values of QA_GATE: those that shift, the first that leaves nothing, and the rest.
var gateLabels = append(cover.Numbers(0, 32), "above")

// gateAt sorts a window that QA_GATE decides: a cause is there and something is left of max_wnd.
func (s *wide) gateAt(hits []uint64, gate uint64, achieved uint32, limit int64) {
	if d := int64(achieved) - limit; gate < 32 && limit > 0 && (d == -1 || d == 0) {
		hits[s.gateDecides.At2(int(gate), int(d)+1)]++
	}
}

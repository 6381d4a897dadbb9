package ccc

import (
	"math/bits"
	"slices"

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

// satTogether lists the saturation points that one event can pass together, by kind of event.
var satTogether = [][]string{
	cover.Labels("inflight_SEND inflight_pkts credit_SEND"),
	cover.Labels(`inflight_ACK_low inflight_ACK_high bytes_ignored_ACK received_bytes achieved_bytes fi_count
		inc_bytes_FAIR inc_bytes_PROP quotient`),
	cover.Labels("inflight_NACK bytes_ignored_NACK waiting_rtx_NACK rtx_backlog_NACK"),
	cover.Labels("inflight_LOSS bytes_ignored_LOSS waiting_rtx_LOSS rtx_backlog_LOSS"),
}

// satApart are pairs that no event passes together: one sum goes one way, an ACK has one place in the quadrants, and a
// window for which fi_count saturates without fast increase is too wide for the quotient to saturate.
var satApart = cover.Labels("inflight_ACK_low+inflight_ACK_high fi_count+inc_bytes_FAIR inc_bytes_FAIR+inc_bytes_PROP")

// satPair reports whether a pair of saturation points is a bin.
func satPair(i, j int) bool {
	a, b := satNames[i], satNames[j]
	return i < j && !slices.Contains(satApart, a+"+"+b) && slices.ContainsFunc(satTogether, func(of []string) bool {
		return slices.Contains(of, a) && slices.Contains(of, b)
	})
}

// wide sorts values that use all their bits, and long episodes.
type wide struct {
	product, satBoth cover.Sparse
	gateDecides      cover.Cross
	long             cover.Long

	passed uint64 // saturation points that this event has passed
}

func (c *wide) define(p *cover.Plan) {
	c.product = p.AddSome("product_highest_bit", func(i, j, _, _ int) bool {
		return j >= productBits[i][0] && j <= productBits[i][1]
	}, productNames, cover.Numbers(0, 47))
	c.satBoth = p.AddSome("saturates_together", func(i, j, _, _ int) bool { return satPair(i, j) }, satNames, satNames)
	c.gateDecides = p.Add("qa_gate_decides", cover.Numbers(0, 31), cover.Labels("below at"))
	c.long.Define(p, "events_of_episode")
}

// bit counts the highest bit of a product that shows as it is.
func (s *wide) bit(hits cover.Hits, product int, n uint64) {
	if n > 0 {
		s.product.Hit(hits, product, bits.Len64(n)-1, 0, 0)
	}
}

func (s *watch) saturate(hits cover.Hits, point int) {
	hits[point]++
	s.passed |= 1 << (point - s.sat.Backlog)
}

// together counts the pairs of saturation points that one event passed.
func (s *wide) together(hits cover.Hits) {
	for a := s.passed; a&(a-1) != 0; a &= a - 1 {
		i := bits.TrailingZeros64(a)
		for b := a & (a - 1); b != 0; b &= b - 1 {
			s.satBoth.Hit(hits, i, bits.TrailingZeros64(b), 0, 0)
		}
	}
	s.passed = 0
}

// gateLabels are the values of QA_GATE: those that shift, the first that leaves nothing, and the rest.
var gateLabels = append(cover.Numbers(0, 32), "above")

// gateAt sorts a window that QA_GATE decides: a cause is there and something is left of max_wnd.
func (s *wide) gateAt(hits cover.Hits, gate uint64, achieved uint32, limit int64) {
	if d := int64(achieved) - limit; gate < 32 && limit > 0 && (d == -1 || d == 0) {
		hits[s.gateDecides.At2(int(gate), int(d)+1)]++
	}
}

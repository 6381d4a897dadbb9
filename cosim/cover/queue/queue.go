// Package queue is what the coverage of egress and of the port around it shares: the labels of classes, modes, levels
// and verdicts.
package queue

import (
	"fmt"

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
const (
	verdictAdmit = iota
	verdictTrim
	verdictLimit
	verdictShared
	verdictFull
	verdictTrimmedLimit
	verdictTrimmedShared
	verdictTrimmedFull
	verdictUntrimmable
)

var Verdicts = cover.Labels(`admit trim drop_limit drop_shared drop_full trimmed_drop_limit trimmed_drop_shared
	trimmed_drop_full drop_untrimmable`)

// Verdict returns the row of a packet that was queued or dropped.
func Verdict(cause egress.Cause, trimmed bool) int {
	switch cause {
	case egress.CauseLimit:
		return verdictLimit + 3*cover.Bit(trimmed)
	case egress.CauseShared:
		return verdictShared + 3*cover.Bit(trimmed)
	case egress.CauseFull:
		return verdictFull + 3*cover.Bit(trimmed)
	case egress.CauseUntrimmable:
		return verdictUntrimmable
	}
	return verdictAdmit + cover.Bit(trimmed)
}

// VerdictCan reports whether a row can be met in a class: what is trimmed here goes to the medium queue, and only
// packets of the low class are due to be.
func VerdictCan(row, cls, _, _ int) bool {
	switch row {
	case verdictTrim, verdictTrimmedLimit, verdictTrimmedShared, verdictTrimmedFull:
		return cls == int(egress.ClsMedium)
	case verdictUntrimmable:
		return cls == int(egress.ClsLow)
	}
	return true
}

// NoBetween proves that level never is "some" or "all_but_one" for so few places.
func NoBetween(depth int) func() error {
	return func() error {
		for n := range depth + 1 {
			if l := Level(n, depth); l == 2 || l == 3 {
				return fmt.Errorf("%d packets", n)
			}
		}
		return nil
	}
}

// Level sorts a number of packets: none, one, some, all but one, full.
func Level(n, depth int) int {
	switch {
	case n == 0:
		return 0
	case n == depth:
		return 4
	case n == 1:
		return 1
	case n == depth-1:
		return 3
	}
	return 2
}

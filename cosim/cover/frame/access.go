package frame

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// CountOn takes a bank of counters to the next cycle: each is what it was, or data if a LOAD of its number stores
// that in this cycle (load, -1 for none), plus what it counts. It hits wrap for each that passes 2^32.
func CountOn(hits []uint64, wrap *cover.Cross, counts, inc []uint32, load int, data uint32) {
	for i, n := range inc {
		base := counts[i]
		if i == load {
			base = data
		}
		counts[i] = base + n
		if counts[i] < base {
			hits[wrap.At1(i)]++
		}
	}
}

// Why an access is refused, as bins.
const (
	RefusedNot = iota - 1
	refusedKind
	refusedRegister
	refusedCounter
	RefusedOther // by a rule of the block's own
)

// Refusal returns why an access to a counter or a register is refused; the kinds of trimmer's schema are those of
// intmd's that are not its own.
func Refusal(kind trimmer.Kind, addr, words, regs int) int {
	switch kind {
	case trimmer.KindLoad, trimmer.KindRead:
		if addr >= words {
			return refusedCounter
		}
	case trimmer.KindCfgWrite, trimmer.KindCfgRead:
		if addr >= regs {
			return refusedRegister
		}
	default:
		return refusedKind
	}
	return RefusedNot
}

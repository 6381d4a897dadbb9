package frame

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// Registers follows the accesses, registers and counters of a block: trimmer and intmd have them alike.
type Registers struct {
	Access
	Regs   []uint64
	Counts []uint32
	Inc    []uint32 // of this cycle; all 0 between cycles
	State  int      // words below it are state, and count nothing

	info                               []event.Register
	reads                              cover.Queue[uint64] // expected data of accesses not answered
	kinds, refused, wrap, loadsOnCount cover.Cross
	access                             cover.Sparse
}

// Define adds the bins of a block with so many counters; own names the refusals by a rule of its own.
func (r *Registers) Define(p *cover.Plan, info []event.Register, words int, own string) {
	r.info, r.Regs, r.Counts, r.Inc = info, make([]uint64, len(info)), make([]uint32, words), make([]uint32, words)
	r.kinds = p.Add("cfg_kind", cover.Numbers(0, 15))
	r.access = p.AddSome("cfg_address", func(k, a, _, _ int) bool { return k < 2 || a < len(info) },
		cover.Labels("LOAD READ CFG_WRITE CFG_READ"), cover.Numbers(0, words-1))
	r.refused = p.Add("cfg_refused", cover.Labels("kind register counter "+own))
	r.wrap = p.Add("counter_wraps", cover.Numbers(r.State, words-1))
	r.loadsOnCount = p.Add("counter_load_in_cycle_of_count", cover.YesNo)
}

// Clear is what rst_n low does.
func (r *Registers) Clear() {
	r.Access.Clear()
	for a := range r.Regs {
		r.Regs[a] = r.info[a].Reset
	}
	clear(r.Counts)
	r.reads = r.reads[:0]
}

// Look returns the number of the counter that an access loads which issues in this cycle, -1 for none, and what it
// reads.
func (r *Registers) Look(hits cover.Hits, kind trimmer.Kind, a int) (load int, data uint64) {
	switch {
	case kind == trimmer.KindLoad && a < len(r.Counts):
		hits[r.loadsOnCount.At1(cover.Bit(r.Inc[a] > 0))]++
		return a, 0
	case kind == trimmer.KindRead && a < len(r.Counts):
		data = uint64(r.Counts[a])
	case kind == trimmer.KindCfgRead && a < len(r.Regs):
		data = r.Regs[a]
	}
	return -1, data
}

// Expect notes the data of the access that issues in this cycle.
func (r *Registers) Expect(data uint64) { r.reads = append(r.reads, data) }

// Count takes the counters to the next cycle: each is what it was, or data if a LOAD of its number stores that in this
// cycle (load, -1 for none), plus what it counts. It hits wrap for each that passes 2^32.
func (r *Registers) Count(hits cover.Hits, load int, data uint32) {
	for i, n := range r.Inc {
		base := r.Counts[i]
		if i == load {
			base = data
		}
		r.Counts[i] = base + n
		hits.If(r.Counts[i] < base, r.wrap.At1(max(i-r.State, 0)))
	}
	clear(r.Inc)
}

// Write writes a register and reports whether its value changes.
func (r *Registers) Write(a int, data uint32) (changes bool) {
	v := uint64(data) & (1<<r.info[a].Width - 1)
	changes = v != r.Regs[a]
	r.Regs[a] = v
	return changes
}

// Answer sorts the answer of an access, by why it should be refused, and reports whether its data and whether it was
// refused are as expected.
func (r *Registers) Answer(hits cover.Hits, kind trimmer.Kind, a, want int, refused bool, data uint64) bool {
	hits[r.kinds.At1(int(kind))]++
	expected := r.reads.Pop()
	switch {
	case want != RefusedNot:
		hits[r.refused.At1(want)]++
	case kind <= trimmer.KindCfgRead:
		r.access.Hit(hits, int(kind)-1, a, 0, 0)
	}
	return refused == (want != RefusedNot) && data == expected
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

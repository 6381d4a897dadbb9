package egress

import (
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// granted is what a grant changed beside the counts of its queue.
type granted struct{ marked, drew, drr bool }

// update sorts events that meet in one cycle, sums that carry from byte to byte, and long episodes.
type update struct {
	read   cover.Sparse // READs of words that a grant of their cycle updates
	beside cover.Sparse // packets not admitted, and refused events, in the cycle of a grant
	carry  cover.Sparse
	long   cover.Long
	last   granted
}

// updated are the words that a grant updates, and whether each is of a port or of the block.
var updated = []updatedWord{
	{"bytes", 0, false}, {"packets", 1, false}, {"deq_pkts", 4, false}, {"deq_bytes", 5, false}, {"marks", 8, false},
	{"deficit", 9, false}, {"port_bytes", 10, false}, {"drr_ptr", 11, false}, {"shared_bytes", 12, true},
	{"lfsr", 13, true},
}

type updatedWord struct {
	name   string
	addr   int
	global bool
}

// What was not admitted beside a grant, in the order of besideNames; those of an ENQ are by its cause.
const besideRefused = 0

var besideNames = cover.Labels("refused LIMIT SHARED FULL UNTRIMMABLE")

var besideCause = map[egress.Cause]int{
	egress.CauseLimit: 1, egress.CauseShared: 2, egress.CauseFull: 3, egress.CauseUntrimmable: 4,
}

// besideWhere is where the grant of the same cycle is.
var besideWhere = cover.Labels("same_queue same_port other_port")

// Sums by their place in carryNames; the last two are counters.
const (
	carryQueue = iota
	carryPort
	carryShared
	carryEnq
	carryDeq
)

var carryNames = cover.Labels("bytes port_bytes shared_bytes enq_bytes deq_bytes")

func (u *update) define(p *cover.Plan, ports int) {
	var words []string
	for _, x := range updated {
		words = append(words, x.name)
	}
	u.read = p.AddSome("read_in_cycle_of_grant", func(i, j, k, _ int) bool {
		return !updated[i].global && (ports > 1 || j+k == 0) || j == 0 && (ports > 1 || k == 0)
	}, words, cover.Labels("own other_port"), cover.Labels("alone behind_grant_of_other_port"))
	u.beside = p.AddSome("not_admitted_in_cycle_of_grant", func(i, j, _, _ int) bool {
		room := i != besideRefused && besideNames[i] != "FULL" // which the grant of the queue has made
		return j == 0 && room || j == 1 || j == 2 && ports > 1
	}, besideNames, besideWhere)
	u.carry = p.AddSome("carry_into_byte", func(i, j, k, _ int) bool {
		return (k == 0 || i < carryEnq) && (j < 2 || i >= carryEnq)
	}, carryNames, cover.Numbers(1, 3), cover.Labels("up down"))
	u.long.Define(p, "events_of_episode")
}

// sum sorts a sum by the highest byte that changes with a carry or a borrow; byte 0 alone is none.
func (u *update) sum(hits cover.Hits, which int, before, after uint64) {
	top := (bits.Len64(before^after) - 1) / 8
	for k := 1; k <= min(top, 3); k++ {
		if n := u.carry.At(which, k-1, cover.Bit(after < before), 0); n >= 0 {
			hits[n]++
		}
	}
}

// readIn sorts a READ in whose cycle a grant was served. It follows the grant, so the word it finds is the new one.
func (u *update) readIn(hits cover.Hits, ev *egress.Enq, port, cls int, behind bool) {
	i := slices.IndexFunc(updated, func(x updatedWord) bool { return x.addr == int(ev.Addr) })
	if i < 0 {
		return
	}
	switch a := ev.Addr; {
	case a == egress.WordMarks && (!u.last.marked || ev.Cls != 0), a == egress.WordLfsr && !u.last.drew,
		(a == egress.WordDeficit || a == egress.WordDrrPtr) && !u.last.drr:
		return // which the grant did not change
	}
	x := &updated[i]
	own := x.global || port == int(ev.Port)
	if own && !x.global && ev.Addr < egress.WordPortBytes && cls != int(ev.Cls) {
		return // of another class
	}
	u.read.Hit(hits, i, cover.Bit(!own), cover.Bit(behind), 0)
}

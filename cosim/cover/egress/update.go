package egress

import (
	"math/bits"

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
	long   cover.Cross

	last   granted
	events uint64 // since the reset
}

// updated are the words that a grant updates, and whether each is of a port or of the block.
var updated = []struct {
	name   string
	addr   int
	global bool
}{
	{"bytes", 0, false}, {"packets", 1, false}, {"deq_pkts", 4, false}, {"deq_bytes", 5, false}, {"marks", 8, false},
	{"deficit", 9, false}, {"port_bytes", 10, false}, {"drr_ptr", 11, false}, {"shared_bytes", 12, true},
	{"lfsr", 13, true},
}

var updatedAt = func() (at [egress.NumWords]int) {
	for i := range at {
		at[i] = -1
	}
	for i, x := range updated {
		at[x.addr] = i
	}
	return at
}()

// What was not admitted beside a grant, in the order of besideNames; those of an ENQ are by its cause.
const besideRefused = 0

var besideNames = cover.Labels("refused LIMIT SHARED FULL UNTRIMMABLE")

var besideCause = map[egress.Cause]int{
	egress.CauseLimit: 1, egress.CauseShared: 2, egress.CauseFull: 3, egress.CauseUntrimmable: 4,
}

// Where the grant of the same cycle is, in the order of besideWhere.
const (
	ofQueue = iota
	ofPort
	ofOther
)

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
		switch {
		case j == ofOther && ports == 1:
			return false
		case j == ofQueue:
			return i != besideRefused && besideNames[i] != "FULL" // the grant has made room
		}
		return true
	}, besideNames, besideWhere)
	u.carry = p.AddSome("carry_into_byte", func(i, j, k, _ int) bool {
		return (k == 0 || i < carryEnq) && (j < 2 || i >= carryEnq)
	}, carryNames, cover.Numbers(1, 3), cover.Labels("up down"))
	u.long = p.Add("events_of_episode", cover.Labels("2^16 2^17"))
}

// count counts an event of an episode.
func (u *update) count(hits []uint64) {
	if u.events++; u.events >= 1<<16 {
		hits[u.long.At1(cover.Bit(u.events >= 1<<17))]++
	}
}

// sum sorts a sum by the highest byte that changes with a carry or a borrow; byte 0 alone is none.
func (u *update) sum(hits []uint64, which int, before, after uint64) {
	top := (bits.Len64(before^after) - 1) / 8
	for k := 1; k <= min(top, 3); k++ {
		if n := u.carry.At(which, k-1, cover.Bit(after < before), 0); n >= 0 {
			hits[n]++
		}
	}
}

// readIn sorts a READ in whose cycle a grant was served. It follows the grant, so the word it finds is the new one.
func (u *update) readIn(hits []uint64, ev *egress.Enq, port, cls int, behind bool) {
	i := updatedAt[ev.Addr]
	if i < 0 {
		return
	}
	switch ev.Addr {
	case egress.WordMarks:
		if !u.last.marked || ev.Cls != 0 {
			return
		}
	case egress.WordLfsr:
		if !u.last.drew {
			return
		}
	case egress.WordDeficit, egress.WordDrrPtr:
		if !u.last.drr {
			return
		}
	}
	x := &updated[i]
	own := x.global || port == int(ev.Port)
	if own && !x.global && ev.Addr < egress.WordPortBytes && cls != int(ev.Cls) {
		return // of another class
	}
	u.read.Hit(hits, i, cover.Bit(!own), cover.Bit(behind), 0)
}

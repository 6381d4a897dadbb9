package ackgen

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// Config holds the configuration registers by address.
type Config [port.NumRegs]uint32

// DefaultConfig returns the values after reset.
func DefaultConfig() (c Config) {
	for i := range c {
		c[i] = uint32(port.RegInfo[i].Reset)
	}
	return c
}

// Reason is what the decision on a packet ends with: the address of the counter of the reason to drop it, or that of
// frames for a packet that gets a job. 0 means that there is no decision.
type Reason uint8

// Passed reports whether the packet gets a job.
func (r Reason) Passed() bool { return r == port.WordFrames }

var reasonNames = [...]string{"PASSED", "TRUNCATED", "ETHERTYPE", "HEADER", "FRAGMENT", "EXTENSION", "PROTOCOL",
	"LENGTH", "IP_SUM", "UDP_SUM", "PORT", "TYPE", "SHORT", "CTL_TYPE", "PDCID"}

// String returns the contract's name of the reason.
func (r Reason) String() string {
	if i := int(r) - port.WordFrames; i >= 0 && i < len(reasonNames) {
		return reasonNames[i]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Counters holds the counters by address; those below WordFrames, where the words of a PDC are, stay 0.
type Counters [port.NumWords]uint32

// count counts one packet that is judged.
func (c *Counters) count(r Reason) {
	c[port.WordFrames]++
	if !r.Passed() {
		c[r]++
	}
}

// Instant is a time: tick and p of the contract.
type Instant struct{ Tick, Phase uint32 }

// since returns the whole ticks from an earlier instant.
func (t Instant) since(then Instant) uint32 {
	n := t.Tick - then.Tick
	if t.Phase < then.Phase {
		n--
	}
	return n
}

// pass is a cycle, with period of TICK in force in it.
func (t *Instant) pass(period uint32) {
	if t.Phase++; t.Phase >= period {
		t.Tick, t.Phase = t.Tick+1, 0
	}
}

// skip is n cycles.
func (t *Instant) skip(n clk.Cycle, period uint32) {
	period = max(period, 1)
	first := clk.Cycle(max(int64(period)-int64(t.Phase), 1)) // cycles up to the next tick
	if n < first {
		t.Phase += uint32(n)
		return
	}
	n -= first
	t.Tick, t.Phase = t.Tick+1+uint32(n/clk.Cycle(period)), uint32(n%clk.Cycle(period))
}

// key is what a PDC is found by.
type key struct {
	v6     bool
	spdcid uint16
	src    [2]uint64 // the lowest word first
}

// mark returns a number that is equal for equal keys, and never 0.
func (k *key) mark() uint32 {
	x := (k.src[0]^k.src[1]*3)*0x9E3779B97F4A7C15 + uint64(k.spdcid)*0xD6E8FEB86659FD93
	return uint32(x>>32) | 1
}

// pdc is a packet delivery context; the fields are those of the contract's words.
type pdc struct {
	key
	valid, rod, wantClose, refuse, started, asking, ce bool

	cack    uint32
	seen    bitmap
	rcvd    uint32 // bytes
	pending uint32 // bytes
	asked   uint32
	start   uint32
}

// words fills the words of the PDC in w.
func (p *pdc) words(w *port.Words) {
	w.Valid, w.Ipv6, w.Rod, w.WantClose, w.Refuse = p.valid, p.v6, p.rod, p.wantClose, p.refuse
	w.Started, w.Asking, w.Ce, w.Spdcid, w.Cack = p.started, p.asking, p.ce, p.spdcid, p.cack
	w.Seen0, w.Seen1, w.Seen2, w.Seen3 = lo32(p.seen[0]), hi32(p.seen[0]), lo32(p.seen[1]), hi32(p.seen[1])
	w.Seen4, w.Seen5, w.Seen6, w.Seen7 = lo32(p.seen[2]), hi32(p.seen[2]), lo32(p.seen[3]), hi32(p.seen[3])
	w.Rcvd, w.Pending, w.Asked, w.Start = p.rcvd, p.pending, p.asked, p.start
	w.Src0, w.Src1, w.Src2, w.Src3 = lo32(p.src[0]), hi32(p.src[0]), lo32(p.src[1]), hi32(p.src[1])
}

// setWords is the inverse of words.
func (p *pdc) setWords(w *port.Words) {
	*p = pdc{
		key:   key{w.Ipv6, w.Spdcid, [2]uint64{join(w.Src0, w.Src1), join(w.Src2, w.Src3)}},
		valid: w.Valid, rod: w.Rod, wantClose: w.WantClose, refuse: w.Refuse,
		started: w.Started, asking: w.Asking, ce: w.Ce, cack: w.Cack,
		seen: bitmap{join(w.Seen0, w.Seen1), join(w.Seen2, w.Seen3), join(w.Seen4, w.Seen5), join(w.Seen6, w.Seen7)},
		rcvd: w.Rcvd, pending: w.Pending, asked: w.Asked, start: w.Start,
	}
}

func lo32(x uint64) uint32      { return uint32(x) }
func hi32(x uint64) uint32      { return uint32(x >> 32) }
func join(lo, hi uint32) uint64 { return uint64(hi)<<32 | uint64(lo) }

// table holds the PDCs. marks has the mark of the key of each that is valid and 0 for the others, so that a search
// reads little.
type table struct {
	rows  clk.RAM[pdc]
	marks []uint32
}

func (t *table) init(n int) {
	t.rows.Init(n)
	t.marks = make([]uint32, n)
}

// reset starts the sweep. The rows keep their contents until it reaches them; none is found or read before.
func (t *table) reset() {
	t.rows.StartSweep()
	clear(t.marks)
}

// sweep ends the sweep at once.
func (t *table) sweep() {
	for !t.rows.Swept() {
		t.rows.Tick()
	}
}

// changed follows a change of valid or of the key of PDC k.
func (t *table) changed(k int) {
	t.marks[k] = 0
	if p := t.rows.Row(k); p.valid {
		t.marks[k] = p.mark()
	}
}

// find returns the lowest valid PDC of that key, -1 if there is none.
func (t *table) find(x *key) int {
	want := x.mark()
	for k, mark := range t.marks {
		if mark == want && t.rows.Row(k).key == *x {
			return k
		}
	}
	return -1
}

// free returns the lowest PDC that is not valid, -1 if there is none.
func (t *table) free() int { return slices.Index(t.marks, 0) }

package intmd

import (
	"math/bits"

	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

const (
	resetRate = 4
	timeMask  = 1<<40 - 1
	tsShift   = 36
)

// live holds the current counters of a port.
type live struct {
	tx, ql uint32
	rate   uint8
}

// Table is the All_INT_Table with the live counters, the rate codes and the clock.
//
// Apart from its time stamp, which all ports share, an entry changes only with the counters of its port. So an update
// computes only the ports that changed since the last update, and Entry assembles an entry when it is needed.
type Table struct {
	ports   []live
	rest    []uint64 // entries without their time stamp
	stamp   uint64   // time stamp of all entries, ns
	changed uint64   // ports whose rest is older than their live counters, one bit per port
	time    uint64   // UQ24.16 ns
	age     uint32   // cycles
}

// NewTable returns a table of n ports, 1 to 64, in its reset state.
func NewTable(n int) *Table {
	t := &Table{ports: make([]live, n), rest: make([]uint64, n)}
	t.Reset()
	return t
}

// Reset clears counters, entries and clock and sets all rate codes to 4.
func (t *Table) Reset() {
	for p := range t.ports {
		t.ports[p] = live{rate: resetRate}
		t.rest[p] = 0
	}
	t.stamp, t.time, t.age = 0, 0, 0
	t.changed = ^uint64(0) >> (64 - len(t.ports))
}

// Entry returns the entry of a port, which must exist, as on the wire: B, TS, txBytes, qLen from the most significant
// bit down.
func (t *Table) Entry(p int) uint64 { return t.rest[p] | t.stamp<<tsShift }

// Tick executes one cycle of the clock and of the update period, with PERIOD and STEP of cfg: it updates the entries
// from the live counters if an update is due, and advances the clock.
func (t *Table) Tick(cfg *Config) {
	t.age++
	if t.age >= cfg[port.RegPeriod] {
		t.age = 0
		t.stamp = t.time >> 16
		for m := t.changed; m != 0; m &= m - 1 {
			p := bits.TrailingZeros64(m)
			x := &t.ports[p]
			t.rest[p] = uint64(x.rate)<<60 | uint64(x.tx>>7&0xFFFFF)<<16 | uint64(min(x.ql/80, 0xFFFF))
		}
		t.changed = 0
	}
	t.time = (t.time + uint64(cfg[port.RegStep])) & timeMask
}

// Report executes a counter report. It returns false when there is no such port.
func (t *Table) Report(r *port.Cnt) bool {
	if int(r.Port) >= len(t.ports) {
		return false
	}
	x := &t.ports[r.Port]
	if r.Op == port.OpSet {
		x.tx, x.ql = 0, 0
	}
	x.tx += r.TxBytes
	x.ql += r.Qlen
	t.changed |= 1 << r.Port
	return true
}

// SetRate sets the rate code of a port, which must exist, to the low four bits of b.
func (t *Table) SetRate(p int, b uint32) {
	t.ports[p].rate = uint8(b & 15)
	t.changed |= 1 << p
}

// Time returns the clock in ns, modulo 2^24.
func (t *Table) Time() uint32 { return uint32(t.time >> 16) }

// SetTime sets the clock to ns, modulo 2^24, and its fraction to 0.
func (t *Table) SetTime(ns uint32) { t.time = uint64(ns) << 16 & timeMask }

// Live returns the live counters and the rate code of a port, which must exist.
func (t *Table) Live(p int) (tx, ql uint32, rate uint8) {
	x := &t.ports[p]
	return x.tx, x.ql, x.rate
}

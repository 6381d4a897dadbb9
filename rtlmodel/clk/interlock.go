package clk

// hashSize is the number of counters. A counter of 0 means that no recent issue has a key with that hash.
const hashSize = 1024

// Interlock remembers the issues of the last S-1 cycles and reports when an event may issue. Its usual cost does not
// depend on S or on the number of keys: one counter per hash value shows that a key was not issued recently. Only when
// the counter is not 0 are the entries, at most S-1, searched.
type Interlock struct {
	stall   Cycle
	recent  []issue // ring of the keyed issues not yet S cycles old, oldest first
	rd, wr  uint
	mask    uint
	count   [hashSize]uint8
	last    Cycle // cycle of the newest issue
	pending bool  // whether there was one since reset
}

type issue struct {
	at  Cycle
	key uint32
}

func hash(key uint32) uint32 { return (key ^ key>>10 ^ key>>20) % hashSize }

// Init sets the stall, 1 to 255 cycles.
func (l *Interlock) Init(stall Cycle) {
	if stall < 1 || stall > 255 {
		panic("stall must be 1 to 255 cycles")
	}
	n := uint(1)
	for n < uint(stall) {
		n *= 2
	}
	*l = Interlock{stall: stall, recent: make([]issue, n), mask: n - 1}
}

// Reset clears all recorded issues.
func (l *Interlock) Reset() {
	l.rd, l.wr, l.pending = 0, 0, false
	clear(l.count[:])
}

// expire drops the issues that are S cycles old or older at cycle now.
func (l *Interlock) expire(now Cycle) {
	for l.rd != l.wr {
		e := &l.recent[l.rd&l.mask]
		if now-e.at < l.stall {
			return
		}
		l.count[hash(e.key)]--
		l.rd++
	}
}

// Earliest returns the first cycle, now or later, in which an event with this key and class may issue, provided that
// nothing else issues first.
func (l *Interlock) Earliest(now Cycle, key uint32, class Class) Cycle {
	switch class {
	case Free:
		return now
	case Exclusive:
		if l.pending {
			return max(now, l.last+l.stall)
		}
		return now
	}
	l.expire(now)
	if l.count[hash(key)] == 0 {
		return now
	}
	for i := l.wr; i != l.rd; i-- {
		if e := &l.recent[(i-1)&l.mask]; e.key == key {
			return e.at + l.stall
		}
	}
	return now
}

// Issue records that an event issued at cycle now.
func (l *Interlock) Issue(now Cycle, key uint32, class Class) {
	l.last, l.pending = now, true
	if class != Keyed {
		return
	}
	l.expire(now)
	l.recent[l.wr&l.mask] = issue{now, key}
	l.wr++
	l.count[hash(key)]++
}

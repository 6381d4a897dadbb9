package cover

// Hits are the counts of all bins, by their place in the plan.
type Hits []uint64

// If counts a bin if the condition holds.
func (h Hits) If(on bool, bin int) {
	if on {
		h[bin]++
	}
}

// Each counts, of the bins from one on, those whose condition holds.
func (h Hits) Each(bin int, on ...bool) {
	for i, x := range on {
		if x {
			h[bin+i]++
		}
	}
}

// Near counts, of three bins from one on, that of the difference -1, 0 or 1, and no bin for any other.
func (h Hits) Near(bin int, difference int64) {
	if difference >= -1 && difference <= 1 {
		h[bin+1+int(difference)]++
	}
}

// Long counts what an episode has of something, once that is 2^16 or more.
type Long struct {
	bins Cross
	n    uint64
}

// Define adds the bins.
func (l *Long) Define(p *Plan, name string) { l.bins = p.Add(name, Labels("2^16 2^17")) }

// Count takes one more.
func (l *Long) Count(hits Hits) {
	if l.n++; l.n >= 1<<16 {
		hits[l.bins.At1(Bit(l.n >= 1<<17))]++
	}
}

// Clear is what a reset does.
func (l *Long) Clear() { l.n = 0 }

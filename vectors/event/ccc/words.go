package ccc

// StateLen returns the number of words that the state of a context with so many slots has, a last_rcvd for each slot.
func StateLen(slots int) int { return NumWords - 1 + slots }

// StateAt returns the address of the i-th of these words, and its slot, 0 for a word that has none.
func StateAt(i, slots int) (addr, slot int) {
	switch {
	case i < WordLastRcvd:
		return i, 0
	case i < WordLastRcvd+slots:
		return WordLastRcvd, i - WordLastRcvd
	}
	return i - slots + 1, 0
}

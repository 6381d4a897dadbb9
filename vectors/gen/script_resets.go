package gen

// settle is how many cycles everything is quiet before a packet, a grant or a register write of a corner: more than
// any of them takes to its end, so that each acts on a state that is known.
const settle = 60

// alone lists what write appends, each after everything before it has come to its end.
func (s *script) alone(write func(wait uint8)) {
	at := s.used
	write(WaitAll)
	s.items[at].Gap = settle
}

// resetsAmong lists what write appends again and again: with a reset after each of its items, at every distance
// below span cycles, and then as a whole. What is left of a packet when the reset comes begins a packet after it, and
// what follows has time to come out, so that nothing that outlives a reset, in whatever stage, stays unseen. Items
// are offered in the order of the list.
func (s *script) resetsAmong(span int, write func()) {
	s.drive.Ahead = 1
	for delay := range span {
		for after, n := 1, 1; after <= n; after++ {
			from := s.used
			write()
			s.items[from].Gap = settle
			n = s.used - from
			s.drive.Resets = append(s.drive.Resets, Reset{After: from + after, Delay: delay, Low: 1 + after%2})
			write()
		}
	}
}

// resetGates are the ports of a case with resets: open and a packet at a time, or outputs that are held back until
// packets stand one behind the other.
var resetGates = []struct {
	suffix  string
	packets int
	stall   Gate
}{{"", 1, Gate{}}, {"-held", 4, Bursts(12, 30)}}

package stim

import "fmt"

// Settle is the number of quiet cycles before a packet, a grant or a register write of a corner case. It is longer than
// any of them takes, so that each acts on a known state.
const Settle = 60

// Alone appends what write appends, to be offered only after everything before it has completed.
func (s *Script) Alone(write func(wait uint8)) {
	at := s.Used
	write(WaitAll)
	s.Items[at].Gap = Settle
}

// ResetsAmong appends what write appends many times: with a reset after each of its items and after every delay below
// span cycles, each followed by the whole again. The rest of an interrupted packet then begins a new packet, and the
// whole has time to come out, so anything that survives a reset, in any stage, shows. Items are offered in the order of
// the list.
func (s *Script) ResetsAmong(span int, write func()) {
	s.Drive.Ahead = 1
	for delay := range span {
		for after, n := 1, 1; after <= n; after++ {
			from := s.Used
			write()
			s.Items[from].Gap = Settle
			n = s.Used - from
			s.Drive.Resets = append(s.Drive.Resets, Reset{After: from + after, Delay: delay, Low: 1 + after%2})
			write()
		}
	}
}

// ResetGates are the port settings of a case with resets: open with one packet at a time, or with outputs held back
// until packets queue up.
var ResetGates = []struct {
	Suffix  string
	Packets int
	Stall   Gate
}{{"", 1, Gate{}}, {"-held", 4, Bursts(12, 30)}}

// EachReset calls f for each mid-stream reset of a packet block's directed cases. After counts items. held means that
// the outputs stall, so that packets fill the block.
func EachReset(f func(name string, r Reset, held bool)) {
	for _, r := range []Reset{{After: 1, Low: 1}, {After: 2, Delay: 1, Low: 1}, {After: 5, Low: 2},
		{After: 9, Delay: 4, Low: 1}, {After: 14, Delay: 9, Low: 3}, {After: 23, Low: 1}, {After: 40, Delay: 12, Low: 1}} {
		name := fmt.Sprintf("reset/in-stream-%d-%d", r.After, r.Delay)
		f(name, r, false)
		f(name+"-held", r, true)
	}
}

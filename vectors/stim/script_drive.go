package stim

import "fmt"

// DrawDrive draws the gates of all streams, how closely they keep to the list, and the resets of an episode; sweep is
// the length of the block's sweep in cycles. AimResets places the mid-stream resets.
func (s *Script) DrawDrive(ins, outs, sweep int) {
	r, d := &s.Rand, &s.Drive
	d.Resets = DrawDrive(r, d, sweep, 8)
	for range ins - 1 {
		d.IdleMore = append(d.IdleMore, DrawIdle(r))
	}
	for range outs - 1 {
		d.StallMore = append(d.StallMore, DrawStall(r))
	}
	d.Ahead = Pick(r, 0, 0, 32, 8, 4, 2)
}

// AimResets places the mid-stream resets once the script is written.
func (s *Script) AimResets() { AimResets(&s.Rand, s.Drive.Resets, s.Used) }

// Restart returns the number of items before the first reset in mid-stream, or -1 if there is none.
func (s *Script) Restart() int {
	for _, r := range s.Drive.Resets {
		if r.After > 0 {
			return r.After
		}
	}
	return -1
}

// Gates sets all idle gates of a case to idle and all stall gates to stall.
func (s *Script) Gates(ins, outs int, idle, stall Gate) {
	s.Drive.Idle, s.Drive.Stall = idle, stall
	for range ins - 1 {
		s.Drive.IdleMore = append(s.Drive.IdleMore, idle)
	}
	for range outs - 1 {
		s.Drive.StallMore = append(s.Drive.StallMore, stall)
	}
}

// EachWait calls f for each pattern of waits in the directed cases ports/NAME of a packet block.
func EachWait(f func(name string, idle, stall Gate)) {
	f("stalls", Gate{}, Density(100))
	f("bursts", Gate{}, Bursts(20, 60))
	f("trickle", Gate{}, Density(230))
	f("idle", Density(160), Density(40))
}

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

// Interrupt puts a reset of EachReset into a case of a block with so many streams, with a stall gate where it is held.
func (s *Script) Interrupt(r Reset, held bool, ins, outs int, stall Gate) {
	s.Drive.Resets = append(s.Drive.Resets, r)
	if held {
		s.Gates(ins, outs, Gate{}, stall)
	}
}

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

package stim

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

package stim

// DrawDrive draws the gates of all streams, the order they keep and the resets of an episode whose block sweeps for
// that many cycles. Resets in mid-stream are placed by AimResets.
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

// AimResets places the resets in mid-stream once the script is written.
func (s *Script) AimResets() { AimResets(&s.Rand, s.Drive.Resets, s.Used) }

// Gates sets every gate of a case alike.
func (s *Script) Gates(ins, outs int, idle, stall Gate) {
	s.Drive.Idle, s.Drive.Stall = idle, stall
	for range ins - 1 {
		s.Drive.IdleMore = append(s.Drive.IdleMore, idle)
	}
	for range outs - 1 {
		s.Drive.StallMore = append(s.Drive.StallMore, stall)
	}
}

// EachWait calls f for each pattern of waits at the ports that a packet block's directed cases ports/NAME show.
func EachWait(f func(name string, idle, stall Gate)) {
	f("stalls", Gate{}, Density(100))
	f("bursts", Gate{}, Bursts(20, 60))
	f("trickle", Gate{}, Density(230))
	f("idle", Density(160), Density(40))
}

package gen

// drawDrive draws the gates of all streams, the order they keep and the resets of an episode whose
// block sweeps for so many cycles. Resets in mid-stream are placed by aimResets.
func (s *script) drawDrive(ins, outs, sweep int) {
	r, d := &s.r, &s.drive
	d.Resets = drawDrive(r, d, sweep, 8)
	for range ins - 1 {
		d.IdleMore = append(d.IdleMore, drawIdle(r))
	}
	for range outs - 1 {
		d.StallMore = append(d.StallMore, drawStall(r))
	}
	d.Ahead = pick(r, 0, 0, 32, 8, 4, 2)
}

// aimResets places the resets in mid-stream once the script is written.
func (s *script) aimResets() { aimResets(&s.r, s.drive.Resets, s.used) }

// gatesOf sets every gate of a case alike.
func (s *script) gatesOf(ins, outs int, idle, stall Gate) {
	s.drive.Idle, s.drive.Stall = idle, stall
	for range ins - 1 {
		s.drive.IdleMore = append(s.drive.IdleMore, idle)
	}
	for range outs - 1 {
		s.drive.StallMore = append(s.drive.StallMore, stall)
	}
}

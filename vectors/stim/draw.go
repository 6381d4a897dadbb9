package stim

// DrawDrive draws the gates of an episode and returns its resets, in the storage of the previous ones; AimResets places
// them once the length is known. The sweep of the block takes rows cycles, 0 for a block without one; credits is the
// most responses that can be in flight.
func DrawDrive(r *Rand, d *DriveSpec, rows, credits int) []Reset {
	d.Idle, d.Stall = DrawIdle(r), DrawStall(r)
	rs := append(d.Resets[:0], Reset{Low: 1 + r.N(3)})
	if r.One(8) {
		rs = append(rs, midSweep(r, rows))
	}
	if !r.One(4) {
		return rs
	}
	// After -1 marks a place in mid-stream that AimResets draws.
	rs = append(rs, Reset{After: -1, Delay: Pick(r, 0, 0, 1, 2, r.N(8), r.N(80)), Low: 1 + r.N(4)})
	if r.One(3) {
		// Let credits run out so that the reset finds the block full.
		d.Idle, d.Stall = Gate{}, Bursts(30, 6*credits)
		rs[len(rs)-1].Delay = r.N(max(2*credits, 1))
	}
	if r.One(2) {
		again := midSweep(r, rows)
		again.After = -1
		rs = append(rs, again)
	}
	return rs
}

// AimResets places the mid-stream resets of an episode of length events.
func AimResets(r *Rand, rs []Reset, length int) {
	at := length/8 + r.N(length/2+1)
	for i := range rs {
		if rs[i].After < 0 {
			rs[i].After = max(at, 1)
		}
	}
}

// midSweep returns a reset that falls into the sweep after the previous reset, or right after the sweep. No delay is
// negative: the driver would never reach that reset or those after it.
func midSweep(r *Rand, rows int) Reset {
	in := func(row int) int { return max(row, 0) }
	return Reset{Delay: Pick(r, 0, 1, rows/2, in(rows-1), in(rows-2), r.N(max(rows, 1)), rows, rows+1), Low: 1 + r.N(3)}
}

// Asides now and then, once in k, has write append what is not a packet: as it comes, or between two packets, after
// those of stream lane. It returns the wait of the next packet, for stream own where what was written comes before it.
func (s *Script) Asides(k, lane, own int, write func(wait uint8)) (next uint8) {
	r := &s.Rand
	if !r.One(k) {
		return 0
	}
	wait := Pick(r, uint8(0), 1<<lane)
	for range 1 + r.N(3) {
		write(wait)
	}
	return wait >> lane << own
}

// Paced scales a number of events by the share of cycles in which the gates are open, so that an episode takes about as
// long as with open ports. The result is not below least, nor above events.
func (d *DriveSpec) Paced(events, least int) int {
	share := min(d.Idle.Share(), d.Stall.Share())
	return max(int(float64(events)*share), min(events, least))
}

// Share returns the share of cycles in which the gate is open.
func (g Gate) Share() float64 {
	if g.Close == 0 {
		return 1
	}
	return float64(g.Open) / (float64(g.Open) + float64(g.Close))
}

func DrawIdle(r *Rand) Gate {
	switch r.N(10) {
	case 0, 1, 2, 3:
		return Gate{}
	case 4, 5:
		return Density(8 + r.N(64))
	case 6:
		return Density(128 + r.N(100))
	case 7, 8:
		return Bursts(1+r.N(80), 1+r.N(60))
	default:
		return Bursts(1+r.N(4), 1+r.N(45))
	}
}

func DrawStall(r *Rand) Gate {
	switch r.N(10) {
	case 0, 1, 2:
		return Gate{}
	case 3, 4, 5:
		return Density(8 + r.N(64))
	case 6:
		return Density(128 + r.N(100))
	case 7:
		return Bursts(1+r.N(80), 1+r.N(60))
	case 8:
		return Bursts(100+r.N(300), 100+r.N(150))
	default:
		return Bursts(1+r.N(4), 1+r.N(30))
	}
}

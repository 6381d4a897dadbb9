package gen

import "fmt"

// Control bits of word 0 that every stream block shares.
const (
	inRstN     = 1 << 0
	inEvValid  = 1 << 1
	inRspReady = 1 << 2

	outEvReady  = 1 << 0
	outRspValid = 1 << 1
)

// Driver turns an episode into input records, one a cycle. It is fed the output
// records that a cycle-true model gives, since what to drive next depends on
// ready: valid and payload hold until they are taken.
//
//	d.Begin(ep)
//	for d.Drive(in) {
//		model.Cycle(in, out)
//		d.Observe(out)
//	}
type Driver struct {
	ep       *Episode
	r        rng
	event    []uint64
	have     bool // event holds one that is not accepted yet
	shown    bool // its valid has been high, so it must stay
	dry      bool // the episode has no more
	accepted int  // events of the episode
	open     int  // accepted and not answered since the last reset
	idle     bool // gate states
	stall    bool
	resets   []Reset
	wait     int // cycles to the next reset once its After is met; -1: not met
	low      int // cycles of reset left
	gap      int // cycles to wait before the event is offered
	given    int // events taken from the episode
	drove    uint64
	cycles   uint64
}

// NewDriver returns a driver for records of the given number of input words.
func NewDriver(inWords int) *Driver {
	return &Driver{event: make([]uint64, inWords)}
}

// Begin starts an episode.
func (d *Driver) Begin(ep *Episode) {
	event := d.event
	*d = Driver{ep: ep, event: event, resets: ep.Drive.Resets, wait: -1}
	d.r = seeded(ep.Seed, ep.Block, ep.Name, 0)
	d.arm()
}

// arm checks whether the next reset is due and starts its delay.
func (d *Driver) arm() {
	if d.wait < 0 && len(d.resets) > 0 && d.accepted >= d.resets[0].After {
		d.wait = d.resets[0].Delay
	}
}

// Drive fills in with the next cycle's input record and returns true, or returns
// false when every event has been accepted, every response taken, and every
// reset done.
func (d *Driver) Drive(in []uint64) bool {
	if !d.have && !d.dry {
		if d.ep.Next(d.event) {
			d.have, d.shown, d.gap = true, false, 0
			if d.given < len(d.ep.Drive.Gaps) {
				d.gap = int(d.ep.Drive.Gaps[d.given])
			}
			d.given++
		} else {
			d.dry = true
			// Resets beyond the last event would never fall due.
			for i := range d.resets {
				if d.resets[i].After > d.accepted {
					d.resets = d.resets[:i]
					break
				}
			}
		}
	}
	if d.dry && d.open == 0 && d.low == 0 && d.wait < 0 {
		return false
	}
	draw := d.r.u64()
	d.idle = step(d.idle, d.ep.Drive.Idle, uint16(draw))
	d.stall = step(d.stall, d.ep.Drive.Stall, uint16(draw>>16))

	rst := uint64(inRstN)
	hold := false
	switch {
	case d.low > 0:
		rst = 0
	case d.wait > 0:
		d.wait--
		hold = true
	case d.wait == 0:
		d.low = max(d.resets[0].Low, 1)
		d.resets = d.resets[1:]
		d.wait = -1
		rst = 0
	}
	if rst == 0 {
		d.low--
		d.open = 0
		if d.low == 0 {
			d.arm()
		}
	}
	if d.gap > 0 && rst != 0 && !hold {
		d.gap--
		hold = true
	}
	word := rst
	if !d.stall {
		word |= inRspReady
	}
	if d.have && (d.shown || !d.idle && !hold) {
		word |= inEvValid
		d.shown = true
		copy(in, d.event)
		in[0] |= word
	} else {
		// Payload without valid has no meaning: leave noise on it.
		for i := range in {
			in[i] = draw*0x2545f4914f6cdd1d + uint64(i)
		}
		in[0] = in[0]&^7 | word
	}
	d.drove = word
	d.cycles++
	return true
}

// Observe takes the output record of the cycle that Drive began.
func (d *Driver) Observe(out []uint64) {
	if d.drove&inRstN == 0 {
		return
	}
	if d.drove&inEvValid != 0 && out[0]&outEvReady != 0 {
		d.have = false
		d.accepted++
		d.open++
		d.arm()
	}
	if d.drove&inRspReady != 0 && out[0]&outRspValid != 0 {
		d.open--
	}
}

// Accepted returns the number of events of the episode accepted so far.
func (d *Driver) Accepted() int { return d.accepted }

// Accepting reports whether the cycle driven last offers an event.
func (d *Driver) Accepting() bool { return d.drove&inEvValid != 0 }

// Cycles returns the number of cycles driven since Begin.
func (d *Driver) Cycles() uint64 { return d.cycles }

func (d *Driver) String() string {
	return fmt.Sprintf("%s: cycle %d, %d accepted, %d unanswered", d.ep.Name, d.cycles, d.accepted, d.open)
}

// step advances a gate; the result is true when it is closed.
func step(closed bool, g Gate, draw uint16) bool {
	if closed {
		return draw >= g.Open
	}
	return draw < g.Close
}

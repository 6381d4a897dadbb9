package intmd

import port "github.com/goldwire/goldwire/vectors/event/intmd"

// HeadBytes is as much of a frame as the block looks at.
const HeadBytes = port.HeadBeats * 64

// Config holds the configuration registers by address. TIME stays 0 here: the clock is the table's.
type Config [port.NumRegs]uint32

// DefaultConfig returns the values after reset.
func DefaultConfig() (c Config) {
	for i := range c {
		c[i] = uint32(port.RegInfo[i].Reset)
	}
	return c
}

// Sort is what a packet is to the block.
type Sort uint8

const (
	Other Sort = iota
	Ack        // takes the entry of the port it came in on
	Data       // takes the entry of the port it leaves by
)

// Side is what comes with a packet in its first beat.
type Side struct {
	Len     uint16 // bytes of the whole frame, believed where the frame has more than HEAD_BEATS beats
	InPort  uint8
	OutPort uint8
}

// Result says what was done to a packet.
type Result struct {
	Inserted bool
	Cause    port.Cause // why nothing was inserted
	Hops     uint8      // hop count after insertion; 0 if none
	Sort     Sort       // known where the walk came so far
	Index    uint8      // port whose entry is inserted; only when Inserted
}

// Counters holds the counters by address.
type Counters [port.NumWords]uint32

// count adds one packet.
func (c *Counters) count(r *Result) {
	c[port.WordFrames]++
	switch {
	case !r.Inserted:
		c[r.Cause]++
	case r.Sort == Ack:
		c[port.WordAcks]++
	default:
		c[port.WordRequests]++
	}
}

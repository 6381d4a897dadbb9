package intmd

import port "github.com/goldwire/goldwire/vectors/event/intmd"

// HeadBytes is the number of bytes of a frame that the block examines.
const HeadBytes = port.HeadBeats * 64

// Config holds the configuration registers by address. TIME stays 0 here: the table holds the clock.
type Config [port.NumRegs]uint32

// DefaultConfig returns the values after reset.
func DefaultConfig() (c Config) {
	for i := range c {
		c[i] = uint32(port.RegInfo[i].Reset)
	}
	return c
}

// Sort classifies a packet by where its entry comes from.
type Sort uint8

const (
	Other Sort = iota
	Ack        // takes the entry of its input port
	Data       // takes the entry of its output port
)

// Side holds the sideband fields of a packet's first beat.
type Side struct {
	Len     uint16 // bytes of the whole frame; used only when the frame has more than HEAD_BEATS beats
	InPort  uint8
	OutPort uint8
}

// Result describes what was done to a packet.
type Result struct {
	Inserted bool
	Cause    port.Cause // why nothing was inserted
	Hops     uint8      // hop count after insertion; 0 if none
	Sort     Sort       // set when the header walk got that far
	Index    uint8      // port whose entry is inserted; valid only when Inserted
}

// Counters holds the counters by address.
type Counters [port.NumWords]uint32

// count counts one packet.
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

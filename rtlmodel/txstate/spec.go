package txstate

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/txstate"
)

// Spec holds the parameters of the module. They are fixed once a Model is made.
type Spec struct {
	NumPdcs int // number of PDCs that have a table
	Depth   int // entries per PDC, a power of two; a PSN uses entry PSN mod Depth
}

// DefaultSpec returns the schema's default parameters.
func DefaultSpec() Spec {
	return Spec{NumPdcs: port.DefaultNumPdcs, Depth: port.DefaultDepth}
}

// Validate returns an error when a parameter is outside the schema's range or Depth is not a power
// of two.
func (s Spec) Validate() error {
	if s.NumPdcs < port.MinNumPdcs || s.NumPdcs > port.MaxNumPdcs {
		return fmt.Errorf("NumPdcs %d: want %d to %d", s.NumPdcs, port.MinNumPdcs, port.MaxNumPdcs)
	}
	if s.Depth < port.MinDepth || s.Depth > port.MaxDepth || s.Depth&(s.Depth-1) != 0 {
		return fmt.Errorf("Depth %d: want a power of two from %d to %d", s.Depth, port.MinDepth, port.MaxDepth)
	}
	return nil
}

func (s Spec) timing() clk.Timing {
	return clk.Timing{
		Latency: port.Latency,
		Stall:   port.Stall,
		InDepth: port.InFIFODepth,
		Credits: port.Credits,
		Sweep:   s.NumPdcs * s.Depth,
	}
}

// index returns the entry of a PSN within its PDC's table.
func (s Spec) index(psn uint32) int { return int(psn) & (s.Depth - 1) }

// key returns the key that two events must share to wait for each other: the table row that they would use, even if the
// PDC has no table.
func (s Spec) key(ev *port.Event) uint32 {
	return uint32(ev.PDC)*uint32(s.Depth) + uint32(s.index(ev.PSN))
}

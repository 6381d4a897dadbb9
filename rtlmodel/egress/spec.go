package egress

import (
	"fmt"

	port "github.com/goldwire/goldwire/vectors/event/egress"
)

// Spec holds the parameters of the module. They are fixed once a Model is made.
type Spec struct {
	NumPorts int // egress ports
	Depth    int // packets that one queue of one port holds, a power of two
}

// DefaultSpec returns the schema's default parameters.
func DefaultSpec() Spec {
	return Spec{NumPorts: port.DefaultNumPorts, Depth: port.DefaultDepth}
}

// Validate returns an error when a parameter is outside the schema's range or Depth is not a power
// of two.
func (s Spec) Validate() error {
	if s.NumPorts < port.MinNumPorts || s.NumPorts > port.MaxNumPorts {
		return fmt.Errorf("NumPorts %d: want %d to %d", s.NumPorts, port.MinNumPorts, port.MaxNumPorts)
	}
	if s.Depth < port.MinDepth || s.Depth > port.MaxDepth || s.Depth&(s.Depth-1) != 0 {
		return fmt.Errorf("Depth %d: want a power of two from %d to %d", s.Depth, port.MinDepth, port.MaxDepth)
	}
	return nil
}

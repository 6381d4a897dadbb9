package intmd

import (
	"fmt"

	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// Spec holds the parameters of the module. They are fixed once a Model is made.
type Spec struct {
	NumPorts int // ports of the switch, up to 64
}

// DefaultSpec returns the schema's default parameters.
func DefaultSpec() Spec { return Spec{NumPorts: port.DefaultNumPorts} }

// Validate returns an error when a parameter is outside the schema's range.
func (s Spec) Validate() error {
	if s.NumPorts < port.MinNumPorts || s.NumPorts > port.MaxNumPorts {
		return fmt.Errorf("NumPorts %d: want %d to %d", s.NumPorts, port.MinNumPorts, port.MaxNumPorts)
	}
	return nil
}

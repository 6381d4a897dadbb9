package switchport

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/egress"
	"github.com/goldwire/goldwire/rtlmodel/intmd"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
)

// Spec holds the parameters of the module. They are fixed once a Model is made.
type Spec struct {
	NumPorts int // egress ports
	Depth    int // packets that one queue of one port holds, a power of two
	Slots    int // packets that the buffer holds, a power of two
}

// DefaultSpec returns the schema's default parameters.
func DefaultSpec() Spec {
	return Spec{NumPorts: port.DefaultNumPorts, Depth: port.DefaultDepth, Slots: port.DefaultSlots}
}

// Validate returns an error when a parameter is outside the schema's range or not a power of two
// where it must be one.
func (s Spec) Validate() error {
	if err := s.egress().Validate(); err != nil {
		return err
	}
	if s.Slots < port.MinSlots || s.Slots > port.MaxSlots || s.Slots&(s.Slots-1) != 0 {
		return fmt.Errorf("Slots %d: want a power of two from %d to %d", s.Slots, port.MinSlots, port.MaxSlots)
	}
	return nil
}

func (s Spec) egress() egress.Spec { return egress.Spec{NumPorts: s.NumPorts, Depth: s.Depth} }

func (s Spec) intmd() intmd.Spec { return intmd.Spec{NumPorts: s.NumPorts} }

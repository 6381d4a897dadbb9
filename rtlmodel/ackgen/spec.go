package ackgen

import (
	"fmt"

	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// Spec holds the parameters of the module. They are fixed once a Model is made.
type Spec struct {
	Pdcs int // packet delivery contexts, a power of two
}

// DefaultSpec returns the schema's default parameters.
func DefaultSpec() Spec { return Spec{Pdcs: port.DefaultPdcs} }

// Validate returns an error when a parameter is outside the schema's range or not a power of two.
func (s Spec) Validate() error {
	if s.Pdcs < port.MinPdcs || s.Pdcs > port.MaxPdcs || s.Pdcs&(s.Pdcs-1) != 0 {
		return fmt.Errorf("Pdcs %d: want a power of two from %d to %d", s.Pdcs, port.MinPdcs, port.MaxPdcs)
	}
	return nil
}

package credit

import (
	"fmt"

	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// Spec holds the parameters of the module. They are fixed once a Model is made.
type Spec struct {
	Senders int // a power of two
}

// DefaultSpec returns the schema's default parameters.
func DefaultSpec() Spec { return Spec{Senders: port.DefaultSenders} }

// Validate returns an error when a parameter is outside the schema's range or not a power of two.
func (s Spec) Validate() error {
	if s.Senders < port.MinSenders || s.Senders > port.MaxSenders || s.Senders&(s.Senders-1) != 0 {
		return fmt.Errorf("Senders %d: want a power of two from %d to %d", s.Senders, port.MinSenders, port.MaxSenders)
	}
	return nil
}

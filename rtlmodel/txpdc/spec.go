package txpdc

import (
	"fmt"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Spec holds the parameters of the module. They are fixed once a Model is made.
type Spec struct {
	Contexts int // a power of two; each has port.Slots PDCs
}

// DefaultSpec returns the schema's default parameters.
func DefaultSpec() Spec { return Spec{Contexts: port.DefaultContexts} }

// Pdcs returns the number of PDCs.
func (s Spec) Pdcs() int { return s.Contexts * port.Slots }

// Validate returns an error when a parameter is outside the schema's range or not a power of two.
func (s Spec) Validate() error {
	if s.Contexts < port.MinContexts || s.Contexts > port.MaxContexts || s.Contexts&(s.Contexts-1) != 0 {
		return fmt.Errorf("Contexts %d: want a power of two from %d to %d", s.Contexts, port.MinContexts,
			port.MaxContexts)
	}
	return nil
}

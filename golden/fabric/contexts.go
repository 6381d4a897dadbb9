package fabric

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/transport"
)

// Contexts returns the constants of the contexts that a run of spec has from its start, in the order of their
// creation: all of them in a permutation or an incast, none where messages make contexts when they come. It
// errors as Run does.
func Contexts(spec settings.Spec) ([]cc.Config, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	var out []cc.Config
	_, err := transport.Build(spec, transport.Options{Only: func(cfg cc.Config) (cc.Control, error) {
		out = append(out, cfg)
		return idle{}, nil
	}})
	return out, err
}

// idle is a congestion control that never runs.
type idle struct{}

// Step implements cc.Control.
func (idle) Step(*cc.Event) cc.Out { return cc.Out{} }

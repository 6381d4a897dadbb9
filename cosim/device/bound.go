package device

import (
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Elastic returns how a bound design is played.
func Elastic(b *bind.Binding) elastic.Spec {
	s := elastic.DefaultSpec(b.Block)
	s.Order, s.Key = elastic.Order(b.Order), b.Key
	s.Params, s.NoReset = b.BlockParams, b.Reset.None
	s.Flush, s.Patience, s.ResetCycles = b.Flush, b.Patience, b.Reset.Cycles
	s.Skip, s.Uncounted, s.NoStall, s.Port = b.Uncompared(), b.Uncounted(), b.NoStall(), b.Port
	s.MayDrop, s.MayChange = b.Relaxes(bind.ValidDrops), b.Relaxes(bind.DataChanges)
	return s
}

// calmSource returns the episodes of a source as a bound design can be driven.
type calmSource struct {
	stim.Source
	spec elastic.Spec
}

// Calmed returns the source as the design of a binding, nil for none, can be driven: without back-pressure where it has
// no ready, and without resets where it has none.
func Calmed(src stim.Source, b *bind.Binding) stim.Source {
	if b == nil {
		return src
	}
	return &calmSource{src, Elastic(b)}
}

// Next returns the next episode.
func (s *calmSource) Next() (*stim.Episode, bool) {
	ep, ok := s.Source.Next()
	if ok {
		ep = s.spec.Calm(ep)
	}
	return ep, ok
}

package reference

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/vectors/stim"
)

// probedEvents is how many events a reference is given to check its handshake.
const probedEvents = 20_000

// probe plays the episodes of a source on a design that serves as a reference with open outputs, to check its
// handshake, until the design has taken enough events.
type probe struct {
	dev  *device.Device
	spec elastic.Spec
	src  stim.Source
	seed func(episode string) uint32
	left uint64 // events
}

// newProbe opens the run's source a second time.
func newProbe(dev *device.Device, bound *bind.Binding, s *Setup) (*probe, error) {
	src, err := s.Open(s.Events)
	if err != nil {
		return nil, err
	}
	return &probe{dev, device.Elastic(bound), src, s.Seed, probedEvents}, nil
}

// next plays the next episode; false when there is no more to play. The design must be restarted afterwards.
func (p *probe) next(ctx context.Context) (bool, error) {
	if p == nil || p.left == 0 {
		return false, nil
	}
	ep, ok := p.src.Next()
	if !ok {
		return false, p.src.Err()
	}
	if err := p.dev.Restart(p.seed(ep.Name)); err != nil {
		return false, err
	}
	events, err := elastic.Holds(ctx, p.dev.Session, ep, p.spec)
	p.left -= min(p.left, max(events, 1))
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("episode %s: %w", ep.Name, err)
	}
	return err == nil, err
}

func (p *probe) close() {
	if p != nil {
		p.src.Close()
	}
}

// Holds plays the episodes of a source on a design, to check its handshake, until it has taken enough events. It errors
// when the design breaks the handshake or fails. The design must be restarted afterwards.
func Holds(ctx context.Context, dev *device.Device, bound *bind.Binding, src stim.Source,
	seed func(episode string) uint32) error {
	p := probe{dev, device.Elastic(bound), src, seed, probedEvents}
	for {
		if more, err := p.next(ctx); !more {
			return err
		}
	}
}

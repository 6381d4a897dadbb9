package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/cosim/bind"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/vectors/stim"
)

// referenceFault returns an error of the reference under its name. Bound is the dut.yaml of a design, nil for a file.
func referenceFault(name string, bound *bind.Binding, err error) error {
	if err == nil {
		return nil
	}
	var h *elastic.HandshakeError
	switch {
	case !errors.As(err, &h):
		return fmt.Errorf("reference %s: %w", name, err)
	case bound == nil:
		return fmt.Errorf("reference %s: %w, so it cannot judge a design; generate it again from a design that keeps the handshake", name, err)
	}
	return fmt.Errorf("reference %s: %w, so it cannot judge a design; mend it, or give another reference%s", name, err, relaxHint(bound, h))
}

// relaxHint says how a design is bound that breaks the handshake on purpose; "" where it cannot be.
func relaxHint(b *bind.Binding, h *elastic.HandshakeError) string {
	if b.Latency != bind.Elastic {
		return ""
	}
	return fmt.Sprintf("; a design that does so on purpose has relax: [%s.%s] in its dut.yaml", h.Stream, ruleOf(h.How))
}

// ruleOf returns the rule of the handshake that a design broke.
func ruleOf(how string) string {
	if how == elastic.Withdrawn {
		return bind.ValidDrops
	}
	return bind.DataChanges
}

// probedEvents is how many events a reference is given for its handshake alone.
const probedEvents = 20_000

// handshakeProbe plays the episodes of a source on a design that answers for others with its outputs open, for its
// handshake alone, until the design took probedEvents. Nil probes nothing.
type handshakeProbe struct {
	dev  *device.Device
	spec elastic.Spec
	src  stim.Source
	seed uint64
	left uint64 // events
}

// newProbe opens the source a second time; it returns nil where the reference is stalled as the design is, or is no
// design.
func (e *elasticEngine) newProbe() (*handshakeProbe, error) {
	if e.peer == nil {
		return nil, nil
	}
	src, err := e.open(e.cfg.source())
	if err != nil {
		return nil, err
	}
	return &handshakeProbe{e.other, device.Elastic(e.cfg.Against), src, e.cfg.Seed, probedEvents}, nil
}

// next plays the next episode; false when there is no more to play. The design must be restarted afterwards.
func (p *handshakeProbe) next(ctx context.Context) (bool, error) {
	if p == nil || p.left == 0 {
		return false, nil
	}
	ep, ok := p.src.Next()
	if !ok {
		return false, p.src.Err()
	}
	if err := p.dev.Restart(modelSeed(p.seed, ep.Name)); err != nil {
		return false, err
	}
	events, err := elastic.Holds(ctx, p.dev.Session, ep, p.spec)
	p.left -= min(p.left, max(events, 1))
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("episode %s: %w", ep.Name, err)
	}
	return err == nil, err
}

func (p *handshakeProbe) close() {
	if p != nil {
		p.src.Close()
	}
}

// probed plays the whole probe on the design of a recording.
func probed(ctx context.Context, cfg *Config, dev *device.Device, src stim.Source) error {
	p := handshakeProbe{dev, device.Elastic(cfg.Bind), src, cfg.Seed, probedEvents}
	for {
		if more, err := p.next(ctx); !more {
			return err
		}
	}
}

// notStandard names a design that breaks the handshake where its answers are recorded; other errors stay as they are.
func notStandard(cfg *Config, err error) error {
	var broken *elastic.HandshakeError
	if !errors.As(err, &broken) {
		return err
	}
	return fmt.Errorf("%s: %w, so its answers are no standard for others; mend it, or let another design answer%s",
		cfg.Bind.File, err, relaxHint(cfg.Bind, broken))
}

// ended takes the error that ends a run: after a mismatch it is a note on that, which it does not take back.
func (e *elasticEngine) ended(err error) error {
	if err == nil || len(e.failures) == 0 || errors.Is(err, context.Canceled) {
		return err
	}
	e.after = err
	return nil
}

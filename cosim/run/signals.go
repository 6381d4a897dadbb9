package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/goldwire/goldwire/cosim/device"
)

// signals plays the replayed case once more, on a build that can dump every signal, and writes them to cfg.Signals. The
// file is of the whole case, whether the design agrees or not.
func (e *engine) signals(ctx context.Context) error {
	if e.cfg.Signals == "" {
		return nil
	}
	fail := func(err error) error { return fmt.Errorf("signals: %w", err) }
	path, err := filepath.Abs(e.cfg.Signals)
	if err != nil {
		return fail(err)
	}
	src, err := e.open(e.cfg.source())
	if err != nil {
		return fail(err)
	}
	defer src.Close()
	ep, ok := src.Next()
	if !ok {
		return fail(errors.Join(errors.New("the case has no episode"), src.Err()))
	}
	spec := e.cfg.device(e.params)
	spec.Signals = true
	dev, err := device.Start(ctx, spec)
	if err != nil {
		return fail(err)
	}
	defer dev.Close()
	p, err := (&lockstep{engine: e}).playerOf(ep)
	if err != nil {
		return fail(err)
	}
	const whole = 1 << 40 // cycles
	if err := errors.Join(dev.Restart(e.seed(ep.Name)), dev.Session.Trace(path, 0, whole)); err != nil {
		return fail(err)
	}
	if err := p.Stream(ctx, dev); err != nil {
		return fail(err)
	}
	if _, err := dev.Finish(); err != nil {
		return fail(err)
	}
	if err := dev.Session.Trace("", 0, 0); err != nil {
		return fail(err)
	}
	return nil
}

package loop

import (
	"cmp"
	"context"
	"fmt"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// window is the number of cycles that one step may take. The first step includes the reset sweep of every row.
const window = 512

// patience is the number of windows after which a silent device counts as hung.
const patience = 64

// stepper is the Verilated block, driven one event at a time: its own answers steer the network.
type stepper struct {
	session *client.Session
	in, out []uint64
	idle    []uint64
	total   total
}

// connect starts the RTL, which was built before. Its batches have at most as many cycles as most gives, 0 for the
// default.
func connect(ctx context.Context, cfg *Config, most int) (*client.Session, error) {
	opt := client.DefaultOptions()
	opt.Transport = cmp.Or(cfg.Transport, client.Shm)
	if most > 0 {
		opt.Batch, opt.MaxBatch = most, most
	}
	if cfg.hang > 0 {
		opt.HangTimeout = cfg.hang
	}
	return client.Start(ctx, cfg.Binary, opt)
}

// startStepper starts the RTL and resets it.
func startStepper(ctx context.Context, cfg *Config) (*stepper, error) {
	s, err := connect(ctx, cfg, 0)
	if err != nil {
		return nil, err
	}
	d := &stepper{session: s, in: make([]uint64, 2*ccc.InWords), out: make([]uint64, window*ccc.OutWords),
		idle: make([]uint64, ccc.InWords)}
	d.idle[0] = ccc.InRstN | ccc.InRspReady
	// Two cycles of reset, then the sweep: the first event waits for its end.
	if err := s.Step(d.in, d.out[:2*ccc.OutWords]); err != nil {
		s.Close()
		return nil, err
	}
	return d, nil
}

// do presents an event until it is accepted, and runs the device until its response.
func (d *stepper) do(ev *ccc.Event, rsp *ccc.Response) error {
	ccc.PackEvent(ev, d.in[:ccc.InWords])
	d.in[0] |= ccc.InRstN | ccc.InRspReady | ccc.InEvValid
	// The first cycle nearly always accepts, so one step is enough.
	copy(d.in[ccc.InWords:], d.idle)
	n, err := d.until(d.in, ccc.OutRspValid)
	if err != nil {
		return err
	}
	if d.out[0]&ccc.OutEvReady == 0 {
		if n, err = d.wait(d.in[:ccc.InWords], ccc.OutEvReady, "accept"); err != nil {
			return fmt.Errorf("%v of context %d: %w", ev.Kind, ev.Ctx, err)
		}
		n = 0
	}
	if n == 0 || d.out[(n-1)*ccc.OutWords]&ccc.OutRspValid == 0 {
		if n, err = d.wait(d.idle, ccc.OutRspValid, "answer"); err != nil {
			return fmt.Errorf("%v of context %d: %w", ev.Kind, ev.Ctx, err)
		}
	}
	ccc.UnpackResponse(d.out[(n-1)*ccc.OutWords:n*ccc.OutWords], rsp)
	d.total.events++
	return taken(ev, rsp)
}

// until runs at most one window.
func (d *stepper) until(in []uint64, watch uint64) (int, error) {
	n, err := d.session.StepUntil(in, d.out, watch)
	d.total.cycles += uint64(n)
	return n, err
}

// wait runs the input record in until the device raises a bit of watch, and returns the number of cycles in the last
// window.
func (d *stepper) wait(in []uint64, watch uint64, what string) (int, error) {
	for range patience {
		n, err := d.until(in, watch)
		if err != nil || d.out[(n-1)*ccc.OutWords]&watch != 0 {
			return n, err
		}
	}
	return 0, fmt.Errorf("the device did not %s within %d cycles", what, patience*window)
}

// finish returns what was played: each answer was waited for.
func (d *stepper) finish() (total, error) { return d.total, d.session.End() }

func (d *stepper) close() { _ = d.session.Close() }

package loop

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// window is the number of cycles that one step may take. The first step includes the reset sweep of every row.
const window = 512

// patience is the number of windows after which a silent device counts as hung.
const patience = 64

// device is the Verilated block, driven one event at a time.
type device struct {
	session *client.Session
	in, out []uint64
	idle    []uint64
	sets    []registerFile // registers of the profiles written so far
	rows    []*rtl         // the context in each row
	used    []uint64       // time of the last use of each row
	clock   uint64
	cycles  uint64
	swaps   uint64
}

// start builds the RTL, unless it is already built, and resets it.
func start(ctx context.Context, cfg *Config) (*device, error) {
	if err := cfg.Build(ctx); err != nil {
		return nil, err
	}
	rows := cfg.Resident
	if rows == 0 {
		rows = ccc.DefaultNumContexts
	}
	if rows < 1 || rows > ccc.DefaultNumContexts {
		return nil, errRows
	}
	opt := client.DefaultOptions()
	opt.Transport = cfg.Transport
	if opt.Transport == "" {
		opt.Transport = client.Shm
	}
	s, err := client.Start(ctx, cfg.Binary, opt)
	if err != nil {
		return nil, err
	}
	d := &device{
		session: s, in: make([]uint64, 2*ccc.InWords), out: make([]uint64, window*ccc.OutWords),
		idle: make([]uint64, ccc.InWords), rows: make([]*rtl, rows), used: make([]uint64, rows),
	}
	d.idle[0] = ccc.InRstN | ccc.InRspReady
	// Two cycles of reset, then the sweep: the first event waits for its end.
	if err := s.Step(d.in, d.out[:2*ccc.OutWords]); err != nil {
		s.Close()
		return nil, err
	}
	return d, nil
}

// do presents an event until it is accepted, and runs the device until its response.
func (d *device) do(ev *ccc.Event, rsp *ccc.Response) error {
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
	switch {
	case rsp.Kind != ev.Kind || rsp.Ctx != ev.Ctx:
		return fmt.Errorf("the device answered %v of context %d with %v of context %d", ev.Kind, ev.Ctx, rsp.Kind, rsp.Ctx)
	case rsp.NoContext || rsp.Refused:
		return fmt.Errorf("the device refused %v of context %d (no_context %t, refused %t)", ev.Kind, ev.Ctx,
			rsp.NoContext, rsp.Refused)
	}
	return nil
}

// until runs at most one window.
func (d *device) until(in []uint64, watch uint64) (int, error) {
	n, err := d.session.StepUntil(in, d.out, watch)
	d.cycles += uint64(n)
	return n, err
}

// wait runs the input record in until the device raises a bit of watch, and returns the number of cycles in the last
// window.
func (d *device) wait(in []uint64, watch uint64, what string) (int, error) {
	for range patience {
		n, err := d.until(in, watch)
		if err != nil || d.out[(n-1)*ccc.OutWords]&watch != 0 {
			return n, err
		}
	}
	return 0, fmt.Errorf("the device did not %s within %d cycles", what, patience*window)
}

// configure returns the profile that holds the registers want, and writes a new profile if none does. It returns an
// error when the device has no profile left.
func (d *device) configure(want *registerFile) (uint8, error) {
	for i := range d.sets {
		if d.sets[i] == *want {
			return uint8(i), nil
		}
	}
	p := len(d.sets)
	if p == ccc.DefaultNumProfiles {
		return 0, fmt.Errorf("the contexts have more than %d different sets of constants, one for each profile of the "+
			"device: give fewer rates, or no separate base RTT for each flow", ccc.DefaultNumProfiles)
	}
	for a, v := range want {
		if v == ccc.RegInfo[a].Reset {
			continue
		}
		var rsp ccc.Response
		if err := d.do(&ccc.Event{Kind: ccc.KindCfgWrite, Profile: uint8(p), Addr: uint8(a), Data: v}, &rsp); err != nil {
			return 0, err
		}
	}
	d.sets = append(d.sets, *want)
	return uint8(p), nil
}

// close ends the process.
func (d *device) close() { _ = d.session.Close() }

package loop

import (
	"cmp"
	"context"
	"fmt"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// hardware is the block as the contexts of a run see it.
type hardware interface {
	// do gives the block an event and fills in the answer. It returns an error when there is none, or when it is not
	// an answer to an event of an open context.
	do(ev *ccc.Event, rsp *ccc.Response) error
	// finish returns, after the last event, what the device has played. It returns an error unless the device has
	// answered every event.
	finish() (total, error)
	close()
}

// total is what a device has played and answered.
type total struct{ events, cycles uint64 }

// taken returns an error when a response does not answer an event, or refuses it.
func taken(ev *ccc.Event, rsp *ccc.Response) error {
	switch {
	case rsp.Kind != ev.Kind || rsp.Ctx != ev.Ctx:
		return fmt.Errorf("the device answered %v of context %d with %v of context %d", ev.Kind, ev.Ctx, rsp.Kind, rsp.Ctx)
	case rsp.NoContext || rsp.Refused:
		return fmt.Errorf("the device refused %v of context %d (no_context %t, refused %t)", ev.Kind, ev.Ctx,
			rsp.NoContext, rsp.Refused)
	}
	return nil
}

// table holds the contents of the block: the context in each row and the registers in each profile.
type table struct {
	hw    hardware
	sets  []registerFile // registers of the profiles written so far
	rows  []*rtl         // the context in each row
	used  []uint64       // time of the last use of each row
	clock uint64
	swaps uint64
}

// newTable returns the table of a block after reset. resident is the number of rows to use; 0 means all.
func newTable(resident int) (*table, error) {
	if resident == 0 {
		resident = ccc.DefaultNumContexts
	}
	if resident < 1 || resident > ccc.DefaultNumContexts {
		return nil, errRows
	}
	return &table{rows: make([]*rtl, resident), used: make([]uint64, resident)}, nil
}

// configure returns the profile that holds the registers want, and writes a new profile if none does. It returns an
// error when the block has no profile left.
func (t *table) configure(want *registerFile) (uint8, error) {
	for i := range t.sets {
		if t.sets[i] == *want {
			return uint8(i), nil
		}
	}
	p := len(t.sets)
	if p == ccc.DefaultNumProfiles {
		return 0, fmt.Errorf("the contexts have more than %d different sets of constants, one for each profile of the "+
			"device: give fewer rates, or no separate base RTT for each flow", ccc.DefaultNumProfiles)
	}
	for a, v := range want {
		if v == ccc.RegInfo[a].Reset {
			continue
		}
		ev := ccc.Event{Kind: ccc.KindCfgWrite, Profile: uint8(p), Addr: uint8(a), Data: v}
		var rsp ccc.Response
		if err := t.hw.do(&ev, &rsp); err != nil {
			return 0, err
		}
	}
	t.sets = append(t.sets, *want)
	return uint8(p), nil
}

// admit gives a context a row: a free row or, if there is none, the row of the least recently used context, which is
// read out first.
func (t *table) admit(c *rtl) error {
	t.clock++
	if c.row >= 0 {
		t.used[c.row] = t.clock
		return nil
	}
	best := 0
	for i, who := range t.rows {
		if who == nil {
			best = i
			break
		}
		if t.used[i] < t.used[best] {
			best = i
		}
	}
	if old := t.rows[best]; old != nil {
		if err := t.readOut(old); err != nil {
			return fmt.Errorf("reading a context out: %w", err)
		}
	}
	c.row, t.rows[best], t.used[best] = best, c, t.clock
	if !c.opened {
		return nil // the first event opens it
	}
	if err := t.load(c); err != nil {
		return fmt.Errorf("loading a context: %w", err)
	}
	return nil
}

// stateLen is the number of state words of a context, last_rcvd once for each slot.
const stateLen = ccc.NumWords - 1 + ccc.DefaultNumPdcs

// at sets the address of a state word in an event.
func at(ev *ccc.Event, word int) {
	addr, slot := ccc.StateAt(word, ccc.DefaultNumPdcs)
	ev.Addr, ev.PDC = uint8(addr), uint8(slot)
}

func (t *table) readOut(c *rtl) error {
	var rsp ccc.Response
	for a := range c.words {
		ev := ccc.Event{Kind: ccc.KindRead, Ctx: uint16(c.row)}
		at(&ev, a)
		if err := t.hw.do(&ev, &rsp); err != nil {
			return err
		}
		c.words[a] = rsp.Data
	}
	c.row = -1
	t.swaps++
	return nil
}

func (t *table) load(c *rtl) error {
	var rsp ccc.Response
	if err := t.hw.do(&ccc.Event{Kind: ccc.KindOpen, Ctx: uint16(c.row), Profile: c.profile}, &rsp); err != nil {
		return err
	}
	for a, w := range c.words {
		ev := ccc.Event{Kind: ccc.KindLoad, Ctx: uint16(c.row), Data: w}
		at(&ev, a)
		if err := t.hw.do(&ev, &rsp); err != nil {
			return err
		}
	}
	return nil
}

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

// connect starts an RTL that was built before. Its batches have at most as many cycles as most gives, 0 for the
// default.
func connect(ctx context.Context, cfg *Config, bin *launch.Binary, most int) (*client.Session, error) {
	opt := client.DefaultOptions()
	opt.Transport, opt.PlusArgs = cmp.Or(cfg.Transport, client.Shm), cfg.plus
	if most > 0 {
		opt.Batch, opt.MaxBatch = most, most
	}
	if cfg.hang > 0 {
		opt.HangTimeout = cfg.hang
	}
	return client.Start(ctx, bin, opt)
}

// startStepper starts the RTL and resets it.
func startStepper(ctx context.Context, cfg *Config) (*stepper, error) {
	s, err := connect(ctx, cfg, cfg.Binary, 0)
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

package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/vectors/stim"
)

// at adds the episode's name to an error and, for a device that hangs or exits, the event at which it does.
func (e *lockstep) at(ctx context.Context, episode string, index int, err error) error {
	switch {
	case err == nil || ctx.Err() != nil || e.dev == nil:
		return err
	case stopped(err):
		if where := e.stopsAt(ctx, episode, index); where != "" {
			return fmt.Errorf("episode %s, %s: %w", episode, where, err)
		}
	}
	return fmt.Errorf("episode %s: %w", episode, err)
}

// stopped reports whether an error means that the device hung, exited or was stopped by its RTL.
func stopped(err error) bool {
	var rtl *client.RTLError
	return errors.Is(err, wire.ErrDUTHung) || errors.Is(err, wire.ErrDUTExited) || errors.Is(err, wire.ErrRTL) ||
		errors.As(err, &rtl)
}

// stopsAt plays an episode again on a new device, cycle by cycle, until the device hangs or exits. It returns the last
// event offered before the clock edge at which that happens, and the cycle that this edge ends; "" if the device does
// neither this time. A device answers ahead of the edge, so only the next step notices.
func (e *lockstep) stopsAt(ctx context.Context, episode string, index int) (where string) {
	defer func() {
		if recover() != nil { // the model broke too
			where = ""
		}
	}()
	src, err := e.open(e.cfg.source())
	if err != nil {
		return ""
	}
	defer src.Close()
	ep, err := episodeAt(src, episode, index)
	if err != nil {
		return ""
	}
	p, err := e.playerOf(ep)
	if err != nil {
		return ""
	}
	dev, err := device.Start(ctx, e.cfg.device(e.params))
	if err != nil {
		return ""
	}
	defer dev.Close()
	if dev.Restart(e.seed(episode)) != nil {
		return ""
	}
	in, want, got := make([]uint64, p.InWords), make([]uint64, p.OutWords), make([]uint64, p.OutWords)
	what := "before any event was offered"
	for p.More(in) {
		was, number := what, p.Events
		p.Cycle(in, want)
		for i := range p.Ins {
			if in[0]&p.RstN != 0 && in[0]&p.Ins[i].Valid != 0 {
				what = fmt.Sprintf("event %d, %s", number, e.words(&stim.Item{Lane: i, Words: in}))
			}
		}
		if err := dev.Session.Step(in, got); stopped(err) {
			return fmt.Sprintf("%s, cycle %d", was, max(p.Cycles, 2)-2)
		} else if err != nil {
			return ""
		}
	}
	if stopped(dev.Session.End()) {
		return fmt.Sprintf("%s, cycle %d", what, p.Cycles-1)
	}
	return ""
}

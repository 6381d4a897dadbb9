package loop

import (
	"context"
	"errors"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/vectors/event"
)

// playing plays models on a device after the run in which they were used, one after the other.
type playing struct {
	ctx    context.Context
	dev    *device.Device
	side   device.Side // dev, except in tests
	batch  *client.Batch
	rule   *wire.Rule
	sum    wire.Digest
	cycles uint64
	err    error // of the device
}

// startPlaying starts a device.
func (r *closed) startPlaying(bin *launch.Binary) (*playing, error) {
	s, err := connect(r.ctx, &r.Config, bin, maxBatch)
	if err != nil {
		return nil, err
	}
	d := &playing{ctx: r.ctx, dev: &device.Device{Bin: bin, Session: s}}
	d.side = d.dev
	if r.tamper != nil {
		d.side = r.tamper(d.dev)
	}
	return d, nil
}

// run has the device, which is reset, play the cycles that replay gives to each. It returns an error unless the device
// has compared all of them, or found a difference; each returns false when the device takes no more.
func (d *playing) run(schema *event.Block, seed uint32, replay func(each func(in, out []uint64) bool) error) (
	out device.Outcome, err error) {
	d.rule, d.batch, d.sum, d.cycles = wire.NewRule(schema, event.NewLayout(schema)), nil, 0, 0
	if err := d.side.Restart(seed); err != nil {
		return out, err
	}
	if err := replay(d.cycle); err != nil {
		return out, err
	}
	stopped := errors.Is(d.err, client.ErrStopped)
	if d.err != nil && !stopped {
		return out, d.err
	}
	if d.batch != nil {
		if err := d.side.Submit(d.batch); err != nil {
			return out, err
		}
	}
	out, err = d.side.Finish()
	if err == nil && !out.Failed() && (stopped || out.Cycles != d.cycles || out.Digest != d.sum) {
		err = incomplete(&out, d.cycles, d.sum)
	}
	return out, err
}

// cycle sends a cycle to the device. It returns false when the device takes no more.
func (d *playing) cycle(in, out []uint64) bool {
	if d.batch != nil && d.batch.Full() {
		b := d.batch
		d.batch = nil
		if d.err = d.side.Submit(b); d.err != nil {
			return false
		}
	}
	if d.batch == nil {
		if d.batch, d.err = d.side.Get(d.ctx); d.err != nil {
			d.batch = nil
			return false
		}
	}
	i, o := d.batch.Next()
	copy(i, in)
	copy(o, out)
	d.sum = d.rule.Digest(d.sum, out)
	d.cycles++
	return true
}

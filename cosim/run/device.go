package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/bind"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/score"
)

// errStreamFailed marks a stream in which the device has found a difference; it ignores the rest.
var errStreamFailed = errors.New("stream has failed")

// device is the Verilated design at the other end of the bridge.
type device struct {
	bin     *launch.Binary
	session *client.Session
	foreign *launch.Foreign // of a bound design that was built here
}

// startDevice builds the RTL of a run, or finds it built, and starts it.
func startDevice(ctx context.Context, cfg *Config, params map[string]int, trace bool) (*device, error) {
	bin := cfg.Binary
	var foreign *launch.Foreign
	if bin == nil || trace {
		var err error
		spec := launch.BuildSpec{Root: cfg.Root, Block: cfg.Block, RTLDir: cfg.RTLDir, Params: params, Trace: trace,
			Assert: cfg.Assert}
		if cfg.Bind != nil {
			b := *cfg.Bind
			b.BlockParams = params
			if foreign, err = b.Foreign(ctx); err != nil {
				return nil, err
			}
			spec.Foreign = foreign
			spec.Schema = b.Block
		}
		if bin, err = launch.Build(ctx, spec); err != nil {
			return nil, err
		}
	}
	opt := client.DefaultOptions()
	opt.Transport = client.Transport(cfg.transport())
	opt.PlusArgs = cfg.PlusArgs
	if cfg.Bind != nil {
		opt.PlusArgs = append(slices.Clone(cfg.Bind.PlusArgs), cfg.PlusArgs...)
	}
	if cfg.Timeout > 0 {
		opt.HangTimeout = cfg.Timeout
	}
	s, err := client.Start(ctx, bin, opt)
	if err != nil {
		return nil, err
	}
	return &device{bin, s, foreign}, nil
}

// restart starts a stream on a new simulation object with other random contents.
func (d *device) restart(seed uint32) error { return d.session.Restart(seed) }

// get returns an empty batch, or errStreamFailed.
func (d *device) get(ctx context.Context) (*client.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b, err := d.session.Get()
	if errors.Is(err, client.ErrStopped) {
		return nil, errStreamFailed
	}
	return b, err
}

func (d *device) submit(b *client.Batch) error { return d.session.Submit(b) }

// outcome is how a stream ended. The RTL may have stopped it with an error of its own.
type outcome struct {
	client.Result
	rtl *client.RTLError
}

// failedAt returns the first failing cycle of a stream that failed.
func (o *outcome) failedAt() uint64 {
	if o.rtl != nil {
		return o.rtl.Cycle
	}
	return o.Mismatch.Cycle
}

// failed reports whether the stream differed or was stopped by the RTL.
func (o *outcome) failed() bool { return o.rtl != nil || o.Mismatch != nil }

// finish waits for everything submitted and ends the stream.
func (d *device) finish() (outcome, error) {
	res, err := d.session.Finish()
	o := outcome{Result: res}
	if errors.As(err, &o.rtl) {
		err = nil
	}
	return o, err
}

// settles returns an error when what the RTL reported is a combinational loop that does not settle, a data file
// that is not there or cannot be read, or a $finish: the design cannot be run then, and has given no wrong answer.
func (d *device) settles(text string) error {
	if strings.Contains(text, "$readmem") {
		return &wire.Error{Kind: wire.ErrRTL, What: text, Mend: "a design reads its files from the folder of its dut.yaml, " +
			"or by absolute path"}
	}
	if strings.HasPrefix(text, "$finish") {
		return &wire.Error{Kind: wire.ErrRTL, What: text + " ends the simulation",
			Mend: "remove it: a design under test must not end the simulation"}
	}
	if !strings.Contains(text, "did not converge") {
		return nil
	}
	where := text
	if len(d.bin.Loops) > 0 {
		where = strings.Join(d.bin.Loops, ", ")
	}
	return &wire.Error{Kind: wire.ErrRTL, What: "the design has a combinational loop that does not settle: " + where,
		Mend: "break the loop with a register"}
}

// probe checks that a bound design takes events at all, before it is compared cycle by cycle.
func (d *device) probe(cfg *Config) error {
	if err := d.probeReset(cfg.Bind); err != nil {
		return err
	}
	spec := elasticSpec(cfg.Bind)
	if err := d.restart(1); err != nil {
		return err
	}
	err := elastic.Probe(d.session, spec)
	var rtl *client.RTLError
	if errors.As(err, &rtl) {
		if loop := d.settles(rtl.Text); loop != nil {
			return loop
		}
	}
	if errors.Is(err, elastic.ErrNeverReady) || errors.Is(err, wire.ErrDUTHung) || errors.Is(err, wire.ErrDUTExited) {
		judge := score.NewJudge(cfg.Bind.Block)
		zeros := make([]uint64, judge.Layout().In.Words)
		return fmt.Errorf("before the first episode, the event of zeros %s: %w", itemWords(cfg.Bind.Block, judge, 0, zeros),
			err)
	}
	return err
}

// probeReset checks that the reset of a bound design is as its binding describes it. A failing assertion of the
// design during the probe is not an error.
func (d *device) probeReset(b *bind.Binding) error {
	err := elastic.ProbeReset(d.session, elasticSpec(b), b.Latency == bind.Exact)
	var rtl *client.RTLError
	if errors.As(err, &rtl) {
		return d.settles(rtl.Text)
	}
	if errors.Is(err, wire.ErrDUTHung) || errors.Is(err, wire.ErrDUTExited) {
		return fmt.Errorf("before the first episode, while the reset was tried: %w", err)
	}
	if errors.Is(err, elastic.ErrReset) {
		return fmt.Errorf("%s: %w", b.File, err)
	}
	return err
}

// close ends the process.
func (d *device) close() { _ = d.session.Close() }

// traced plays a recording and dumps a window of it.
func (d *device) traced(ctx context.Context, e *engine, rec *recording, seed uint32, file string, from,
	cycles uint64) error {
	if err := d.session.Restart(seed); err != nil {
		return err
	}
	if err := d.session.Trace(file, from, cycles); err != nil {
		return err
	}
	p, err := e.playerOf(rec.episode(e.cfg.Block))
	if err != nil {
		return err
	}
	if err := p.stream(ctx, d, d.submit); err != nil {
		return err
	}
	if _, err := d.finish(); err != nil {
		return err
	}
	return d.session.Trace("", 0, 0)
}

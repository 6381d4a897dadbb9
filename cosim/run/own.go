package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/bind"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/cosim/watch"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

// own reports whether the block has only a schema, and no model here.
func (c *Config) own() bool { return c.Bind != nil && c.Bind.SchemaFile != "" }

// referred reports whether the reference is something other than our model.
func (c *Config) referred() bool { return c.Expect != "" || c.Against != nil || c.Golden != "" }

// kind returns the block of a run; one of a schema of its own has no model.
func (c *Config) kind() (*block.Block, error) {
	if c.own() {
		return &block.Block{Schema: c.Bind.Block}, nil
	}
	return block.Lookup(c.Block)
}

// reference checks the settings of the reference.
func (c *Config) reference() error {
	given := 0
	for _, g := range []bool{c.Expect != "", c.Against != nil, c.Golden != ""} {
		if g {
			given++
		}
	}
	switch {
	case given > 1:
		return fmt.Errorf("--expect, --against, --golden: more than one reference is given; keep one")
	case given == 1 && c.Bind == nil:
		return fmt.Errorf("--expect, --against, --golden: they need a design bound by a dut.yaml; give it with --dut")
	case given == 1 && c.ModelOnly:
		return fmt.Errorf("--model-only: this run uses no model; leave it out")
	case given == 1 && c.Frames != nil:
		return fmt.Errorf("--pcap: packets are followed only in a run against our model; leave out --pcap, or the reference")
	case given == 0 && c.own():
		return fmt.Errorf("block %s: it has your own schema %s and has no model here; give a reference: --expect FILE.gwv, "+
			"--against OTHER.yaml or --golden ADDRESS", c.Bind.Block.Name, c.Bind.SchemaFile)
	}
	if a := c.Against; a != nil {
		if !c.Self && device.SameFile(c.Bind.File, a.File) {
			return device.ErrItself(c.Bind.File, a.File)
		}
		if a.Block.Name != c.Bind.Block.Name || a.Block.Hash() != c.Bind.Block.Hash() {
			return fmt.Errorf("%s is of block %s, schema hash %s, and %s of block %s, schema hash %s; give both the same schema",
				c.Bind.File, c.Bind.Block.Name, c.Bind.Block.Hash(), a.File, a.Block.Name, a.Block.Hash())
		}
		if err := event.SameComparison(c.Bind.File, c.Bind.Block, a.File, a.Block); err != nil {
			return err
		}
		if lost := without(a.Missing(), c.Bind.Missing()); len(lost) > 0 {
			return fmt.Errorf("%s leaves out %s with none, and %s has it, so that nothing would be compared there; "+
				"map it in the reference, or leave it out of both", a.File, strings.Join(lost, ", "), c.Bind.File)
		}
		if !maps.Equal(c.Bind.BlockParams, a.BlockParams) {
			return fmt.Errorf("%s has the block_parameters %v and %s %v; give both the same", c.Bind.File, c.Bind.BlockParams,
				a.File, a.BlockParams)
		}
	}
	return nil
}

// without returns the names that are not among others.
func without(names, others []string) (out []string) {
	for _, n := range names {
		if !slices.Contains(others, n) {
			out = append(out, n)
		}
	}
	return out
}

// referenceName returns the kind of the reference and its name; "" for our model.
func (c *Config) referenceName() (kind, name string) {
	switch {
	case c.Expect != "":
		return "file", c.Expect
	case c.Against != nil:
		return "against", c.Against.File
	case c.Golden != "":
		return "golden", c.Golden
	}
	return "", ""
}

// referenceFlags returns the flag of a command that selects the reference.
func (c *Config) referenceFlags() string {
	kind, name := c.referenceName()
	switch kind {
	case "":
		return ""
	case "file":
		kind = "expect"
	}
	if c.Self {
		name += " --self"
	}
	return " --" + kind + " " + name
}

// notItself returns an error when the design and the one that it is compared with are the same.
func (e *elasticEngine) notItself() error {
	if e.other == nil || e.cfg.Self {
		return nil
	}
	same, err := device.Same(e.dev, e.other)
	same = same && slices.Equal(e.cfg.Bind.PlusArgs, e.cfg.Against.PlusArgs)
	if err != nil || !same {
		return err
	}
	return device.ErrItself(e.cfg.Bind.File, e.cfg.Against.File)
}

// runReferred plays the source on a bound design and compares it with a reference that is not our model: a file,
// another design or a program.
func runReferred(ctx context.Context, cfg Config) (*report.Result, error) {
	kind, err := cfg.kind()
	if err != nil {
		return nil, err
	}
	e := &elasticEngine{cfg: cfg, block: kind.Schema, judge: score.NewJudge(kind.Schema), spec: device.Elastic(cfg.Bind),
		cases: watch.NewCases()}
	if e.params, err = kind.Schema.Values(cfg.sized()); err != nil {
		return nil, err
	}
	options := stim.Options{Seed: cfg.Seed, Events: int(cfg.Events), Params: e.params, TickNs: int(cfg.tickPs() / 1000)}
	e.open = func(name string) (stim.Source, error) {
		if cfg.Replay != "" {
			return cfg.replay(kind.Schema, e.params)
		}
		if cfg.own() {
			return schema.Open(kind.Schema, name, options)
		}
		return block.Open(cfg.Block, name, options)
	}
	if cfg.Expect == "" { // a file knows its episodes
		if err := within(ctx, &cfg, e.open); err != nil {
			return nil, err
		}
	}
	switch {
	case cfg.Against != nil:
		src, err := e.open(cfg.source())
		if err != nil {
			return nil, err // must not cost a build
		}
		src.Close()
		other := cfg
		other.Bind, other.Binary = cfg.Against, nil
		ref, err := device.Start(ctx, other.device(e.params))
		if err != nil {
			return nil, fmt.Errorf("reference %s: %w", cfg.Against.File, err)
		}
		defer ref.Close()
		e.other = ref
		if err := ref.ProbeReset(cfg.Against); err != nil {
			return nil, fmt.Errorf("reference %w", err)
		}
		e.against(ctx, ref)
	case cfg.Golden != "":
		s, err := dialGolden(ctx, &cfg, kind.Schema, e.params)
		if err != nil {
			return nil, err
		}
		defer s.Close()
		e.expect = &side{elastic.NewProgram(kind.Schema, s), func(err error) error { return programError(&cfg, err) }}
	case cfg.Expect != "":
		if err := e.vectors(); err != nil {
			return nil, err
		}
	}
	return e.run(ctx)
}

// dialGolden connects to the program at cfg.Golden.
func dialGolden(ctx context.Context, cfg *Config, b *event.Block, params map[string]int) (*client.Session, error) {
	opt := client.DefaultOptions()
	if cfg.Timeout > 0 {
		opt.HangTimeout, opt.StartTimeout = cfg.Timeout, cfg.Timeout
	}
	s, err := client.Dial(ctx, cfg.Golden, b, params, opt)
	if errors.Is(err, wire.ErrToken) {
		err = fmt.Errorf("%w; set %s to the token that the server printed", err, launch.TokenEnv)
	}
	if err != nil {
		return nil, programError(cfg, err)
	}
	return s, nil
}

// against makes another design the reference, cycle by cycle when both keep the contract's time.
func (e *elasticEngine) against(ctx context.Context, ref *device.Device) {
	a := device.Elastic(e.cfg.Against)
	if e.cfg.Bind.Latency == bind.Exact && e.cfg.Against.Latency == bind.Exact {
		e.ref, e.spec.RefPort = ref, a.Port
		e.spec.Flush = max(e.spec.Flush, a.Flush)
	} else {
		e.peer = elastic.NewPeer(ctx, ref.Session, a)
		e.expect = &side{e.peer, func(err error) error { return referenceFault(e.cfg.Against.File, e.cfg.Against, err) }}
	}
	e.spec.ResetCycles = max(e.spec.ResetCycles, a.ResetCycles) // both are held in reset for as long
	// What one of the two lacks or answers out of order counts for both.
	e.spec.Skip, e.spec.Uncounted = either(e.spec.Skip, a.Skip), either(e.spec.Uncounted, a.Uncounted)
	if e.spec.Order == elastic.Stream {
		e.spec.Order, e.spec.Key = a.Order, a.Key
	}
	e.spec.NoReset = e.spec.NoReset || a.NoReset
	if e.ref != nil && a.NoStall != nil {
		open := append([]bool(nil), a.NoStall...)
		for i := range e.spec.NoStall {
			open[i] = open[i] || e.spec.NoStall[i]
		}
		e.spec.NoStall = open
	}
}

// either returns the bits that are in one of two masks, each of which may be nil for none.
func either(a, b []uint64) []uint64 {
	if a == nil {
		return b
	}
	out := append([]uint64(nil), a...)
	for i := range b {
		out[i] |= b[i]
	}
	return out
}

// restart starts an episode on a device and on its reference.
func (e *elasticEngine) restart(dev *device.Device, episode string) error {
	seed := modelSeed(e.cfg.Seed, episode)
	if err := dev.Restart(seed); err != nil {
		return err
	}
	if e.ref != nil {
		return e.ref.Restart(seed)
	}
	if r, ok := e.expect.(interface{ Restart(uint32) error }); ok {
		return r.Restart(seed)
	}
	return nil
}

// playOn plays an episode on a device that restart has just restarted.
func (e *elasticEngine) playOn(ctx context.Context, dev *device.Device, ep *stim.Episode) (out elastic.Outcome, err error) {
	defer play.Guard(&err) // of the model
	var whose *elastic.ReferenceError
	if e.cycles != nil {
		if out, err = elastic.PlayCycles(ctx, dev.Session, e.cycles, e.spec); errors.As(err, &whose) {
			err = referenceFault(e.cfg.Expect, nil, err)
		}
		return out, err
	}
	if e.ref != nil {
		out, err = elastic.PlayExact(ctx, dev.Session, e.ref.Session, ep, e.spec)
		if errors.As(err, &whose) && !errors.Is(err, context.Canceled) {
			err = referenceFault(e.cfg.Against.File, e.cfg.Against, err)
		}
		return out, err
	}
	if e.peer != nil {
		return elastic.PlayAgainst(ctx, dev.Session, e.peer, e.expect, ep, e.spec,
			func() error { return e.restart(dev, ep.Name) })
	}
	return elastic.Play(ctx, dev.Session, e.expect, ep, e.spec)
}

// beginner is an Expect that can be restarted.
type beginner interface {
	elastic.Expect
	Restart(seed uint32) error
}

// side adds the name of the reference to its errors.
type side struct {
	beginner
	named func(error) error
}

func (n *side) wrap(err error) error {
	if err == nil {
		return nil
	}
	return n.named(err)
}

// errReference marks a failure of the reference, not of the design.
type errReference struct {
	text string
	err  error
}

func (e *errReference) Error() string { return e.text }
func (e *errReference) Unwrap() error { return e.err }

// programError returns an error of the golden program under its name: in the errors of the bridge the other end is
// always the DUT.
func programError(cfg *Config, err error) error {
	var w *wire.Error
	if errors.As(err, &w) && w.Kind == wire.ErrAddress && w.Err != nil && cfg.own() {
		mine := *w
		mine.Mend = "start your golden program with --listen " + cfg.Golden +
			" first (bridge/py/gwserve.py serves one in Python)"
		err = &mine
	}
	if errors.Is(err, io.EOF) { // at a place where nothing was under way
		err = fmt.Errorf("it closed the connection: %w; its own output has the reason", err)
	}
	text := strings.NewReplacer("DUT process ended", "the golden program closed the connection", "DUT makes no progress",
		"the golden program makes no progress",
		"DUT did not connect", "the golden program did not answer", "the DUT reports: ", "it reports: ", "hello of the DUT",
		"its hello",
		"the DUT", "the golden program", "this DUT", "the golden program").Replace(err.Error())
	return &errReference{fmt.Sprintf("golden program at %s: %s", cfg.Golden, text), err}
}

// Restart starts again from power-on.
func (n *side) Restart(seed uint32) error { return n.wrap(n.beginner.Restart(seed)) }

// Reset forgets everything.
func (n *side) Reset() error { return n.wrap(n.beginner.Reset()) }

// Accept takes one transfer.
func (n *side) Accept(stream int, pair bool, words []uint64) error {
	return n.wrap(n.beginner.Accept(stream, pair, words))
}

// Follow passes the cycles that the device has run to a reference that runs beside it.
func (n *side) Follow(in, out []uint64) error {
	f, ok := n.beginner.(elastic.Follower)
	if !ok {
		return nil
	}
	return n.wrap(f.Follow(in, out))
}

// Settle announces that the expected responses are read next.
func (n *side) Settle() {
	if f, ok := n.beginner.(elastic.Follower); ok {
		f.Settle()
	}
}

// Next returns the next response owed.
func (n *side) Next(stream int) ([]uint64, bool, error) {
	w, ok, err := n.beginner.Next(stream)
	return w, ok, n.wrap(err)
}

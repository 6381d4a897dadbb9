package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/credit"
	nicport "github.com/goldwire/goldwire/vectors/event/nic"
)

// Config configures the controls of this package. The zero value builds the RTL of the repository in the working
// folder.
type Config struct {
	Root   string // of the repository
	RTLDir string // "": hdl/rtl under Root
	TickNs int    // length of a tick of the senders in nanoseconds; 0: 1
	// Resident is the number of rows of the senders' device, or of each NIC's contexts, to use; 0: all.
	Resident  int
	Transport client.Transport // "": shm
	Binary    *launch.Binary   // of the senders; nil: built from Root and RTLDir when needed
	Pacer     *launch.Binary   // of the pacers; as Binary
	NIC       *launch.Binary   // of the NICs; as Binary
	// Step plays the senders' device event by event, so that its own answers steer the network. Otherwise the network
	// runs ahead on the model's answers, and the device is compared with the model in every cycle.
	Step bool

	// Of tests:
	tamper  func(*device.Device) device.Side          // comes between the player and the device
	between func(transport.NICHost) transport.NICHost // comes between a NIC and its host
	hang    time.Duration                             // after which a silent device counts as hung; 0: the bridge's
	plus    []string                                  // plusargs of the device
}

// Build builds Binary when it is nil, so that a run does not have to. It returns an error when the RTL does not build.
func (c *Config) Build(ctx context.Context) error { return c.build(ctx, &c.Binary, Blocks[0], nil) }

// BuildPacer is Build for Pacer.
func (c *Config) BuildPacer(ctx context.Context) error {
	return c.build(ctx, &c.Pacer, Blocks[1], map[string]int{"Senders": pacerSenders})
}

// BuildNIC is Build for NIC.
func (c *Config) BuildNIC(ctx context.Context) error {
	return c.build(ctx, &c.NIC, Blocks[2], map[string]int{"Contexts": nicContexts, "Receives": nicReceives})
}

func (c *Config) build(ctx context.Context, to **launch.Binary, block string, params map[string]int) error {
	if *to != nil {
		return nil
	}
	bin, err := launch.Build(ctx, launch.BuildSpec{Root: cmp.Or(c.Root, "."), Block: block, RTLDir: c.RTLDir,
		Params: params})
	if err == nil {
		*to = bin
	}
	return err
}

// Played is what the senders' device did in one run; zero when no context was on it.
type Played struct {
	Asked  uint64 // events of contexts
	Events uint64 // given to the device, with those that set registers and move contexts
	Cycles uint64
	Step   bool  // event by event, so that the design's own answers steered the network
	Left   *Left // why, where Config.Step did not ask for it: the design differs from the model
	Paced  Paced // by the device of the pacers

	Carried Carried // by the device of the NICs
}

// Device is what a device did in one run.
type Device struct {
	Block  string
	What   string // it compared
	Count  uint64 // of these
	When   string // it was compared
	Cycles uint64
	Step   bool
	Left   *Left
}

// Blocks are those that have a device: of the senders, of the pacers, of the NICs.
var Blocks = []string{ccc.BlockName, credit.BlockName, nicport.BlockName}

// On returns the blocks whose devices a control needs.
func On(control string) []string {
	switch rule, rtl := ruleOf(control); {
	case control == NICRTL:
		return Blocks[2:]
	case !rtl:
		return nil
	case rule == fields.NSCC:
		return Blocks[:1]
	}
	return Blocks[:2]
}

// Devices returns what each device did, those too that did nothing.
func (p *Played) Devices() []Device {
	return []Device{
		{Block: Blocks[0], What: "event", Count: p.Events, When: "in every cycle", Cycles: p.Cycles, Step: p.Step,
			Left: p.Left},
		{Block: Blocks[1], What: "pull", Count: p.Paced.Pulls, When: fmt.Sprintf("in every cycle but those of a rest "+
			"after its first %d", MaxRest), Cycles: p.Paced.Cycles, Left: p.Paced.Left},
		{Block: Blocks[2], What: "frame", Count: p.Carried.Frames, When: "in every cycle", Cycles: p.Carried.Cycles,
			Left: p.Carried.Left},
	}
}

// closed is the state that the contexts of one run share.
type closed struct {
	Config
	ctx    context.Context // of the device
	cancel context.CancelFunc
	tickNs int
	table  *table // nil until the first event on the RTL
	from   origin // of the event being given
	asked  uint64
	pacers []*pacer
	nics   []*hostNIC
	err    error // the first
}

func (r *closed) tickPs() int64 { return int64(r.tickNs) * 1000 }

// fail keeps the first error and ends the run. The context that failed must not
// send any more.
func (r *closed) fail(err error) cc.Out {
	if r.err == nil {
		r.err = err
		r.cancel()
	}
	return cc.Out{}
}

// start builds the RTL, unless it is already built, and starts it.
func (r *closed) start() (err error) {
	if err := r.Build(r.ctx); err != nil {
		return err
	}
	t, err := newTable(r.Resident)
	if err != nil {
		return err
	}
	if r.Step {
		t.hw, err = startStepper(r.ctx, &r.Config)
	} else {
		t.hw, err = startAhead(r.ctx, &r.Config, &r.from, r.cancel)
	}
	if err == nil {
		r.table = t
	}
	return err
}

// end waits for the device and returns what it has done.
func (r *closed) end() (Played, error) {
	if r.table == nil {
		return Played{}, nil
	}
	t, err := r.table.hw.finish()
	if err == nil && t.events < r.asked {
		err = fmt.Errorf("the contexts had %d answers and the device gave %d", r.asked, t.events)
	}
	return Played{Asked: r.asked, Events: t.events, Cycles: t.cycles, Step: r.Step}, err
}

func (r *closed) close() {
	if r.table != nil {
		r.table.hw.close()
	}
}

// Options returns the options of one attempt at a run: it is called anew for each, because what an attempt has given
// to taps counts for that attempt only. nil stands for no options.
type Options func() ([]fabric.Option, error)

// Run simulates spec as fabric.Run does, with those of Rows among the congestion controls. It errors as
// fabric.Run does, and when the device cannot be built, fails, or answers what no device should.
func Run(ctx context.Context, cfg Config, spec settings.Spec, options Options) (*result.Result, Played, error) {
	res, played, err := once(ctx, cfg, spec, options)
	var left *leftError
	if !errors.As(err, &left) {
		return res, played, err
	}
	cfg.Step = true
	res, played, err = once(ctx, cfg, spec, options)
	played.Left = left.at
	return res, played, err
}

// once is one attempt at a run. It returns a leftError when the design left the model that the network ran ahead on.
func once(ctx context.Context, cfg Config, spec settings.Spec, options Options) (*result.Result, Played, error) {
	var opts []fabric.Option
	if options != nil {
		var err error
		if opts, err = options(); err != nil {
			return nil, Played{}, err
		}
	}
	r := &closed{Config: cfg, ctx: ctx, tickNs: cmp.Or(cfg.TickNs, 1)}
	network, cancel := context.WithCancel(ctx)
	defer cancel()
	r.cancel = cancel
	defer r.close()
	res, err := r.simulate(network, spec, opts)
	played, end := r.end()
	switch {
	case ctx.Err() != nil:
		return nil, Played{}, context.Cause(ctx)
	case end != nil: // before what the network did with answers that did not hold
		return nil, Played{}, fmt.Errorf("block %s: %w", Blocks[0], end)
	case r.err != nil:
		return nil, Played{}, r.err
	case err != nil:
		return res, played, err
	}
	if err := r.endNICs(res); err != nil {
		return nil, Played{}, err
	}
	if played.Paced, err = r.playPacers(); err != nil {
		return nil, Played{}, fmt.Errorf("block %s: %w", Blocks[1], err)
	}
	if played.Carried, err = r.playNICs(); err != nil {
		return nil, Played{}, fmt.Errorf("block %s: %w", Blocks[2], err)
	}
	return res, played, nil
}

// simulate runs the network, with the controls of this package.
func (r *closed) simulate(ctx context.Context, spec settings.Spec, opts []fabric.Option) (*result.Result, error) {
	own := []fabric.Option{fabric.WithPacers(r.newPacer), fabric.WithNICs(r.newNIC)}
	for _, row := range Rows() {
		if !row.NIC {
			row.New = r.factory(row.Name)
		}
		own = append(own, fabric.WithControl(row))
	}
	return fabric.Run(ctx, spec, append(own, opts...)...)
}

// RunSeeds runs spec once for each seed on all CPUs and returns the results, and what the devices did, in the order of
// the seeds. options returns those of a seed, because taps must not be shared; it may be nil. RunSeeds errors with the
// first error.
func RunSeeds(ctx context.Context, cfg Config, spec settings.Spec, seeds []uint64,
	options func(seed uint64) Options) ([]*result.Result, []Played, error) {
	var mu sync.Mutex
	of := map[uint64]Played{}
	res, err := transport.EachSeed(ctx, seeds, func(ctx context.Context, seed uint64) (*result.Result, error) {
		s := spec
		s.Seed = seed
		var opts Options
		if options != nil {
			opts = options(seed)
		}
		res, played, err := Run(ctx, cfg, s, opts)
		if err != nil && len(seeds) > 1 {
			err = fmt.Errorf("seed %d: %w", seed, err)
		}
		mu.Lock()
		defer mu.Unlock()
		of[seed] = played
		return res, err
	})
	if err != nil {
		return nil, nil, err
	}
	played := make([]Played, len(seeds))
	for i, seed := range seeds {
		played[i] = of[seed]
	}
	return res, played, nil
}

// errRows reports a number of rows that the device does not have.
var errRows = errors.New("block ccc: give a number of resident contexts from 1 to that of the device")

package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/run"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/switchport"
)

// Step is one co-simulation of a plan.
type Step struct {
	Source string
	Seed   uint64
	Events uint64
	Size   Size
}

// Size says which parameters the block has in a step.
type Size int

// The sizes. What a long sweep hides at the default size shows at the least, the most is where indices have
// no spare bits, and the deepest is where sums over what is stored have none.
const (
	Default Size = iota // those of the schema
	Least               // every parameter at its least
	Most                // the first parameter at its most, the others at their least
	Deep                // the last parameter at its most, the others as in the schema
)

// DefaultPlan returns what a fault must survive to count as not found: every directed case, then random
// events of several seeds, first few, then on the least and on the largest block, then more, and the
// fabric's traffic at last. Few events of many seeds find more than many of one. A block whose depth costs no
// sweep plays its directed cases at the deepest too, and the switch port at its largest; ccc plays random events
// with all its profiles.
func DefaultPlan(block string) []Step {
	plan := []Step{{Source: "directed", Seed: 1}}
	for seed := uint64(1); seed <= 4; seed++ {
		plan = append(plan, Step{Source: "random", Seed: seed, Events: 20_000})
	}
	for seed := uint64(5); seed <= 8; seed++ {
		plan = append(plan, Step{Source: "random", Seed: seed, Events: 20_000, Size: Least})
	}
	for seed := uint64(9); seed <= 12; seed++ {
		plan = append(plan, Step{Source: "random", Seed: seed, Events: 100_000})
	}
	switch block {
	case ccc.BlockName:
		// Numbers of profiles with all their bits.
		plan = append(plan, Step{Source: "random", Seed: 14, Events: 20_000, Size: Deep})
	case egress.BlockName:
		plan = append(plan, Step{Source: "directed", Seed: 1, Size: Deep})
	case switchport.BlockName:
		// More slots than one group of them, and ports whose number has all its bits.
		plan = append(plan, Step{Source: "directed", Seed: 1, Size: Deep}, Step{Source: "directed", Seed: 1, Size: Most})
	}
	return append(plan, Step{Source: "random", Seed: 13, Events: 20_000, Size: Most},
		Step{Source: "fabric:incast32", Seed: 1, Events: 100_000})
}

// Ways in which a fault is caught.
const (
	ByMismatch  = "mismatch"
	ByAssertion = "assertion" // the RTL stopped the simulation
	ByHang      = "hang"
	ByCrash     = "crash"
)

// Finding is how a fault was caught: where, and what stood there.
type Finding struct {
	By      string `json:"by"`
	Source  string `json:"source"`
	Seed    uint64 `json:"seed"`
	Events  uint64 `json:"events,omitempty"`
	Episode string `json:"episode,omitempty"`
	Cycle   uint64 `json:"cycle"` // of the episode
	Field   string `json:"field"`
	Want    string `json:"want"`
	Got     string `json:"got"`
	// Reproduce plants the fault into a new folder DIR and repeats the step on it.
	Reproduce string `json:"reproduce"`
	// Alone repeats the failing episode only. It may pass where the fault shows through what a register or a
	// memory held before it was first written: a copy draws other contents than the build with all faults.
	Alone string `json:"alone,omitempty"`
}

// device is where a fault is: a build, and what selects the fault in it.
type device struct {
	*builds
	plusArgs []string
}

// hangTimeout is how long a device may be silent: a batch takes it milliseconds, a loaded machine a while.
const hangTimeout = 30 * time.Second

// play runs one step on a device and returns what it found, or nil. The error is that of a harness that
// broke, or of a build that failed.
func play(ctx context.Context, d device, block string, s Step) (*Finding, error) {
	cfg := run.Config{Root: d.root, Block: block, Source: s.Source, Events: s.Events, Seed: s.Seed,
		RTLDir: d.dir, PlusArgs: d.plusArgs, NoShrink: true, FloatOff: true, StopFirst: true, Timeout: hangTimeout}
	var err error
	// The parameters are always given: left to itself, a run may take others than the build has.
	if cfg.Binary, cfg.Params, err = d.at(ctx, s.Size); err != nil {
		return nil, err
	}
	res, err := run.Run(ctx, cfg)
	f := &Finding{Source: s.Source, Seed: s.Seed, Events: s.Events}
	f.Reproduce = fmt.Sprintf("goldwire cosim --block %s --rtl DIR --source %s --seed %d", block, s.Source, s.Seed)
	if s.Events > 0 {
		f.Reproduce += fmt.Sprintf(" --events %d", s.Events)
	}
	for _, name := range sortedKeys(cfg.Params) {
		f.Reproduce += fmt.Sprintf(" --param %s=%d", name, cfg.Params[name])
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, wire.ErrDUTHung), errors.Is(err, wire.ErrDUTExited):
		f.By = ByHang
		if errors.Is(err, wire.ErrDUTExited) {
			f.By = ByCrash
		}
		f.Field, f.Want, f.Got = "process", "answers", f.By
		return f, nil
	case errors.Is(err, run.ErrNotRepeated) && res.FirstMismatch != nil:
		// What a register or a memory held when the episode began shows. The RTL itself passes the step, so
		// it is the fault that lets it show.
		f.By, f.Episode, f.Cycle = ByMismatch, res.FirstMismatch.Episode, res.FirstMismatch.Cycle
		f.Field, f.Want, f.Got = "episode", "agrees", "differs, and not alone"
		return f, nil
	case err != nil:
		return nil, err
	case res.Mismatches == 0:
		return nil, nil
	}
	m := res.FirstMismatch
	f.By, f.Episode, f.Cycle = ByMismatch, m.Episode, m.Cycle
	if len(m.Fields) > 0 {
		f.Field, f.Want, f.Got = m.Fields[0].Name, m.Fields[0].Want, m.Fields[0].Got
		if f.Field == "assertion" {
			f.By = ByAssertion
		}
	}
	f.Alone = strings.ReplaceAll(m.Reproduce, "--rtl "+d.dir, "--rtl DIR")
	return f, nil
}

// hunt plays the plan until something finds the fault. It returns nil when nothing does. A step counts only
// when sound says that the RTL passes it without the fault.
func hunt(ctx context.Context, d device, f *Fault, plan []Step, sound func(context.Context, Step) error) (*Finding, error) {
	for _, s := range plan {
		got, err := play(ctx, d, f.Block, s)
		if err != nil {
			return nil, fmt.Errorf("fault %s of block %s, %s seed %d: %w", f.ID(), f.Block, s.Source, s.Seed, err)
		}
		if got != nil {
			if err := sound(ctx, s); err != nil {
				return nil, err
			}
			got.Reproduce = f.PlantCommand() + " && " + got.Reproduce
			return got, nil
		}
	}
	return nil, nil
}

// PlantCommand returns the command that writes a copy of the RTL with the fault into a new folder DIR.
func (f *Fault) PlantCommand() string {
	s := fmt.Sprintf("goldwire faults plant --block %s --fault %s", f.Block, f.ID())
	if f.Class == Drawn {
		s += fmt.Sprintf(" --seed %d", f.Seed)
	}
	return s + " -o DIR"
}

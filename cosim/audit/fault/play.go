package fault

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/run"
)

// Step is one co-simulation of a plan.
type Step struct {
	Source string
	Seed   uint64
	Events uint64
	Size   block.Size
	Case   string // directed case that is played alone
	Corpus string // folder of what the source guided plays
}

// CheckPlan returns what goldwire cosim plays of random events and directed cases where nothing else is asked for.
func CheckPlan(name string) (plan []Step) {
	b, err := block.Lookup(name)
	if err != nil {
		return nil
	}
	for _, p := range b.Check("random") {
		plan = append(plan, Step{Source: p.Source, Seed: p.Seed, Events: p.Events, Size: p.Size})
	}
	plan = append(plan, Step{Source: "directed", Seed: 1})
	for _, p := range b.Check("directed") {
		if p.Case != "" {
			plan = append(plan, Step{Source: p.Source, Seed: p.Seed, Events: p.Events, Size: p.Size, Case: p.Case})
		}
	}
	return plan
}

// DefaultPlan returns what a fault must survive to count as not found: the check, then random events of other seeds,
// first few, then on the least and on the largest block, then more, and the fabric's traffic at last. Few events of
// many seeds find more than many of one. Some blocks are played at further sizes, too.
func DefaultPlan(name string) []Step {
	plan := CheckPlan(name)
	random := func(first, last, events uint64, size block.Size) {
		for seed := first; seed <= last; seed++ {
			plan = append(plan, Step{Source: "random", Seed: seed, Events: events, Size: size})
		}
	}
	random(11, 13, 20_000, block.Default)
	random(15, 18, 20_000, block.Least)
	random(19, 22, 100_000, block.Default)
	if b, err := block.Lookup(name); err == nil {
		for _, size := range b.Faults.Random {
			random(24, 24, 20_000, size)
		}
		for _, size := range b.Faults.Directed {
			plan = append(plan, Step{Source: "directed", Seed: 1, Size: size})
		}
	}
	return append(plan, Step{Source: "random", Seed: 23, Events: 20_000, Size: block.Most},
		Step{Source: "fabric:incast32", Seed: 1, Events: 100_000})
}

// Ways in which a fault is caught.
const (
	ByMismatch  = "mismatch"
	ByAssertion = "assertion" // the RTL stopped the simulation
	ByHang      = "hang"
	ByCrash     = "crash"
)

// Finding records how a fault was caught: where, and the values there.
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
	// Check is set when the check of goldwire cosim alone finds the fault.
	Check bool `json:"check"`
	// Reproduce plants the fault into a new folder DIR and repeats the step on it.
	Reproduce string `json:"reproduce"`
	// Alone repeats only the failing episode. It may pass when the fault shows through the initial contents of a
	// register or a memory: a copy draws different contents from the build with all faults.
	Alone string `json:"alone,omitempty"`
}

// device is a build with a fault and the arguments that select the fault.
type device struct {
	*builds
	plusArgs []string
}

// hangTimeout is the longest time that a device may be silent: a batch takes milliseconds, but longer on a loaded
// machine.
const hangTimeout = 30 * time.Second

// play runs one step on a device and returns its finding, or nil. An error means that the harness or a build failed.
func play(ctx context.Context, d device, block string, s Step) (*Finding, error) {
	cfg := run.Config{Root: d.root, Block: block, Source: s.Source, Events: s.Events, Seed: s.Seed,
		Case: s.Case, Corpus: s.Corpus, RTLDir: d.dir, PlusArgs: d.plusArgs, NoShrink: true, FloatOff: true, StopFirst: true,
		Timeout: hangTimeout, Stimulus: d.stimulus}
	var err error
	// The parameters are always given: a run's defaults may differ from those of the build.
	if cfg.Binary, cfg.Params, err = d.at(ctx, s.Size); err != nil {
		return nil, err
	}
	res, err := run.Run(ctx, cfg)
	f := &Finding{Source: s.Source, Seed: s.Seed, Events: s.Events}
	f.Reproduce = fmt.Sprintf("goldwire cosim --block %s --rtl DIR --source %s --seed %d", block, s.Source, s.Seed)
	add := func(given bool, format string, arg any) {
		if given {
			f.Reproduce += fmt.Sprintf(format, arg)
		}
	}
	add(s.Events > 0, " --events %d", s.Events)
	add(s.Corpus != "", " --corpus %s", s.Corpus)
	add(s.Case != "", " --case %s", s.Case)
	for _, name := range slices.Sorted(maps.Keys(cfg.Params)) {
		f.Reproduce += fmt.Sprintf(" --param %s=%d", name, cfg.Params[name])
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, wire.ErrDUTExited):
		f.By, f.Field, f.Want, f.Got = ByCrash, "process", "answers", ByCrash
		return f, nil
	case errors.Is(err, wire.ErrDUTHung):
		f.By, f.Field, f.Want, f.Got = ByHang, "process", "answers", ByHang
		return f, nil
	case errors.Is(err, run.ErrNotRepeated) && res.FirstMismatch != nil:
		// The mismatch depends on the contents of a register or a memory at the start of the episode. The RTL itself
		// passes the step, so the fault exposes them.
		f.By, f.Episode, f.Cycle = ByMismatch, res.FirstMismatch.Episode, res.FirstMismatch.Cycle
		f.Field, f.Want, f.Got = "episode", "agrees", "differs, and not alone"
		return f, nil
	case err != nil:
		return nil, err
	case res.Mismatches == 0:
		return nil, nil
	case res.FirstMismatch.FoundBy != "": // RTL with the fault and the model agree, so the fault is not what was found
		return nil, fmt.Errorf("the model itself is wrong: %s", res.Reason())
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

// hunt plays the plan until a step finds the fault. It returns nil when none does. A step counts only when sound
// confirms that the RTL passes it without the fault.
func hunt(ctx context.Context, d device, f *Fault, plan []Step,
	sound func(context.Context, Step) error) (*Finding, error) {
	for _, s := range plan {
		got, err := play(ctx, d, f.Block, s)
		if err != nil {
			return nil, fmt.Errorf("fault %s of block %s, %s seed %d: %w", f.ID(), f.Block, s.Source, s.Seed, err)
		}
		if got != nil {
			if err := sound(ctx, s); err != nil {
				return nil, err
			}
			got.Check = slices.Contains(CheckPlan(f.Block), s)
			got.Reproduce = f.PlantCommand() + " && " + got.Reproduce
			return got, nil
		}
	}
	return nil, nil
}

// PlantCommand returns the command that writes a copy of the RTL with the fault to a new folder DIR.
func (f *Fault) PlantCommand() string {
	s := fmt.Sprintf("goldwire faults plant --block %s --fault %s", f.Block, f.ID())
	if f.Class == Drawn {
		s += fmt.Sprintf(" --seed %d", f.Seed)
	}
	return s + " -o DIR"
}

package fault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/stim/cache"
)

// Spec configures a campaign on one block: what it plants and what it plays.
type Spec struct {
	Root  string
	Block string
	Hand  []string // names of hand-written faults; nil for all
	Drawn int      // drawn faults
	Seed  uint64   // seed of the draw
	Plan  []Step
	Jobs  int // number of parallel simulations
	// Stimulus keeps what a simulated network gives the block: every fault is played with the same. It may be nil.
	Stimulus *cache.Cache
	// Progress is called after each fault, from any goroutine; it may be nil.
	Progress func(done, total uint64)
}

// DefaultSpec returns a campaign with all hand-written faults, 200 faults drawn with seed 1, and two parallel
// simulations.
func DefaultSpec(root, block string) Spec {
	return Spec{Root: root, Block: block, Drawn: 200, Seed: 1, Plan: DefaultPlan(block), Jobs: 2}
}

// Validate returns an error when the campaign is impossible.
func (s *Spec) Validate() error {
	switch {
	case s.Drawn < 0:
		return fmt.Errorf("%w: %d drawn faults: give 0 or more", ErrFault, s.Drawn)
	case s.Jobs < 1:
		return fmt.Errorf("%w: %d parallel simulations: give 1 or more", ErrFault, s.Jobs)
	case len(s.Plan) == 0:
		return fmt.Errorf("%w: the plan is empty: nothing could be found", ErrFault)
	}
	return nil
}

// campaign is a campaign in progress.
type campaign struct {
	Spec
	d       *Design
	rest    []*Fault // drawn faults not taken yet
	refused []*Fault
	tmp     string // folder of the copies of the RTL

	mu     sync.Mutex
	base   *device       // the current build, with no fault selected
	proven map[Step]bool // steps that base passes
}

// Run plants every fault of a campaign, plays the plan on each until it is caught, and returns the result. A fault that
// is not caught is data in the result; an error means that the harness broke, for example because a catalogue no longer
// applies to the RTL. Where faults were played before the error, the result holds them, as Broken.
func Run(ctx context.Context, spec Spec) (*Result, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	d, err := Load(spec.Root, spec.Block)
	if err != nil {
		return nil, err
	}
	book, err := LoadSurvivors(spec.Block)
	if err != nil {
		return nil, err
	}
	d.stimulus = spec.Stimulus
	c := &campaign{Spec: spec, d: d, rest: d.Draw(spec.Seed)}
	begin := time.Now()
	faults, err := c.faults()
	if err != nil {
		return nil, err
	}
	work := filepath.Join(spec.Root, "build", "faults")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, fmt.Errorf("copies of the RTL: %w", err)
	}
	if c.tmp, err = os.MkdirTemp(work, spec.Block+"-"); err != nil {
		return nil, fmt.Errorf("copies of the RTL: %w", err)
	}
	verdicts, err := c.all(ctx, faults)
	if err == nil || ctx.Err() != nil { // otherwise the copies stay: the error may be in one of them
		// The builds made from them are cached by content, so the same campaign need not build again.
		err = errors.Join(err, os.RemoveAll(c.tmp))
	}
	r := c.result(verdicts, book)
	r.Seconds = time.Since(begin).Seconds()
	if err != nil {
		r.broke(err, len(faults))
	}
	return r, err
}

// faults returns the requested hand-written faults and the first drawn faults.
func (c *campaign) faults() ([]*Fault, error) {
	hand, err := c.d.Catalog()
	if err != nil {
		return nil, err
	}
	var out []*Fault
	if c.Hand == nil {
		out = hand
	}
	for _, name := range c.Hand {
		f, err := c.d.Find(name, 0)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	for range c.Drawn {
		f := c.next()
		if f == nil {
			return nil, fmt.Errorf("%w: block %s gives only %d drawn faults, not %d", ErrFault, c.Block,
				len(out)-len(hand), c.Drawn)
		}
		out = append(out, f)
	}
	return out, nil
}

func (c *campaign) next() *Fault {
	if len(c.rest) == 0 {
		return nil
	}
	f := c.rest[0]
	c.rest = c.rest[1:]
	return f
}

// replace returns another fault for one that does not compile. Every hand-written fault must compile.
func (c *campaign) replace(f *Fault) *Fault {
	c.refused = append(c.refused, f)
	if f.Class == Hand {
		return nil
	}
	return c.next()
}

// groupSize limits the faults in one build: beyond it the guards cost more than a second build.
const groupSize = 300

// all plays all faults. With an error it returns the verdicts that it has.
func (c *campaign) all(ctx context.Context, faults []*Fault) ([]Verdict, error) {
	var inside, apart []*Fault
	for _, f := range faults {
		if f.guardable() {
			inside = append(inside, f)
		} else {
			apart = append(apart, f)
		}
	}
	out := make([]Verdict, 0, len(faults))
	done := 0
	for n := 0; len(inside) > 0; n++ {
		k := min(groupSize, len(inside))
		s, err := c.d.buildAll(ctx, c.dir(fmt.Sprint("group", n)), inside[:k], c.replace)
		if err != nil {
			return out, err
		}
		for _, f := range c.refused {
			if f.Class == Hand {
				return out, fmt.Errorf("%w: hand-written fault %s of block %s does not compile", ErrFault, f.Name, c.Block)
			}
		}
		inside = inside[k:]
		base := s.selecting(-1)
		c.base, c.proven = &base, map[Step]bool{}
		got, err := c.group(ctx, s.faults, s.selecting, &done, len(faults))
		out = append(out, got...)
		if err != nil {
			return out, err
		}
	}
	if c.base == nil && len(apart) > 0 {
		dir := c.dir("base")
		if err := c.d.copyTo(dir); err != nil {
			return out, err
		}
		c.base, c.proven = &device{builds: c.d.builds(dir)}, map[Step]bool{}
	}
	devices := make([]device, len(apart))
	for i, f := range apart {
		var err error
		if devices[i], err = c.d.single(ctx, f, c.dir("single-"+f.Name)); err != nil {
			return out, err
		}
	}
	got, err := c.group(ctx, apart, func(i int) device { return devices[i] }, &done, len(faults))
	return append(out, got...), err
}

func (c *campaign) dir(name string) string { return filepath.Join(c.tmp, name) }

// ErrUnsound means that the RTL differs from its model even without a fault: every fault would seem to be caught.
var ErrUnsound = errors.New("the RTL itself does not pass")

// sound plays a step once on the RTL without a fault, and returns ErrUnsound when it fails.
func (c *campaign) sound(ctx context.Context, s Step) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proven[s] {
		return nil
	}
	got, err := play(ctx, *c.base, c.Block, s)
	if err != nil {
		return err
	}
	if got != nil {
		return fmt.Errorf("%w: block %s, %s seed %d, episode %s, cycle %d, %s; fix that first, or run make gen if "+
			"hdl/gen is out of date: goldwire cosim --block %s --source %s --seed %d",
			ErrUnsound, c.Block, s.Source, s.Seed, got.Episode, got.Cycle, got.Field, c.Block, s.Source, s.Seed)
	}
	c.proven[s] = true
	return nil
}

// group hunts the faults of one build in parallel. With an error it returns the verdicts that it has.
func (c *campaign) group(ctx context.Context, faults []*Fault, at func(int) device, done *int,
	total int) ([]Verdict, error) {
	var mu sync.Mutex
	out := make([]Verdict, 0, len(faults))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(c.Jobs)
	for i, f := range faults {
		g.Go(func() error {
			got, err := hunt(ctx, at(i), f, c.Plan, c.sound)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			out = append(out, Verdict{Fault: f, Finding: got})
			*done++
			if c.Progress != nil {
				c.Progress(uint64(*done), uint64(total))
			}
			return nil
		})
	}
	err := g.Wait()
	return out, err
}

// builds holds the builds of one folder of RTL, one for each size, each made when first needed.
type builds struct {
	root, block, dir string
	stimulus         *cache.Cache

	mu   sync.Mutex
	done [block.Deep + 1]*launch.Binary
}

func (d *Design) builds(dir string) *builds {
	return &builds{root: d.Root, block: d.Block, dir: dir, stimulus: d.stimulus}
}

// at returns the build of a size and its parameters.
func (b *builds) at(ctx context.Context, size block.Size) (*launch.Binary, map[string]int, error) {
	kind, err := block.Lookup(b.block)
	if err != nil {
		return nil, nil, err
	}
	params := kind.Params(size)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done[size] == nil {
		b.done[size], err = launch.Build(ctx, launch.BuildSpec{Root: b.root, Block: b.block, RTLDir: b.dir, Params: params})
	}
	return b.done[size], params, err
}

// buildAll builds one copy of the RTL with all the faults, in a folder. It passes a fault that the compiler refuses to
// refused, which may return a replacement or nil.
func (d *Design) buildAll(ctx context.Context, dir string, faults []*Fault,
	refused func(*Fault) *Fault) (*schemata, error) {
	faults = slices.Clone(faults)
	for {
		if err := os.RemoveAll(dir); err != nil {
			return nil, copied(err)
		}
		s, err := d.writeSchemata(dir, faults)
		if err != nil {
			return nil, err
		}
		if _, _, err = s.at(ctx, block.Default); err == nil {
			return s, nil
		}
		i, ok := s.blamed(err.Error())
		if !errors.Is(err, wire.ErrBuild) || !ok {
			return nil, fmt.Errorf("RTL of block %s with %d guarded faults in %s: %w", d.Block, len(faults),
				filepath.Base(dir), err)
		}
		if other := refused(faults[i]); other != nil {
			faults[i] = other
		} else {
			faults = slices.Delete(faults, i, i+1)
		}
	}
}

// selecting returns the build with one fault selected by its index; -1 selects none.
func (s *schemata) selecting(i int) device {
	return device{s.builds, []string{fmt.Sprintf("+%s=%d", PlusArg, i+1)}}
}

// single writes a plain copy of the RTL with one fault to a folder and builds it.
func (d *Design) single(ctx context.Context, f *Fault, dir string) (device, error) {
	if err := os.RemoveAll(dir); err != nil {
		return device{}, copied(err)
	}
	if err := d.Plant(f, dir); err != nil {
		return device{}, err
	}
	b := d.builds(dir)
	if _, _, err := b.at(ctx, block.Default); err != nil {
		return device{}, fmt.Errorf("%w: fault %s of block %s: %w", ErrFault, f.ID(), d.Block, err)
	}
	return device{builds: b}, nil
}

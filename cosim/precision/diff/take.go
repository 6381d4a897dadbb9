package diff

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
	"github.com/goldwire/goldwire/vectors/stim"
)

// ErrParted is returned when fixed point at the contract's formats is not the cycle-true model.
var ErrParted = errors.New("fixed point is not the model")

// Block returns the name of the block whose arithmetics are compared.
func Block() string { return ccc.Schema().Name }

// Now returns what the tree has: the hashes that a baseline must have to be compared.
func Now() *baseline.Tree {
	short := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:8])
	}
	now := &baseline.Tree{Block: Block(), Format: map[string]string{}}
	all := ""
	for _, v := range ccc.Formats().Values {
		all += fmt.Sprintf("%s %s %v\n", v.Name, v.Kind, &v)
		now.Format[v.Name] = v.String()
	}
	now.Schema, now.Contract, now.Formats = ccc.Schema().Hash(), short(ccc.Contract()), short(all)
	return now
}

// TakeSpec defines the contents of a baseline.
type TakeSpec struct {
	Sources []string
	Seed    uint64
	Events  int
	Params  map[string]int
	TickNs  int
	Table   *formats.Table // nil: the contract's
}

// Take plays sources in both modes and returns the baseline. It returns ErrParted when fixed point at the contract's
// formats is not the model, and ErrNothing when a source has no event that the rules decide.
func Take(ctx context.Context, spec TakeSpec) (*baseline.File, error) {
	spec.Table = cmp.Or(spec.Table, ccc.Formats())
	if err := spec.check(); err != nil {
		return nil, err
	}
	var plays []Played
	for _, source := range spec.Sources {
		p, err := played(source, stim.Options{Seed: spec.Seed, Events: spec.Events, Params: spec.Params, TickNs: spec.TickNs})
		if err != nil {
			return nil, err
		}
		plays = append(plays, p)
	}
	return take(ctx, plays, spec.Table)
}

// played is a source of the block with all parameters.
func played(source string, o stim.Options) (Played, error) {
	o, err := o.Filled(ccc.Schema())
	return Played{source, o, func() (stim.Source, error) { return block.Open(Block(), source, o) }}, err
}

// Again plays what a baseline was made of on a table of formats, nil for the contract's. It errors as Take does.
func Again(ctx context.Context, old *baseline.File, table *formats.Table) (*baseline.File, error) {
	table = cmp.Or(table, ccc.Formats())
	if err := Changeable(table); err != nil {
		return nil, err
	}
	var plays []Played
	for _, s := range old.Stimulus {
		p, err := played(s.Source, stim.Options{Seed: s.Seed, Events: int(s.Events), Params: s.Params, TickNs: s.TickNs})
		if err != nil {
			return nil, fmt.Errorf("stimulus %s: %w", s.Source, err)
		}
		plays = append(plays, p)
	}
	return take(ctx, plays, table)
}

// Played is one source of a baseline.
type Played struct {
	Name    string
	Options stim.Options // with all parameters; Events is where to stop
	Open    func() (stim.Source, error)
}

// TakeOf plays given sources on a table of formats. It errors as Take does.
func TakeOf(ctx context.Context, plays []Played, table *formats.Table) (*baseline.File, error) {
	if err := Changeable(table); err != nil {
		return nil, err
	}
	return take(ctx, plays, table)
}

func take(ctx context.Context, plays []Played, table *formats.Table) (*baseline.File, error) {
	now := Now()
	f := &baseline.File{Version: baseline.Version, Block: now.Block, Hashes: now.Hashes,
		Changed: Changes(table, ccc.Formats())}
	for _, play := range plays {
		t := taking{Played: play, table: table, model: len(f.Changed) == 0}
		s, lines, err := t.take(ctx)
		if err != nil {
			return nil, fmt.Errorf("source %s: %w", play.Name, err)
		}
		f.Stimulus, f.Lines = append(f.Stimulus, *s), append(f.Lines, lines...)
	}
	f.Sort()
	return f, nil
}

func (spec *TakeSpec) check() error {
	if len(spec.Sources) == 0 {
		return fmt.Errorf("%w: no source is given", ErrNothing)
	}
	for i, s := range spec.Sources {
		if slices.Contains(spec.Sources[:i], s) {
			return fmt.Errorf("source %s: given twice; keep one", s)
		}
	}
	return Changeable(spec.Table)
}

// Changeable returns an error when a table changes a value whose format the rules' arithmetic does not know.
func Changeable(table *formats.Table) error {
	for _, v := range table.Changed(ccc.Formats()) {
		if slices.Contains(arith.Outside, v.Name) {
			return fmt.Errorf("value %s: it counts outside of the rules' arithmetic, so that its format cannot be changed",
				v.Name)
		}
	}
	return nil
}

// taking is one source of a baseline.
type taking struct {
	Played
	table *formats.Table
	model bool // the formats are the contract's
}

func (k *taking) take(ctx context.Context) (*baseline.Stimulus, []baseline.Line, error) {
	s, lines, err := k.mode(ctx, Step)
	if err != nil {
		return nil, nil, err
	}
	again, free, err := k.mode(ctx, Free)
	if err != nil {
		return nil, nil, err
	}
	if s.Hash != again.Hash || s.Events != again.Events || len(lines) != len(free) {
		return nil, nil, errors.New("stimulus: other events when played again")
	}
	for i := range lines {
		// Fixed point keeps its own state in both modes.
		if lines[i].Key() != free[i].Key() || lines[i].Digest != free[i].Digest || lines[i].Count != free[i].Count {
			return nil, nil, fmt.Errorf("%v: other numbers in fixed point when played again", lines[i].Key())
		}
		lines[i].Free = free[i].Step
	}
	return s, lines, nil
}

// mode plays the source once; the figures are those of Step in the lines, whatever the mode.
func (k *taking) mode(ctx context.Context, mode Mode) (*baseline.Stimulus, []baseline.Line, error) {
	t, err := newTrio(mode, k.table, SizeOf(k.Options.Params), 0)
	if err != nil {
		return nil, nil, err
	}
	t.probe = newProbe()
	t.recFixed.seen = t.probe.seen
	var beside *cycleModel
	if k.model {
		beside = newCycleModel(k.Options.Params)
	}
	src, err := k.Open()
	if err != nil {
		return nil, nil, err
	}
	events, parted := NewEventHash(), ""
	n, err := t.play(ctx, src, uint64(k.Options.Events), beside, events, &parted)
	switch {
	case parted != "":
		return nil, nil, fmt.Errorf("%w: %s", ErrParted, parted)
	case err != nil:
		return nil, nil, err
	}
	if t.measure.Compared == 0 {
		return nil, nil, fmt.Errorf("%w: none of its %d events is one that the rules decide", ErrNothing, n)
	}
	return &baseline.Stimulus{Source: k.Name, Seed: k.Options.Seed, Events: n, TickNs: k.Options.TickNs,
		Params: k.Options.Params, Hash: events.Sum()}, t.lines(k.Name), nil
}

func (t *trio) lines(source string) []baseline.Line {
	digests := map[string]*digest{}
	for v, d := range t.probe.values {
		digests[nscc.Value(v).String()] = d
	}
	for addr, d := range t.probe.regs {
		digests[ccc.RegInfo[addr].Name] = d
	}
	out := t.probe.lines(source)
	m := t.result()
	for i := range m.Signals {
		s := &m.Signals[i]
		v, _ := t.num.Table().Lookup(s.Name)
		d := digests[s.Name]
		out = append(out, baseline.Line{Source: source, Kind: baseline.Signal, Name: s.Name, Format: v.String(),
			Count: d.count, Digest: d.sum(), Step: figuresOf(s.Fixed)})
	}
	return out
}

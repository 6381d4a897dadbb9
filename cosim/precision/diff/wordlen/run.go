package wordlen

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// run is a search under way.
type run struct {
	Spec
	res      *Result
	contract *formats.Table
	base     *formats.Table // the contract's, with the integer bits of ranges
	slots    int
	train    *evaluator
	held     *evaluator
	dims     []*Value // the values that are searched, in the order of points
	s        *search
	index    map[string]int
	tried    []*tried
}

// tried is an evaluated point.
type tried struct {
	p    point
	figs Figures
	verdict
}

// Run searches and returns the cheapest table that keeps the bounds, confirmed on held-out seeds. It returns ErrBound
// when the contract's own formats do not keep them, and diff.ErrNothing when nothing could be evaluated.
func Run(ctx context.Context, spec Spec) (*Result, error) {
	r := &run{Spec: spec, contract: ccc.Formats(), index: map[string]int{}}
	if err := r.check(r.contract); err != nil {
		return nil, err
	}
	r.res = &Result{Block: r.contract.Block, Sources: r.Sources, Seeds: r.Seeds, HeldOutSeeds: r.HeldOut,
		Modes: r.Modes, Bounds: r.Errors, FlipsBound: r.Flips}
	for _, step := range []func(context.Context) error{r.record, r.ranges, r.narrow, r.find, r.front, r.confirm,
		r.count} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return r.res, nil
}

// record records and prepares all stimulus. What a source plays again with another seed counts once, and never as held
// out.
func (r *run) record(ctx context.Context) error {
	watched, err := r.watched()
	if err != nil {
		return err
	}
	seeds := append(slices.Clone(r.Seeds), r.HeldOut...)
	all := make([]*stimulus, len(seeds)*len(r.Sources))
	if err := parallel(ctx, len(all), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) error {
		rec, err := diff.Record(ctx, diff.Spec{Source: r.Sources[i%len(r.Sources)], Seed: seeds[i/len(r.Sources)],
			Events: r.Events, Params: r.Params, TickNs: r.TickNs})
		if err != nil {
			return err
		}
		all[i], err = prepare(ctx, rec, watched)
		return err
	}); err != nil {
		return err
	}
	r.slots = all[0].Size.PDCs
	r.train = &evaluator{modes: r.Modes, watched: watched, bounds: r.Errors, flips: r.Flips}
	r.held = &evaluator{modes: r.Modes, watched: watched, bounds: r.Errors, flips: r.Flips}
	seen := map[string]bool{}
	for i, s := range all {
		e := r.train
		if i >= len(r.Seeds)*len(r.Sources) {
			e = r.held
		}
		if seen[s.Digest] {
			r.res.Same = append(r.res.Same, fmt.Sprintf("source %s seed %d", s.Source, s.Seed))
			continue
		}
		seen[s.Digest] = true
		e.stimuli = append(e.stimuli, s)
	}
	if len(r.held.stimuli) == 0 {
		return fmt.Errorf("held-out seeds: source %s plays the same events with every seed, so that nothing is held out; "+
			"give a source that draws", strings.Join(r.Sources, ", "))
	}
	return nil
}

// ranges evaluates the contract's formats and settles the integer bits of each value.
func (r *run) ranges(ctx context.Context) error {
	seen, count := map[string]uint8{}, map[string]uint64{}
	figs, err := r.train.all(ctx, []*formats.Table{r.contract}, func(num *arith.Fixed) {
		for i := range r.Values {
			v, _ := r.contract.Lookup(r.Values[i].Name)
			u := num.Use(v.Name)
			seen[v.Name] = max(seen[v.Name], bitsOf(u, v.Format))
			count[v.Name] += u.Count
		}
	})
	if err != nil {
		return err
	}
	r.res.Compared = figs[0].Compared
	if bad := r.train.broken(&figs[0]); len(bad) > 0 {
		return fmt.Errorf("%w: %s; give larger bounds", ErrBound, strings.Join(bad, "; "))
	}
	held, err := r.held.all(ctx, []*formats.Table{r.contract}, nil)
	if err != nil {
		return err
	}
	r.res.ComparedHeldOut = held[0].Compared
	if bad := r.held.broken(&held[0]); len(bad) > 0 {
		return fmt.Errorf("%w with held-out seeds: %s; give larger bounds", ErrBound, strings.Join(bad, "; "))
	}
	r.res.Contract = Point{Cost: costOf(r.contract, r.slots), Figures: figs[0], Keeps: true}
	var ask []*formats.Table
	var asked []*Value
	for _, x := range r.Values {
		v, _ := r.contract.Lookup(x.Name)
		out := &Value{Name: v.Name, Kind: string(v.Kind), Contract: v.Format.String(), Format: v.Format.String(),
			Lo: x.Lo, Hi: x.Hi, Seen: int(seen[v.Name]), Weight: weightOf(r.contract, v.Name, r.slots)}
		if b, ok := bounds[v.Name]; ok {
			n := int(b.bits)
			out.Proven = &n
		}
		out.integer, out.Integers = integers(v, seen[v.Name], r.Integers, r.Guard)
		if int(out.integer)+out.Lo == 0 {
			out.Lo = 1
		}
		r.res.Values = append(r.res.Values, out)
		switch {
		case out.Weight == 0:
			out.keep("its bits cost nothing in the model of costs")
		case count[v.Name] == 0:
			out.keep("no event of the sources has such a number")
		case out.Lo < out.Hi:
			t := r.contract.Clone()
			f := v.Format
			f.Frac = uint8(max(0, 1-int(f.Int))) // as coarse as can be, so that any use of the fraction shows
			if err := t.Set(v.Name, f.String()); err != nil {
				return err
			}
			ask, asked = append(ask, t), append(asked, out)
		}
	}
	if figs, err = r.train.all(ctx, ask, nil); err != nil {
		return err
	}
	for i, out := range asked {
		if figs[i].print == r.res.Contract.Figures.print {
			out.keep("no response to the sources depends on its fraction bits")
		}
	}
	return nil
}

// narrow sets the integer bits and what is searched.
func (r *run) narrow(context.Context) error {
	r.base = r.contract.Clone()
	r.s = &search{ask: r.ask}
	saved := 0
	for _, x := range r.res.Values {
		if x.Kept != "" {
			continue
		}
		v, _ := r.contract.Lookup(x.Name)
		f := v.Format
		f.Int = x.integer
		if err := r.base.Set(x.Name, f.String()); err != nil {
			return err
		}
		if f.Int < v.Format.Int {
			saved += int(v.Format.Int - f.Int)
			if x.Integers == Observed {
				r.train.narrow = append(r.train.narrow, x.Name)
			}
		}
		r.dims = append(r.dims, x)
		r.s.lo, r.s.hi, r.s.weight = append(r.s.lo, x.Lo), append(r.s.hi, x.Hi), append(r.s.weight, x.Weight)
	}
	r.held.narrow = r.train.narrow
	grid := 1.0
	for i := range r.dims {
		grid *= float64(r.s.hi[i] - r.s.lo[i] + 1)
	}
	r.res.Grid = grid
	if len(r.dims) == 0 || grid == 1 && saved == 0 {
		var why []string
		for _, x := range r.res.Values {
			why = append(why, x.Name+": "+cmp.Or(x.Kept, "no bit to spare"))
		}
		return fmt.Errorf("%w: there is nothing to search: %s", diff.ErrNothing, strings.Join(why, "; "))
	}
	return nil
}

// table returns the formats of a point.
func (r *run) table(p point) (*formats.Table, error) {
	t := r.base.Clone()
	for i, x := range r.dims {
		v, _ := t.Lookup(x.Name)
		f := v.Format
		f.Frac = uint8(p[i])
		if err := t.Set(x.Name, f.String()); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// ask evaluates the points that were not asked before.
func (r *run) ask(ctx context.Context, ps []point) ([]verdict, error) {
	var fresh []*formats.Table
	first := len(r.tried)
	for _, p := range ps {
		if _, ok := r.index[p.key()]; ok {
			continue
		}
		t, err := r.table(p)
		if err != nil {
			return nil, err
		}
		r.index[p.key()] = len(r.tried)
		r.tried = append(r.tried, &tried{p: slices.Clone(p)})
		fresh = append(fresh, t)
	}
	figs, err := r.train.all(ctx, fresh, nil)
	if err != nil {
		return nil, err
	}
	for i := range figs {
		x := r.tried[first+i]
		x.figs, x.verdict = figs[i], r.train.judge(&figs[i])
	}
	out := make([]verdict, len(ps))
	for i, p := range ps {
		out[i] = r.tried[r.index[p.key()]].verdict
	}
	return out, nil
}

func (r *run) find(ctx context.Context) error {
	top, err := r.ask(ctx, []point{r.s.hi})
	if err != nil {
		return err
	}
	if !top[0].keeps {
		return fmt.Errorf("%w: with the integer bits of the ranges and the most fraction bits that --values allows: %s; "+
			"give larger bounds, more fraction bits or more guard bits", errWidest,
			strings.Join(r.train.broken(&r.tried[0].figs), "; "))
	}
	if _, err := r.s.run(ctx); err != nil {
		return err
	}
	r.res.Search = len(r.tried)
	for i, x := range r.dims {
		x.Alone = r.s.least[i]
	}
	return nil
}

// beyond is how many levels below the bounds the front is drawn.
const beyond = 4

// front evaluates tables on both sides of the bounds and keeps those that no other beats in cost and error.
func (r *run) front(ctx context.Context) error {
	var ask []point
	for n := -beyond; n <= r.s.levels(); n++ {
		ask = append(ask, r.s.level(n))
	}
	if _, err := r.ask(ctx, ask); err != nil {
		return err
	}
	r.res.Evaluations = len(r.tried)
	order := slices.Clone(r.tried)
	slices.SortStableFunc(order, r.cheaper)
	least := 0.0
	for _, x := range order {
		p, err := r.point(x)
		if err != nil {
			return err
		}
		r.res.all = append(r.res.all, p)
		if x.figs.Clipped == 0 && (len(r.res.Front) == 0 || x.use < least) {
			least = x.use
			r.res.Front = append(r.res.Front, p)
		}
	}
	return nil
}

// cheaper orders points by cost, then by error, then by their bits.
func (r *run) cheaper(a, b *tried) int {
	return cmp.Or(cmp.Compare(r.s.cost(a.p), r.s.cost(b.p)), cmp.Compare(a.use, b.use), slices.Compare(a.p, b.p))
}

// point returns a point as a result has it.
func (r *run) point(x *tried) (Point, error) {
	t, err := r.table(x.p)
	if err != nil {
		return Point{}, err
	}
	p := Point{Cost: costOf(t, r.slots), Figures: x.figs, Keeps: x.keeps, table: t}
	for i := range r.dims {
		v, _ := t.Lookup(r.dims[i].Name)
		p.Formats = append(p.Formats, v.Format.String())
	}
	return p, nil
}

// confirm takes the cheapest table that keeps the bounds with the held-out seeds too.
func (r *run) confirm(ctx context.Context) error {
	order := slices.DeleteFunc(slices.Clone(r.tried), func(x *tried) bool { return !x.keeps })
	slices.SortStableFunc(order, r.cheaper)
	for _, x := range order {
		p, err := r.point(x)
		if err != nil {
			return err
		}
		figs, err := r.held.all(ctx, []*formats.Table{p.table}, nil)
		if err != nil {
			return err
		}
		if bad := r.held.broken(&figs[0]); len(bad) > 0 {
			r.res.Rejected = append(r.res.Rejected, Rejected{Point: p, Why: bad})
			continue
		}
		r.res.Winner, r.res.HeldOut, r.res.Table = p, figs[0], p.table
		for i, d := range r.dims {
			d.Format = p.Formats[i]
		}
		return nil
	}
	return fmt.Errorf("%w with held-out seeds: none of the %d that keep them on the sources does, of the widest %s; "+
		"give more seeds, guard bits or larger bounds", errHeldOut, len(order),
		strings.Join(r.res.Rejected[len(order)-1].Why, "; "))
}

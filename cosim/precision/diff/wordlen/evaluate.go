package wordlen

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Figures is what a table gave on a set of recordings: of each figure the worst one.
type Figures struct {
	Errors   []float64 `json:"errors"`        // the largest absolute one of each bounded value, in the order of the bounds
	Flips    float64   `json:"flips_per_10k"` // events decided otherwise than by exact numbers
	Clipped  uint64    `json:"clipped"`       // numbers that left integer bits which only ranges justify
	Compared uint64    `json:"compared"`      // events, of all recordings

	worst []string // the recording of each error, then that of the flips
	print uint64   // of all responses in fixed point
}

// stimulus is a recording with what exact numbers made of it in free mode.
type stimulus struct {
	*diff.Recording
	exact []ccc.Response
	ran   []bool
	want  [][]float64 // of each bounded value, after each event that the rules decided
	ran0  uint64      // number of events that the rules decided
}

// steps is the fineness of exact numbers in free mode, as in package diff.
const steps = 192

// prepare runs exact numbers on a recording, once for all tables.
func prepare(ctx context.Context, r *diff.Recording, watched []nscc.Value) (*stimulus, error) {
	s := &stimulus{Recording: r, exact: make([]ccc.Response, r.Len()), ran: make([]bool, r.Len()),
		want: make([][]float64, len(watched))}
	for k := range s.want {
		s.want[k] = make([]float64, r.Len())
	}
	num := arith.Exact{Steps: steps}
	p := diff.NewParty[arith.Real](num, r.Size)
	err := r.Each(ctx, p.Reset, func(i int, ev *ccc.Event) error {
		p.Apply(ev, &s.exact[i])
		if s.ran[i] = p.Ran; p.Ran {
			s.ran0++
			for k, v := range watched {
				s.want[k][i] = num.Float(*p.Context(ev.Ctx).State.Word(v))
			}
		}
		return nil
	})
	if err == nil && s.ran0 == 0 {
		err = fmt.Errorf("%w: none of the %d events of source %s with seed %d is one that the rules decide; "+
			"give another source or more events", diff.ErrNothing, r.Len(), r.Source, r.Seed)
	}
	return s, err
}

// evaluator measures tables on stimulus.
type evaluator struct {
	stimuli []*stimulus
	modes   []diff.Mode
	watched []nscc.Value
	bounds  []Bound
	flips   float64
	narrow  []string // values whose integer bits only ranges justify
}

// number returns the nearest float64; whole numbers, which most are, take the short way.
func number(x fixed.Num) float64 {
	if n, ok := x.Int64(); ok {
		return float64(n)
	}
	return x.Float64()
}

// one measures a table on one stimulus. used, if not nil, gets the arithmetic after the run.
func (e *evaluator) one(ctx context.Context, s *stimulus, t *formats.Table, used func(*arith.Fixed)) (
	f Figures, err error) {
	num, err := arith.NewFixed(t)
	if err != nil {
		return f, err
	}
	if used != nil || len(e.narrow) > 0 {
		num.Watch()
	}
	f = Figures{Errors: make([]float64, len(e.watched)), Compared: s.ran0, print: 14695981039346656037}
	free := slices.Contains(e.modes, diff.Free)
	p := diff.NewParty[fixed.Num](num, s.Size)
	wrong := uint64(0)
	var rsp ccc.Response
	var words [ccc.OutWords]uint64
	err = s.Each(ctx, p.Reset, func(i int, ev *ccc.Event) error {
		p.Apply(ev, &rsp)
		if err := num.Err(); err != nil {
			return err
		}
		ccc.PackResponse(&rsp, words[:])
		for _, w := range words {
			f.print = (f.print ^ w) * 1099511628211
		}
		if !s.ran[i] || !free {
			return nil
		}
		if !diff.Alike(&rsp, &s.exact[i]) {
			wrong++
		}
		for k, v := range e.watched {
			d := math.Abs(number(*p.Context(ev.Ctx).State.Word(v)) - s.want[k][i])
			f.Errors[k] = max(f.Errors[k], d)
		}
		return nil
	})
	if err != nil {
		return f, err
	}
	for _, name := range e.narrow {
		u := num.Use(name)
		f.Clipped += u.Saturated + u.Wrapped
	}
	if slices.Contains(e.modes, diff.Step) {
		m, apart, err := s.Measure(ctx, diff.Step, t)
		if err != nil {
			return f, err
		}
		wrong = max(wrong, apart)
		for k := range e.bounds {
			i := slices.IndexFunc(m.Signals, func(x diff.Signal) bool { return x.Name == e.bounds[k].Name })
			f.Errors[k] = max(f.Errors[k], m.Signals[i].Fixed.Max)
		}
	}
	f.Flips = 1e4 * float64(wrong) / float64(s.ran0)
	if used != nil {
		used(num)
	}
	return f, nil
}

// join takes the worse of each figure.
func (f *Figures) join(g *Figures, where string) {
	if f.Errors == nil {
		f.Errors, f.worst = make([]float64, len(g.Errors)), make([]string, len(g.Errors)+1)
	}
	for k, x := range g.Errors {
		if x > f.Errors[k] || f.worst[k] == "" {
			f.Errors[k], f.worst[k] = x, where
		}
	}
	if k := len(g.Errors); g.Flips > f.Flips || f.worst[k] == "" {
		f.Flips, f.worst[k] = g.Flips, where
	}
	f.Clipped += g.Clipped
	f.Compared += g.Compared
	f.print = f.print*1099511628211 ^ g.print
}

// parallel calls do with the numbers below n, so many of them at a time, until one fails.
func parallel(ctx context.Context, n, at int, do func(ctx context.Context, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(at)
	for i := range n {
		g.Go(func() error { return do(ctx, i) })
	}
	return g.Wait()
}

// all measures tables on all stimuli, on all processors, and returns their figures in the order of the tables.
func (e *evaluator) all(ctx context.Context, tables []*formats.Table, used func(*arith.Fixed)) ([]Figures, error) {
	parts := make([]Figures, len(tables)*len(e.stimuli))
	at := runtime.GOMAXPROCS(0)
	if used != nil {
		at = 1
	}
	if err := parallel(ctx, len(parts), at, func(ctx context.Context, i int) (err error) {
		parts[i], err = e.one(ctx, e.stimuli[i%len(e.stimuli)], tables[i/len(e.stimuli)], used)
		return err
	}); err != nil {
		return nil, err
	}
	out := make([]Figures, len(tables))
	for i := range parts {
		s := e.stimuli[i%len(e.stimuli)]
		out[i/len(e.stimuli)].join(&parts[i], fmt.Sprintf("source %s seed %d", s.Source, s.Seed))
	}
	return out, nil
}

// judge says whether figures keep the bounds.
func (e *evaluator) judge(f *Figures) verdict {
	v := verdict{keeps: f.Clipped == 0 && f.Flips <= e.flips, use: share(f.Flips, e.flips)}
	for k, b := range e.bounds {
		v.keeps = v.keeps && f.Errors[k] <= b.Max
		v.use = max(v.use, share(f.Errors[k], b.Max))
	}
	return v
}

// share returns x / bound; of a bound of 0, how often that is kept.
func share(x, bound float64) float64 {
	if x == 0 {
		return 0
	}
	if bound == 0 {
		return math.MaxFloat64
	}
	return x / bound
}

// broken returns which bounds figures do not keep, and where.
func (e *evaluator) broken(f *Figures) (out []string) {
	for k, b := range e.bounds {
		if f.Errors[k] > b.Max {
			out = append(out, fmt.Sprintf("%s is off by %s, the bound is %s (%s)", b.Name, report.Short(f.Errors[k]),
				report.Short(b.Max), f.worst[k]))
		}
	}
	if f.Flips > e.flips {
		out = append(out, fmt.Sprintf("%s events in 10,000 are decided differently, the bound is %s (%s)",
			report.Short(f.Flips), report.Short(e.flips), f.worst[len(e.bounds)]))
	}
	if f.Clipped > 0 {
		out = append(out, fmt.Sprintf("%d numbers left the integer bits that the ranges of the search gave", f.Clipped))
	}
	return out
}

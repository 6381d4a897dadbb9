package planted

import (
	"context"
	"fmt"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Options are what is measured.
type Options struct {
	Count   int    // changes for each control; 0 for all there are
	Seed    uint64 // of the draw
	Workers int    // at a time, at least 1
	// Progress, when not nil, is called after each change, by one at a time.
	Progress func(Result)
}

// Result is what became of one change.
type Result struct {
	Change
	Verdict Verdict
	// Reason is why a change that is listed as equivalent alters nothing; empty for the others.
	Reason string
}

// Report is the measurement of one control.
type Report struct {
	Control string
	Of      int // changes that there are
	Results []Result
	// Equivalent are changes that were reached in the draw and are listed as such.
	Equivalent []Result
}

// Measure plants changes in the rules of a control. Listed equivalents that come up in the draw are played too, and are
// an error when a test catches them. It errors when the tests do not pass unchanged.
func Measure(ctx context.Context, root string, c Control, o Options) (*Report, error) {
	all, err := c.Changes(root)
	if err != nil {
		return nil, err
	}
	switch v, out, err := c.try(ctx, root, nil); {
	case err != nil:
		return nil, fmt.Errorf("%s without a change: %w", c.Name, err)
	case v != Survived:
		return nil, fmt.Errorf("%s without a change: %s:\n%s", c.Name, v, out)
	case took(out) > limit/3:
		return nil, fmt.Errorf("%s without a change: the tests took %v, too near the %v that end them: is the machine busy?",
			c.Name, took(out), limit)
	}
	rep := &Report{Control: c.Name, Of: len(all)}
	next := Draw(all, o.Seed)
	want := o.Count
	if want <= 0 {
		want = len(next)
	}
	for need := want; need > 0 && len(next) > 0; need = want - rep.played() {
		batch := next[:min(need, len(next))]
		next = next[len(batch):]
		if err := rep.play(ctx, root, &c, batch, &o); err != nil {
			return nil, err
		}
	}
	return rep, nil
}

// play tries a batch of changes, some at a time, and keeps the results in the order of the batch.
func (r *Report) play(ctx context.Context, root string, c *Control, batch []Change, o *Options) error {
	results := make([]Result, len(batch))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, o.Workers))
	var mu sync.Mutex
	for i := range batch {
		g.Go(func() error {
			v, out, err := c.try(ctx, root, &batch[i])
			if err != nil {
				return fmt.Errorf("%s: %s: %w", c.Name, batch[i].Key(), err)
			}
			results[i] = Result{Change: batch[i], Verdict: v, Reason: listed()[batch[i].Key()]}
			if results[i].Reason != "" && v != Survived {
				return fmt.Errorf("%s: %s: listed as equivalent in equivalent.txt, and %s:\n%s", c.Name, batch[i].Key(), v, out)
			}
			mu.Lock()
			defer mu.Unlock()
			if o.Progress != nil {
				o.Progress(results[i])
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, x := range results {
		if x.Reason != "" {
			r.Equivalent = append(r.Equivalent, x)
		} else {
			r.Results = append(r.Results, x)
		}
	}
	return nil
}

// Count returns how many changes had a verdict.
func (r *Report) Count(v Verdict) (n int) {
	for _, x := range r.Results {
		if x.Verdict == v {
			n++
		}
	}
	return n
}

// played is the number of changes that count: those that compile and are not equivalent.
func (r *Report) played() int { return len(r.Results) - r.Count(NotCompiled) }

// Share returns the part of the changes that was caught, and whether any counted.
func (r *Report) Share() (float64, bool) {
	if r.played() == 0 {
		return 0, false
	}
	return 1 - float64(r.Count(Survived))/float64(r.played()), true
}

// WriteText writes a line for each survivor and the sum.
func (r *Report) WriteText(w io.Writer) error {
	for _, x := range r.Results {
		if x.Verdict != Survived && x.Verdict != Endless {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s: %s: line %d: %s\n", r.Control, x.Verdict, x.Line, x.Key()); err != nil {
			return err
		}
	}
	share, ok := r.Share()
	text := fmt.Sprintf("%.1f %%", 100*share)
	if !ok {
		text = "nothing"
	}
	_, err := fmt.Fprintf(w, "%s: %s of %d planted changes caught: %d by its tests, %d by scenarios alone, %d endless; "+
		"%d survived; apart from these %d did not compile, %d are equivalent (of %d changes that there are)\n",
		r.Control, text, r.played(), r.Count(Caught), r.Count(ByScenario), r.Count(Endless), r.Count(Survived),
		r.Count(NotCompiled), len(r.Equivalent), r.Of)
	return err
}

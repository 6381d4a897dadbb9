package prove

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/bridge/toolchain"
)

// Verdict is the outcome of a row.
type Verdict struct {
	Name    string  `json:"name"`
	Group   string  `json:"group"`
	Claim   string  `json:"claim"`
	Engine  string  `json:"engine"`
	Depth   int     `json:"depth,omitempty"` // of a bounded proof
	Asserts int     `json:"asserts"`
	Assumes int     `json:"assumes"`
	Reached int     `json:"reached"` // REACH of the harness that are reached, which is all of them
	Twins   int     `json:"twins"`   // twins that fail, which is all of them
	Seconds float64 `json:"seconds"`
	// Failed is the reason why the row does not count; empty for a proof.
	Failed string `json:"failed,omitempty"`
	// Disproved is true when the RTL itself has a counterexample.
	Disproved bool `json:"disproved,omitempty"`
}

// Proved reports whether the row counts.
func (v *Verdict) Proved() bool { return v.Failed == "" && !v.Disproved }

// Bounded reports whether the proof covers only the first cycles.
func (v *Verdict) Bounded() bool { return v.Engine == BMC }

// Spec configures a run.
type Spec struct {
	Root string // of the repository
	Work string // folder for models and logs; emptied for each row
	Jobs int
	Done func(*Verdict) // called after each row, one call at a time; may be nil
}

// Tools returns an error that names the tools that are missing.
func Tools() error {
	var lack []string
	for _, name := range []string{"yosys", "yosys-abc", "yosys-smtbmc", "z3"} {
		if _, err := exec.LookPath(name); err != nil {
			lack = append(lack, name)
		}
	}
	if len(lack) > 0 {
		return fmt.Errorf("%w: %s not installed; run: make tools", ErrProof, strings.Join(lack, ", "))
	}
	return nil
}

// Run plays rows and returns their verdicts in their order. An error means that nothing is known about the RTL.
func Run(ctx context.Context, spec Spec, rows []Row) ([]Verdict, error) {
	if err := Tools(); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: no row to prove", ErrProof)
	}
	if v, _, err := toolchain.Find(ctx, toolchain.Yosys); err == nil {
		toolchain.WarnNew(toolchain.Yosys, v)
	}
	return each(ctx, spec, order(rows), func(ctx context.Context, i int) (*Verdict, error) {
		v := &Verdict{Name: rows[i].Name, Group: rows[i].Group, Claim: rows[i].Claim, Engine: rows[i].Engine}
		err := spec.play(ctx, &rows[i], v)
		if err != nil {
			err = fmt.Errorf("row %s: %w", rows[i].Name, err)
		}
		return v, err
	})
}

// order returns the places of rows in the order in which they are started.
func order(rows []Row) []int {
	var slow, others []int
	for i := range rows {
		if rows[i].Slow {
			slow = append(slow, i)
		} else {
			others = append(others, i)
		}
	}
	return append(slow, others...)
}

// each plays rows in parallel, in the given order.
func each(ctx context.Context, spec Spec, rows []int, play func(context.Context, int) (*Verdict, error)) ([]Verdict,
	error) {
	out := make([]Verdict, len(rows))
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, spec.Jobs))
	for _, i := range rows {
		g.Go(func() error {
			begin := time.Now()
			v, err := play(ctx, i)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err != nil { // the other rows are proven all the same
				v.Failed = err.Error()
			}
			v.Seconds = time.Since(begin).Seconds()
			out[i] = *v
			if spec.Done != nil {
				mu.Lock()
				defer mu.Unlock()
				spec.Done(v)
			}
			return nil
		})
	}
	return out, g.Wait()
}

// play proves one row on the RTL of the repository, reaches what must be reached and lets its twins fail.
func (s Spec) play(ctx context.Context, r *Row, v *Verdict) error {
	if r.Engine == BMC {
		v.Depth = r.Depth
	}
	dir := filepath.Join(s.Work, r.Name)
	if err := os.RemoveAll(dir); err != nil {
		return harness(err)
	}
	t := tree{root: s.Root, rtl: filepath.Join(s.Root, "hdl", "rtl")}
	if r.planted != nil {
		var err error
		if t.extra, err = r.planted(dir); err != nil {
			return err
		}
	}
	if r.Engine == Paths {
		found, ports, err := t.paths(ctx, r, filepath.Join(dir, "prove"))
		if v.Asserts = ports; err != nil {
			return err
		}
		if found > 0 {
			v.Disproved, v.Failed = true, fmt.Sprintf("%d outputs follow an input within the cycle", found)
			return nil
		}
		return s.playTwins(ctx, t, r, v, dir)
	}
	m, err := t.build(ctx, r, prove, r.Engine == Z3, filepath.Join(dir, "prove"))
	if err != nil {
		return err
	}
	v.Asserts, v.Assumes = m.asserts, m.assumes
	if m.asserts == 0 {
		v.Failed = "the harness asserts nothing"
		return nil
	}
	question := ask
	if r.Engine == Same {
		question = r.common.ask
	}
	got, err := question(ctx, m, r)
	switch {
	case err != nil:
		return err
	case got == fails:
		// Two copies with freed state may differ although the fault changes nothing: the row is open.
		v.Disproved, v.Failed = r.Engine != Same, "the RTL has a counterexample"
		return nil
	case got == unknown:
		v.Failed = fmt.Sprintf("no answer within %d s", r.Timeout)
		return nil
	}
	if r.Engine != Same || len(r.Cover) > 0 {
		if err := s.covers(ctx, t, r, v, dir); err != nil || v.Failed != "" {
			return err
		}
	}
	return s.twins(ctx, t, r, v, dir)
}

// covers reaches every REACH of a harness, under its assumptions.
func (s Spec) covers(ctx context.Context, t tree, r *Row, v *Verdict, dir string) error {
	m, err := t.build(ctx, r, reach, false, filepath.Join(dir, "reach"))
	if err != nil {
		return err
	}
	if m.asserts == 0 {
		v.Failed = "the harness has no REACH: its assumptions may be vacuous"
		return nil
	}
	if v.Reached, err = reached(ctx, m, r.Reach, r.Timeout); err != nil {
		return err
	}
	if v.Reached != m.asserts {
		v.Failed = fmt.Sprintf("%d of %d REACH are reached within %d cycles", v.Reached, m.asserts, r.Reach)
	}
	return nil
}

// twins lets the twins of a row fail. Rows of one entry have them in common.
func (s Spec) twins(ctx context.Context, t tree, r *Row, v *Verdict, dir string) error {
	c := r.common
	if c == nil {
		return s.playTwins(ctx, t, r, v, dir)
	}
	c.tried.Do(func() {
		var w Verdict
		c.wrong = s.playTwins(ctx, t, r, &w, dir)
		c.twins, c.failed = w.Twins, w.Failed
	})
	v.Twins, v.Failed = c.twins, c.failed
	return c.wrong
}

// playTwins plants each fault and expects a counterexample.
func (s Spec) playTwins(ctx context.Context, t tree, r *Row, v *Verdict, dir string) error {
	for i, w := range r.Twins {
		at := filepath.Join(dir, fmt.Sprintf("twin%d", i+1))
		planted, err := r.plant(t, w, at)
		if err != nil {
			return err
		}
		why, err := planted.refuted(ctx, r, at)
		if err != nil {
			return err
		}
		if why != "" {
			v.Failed = fmt.Sprintf("twin %d%s: %s: %s", i+1, why, w.File, w.Put)
			return nil
		}
		v.Twins++
	}
	return nil
}

// refuted returns "" when the property does not hold on the tree, as it must with a planted fault, or else why not.
func (t tree) refuted(ctx context.Context, r *Row, dir string) (why string, err error) {
	if r.Engine == Paths {
		found, _, err := t.paths(ctx, r, dir)
		if err == nil && found == 0 {
			why = " has no path"
		}
		return why, err
	}
	m, err := t.build(ctx, r, prove, false, dir)
	if err != nil {
		return "", err
	}
	switch got, err := bmc(ctx, m, r.Reach, r.Timeout); {
	case err != nil:
		return "", err
	case got == unknown:
		return fmt.Sprintf(": no answer within %d s", r.Timeout), nil
	case got != fails:
		return fmt.Sprintf(" does not fail within %d cycles", r.Reach), nil
	}
	return "", nil
}

// plant copies the RTL to dir with the fault in it.
func (w Twin) plant(t tree, dir string) (tree, error) {
	text, err := os.ReadFile(filepath.Join(t.rtl, w.File))
	if err != nil {
		return tree{}, fmt.Errorf("%w: twin: %w", ErrProof, err)
	}
	if n := strings.Count(string(text), w.Find); n != 1 {
		return tree{}, fmt.Errorf("%w: twin: its text occurs %d times in %s, not once: %s", ErrProof, n, w.File, w.Find)
	}
	err = errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(t.rtl)), os.WriteFile(filepath.Join(dir, w.File),
		[]byte(strings.Replace(string(text), w.Find, w.Put, 1)), 0o644))
	if err != nil {
		return tree{}, fmt.Errorf("%w: twin: %w", ErrProof, err)
	}
	return tree{root: t.root, rtl: dir}, nil
}

package baseline

import (
	"errors"
	"fmt"
	"slices"
)

// Verdict is what became of a line.
type Verdict string

// The verdicts. Beyond and Flip fail a comparison.
const (
	Identical  Verdict = "identical"
	Within     Verdict = "within bound"
	Beyond     Verdict = "beyond bound"
	Flip       Verdict = "flip"
	IsAccepted Verdict = "accepted"
	Unused     Verdict = "never occurred" // on either side: nothing was compared
)

// Row is the verdict on one line.
type Row struct {
	Key
	Verdict Verdict
	A, B    *Line
	Bound   *Bound
	By      *Accepted // who accepted it
}

// Report is the result of a comparison.
type Report struct {
	Rows  []Row
	Notes []string
}

// ErrNothing is returned when there was nothing to compare.
var ErrNothing = errors.New("nothing was compared")

// Count returns the number of rows of a verdict.
func (r *Report) Count(v Verdict) (n int) {
	for i := range r.Rows {
		if r.Rows[i].Verdict == v {
			n++
		}
	}
	return n
}

// Failed reports whether anything is beyond its bound or flipped, and not accepted.
func (r *Report) Failed() bool { return r.Count(Beyond)+r.Count(Flip) > 0 }

// Options limit a comparison.
type Options struct {
	// Bounds are by the name of a line, in place of those of the files.
	Bounds map[string]Bound
	// Answers compares outputs and decisions only: one side knows no values of the rules, nor how far it is from exact.
	Answers bool
}

// Compare compares two files line by line. It errors when they did not play the same, a line is missing on one side, or
// there is nothing to compare; a bound or an acceptance of either file counts.
func Compare(a, b *File, o Options) (*Report, error) {
	if err := errors.Join(a.check(), b.check()); err != nil {
		return nil, err
	}
	if err := sameStimulus(a, b); err != nil {
		return nil, err
	}
	of := map[Key]*Line{}
	for i := range b.Lines {
		if l := &b.Lines[i]; !o.Answers || l.Kind != Signal {
			of[l.Key()] = l
		}
	}
	accepted := map[Key][]*Accepted{}
	for _, f := range []*File{a, b} {
		for i := range f.Accepted {
			k := f.Accepted[i].Key()
			accepted[k] = append(accepted[k], &f.Accepted[i])
		}
	}
	r := new(Report)
	known := map[string]bool{}
	compared := map[string]int{}
	for i := range a.Lines {
		l := &a.Lines[i]
		if o.Answers && l.Kind == Signal {
			continue
		}
		m := of[l.Key()]
		if m == nil {
			return nil, fmt.Errorf("%w: the %v is missing in B", ErrUnfit, l.Key())
		}
		delete(of, l.Key())
		known[l.Name] = true
		row := Row{Key: l.Key(), A: l, B: m, Bound: bound(l, m, o.Bounds)}
		if row.Bound != nil {
			if err := row.Bound.check(l); err != nil {
				return nil, fmt.Errorf("%v: %w", l.Key(), err)
			}
		}
		row.judge(accepted[l.Key()], o.Answers)
		if row.Verdict != Unused {
			compared[l.Source]++
		}
		r.Rows = append(r.Rows, row)
	}
	for i := range b.Lines {
		if k := b.Lines[i].Key(); of[k] != nil {
			return nil, fmt.Errorf("%w: the %v is missing in A", ErrUnfit, k)
		}
	}
	for name := range o.Bounds {
		if !known[name] {
			return nil, fmt.Errorf("bound %q: no signal and no decision of that name is compared", name)
		}
	}
	for i := range a.Stimulus {
		if s := a.Stimulus[i].Source; compared[s] == 0 {
			return nil, fmt.Errorf("%w: no line of source %s has any number", ErrNothing, s)
		}
	}
	r.note(a, b)
	return r, nil
}

// bound returns the bound of a line: the given one, else that of the files, of two the tighter one.
func bound(a, b *Line, given map[string]Bound) *Bound {
	if g, ok := given[a.Name]; ok {
		return &g
	}
	switch {
	case a.Bound == nil:
		return b.Bound
	case b.Bound == nil:
		return a.Bound
	}
	return &Bound{min(a.Bound.Step, b.Bound.Step), min(a.Bound.Free, b.Bound.Free)}
}

func (w *Row) judge(accepted []*Accepted, answers bool) {
	a, b := w.A, w.B
	if a.Count == 0 && b.Count == 0 {
		w.Verdict = Unused
		return
	}
	if a.Digest == b.Digest && a.Count == b.Count && (answers || a.Step == b.Step && a.Free == b.Free) {
		w.Verdict = Identical
		return
	}
	for _, x := range accepted {
		if !answers && (x.covers(a, b) || x.covers(b, a)) {
			w.Verdict, w.By = IsAccepted, x
			return
		}
	}
	if !answers && w.Bound != nil && a.Count == b.Count && a.keeps(w.Bound) && b.keeps(w.Bound) {
		w.Verdict = Within
		return
	}
	w.Verdict = Beyond
	if w.Kind == Decision {
		w.Verdict = Flip
	}
}

// covers reports whether a change is the accepted one.
func (x *Accepted) covers(was, is *Line) bool {
	return x.Was == was.Digest && x.Digest == is.Digest && x.Count == is.Count && x.Step == is.Step && x.Free == is.Free
}

// keeps reports whether a line was held against exact numbers and is within a bound.
func (l *Line) keeps(b *Bound) bool {
	return l.Step.Compared > 0 && l.Free.Compared > 0 && l.size(&l.Step) <= b.Step && l.size(&l.Free) <= b.Free
}

// size is what a bound limits.
func (l *Line) size(f *Figures) float64 {
	if l.Kind == Decision {
		return float64(f.Differ)
	}
	return f.Max
}

// What returns in which respect the sides of a row differ.
func (w *Row) What() string {
	a, b := w.A, w.B
	switch {
	case w.Verdict == Identical || w.Verdict == Unused:
		return ""
	case a.Count != b.Count:
		return fmt.Sprintf("%d numbers in A, %d in B", a.Count, b.Count)
	case a.Digest == b.Digest:
		return "the same numbers; the exact ones changed"
	case w.Kind == Decision:
		return "decided otherwise"
	}
	return "other numbers"
}

// note adds what the reader should know beside the verdicts.
func (r *Report) note(a, b *File) {
	if a.Contract != b.Contract {
		r.Notes = append(r.Notes, fmt.Sprintf("contract.md is not the same: %s in A, %s in B", a.Contract, b.Contract))
	}
	for i, f := range []*File{a, b} {
		for _, c := range f.Changed {
			r.Notes = append(r.Notes, fmt.Sprintf("%c has %s as %s (contract: %s)", 'A'+i, c.Name, c.Format, c.Contract))
		}
		used := map[*Accepted]bool{}
		for j := range r.Rows {
			used[r.Rows[j].By] = true
		}
		for j := range f.Accepted {
			if x := &f.Accepted[j]; !used[x] {
				r.Notes = append(r.Notes, fmt.Sprintf("%c accepts a change of the %v that is no longer found", 'A'+i, x.Key()))
			}
		}
	}
}

// Accept adds the differences of a report to the accepted ones of its file A, in place of older ones of the same lines,
// and returns how many. It errors when there is none.
func (f *File) Accept(r *Report, who, when, why string) (n int, err error) {
	for i := range r.Rows {
		w := &r.Rows[i]
		if w.Verdict != Beyond && w.Verdict != Flip {
			continue
		}
		x := Accepted{Line: *w.B, Was: w.A.Digest, Who: who, When: when, Why: why}
		x.Bound = nil
		n++
		if j := slices.IndexFunc(f.Accepted, func(a Accepted) bool { return a.Key() == w.Key }); j >= 0 {
			f.Accepted[j] = x
		} else {
			f.Accepted = append(f.Accepted, x)
		}
	}
	if n == 0 {
		return 0, fmt.Errorf("%w that could be accepted: nothing is beyond its bound and nothing flipped", errNoChange)
	}
	f.Sort()
	return n, f.check()
}

var errNoChange = errors.New("there is no difference")

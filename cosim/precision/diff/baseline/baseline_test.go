package baseline

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sample returns a small file: one source, a signal, an output, a decision, and a signal that never occurred.
func sample() *File {
	some := Figures{Compared: 10, Differ: 3, Max: 0.5, Bias: -0.1}
	of := func(kind Kind, name string, n uint64, f Figures) Line {
		return Line{Source: "random", Kind: kind, Name: name, Count: n, Digest: "d-" + name, Step: f, Free: f}
	}
	f := &File{Version: Version, Block: "ccc", Hashes: Hashes{"s1", "c1", "f1"},
		Stimulus: []Stimulus{{Source: "random", Seed: 1, Events: 10, TickNs: 1, Params: map[string]int{"N": 4}, Hash: "h1"}},
		Lines: []Line{of(Signal, "cwnd", 10, some), of(Output, "cwnd", 10, some),
			of(Decision, "can_send", 10, Figures{Compared: 10}),
			of(Signal, "penalty", 0, Figures{})},
	}
	f.Lines[0].Format = "UQ32.0"
	f.Sort()
	return f
}

func (f *File) line(t *testing.T, kind Kind, name string) *Line {
	t.Helper()
	for i := range f.Lines {
		if l := &f.Lines[i]; l.Kind == kind && l.Name == name {
			return l
		}
	}
	require.Fail(t, "no line", name)
	return nil
}

func written(t *testing.T, f *File) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, f.Write(&b))
	return b.String()
}

// A file keeps all that it has, has one line for each signal, and does not depend on the order it was gathered in.
func TestWriteAndRead(t *testing.T) {
	f := sample()
	f.line(t, Signal, "cwnd").Bound = &Bound{4, 12}
	f.Accepted = []Accepted{{Line: *f.line(t, Decision, "can_send"), Was: "w", Who: "A <a@b>",
		When: "2026-01-02", Why: "b > a"}}
	text := written(t, f)
	back, err := Read([]byte(text))
	require.NoError(t, err)
	require.Equal(t, text, written(t, back))
	require.Contains(t, text, "A <a@b>", "readable")
	for _, l := range f.Lines {
		require.Contains(t, text, `    {"source":"random","kind":"`+string(l.Kind)+`","name":"`+l.Name+`"`)
	}
	back.Lines[0], back.Lines[2] = back.Lines[2], back.Lines[0]
	require.Equal(t, text, written(t, back))
}

// Nothing of a file can be cut away without an error, of the file or of the comparison with a whole one.
func TestDamagedFiles(t *testing.T) {
	text := written(t, sample())
	for n := range len(text) - 2 {
		_, err := Read([]byte(text[:n]))
		require.ErrorIs(t, err, ErrFile, "the first %d bytes", n)
	}
	lines := strings.SplitAfter(text, "\n")
	for i := range lines {
		f, err := Read([]byte(strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "")))
		if err == nil {
			_, err = Compare(f, sample(), Options{})
			if err == nil {
				err = f.Fits(&Tree{Block: "ccc", Hashes: sample().Hashes, Format: map[string]string{}})
			}
		}
		if lines[i] != "" && !strings.HasPrefix(lines[i], `  "changed"`) && !strings.HasPrefix(lines[i], `  "accepted"`) {
			require.Error(t, err, "without the line %q", lines[i])
		}
	}
	for what, damage := range map[string]func(*File){
		"no lines":                   func(f *File) { f.Lines = nil },
		"no stimulus":                func(f *File) { f.Stimulus = nil },
		"no events":                  func(f *File) { f.Stimulus[0].Events = 0 },
		"no signal with any number":  func(f *File) { f.Lines = f.Lines[:1] },
		"no decision":                func(f *File) { f.Lines = f.Lines[1:] },
		"this program reads 1":       func(f *File) { f.Version = 2 },
		"no block":                   func(f *File) { f.Block = "" },
		"a hash of schema":           func(f *File) { f.Contract = "" },
		"source or hash":             func(f *File) { f.Stimulus[0].Hash = "" },
		"name or digest":             func(f *File) { f.Lines[0].Digest = "" },
		"kind \"x\"":                 func(f *File) { f.Lines[0].Kind = "x" },
		"given twice":                func(f *File) { f.Lines = append(f.Lines, f.Lines[0]) },
		"has no stimulus":            func(f *File) { f.Lines[0].Source = "other" },
		"more than half":             func(f *File) { f.Lines[0].Bound = &Bound{0, 1e30} },
		"give numbers of 0":          func(f *File) { f.Lines[0].Bound = &Bound{-1, 0} },
		"was, who, when or why":      func(f *File) { f.Accepted = []Accepted{{Line: f.Lines[0], Was: "x", Who: "y"}} },
		"stimulus random: given twi": func(f *File) { f.Stimulus = append(f.Stimulus, f.Stimulus[0]) },
	} {
		f := sample()
		damage(f)
		require.ErrorContains(t, f.Write(&bytes.Buffer{}), what)
		_, err := Compare(f, sample(), Options{})
		require.ErrorContains(t, err, what)
		_, err = Compare(sample(), f, Options{})
		require.ErrorContains(t, err, what)
	}
	for _, bad := range []string{"", "{}", "[]", "null", text + "{}", strings.Replace(text, `"block"`, `"blokc"`, 1)} {
		_, err := Read([]byte(bad))
		require.ErrorIs(t, err, ErrFile, bad)
	}
}

// Sides that did not play the same are not compared, and what differs is named.
func TestUnfit(t *testing.T) {
	for want, change := range map[string]func(*File){
		"the schema of A is s1, that of B s2": func(f *File) { f.Schema = "s2" },
		"of block ccc, B of egress":           func(f *File) { f.Block = "egress" },
		"its events changed":                  func(f *File) { f.Stimulus[0].Hash = "h2" },
		"A has seed 1":                        func(f *File) { f.Stimulus[0].Seed = 2 },
		"A has 10 events, B 11":               func(f *File) { f.Stimulus[0].Events = 11 },
		"tick 128 ns":                         func(f *File) { f.Stimulus[0].TickNs = 128 },
		"map[N:5]":                            func(f *File) { f.Stimulus[0].Params = map[string]int{"N": 5} },
		"signal penalty of random is missing": func(f *File) { f.Lines = f.Lines[:3] },
		"did not play the source": func(f *File) {
			f.Stimulus[0].Source = "x"
			for i := range f.Lines {
				f.Lines[i].Source = "x"
			}
		},
	} {
		f := sample()
		change(f)
		_, err := Compare(sample(), f, Options{})
		require.ErrorIs(t, err, ErrUnfit, want)
		require.ErrorContains(t, err, want)
		_, err = Compare(f, sample(), Options{})
		require.ErrorIs(t, err, ErrUnfit, want)
	}
	now := &Tree{Block: "ccc", Hashes: Hashes{"s1", "c1", "f1"}, Format: map[string]string{"cwnd": "UQ32.0"}}
	f := sample()
	require.NoError(t, f.Fits(now))
	now.Contract = "c2"
	require.ErrorContains(t, f.Fits(now), "contract.md (was c1, is c2)")
	now.Formats, now.Format["cwnd"] = "f2", "UQ31.0"
	require.ErrorContains(t, f.Fits(now), "cwnd was UQ32.0, is UQ31.0")
	f.Changed = []Setting{{"cwnd", "UQ31.0", "UQ32.0"}}
	require.NotContains(t, f.Fits(now).Error(), "cwnd was", "the baseline's own setting is not the contract's change")
	now.Schema, now.Block = "s2", "ccc"
	require.ErrorContains(t, f.Fits(now), "the schema (was s1, is s2), contract.md")
	now.Block = "egress"
	require.ErrorContains(t, f.Fits(now), "block ccc")
}

// verdictOf compares a sample with a changed one and returns the verdict on one line; the others are identical.
func verdictOf(t *testing.T, a, b *File, kind Kind, name string, o Options) (*Report, Verdict) {
	t.Helper()
	rep, err := Compare(a, b, o)
	require.NoError(t, err)
	var got Verdict
	for _, r := range rep.Rows {
		if r.Kind == kind && r.Name == name {
			got = r.Verdict
		} else {
			require.Contains(t, []Verdict{Identical, Unused}, r.Verdict, r.Name)
		}
	}
	require.Equal(t, got == Beyond || got == Flip, rep.Failed())
	return rep, got
}

// Whatever changes in a line is found, and only a bound of its own or an acceptance lets it pass.
func TestVerdicts(t *testing.T) {
	_, v := verdictOf(t, sample(), sample(), Signal, "cwnd", Options{})
	require.Equal(t, Identical, v)
	_, v = verdictOf(t, sample(), sample(), Signal, "penalty", Options{})
	require.Equal(t, Unused, v)
	for what, change := range map[string]func(*Line){
		"digest": func(l *Line) { l.Digest = "other" }, "count": func(l *Line) { l.Count++ },
		"none": func(l *Line) { l.Count = 0; l.Step.Compared = 0 }, "max": func(l *Line) { l.Step.Max = 0.75 },
		"bias": func(l *Line) { l.Free.Bias = 0.75 }, "differ": func(l *Line) { l.Free.Differ++ },
		"compared": func(l *Line) { l.Free.Compared-- },
	} {
		for _, of := range []Key{{"", Signal, "cwnd"}, {"", Output, "cwnd"}, {"", Decision, "can_send"}} {
			f := sample()
			l := f.line(t, of.Kind, of.Name)
			if change(l); l.Kind == Decision && l.Count == 0 {
				continue // refused: no decision
			}
			want := Beyond
			if of.Kind == Decision {
				want = Flip
			}
			rep, v := verdictOf(t, sample(), f, of.Kind, of.Name, Options{})
			require.Equal(t, want, v, "%s %v", what, of)
			for i := range rep.Rows {
				if rep.Rows[i].Verdict == want {
					require.NotEmpty(t, rep.Rows[i].What())
				}
			}
		}
	}
	// A value that did not occur before is a difference too.
	f := sample()
	f.line(t, Signal, "penalty").Count = 1
	_, v = verdictOf(t, sample(), f, Signal, "penalty", Options{})
	require.Equal(t, Beyond, v)
}

func TestBounds(t *testing.T) {
	f := sample()
	l := f.line(t, Signal, "cwnd")
	l.Digest, l.Step.Max, l.Free.Max = "other", 2, 5
	for _, c := range []struct {
		bound Bound
		want  Verdict
	}{{Bound{2, 5}, Within}, {Bound{1.9, 5}, Beyond}, {Bound{2, 4.9}, Beyond}, {Bound{0, 0}, Beyond}} {
		old := sample()
		old.line(t, Signal, "cwnd").Bound = &c.bound
		for _, ab := range [][2]*File{{old, f}, {f, old}} {
			_, v := verdictOf(t, ab[0], ab[1], Signal, "cwnd", Options{})
			require.Equal(t, c.want, v)
		}
	}
	// Of the bounds of two files the tighter one counts.
	old := sample()
	old.line(t, Signal, "cwnd").Bound, l.Bound = &Bound{2, 100}, &Bound{100, 4}
	_, v := verdictOf(t, old, f, Signal, "cwnd", Options{})
	require.Equal(t, Beyond, v)
	// What was not held against exact numbers keeps no bound, nor do other numbers of numbers.
	l.Bound, l.Free = &Bound{100, 100}, Figures{}
	_, v = verdictOf(t, sample(), f, Signal, "cwnd", Options{})
	require.Equal(t, Beyond, v)
	l.Free, l.Count = l.Step, 11
	_, v = verdictOf(t, sample(), f, Signal, "cwnd", Options{})
	require.Equal(t, Beyond, v)
	// Of a decision the bound counts events.
	f = sample()
	l = f.line(t, Decision, "can_send")
	l.Digest, l.Step.Differ, l.Free.Differ = "other", 2, 3
	for n, want := range map[float64]Verdict{3: Within, 2: Flip} {
		_, v = verdictOf(t, sample(), f, Decision, "can_send", Options{Bounds: map[string]Bound{"can_send": {n, n}}})
		require.Equal(t, want, v)
	}
	for name, why := range map[string]string{"cwnd": "more than half of the values",
		"can_send": "more than half of the events"} {
		wide := map[string]Bound{name: {0, 1e30}}
		_, err := Compare(sample(), f, Options{Bounds: wide})
		require.ErrorContains(t, err, why)
		_, err = sample().SetBounds(wide, nil)
		require.ErrorContains(t, err, why)
	}
	_, err := Compare(sample(), f, Options{Bounds: map[string]Bound{"cnd": {1, 1}}})
	require.ErrorContains(t, err, `bound "cnd"`)
}

// An acceptance covers the difference that was found, and no other.
func TestAccept(t *testing.T) {
	now := sample()
	l := now.line(t, Signal, "cwnd")
	l.Digest, l.Step.Max = "other", 2
	old := sample()
	_, _, err := acceptAll(t, old, sample())
	require.ErrorContains(t, err, "no difference")
	require.Empty(t, old.Accepted)
	rep, n, err := acceptAll(t, old, now)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.True(t, rep.Failed(), "the verdict stays that of the comparison")
	back, err := Read([]byte(written(t, old)))
	require.NoError(t, err)
	require.Equal(t, "me", back.Accepted[0].Who)
	for _, ab := range [][2]*File{{back, now}, {now, back}} {
		rep, v := verdictOf(t, ab[0], ab[1], Signal, "cwnd", Options{})
		require.Equal(t, IsAccepted, v)
		require.Empty(t, rep.Notes)
	}
	rep, v := verdictOf(t, back, sample(), Signal, "cwnd", Options{})
	require.Equal(t, Identical, v)
	require.Contains(t, strings.Join(rep.Notes, "\n"), "no longer found")
	for _, change := range []func(){func() { l.Digest = "third" }, func() { l.Step.Max = 3 }, func() { l.Count = 9 }} {
		keep := *l
		change()
		_, v = verdictOf(t, back, now, Signal, "cwnd", Options{})
		require.Equal(t, Beyond, v)
		*l = keep
	}
	old = back
	old.line(t, Signal, "cwnd").Digest = "saved anew"
	_, v = verdictOf(t, old, now, Signal, "cwnd", Options{})
	require.Equal(t, Beyond, v, "accepted in place of another digest")
	_, n, err = acceptAll(t, old, now)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Len(t, old.Accepted, 1, "in place of the older one")
}

func acceptAll(t *testing.T, old, now *File) (*Report, int, error) {
	t.Helper()
	rep, err := Compare(old, now, Options{})
	require.NoError(t, err)
	n, err := old.Accept(rep, "me", "2026-01-02", "because")
	return rep, n, err
}

func TestSetBounds(t *testing.T) {
	old, f := sample(), sample()
	old.line(t, Output, "cwnd").Bound = &Bound{1, 2}
	old.line(t, Decision, "can_send").Bound = &Bound{3, 4}
	kept, err := f.SetBounds(map[string]Bound{"cwnd": {5, 6}}, old)
	require.NoError(t, err)
	require.Equal(t, 1, kept)
	require.Equal(t, &Bound{5, 6}, f.line(t, Signal, "cwnd").Bound)
	require.Equal(t, &Bound{5, 6}, f.line(t, Output, "cwnd").Bound)
	require.Equal(t, &Bound{3, 4}, f.line(t, Decision, "can_send").Bound)
	_, err = f.SetBounds(map[string]Bound{"cnd": {}}, nil)
	require.ErrorContains(t, err, `bound "cnd"`)
}

package wordlen

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

func table(t *testing.T, set ...string) *formats.Table {
	t.Helper()
	x := ccc.Formats()
	for i := 0; i < len(set); i += 2 {
		require.NoError(t, x.Set(set[i], set[i+1]))
	}
	return x
}

// The figures of an evaluation are those that diff run prints.
func TestFiguresAreThoseOfRun(t *testing.T) {
	for _, mode := range diff.Modes {
		spec := small()
		spec.Events, spec.Modes = 6000, []diff.Mode{mode}
		spec.Errors = []Bound{{"cwnd", 1e9}, {"avg_delay", 1e9}, {"inc_bytes", 1e15}}
		r := upTo(t, spec, (*run).record)
		coarse := table(t, "ALPHA", "UQ16.4", "avg_delay", "UQ32.3")
		for _, x := range []*formats.Table{table(t), coarse, table(t, "ratio", "UQ1.4")} {
			figs, err := r.train.all(t.Context(), []*formats.Table{x}, nil)
			require.NoError(t, err)
			res, err := diff.Run(t.Context(), diff.Spec{Source: spec.Sources[0], Seed: 1, Events: spec.Events, Table: x,
				Modes: spec.Modes, Flips: 10_000})
			require.NoError(t, err)
			require.Empty(t, res.Parted)
			m := &res.Modes[0]
			require.Equal(t, m.Compared, figs[0].Compared)
			for k, b := range spec.Errors {
				i := slices.IndexFunc(m.Signals, func(s diff.Signal) bool { return s.Name == b.Name })
				require.InEpsilon(t, 1+m.Signals[i].Fixed.Max, 1+figs[0].Errors[k], 1e-9, "%s %s", mode, b.Name)
			}
			wrong := map[uint64]bool{}
			for _, f := range m.Flips {
				if f.Fixed != f.Exact {
					wrong[f.Event] = true
				}
			}
			require.InDelta(t, 1e4*float64(len(wrong))/float64(m.Compared), figs[0].Flips, 1e-9)
		}
	}
}

// The winner costs less than the contract, keeps the bounds on seeds that the search has not seen, and its file is a
// table of diff run that gives the same.
func TestWinner(t *testing.T) {
	spec := small()
	res, err := Run(t.Context(), spec)
	require.NoError(t, err)
	require.Less(t, res.Winner.Cost.Total(), res.Contract.Cost.Total()-100)
	require.LessOrEqual(t, res.HeldOut.Errors[0], 64.0)
	require.Positive(t, res.ComparedHeldOut)
	require.Equal(t, res.Winner.Cost, costOf(res.Table, 4))
	var file bytes.Buffer
	require.NoError(t, res.WriteYAML(&file))
	x := ccc.Formats()
	require.NoError(t, x.Overlay(file.Bytes()))
	require.Empty(t, x.Changed(res.Table))
	require.NotEmpty(t, x.Changed(ccc.Formats()))
	again, err := diff.Run(t.Context(), diff.Spec{Source: spec.Sources[0], Seed: 101, Events: spec.Events, Table: x,
		Modes: []diff.Mode{diff.Free}})
	require.NoError(t, err)
	i := slices.IndexFunc(again.Modes[0].Signals, func(s diff.Signal) bool { return s.Name == "cwnd" })
	require.InDelta(t, res.HeldOut.Errors[0], again.Modes[0].Signals[i].Fixed.Max, 1e-6)
	// What these events never use is not judged by them.
	kept := map[string]bool{}
	for _, v := range res.Values {
		if v.Kept != "" {
			kept[v.Name] = true
			require.Equal(t, v.Contract, v.Format)
		}
	}
	require.True(t, kept["MAX_MD_JUMP"], "%v", kept)
	require.False(t, kept["ratio"])
	// The front falls in error as it rises in cost, and the winner is the first of it within the bounds.
	for i := 1; i < len(res.Front); i++ {
		require.Greater(t, res.Front[i].Cost.Total(), res.Front[i-1].Cost.Total())
	}
	first := slices.IndexFunc(res.Front, func(p Point) bool { return p.Keeps })
	require.Equal(t, res.Winner, res.Front[first])
	require.Positive(t, first, "tables beyond the bounds are drawn too")
	var page, text bytes.Buffer
	require.NoError(t, res.WriteHTML(&page))
	require.Contains(t, page.String(), "<svg")
	require.NoError(t, res.WriteText(&text))
	require.Contains(t, text.String(), "MAX_MD_JUMP keeps UQ0.16: no response to the sources depends on")
}

// The result does not depend on the number of processors.
func TestDeterministic(t *testing.T) {
	spec := small()
	spec.Values = []Range{{"ALPHA", 2, 8}, {"EWMA_GAIN", 10, 20}, {"avg_delay", 0, 10}}
	var out [2]bytes.Buffer
	for i, n := range []int{1, 4} {
		old := runtime.GOMAXPROCS(n)
		res, err := Run(t.Context(), spec)
		runtime.GOMAXPROCS(old)
		require.NoError(t, err)
		require.NoError(t, report.EncodeJSON(&out[i], res))
	}
	require.Equal(t, out[0].String(), out[1].String())
}

// A table that fails with the held-out seeds is listed and the next one taken: the search sees a permutation, where the
// average hardly matters, and the winner must stand an incast.
func TestRejectedByHeldOut(t *testing.T) {
	spec := small()
	spec.Values = []Range{{"avg_delay", 0, 12}, {"EWMA_GAIN", 8, 20}, {"avg_step", 0, 12}}
	spec.Errors = []Bound{{"cwnd", 40}}
	other := upTo(t, spec, (*run).record)
	spec.Sources, spec.Integers = []string{"fabric:permutation"}, Proven
	r := upTo(t, spec, (*run).record)
	r.held.stimuli = other.held.stimuli
	for _, step := range []func(context.Context) error{r.ranges, r.narrow, r.find, r.front, r.confirm} {
		require.NoError(t, step(t.Context()))
	}
	require.NotEmpty(t, r.res.Rejected)
	require.Less(t, r.res.Rejected[0].Cost.Total(), r.res.Winner.Cost.Total())
	require.Contains(t, strings.Join(r.res.Rejected[0].Why, ""), "source fabric:incast32 seed 101")
	figs, err := r.held.all(t.Context(), []*formats.Table{r.res.Table}, nil)
	require.NoError(t, err)
	require.Empty(t, r.held.broken(&figs[0]))
	require.Equal(t, figs[0].Errors, r.res.HeldOut.Errors)
}

// A value is left out only if its whole fraction does not show, not if the range that is asked for is harmless.
func TestHarmlessRange(t *testing.T) {
	spec := small()
	spec.Values = []Range{{"avg_delay", 14, 16}, {"GAMMA", 6, 16}}
	res, err := Run(t.Context(), spec)
	require.NoError(t, err)
	require.Empty(t, res.Values[0].Kept)
	require.Equal(t, "UQ16.14", res.Values[0].Format)
}

// Numbers that leave integer bits which only ranges justify break a table, whatever their error.
func TestClipped(t *testing.T) {
	spec := small()
	spec.Errors, spec.Flips = []Bound{{"cwnd", 1e12}}, 10_000
	r := upTo(t, spec, (*run).record)
	e := *r.train
	x := table(t, "avg_delay", "UQ8.16")
	for _, narrow := range [][]string{nil, {"avg_delay"}} {
		e.narrow = narrow
		figs, err := e.all(t.Context(), []*formats.Table{x}, nil)
		require.NoError(t, err)
		require.Equal(t, narrow == nil, e.judge(&figs[0]).keeps)
		require.Equal(t, narrow == nil, len(e.broken(&figs[0])) == 0)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		edit func(*Spec)
		is   error
		want string
	}{
		{func(s *Spec) { s.Errors[0].Max = 0.01 }, ErrBound, "cwnd is off by"},
		{func(s *Spec) { s.Errors = []Bound{{"cwnd", 1e9}}; s.Events = 1 }, diff.ErrNothing, "nothing was compared"},
		{func(s *Spec) { s.Values = nil }, diff.ErrNothing, "no value to search"},
		{func(s *Spec) { s.Modes = nil }, diff.ErrNothing, "no mode"},
		{func(s *Spec) { s.Sources = nil }, diff.ErrNothing, "no source"},
		{func(s *Spec) { s.Values = []Range{{"MAX_MD_JUMP", 0, 16}} }, diff.ErrNothing, "nothing to search: MAX_MD_JUMP"},
		{func(s *Spec) { s.Values, s.Integers = []Range{{"ALPHA", 16, 16}}, Proven }, diff.ErrNothing, "ALPHA: no bit to"},
		{func(s *Spec) { s.Values = []Range{{"ratio", 0, 1}} }, errWidest, "more fraction bits"},
		{func(s *Spec) { s.Sources, s.Errors[0].Max = []string{"directed"}, 1e12 }, nil, "nothing is held out"},
		{func(s *Spec) { s.HeldOut = []uint64{7, 1} }, nil, "held-out seed 1 is one of the search"},
		{func(s *Spec) { s.HeldOut = nil }, nil, "held-out seeds: none"},
		{func(s *Spec) { s.Values = []Range{{"beta", 0, -1}} }, nil, `value "beta": unknown`},
		{func(s *Spec) { s.Values = []Range{{"alpha", 0, -1}, {"ALPHA", 0, -1}} }, nil, "given twice"},
		{func(s *Spec) { s.Values = []Range{{"ALPHA", 0, 17}} }, nil, "within 0..16"},
		{func(s *Spec) { s.Errors = nil }, nil, "no error is bounded"},
		{func(s *Spec) { s.Errors[0].Name = "qa_endtime" }, nil, "not a number of the state"},
		{func(s *Spec) { s.Errors = append(s.Errors, s.Errors[0]) }, nil, "given twice"},
		{func(s *Spec) { s.Errors[0].Max = -1 }, nil, "give 0 or more"},
		{func(s *Spec) { s.Flips = -1 }, nil, "flips"},
		{func(s *Spec) { s.Guard = -1 }, nil, "guard"},
		{func(s *Spec) { s.Sources = []string{"nowhere"} }, nil, "known sources"},
	} {
		spec := small()
		spec.Events = 12_000
		c.edit(&spec)
		_, err := Run(t.Context(), spec)
		require.ErrorContains(t, err, c.want)
		if c.is != nil {
			require.ErrorIs(t, err, c.is)
		}
	}
}

// Every bound of the contract stands there, and none is wider than the format.
func TestBoundsAreTheContracts(t *testing.T) {
	text, err := os.ReadFile("../../../../vectors/event/ccc/contract.md")
	require.NoError(t, err)
	flat := strings.Join(strings.Fields(string(text)), " ")
	x := ccc.Formats()
	for name, b := range bounds {
		v, ok := x.Lookup(name)
		require.True(t, ok, name)
		require.LessOrEqual(t, b.bits, v.Format.Int, name)
		require.Contains(t, flat, strings.Join(strings.Fields(b.text), " "), name)
	}
}

// The cost of the contract's table, counted by hand, and of single bits.
func TestCost(t *testing.T) {
	x := ccc.Formats()
	for _, p := range products {
		for _, name := range append(p.of(), p.rows) {
			if name == "" {
				continue
			}
			_, ok := x.Lookup(name)
			require.True(t, ok, name)
		}
	}
	c := costOf(x, 4)
	// 14 words of 32 bits, 6 of 48, last_pull and four slots of 24.
	require.Equal(t, 14*32+6*48+24+4*24, c.State)
	for name, want := range map[string]int{"avg_delay": 3, "ALPHA": 3, "ratio": 2, "factor": 2, "cwnd": 3, "ETA": 1,
		"gate": 0, "last_rcvd": 4, "last_pull": 1, "want": 2} {
		require.Equal(t, want, weightOf(x, name, 4), name)
	}
	require.Equal(t, c.Total()-6, costOf(table(t, "avg_delay", "UQ32.14"), 4).Total())
}

// Integer bits are the observed ones and the guard, unless a bound of the contract or its format is less.
func TestIntegers(t *testing.T) {
	x := ccc.Formats()
	for _, c := range []struct {
		name   string
		seen   uint8
		from   Origin
		guard  int
		want   uint8
		origin Origin
	}{
		{"avg_delay", 15, Observed, 1, 16, Observed},
		{"avg_delay", 31, Observed, 1, 32, Proven},
		{"avg_delay", 15, Proven, 1, 32, Proven},
		{"ratio", 0, Observed, 1, 1, Proven},
		{"ratio", 0, Observed, 0, 0, Observed},
		{"ALPHA", 3, Observed, 0, 3, Observed},
		{"ALPHA", 3, Proven, 0, 16, Contract},
		{"ALPHA", 16, Observed, 1, 16, Contract},
	} {
		v, _ := x.Lookup(c.name)
		n, origin := integers(v, c.seen, c.from, c.guard)
		require.Equal(t, c.want, n, c.name)
		require.Equal(t, c.origin, origin, c.name)
	}
}

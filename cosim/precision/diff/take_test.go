package diff

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

func taken(t testing.TB, events int, set ...string) *baseline.File {
	t.Helper()
	f, err := Take(context.Background(), takeSpec(t, events, set...))
	require.NoError(t, err)
	return f
}

func text(t testing.TB, f *baseline.File) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, f.Write(&b))
	return b.String()
}

func takeSpec(t testing.TB, events int, set ...string) TakeSpec {
	t.Helper()
	spec := TakeSpec{Sources: []string{"random", "fabric:incast32"}, Seed: 1, Events: events, Table: ccc.Formats()}
	for i := 0; i < len(set); i += 2 {
		require.NoError(t, spec.Table.Set(set[i], set[i+1]))
	}
	return spec
}

// The same formats give the same file to the byte, and no difference.
func TestTakeRepeats(t *testing.T) {
	a, b := taken(t, 5000), taken(t, 5000)
	require.Equal(t, text(t, a), text(t, b))
	back, err := baseline.Read([]byte(text(t, a)))
	require.NoError(t, err)
	require.Equal(t, text(t, a), text(t, back))
	rep, err := baseline.Compare(back, b, baseline.Options{})
	require.NoError(t, err)
	require.False(t, rep.Failed())
	require.NoError(t, back.Fits(Now()))
	require.Equal(t, len(rep.Rows), rep.Count(baseline.Identical)+rep.Count(baseline.Unused))
	require.Greater(t, rep.Count(baseline.Identical), 100)
	for _, r := range rep.Rows {
		if r.Kind == baseline.Decision {
			require.Equal(t, baseline.Identical, r.Verdict)
		}
	}
}

// alters plays sources on fixed point at the contract's formats and at others, and reports whether any response
// differs: what Compare must find, found without it.
func alters(t *testing.T, spec TakeSpec) bool {
	t.Helper()
	o := options(t, spec.Seed, spec.Events)
	var p [2]*Party[fixed.Num]
	for i, table := range []*formats.Table{ccc.Formats(), spec.Table} {
		num, err := arith.NewFixed(table)
		require.NoError(t, err)
		p[i] = NewParty[fixed.Num](num, SizeOf(o.Params))
	}
	differ := false
	for _, source := range spec.Sources {
		src, err := block.Open(ccc.BlockName, source, o)
		require.NoError(t, err)
		_, err = Play(src, uint64(o.Events), func() { p[0].Reset(); p[1].Reset() }, func(ev *ccc.Event) error {
			var a, b ccc.Response
			p[0].Apply(ev, &a)
			p[1].Apply(ev, &b)
			differ = differ || a != b
			return nil
		})
		require.NoError(t, err)
	}
	return differ
}

// A planted change that alters an output is found in an output or a decision and in the value that was changed; one
// that alters nothing is identical in all of them.
func TestPlantedChangesAgainstABaseline(t *testing.T) {
	const events = 4000
	sources := []string{"directed", "random"}
	spec := takeSpec(t, events)
	spec.Sources = sources
	old, err := Take(context.Background(), spec)
	require.NoError(t, err)
	altered, same := 0, 0
	for i, c := range []planted{
		{"avg_step", "SQ32.16,nearest-even"}, {"avg_step", "SQ32.15,floor"}, {"prop_inc", "UQ64.0,ceiling"},
		{"prop_inc", "UQ64.0,nearest-even"}, {"fast_inc", "UQ39.0,ceiling"}, {"ratio", "UQ1.15,floor"},
		{"decreased", "UQ32.0,ceiling"}, {"quotient", "UQ32.0,ceiling"}, {"quotient", "UQ32.0,wrap"},
		{"eta_bytes", "UQ24.0,ceiling"}, {"eta_bytes", "UQ24.0,nearest-even"}, {"gate", "UQ32.0,ceiling"},
		{"rate_wnd", "UQ48.0,ceiling"}, {"outlier", "UQ30.0,ceiling"}, {"inflight", "SQ31.0,wrap"},
		{"inc_bytes", "UQ48.0,wrap"}, {"backlog", "UQ48.0,wrap"}, {"received_bytes", "UQ32.0,wrap"},
		{"achieved_bytes", "UQ32.0,wrap"}, {"cwnd", "UQ16.0,saturate"}, {"cwnd", "UQ31.0"}, {"avg_delay", "UQ32.15,floor"},
		{"ALPHA", "UQ16.15,floor"}, {"FI", "UQ24.7,floor"}, {"EWMA_GAIN", "UQ0.23,floor"}, {"GAMMA", "UQ0.15,floor"},
		{"MWND_RATE", "UQ16.15,floor"}, {"FI_SCALE", "UQ8.15,floor"}, {"inflight_pkts", "UQ32.0,wrap"},
		// Nothing is altered, anywhere.
		{"avg_delay", "UQ32.16,ceiling"}, {"penalty", "UQ31.0,nearest-away"}, {"fair_inc", "UQ55.0,truncate"},
		{"ratio", "UQ1.16,truncate"},
	} {
		if i%few(3, 1) != 0 {
			continue
		}
		name := c.value + "=" + c.spec
		spec := takeSpec(t, events)
		spec.Sources = sources
		require.NoError(t, spec.Table.Set(c.value, c.spec), name)
		now, err := Take(context.Background(), spec)
		require.NoError(t, err, name)
		rep, err := baseline.Compare(old, now, baseline.Options{})
		require.NoError(t, err, name)
		answers, own := 0, 0
		for _, r := range rep.Rows {
			differs := r.Verdict != baseline.Identical && r.Verdict != baseline.Unused
			require.NotEqual(t, baseline.Within, r.Verdict, "%s: no bound is given", name)
			if differs && r.Kind != baseline.Signal {
				answers++
			}
			if differs && r.Kind == baseline.Signal && r.Name == c.value {
				own++
			}
		}
		if alters(t, spec) {
			altered++
			require.Positive(t, answers, "%s: no output and no decision shows it", name)
			require.Positive(t, own, "%s: the value itself does not show it", name)
			require.True(t, rep.Failed(), name)
			continue
		}
		same++
		require.Zero(t, answers, "%s: an output or a decision differs, and no response does", name)
		v, _ := spec.Table.Lookup(c.value)
		if v.Kind != formats.Register { // whose reset value may show only in what is computed from it
			require.Equal(t, own > 0, rep.Failed(), name)
		}
	}
	t.Log(altered, "altered,", same, "not")
	require.GreaterOrEqual(t, altered, few(5, 15))
	require.GreaterOrEqual(t, same, few(2, 4))
}

func TestTakeRefuses(t *testing.T) {
	ctx := context.Background()
	_, err := Take(ctx, TakeSpec{Events: 100})
	require.ErrorIs(t, err, ErrNothing)
	_, err = Take(ctx, TakeSpec{Sources: []string{"random"}, Seed: 1, Events: 1})
	require.ErrorIs(t, err, ErrNothing)
	_, err = Take(ctx, TakeSpec{Sources: []string{"random", "random"}, Events: 100})
	require.ErrorContains(t, err, "given twice")
	spec := takeSpec(t, 100, "last_rcvd", "UQ20.0")
	_, err = Take(ctx, spec)
	require.ErrorContains(t, err, "outside of the rules' arithmetic")
	_, err = Take(ctx, TakeSpec{Sources: []string{"nowhere"}, Events: 100})
	require.ErrorContains(t, err, "known sources")
	ctx, stop := context.WithCancel(ctx)
	stop()
	_, err = Take(ctx, TakeSpec{Sources: []string{"random"}, Events: 100})
	require.ErrorIs(t, err, context.Canceled)
}

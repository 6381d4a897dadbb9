package fault

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/audit/fault/sv"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/run"
)

// TestSelectorZero checks that guards with no fault selected change nothing: every compared output of every cycle of
// directed and random runs equals that of the original RTL. Without GOLDWIRE_LONG this is txstate; for packets,
// TestSample compares the guarded trimmer with no fault selected to the model before it counts a fault as caught.
func TestSelectorZero(t *testing.T) {
	all := samples
	if !launchtest.Longer() {
		all = samples[:1]
	}
	for _, spec := range all {
		block := spec.block
		d, err := Load("../../..", block)
		require.NoError(t, err)
		c := &campaign{Spec: spec.campaign(), d: d, rest: d.Draw(1)}
		faults, err := c.faults()
		require.NoError(t, err)
		faults = slices.DeleteFunc(faults, func(f *Fault) bool { return !f.guardable() })
		s, err := d.buildAll(t.Context(), filepath.Join(t.TempDir(), "rtl"), faults, c.replace)
		require.NoError(t, err)
		require.Greater(t, len(s.faults), 25)
		type part struct {
			source string
			args   []string
		}
		parts := []part{{"directed", nil}, {"random", []string{"+gw_fault=0"}}}
		if launchtest.Longer() { // make soak sets it
			parts = append(parts, part{"directed", []string{"+gw_fault=0"}}, part{"random", nil})
		}
		for _, c := range parts {
			cfg := run.Config{Root: "../../..", Block: block, Source: c.source, Seed: 5, Events: 10_000, NoShrink: true}
			want, err := run.Run(t.Context(), cfg)
			require.NoError(t, err)
			require.NotEmpty(t, want.Digest, "the RTL itself passes")
			cfg.RTLDir, cfg.PlusArgs = s.dir, c.args
			got, err := run.Run(t.Context(), cfg)
			require.NoError(t, err)
			require.Equal(t, want.Digest, got.Digest, "%s %s", block, c.source)
			require.Equal(t, want.Cycles, got.Cycles)
		}
	}
}

// TestGuardedAsPlain plays faults behind guards and in separate plain copies: the same episode must fail in the same
// cycle and field.
func TestGuardedAsPlain(t *testing.T) {
	d, err := Load("../../..", "txstate")
	require.NoError(t, err)
	byKind := map[string]*Fault{} // one fault for each relevant operator and each kind of site
	var faults []*Fault
	for _, f := range d.Draw(4) {
		if strings.Contains(f.Before, "table_we") || strings.Contains(f.Before, "sweep") {
			continue // rows that the sweep does not write hold what the simulator put there, which differs between builds
		}
		k := f.site.Kind.String()
		if byKind[k] == nil && f.Operator != opHold {
			byKind[k] = f
			faults = append(faults, f)
		}
	}
	require.GreaterOrEqual(t, len(faults), 6, "every kind of site")
	s, err := d.buildAll(t.Context(), filepath.Join(t.TempDir(), "guarded"), faults, func(*Fault) *Fault { return nil })
	require.NoError(t, err)
	require.Len(t, s.faults, len(faults))
	// One for each way of guarding: an expression, a continuous assignment and a statement.
	kinds := []sv.SiteKind{sv.Cond, sv.Assign, sv.Clocked}
	played, caught := 0, 0
	for i, f := range faults {
		if !launchtest.Longer() && !slices.Contains(kinds, f.site.Kind) {
			continue // each is a build
		}
		played++
		plain, err := d.single(t.Context(), f, filepath.Join(t.TempDir(), "plain"))
		require.NoError(t, err)
		for _, step := range []Step{{Source: "directed", Seed: 1}, {Source: "random", Seed: 1, Events: 5000}} {
			want, err := play(t.Context(), plain, "txstate", step)
			require.NoError(t, err)
			got, err := play(t.Context(), s.selecting(i), "txstate", step)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s", f)
			if got != nil {
				caught++
				// The same build is refused as a fault-free base: every fault would seem to be caught.
				base := s.selecting(i)
				c := &campaign{Spec: Spec{Block: "txstate"}, base: &base, proven: map[Step]bool{}}
				require.ErrorIs(t, c.sound(t.Context(), step), ErrUnsound)
			}
		}
	}
	if launchtest.Longer() {
		require.Greater(t, caught, played)
		return
	}
	require.Equal(t, len(kinds), played)
	require.GreaterOrEqual(t, caught, played)
}

// sample is a small campaign on a block.
type sample struct {
	block string
	hand  []string
	drawn int
}

// samples hold all faults of the small block and some of every kind of the others.
var samples = []sample{
	{"txstate", nil, 60},
	{"ccc", []string{"sweep-skips-last", "key-low-byte", "ctx-limit", "karn", "penalty-halved", "gate-equal",
		"md-rounds-up",
		"quotient-wraps", "can-send-strict"}, 20},
	{"egress", []string{"write-not-exclusive", "no-gap", "event-before-grant", "trim-at-limit", "shared-first",
		"xoff-forgets",
		"drr-more-than-length", "ecn-chance-equal", "lfsr-taps"}, 20},
	{"trimmer", []string{"fields-of-last-beat", "no-qinq-tag", "total-below-header", "plen-9", "trim-at-size",
		"mark-only-uet",
		"udp-odd-byte", "beats-one-more", "size-256"}, 20},
	{"intmd", []string{"added-beat-forgotten", "held-overwritten", "period-equal", "qlen-saturation", "ack-cc-short",
		"one-too-many",
		"udp-length-once", "grows-at-56", "time-set-steps"}, 20},
}

func (s sample) campaign() Spec {
	spec := DefaultSpec("../../..", s.block)
	spec.Hand, spec.Drawn, spec.Jobs = s.hand, s.drawn, 1
	return spec
}

func TestSample(t *testing.T) {
	for _, c := range samples {
		t.Run(c.block, func(t *testing.T) {
			if c.block != "trimmer" {
				launchtest.Long(t, "trimmer; and txstate by the command, in cosim/cmd/goldwire")
			}
			spec := c.campaign()
			last := uint64(0)
			spec.Progress = func(done, total uint64) {
				require.Equal(t, last+1, done)
				last = done
			}
			r, err := Run(t.Context(), spec)
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, WriteText(&b, r))
			require.Equal(t, r.Hand.Total, r.Hand.Caught, b.String())
			require.Equal(t, c.drawn, r.Drawn.Total)
			require.GreaterOrEqual(t, r.Drawn.Percent(), 90., b.String())
			for _, p := range r.Problems { // with so few drawn faults, one is more than a percent
				require.Contains(t, p, "% of the drawn faults", b.String())
			}
			require.EqualValues(t, r.Hand.Total+r.Drawn.Total, last)
			for _, v := range r.Verdicts {
				if v.Finding == nil {
					continue
				}
				require.NotEmpty(t, v.Finding.Field, "%s", v.Fault)
				require.NotEqual(t, v.Finding.Want, v.Finding.Got, "%s", v.Fault)
				require.True(t, strings.HasPrefix(v.Finding.Reproduce, "goldwire faults plant --block "+c.block),
					v.Finding.Reproduce)
				require.Contains(t, v.Finding.Reproduce, "-o DIR && goldwire cosim --block "+c.block)
				require.Contains(t, v.Finding.Reproduce, "--rtl DIR")
			}
			requireStopped(t, spec, r)
		})
	}
}

// requireStopped stops a campaign after three faults: it has their verdicts, and is no pass.
func requireStopped(t *testing.T, spec Spec, whole *Result) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	spec.Progress = func(done, _ uint64) {
		if done == 3 {
			stop()
		}
	}
	r, err := Run(ctx, spec)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, r.Verdicts, 3)
	for _, v := range r.Verdicts {
		at := slices.IndexFunc(whole.Verdicts, func(w Verdict) bool { return w.ID() == v.ID() })
		require.Equal(t, whole.Verdicts[at].Finding, v.Finding, "%s", v.Fault)
	}
	require.False(t, r.OK())
	require.Contains(t, r.Problems[0], fmt.Sprintf("did not end: 3 of %d faults were played: ", len(whole.Verdicts)))
	var b bytes.Buffer
	require.NoError(t, WriteText(&b, r))
	require.Contains(t, b.String(), "ERROR  faults in "+spec.Block+": the campaign did not end")
}

func TestRunRefuses(t *testing.T) {
	for _, c := range []struct {
		change func(*Spec)
		want   string
	}{
		{func(s *Spec) { s.Drawn = -1 }, "-1 drawn faults"},
		{func(s *Spec) { s.Jobs = 0 }, "0 parallel simulations"},
		{func(s *Spec) { s.Plan = nil }, "the plan is empty"},
		{func(s *Spec) { s.Block = "nothing" }, "module nothing"},
		{func(s *Spec) { s.Drawn = 1_000_000 }, "gives only"},
		{func(s *Spec) { s.Hand = []string{"no-such-fault"} }, "no-such-fault"},
	} {
		spec := DefaultSpec("../../..", "txstate")
		c.change(&spec)
		_, err := Run(t.Context(), spec)
		require.ErrorIs(t, err, ErrFault)
		require.ErrorContains(t, err, c.want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Run(ctx, DefaultSpec("../../..", "txstate"))
	require.ErrorIs(t, err, context.Canceled)
}

func TestResult(t *testing.T) {
	caught := func(n int) Verdict {
		return Verdict{Fault: &Fault{Class: Drawn, Number: n, File: "f", Before: "b", After: "a"},
			Finding: &Finding{By: ByMismatch, Source: "directed"}}
	}
	argued := Verdict{Fault: &Fault{Class: Drawn, Number: 2, File: "demo.sv", Operator: "relation", Before: "x",
		After: "y"}}
	open := Verdict{Fault: &Fault{Class: Drawn, Number: 3, File: "demo.sv", Operator: "relation", Before: "x", After: "z"}}
	hand := Verdict{Fault: &Fault{Class: Hand, Name: "h", File: "demo.sv"}}
	book := &Book{arguments: map[key]string{argued.key(): "because"}}
	c := &campaign{Spec: Spec{Block: "demo", Seed: 1}, d: designOf(t, "")}

	r := c.result([]Verdict{caught(5), hand, open, argued}, book)
	require.False(t, r.OK())
	require.Equal(t, []int{0, 2, 3, 5}, []int{r.Verdicts[0].Number, r.Verdicts[1].Number, r.Verdicts[2].Number,
		r.Verdicts[3].Number})
	require.Equal(t, "because", r.Verdicts[1].Argument)
	require.Len(t, r.Survivors(), 3)
	require.Len(t, r.Problems, 4)
	require.Contains(t, r.Problems[0], "hand-written fault h")
	require.Contains(t, r.Problems[1], "has no argument")
	require.Contains(t, r.Problems[2], "33.3 % of the drawn faults were caught, 95 % are required")
	require.Contains(t, r.Problems[3], "write a new argument", "the design does not give that fault")

	found := argued
	found.Finding = &Finding{By: ByHang, Source: "random"}
	r = c.result([]Verdict{found}, book)
	require.Contains(t, r.Problems[0], "but survivors.yaml argues")

	r = c.result([]Verdict{caught(1)}, &Book{})
	require.True(t, r.OK())
	var b bytes.Buffer
	require.NoError(t, WriteJSON(&b, []*Result{r}))
	var got []map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, true, got[0]["ok"])
	require.EqualValues(t, 100, got[0]["drawn_percent"])
}

// TestPlanReachesLastParameter checks that blocks whose default size leaves bits of an index at 0 are played at a size
// that does not.
func TestPlanReachesLastParameter(t *testing.T) {
	for _, name := range []string{"ccc", "egress", "switchport"} {
		require.True(t, slices.ContainsFunc(DefaultPlan(name), func(s Step) bool { return s.Size == block.Deep }), name)
	}
}

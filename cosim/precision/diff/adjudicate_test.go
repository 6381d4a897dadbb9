package diff

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Every flip of a decision has a cause, whatever the formats, and the counts by cause are all flips.
func TestEveryFlipHasACause(t *testing.T) {
	causes := map[Cause]bool{}
	for _, source := range sources() {
		events := few(5000, 20_000)
		if source == "fabric:turnover" { // where constants flip a decision late
			events = few(12_000, 20_000)
		}
		for _, set := range [][]string{nil, {"GAMMA", "UQ0.5", "cwnd", "UQ17.0", "avg_delay", "UQ32.2"},
			{"ETA", "UQ24.0", "base_rtt", "UQ13.0", "ratio", "UQ1.4", "since", "UQ20.0", "FI_SCALE", "UQ8.2"}} {
			res := run(t, Spec{Source: source, Seed: 2, Events: events, Modes: Modes, Flips: 1 << 30}, set...)
			for i := range res.Modes {
				m := &res.Modes[i]
				all, n := map[Cause]uint64{}, uint64(0)
				for _, f := range m.Flips {
					all[f.Cause]++
					causes[f.Cause] = true
				}
				for _, c := range m.Judged {
					require.Equal(t, all[c.Cause], c.Flips)
					require.Equal(t, c.Flips, c.Fixed+c.Float+c.Neither)
					require.Zero(t, map[bool]uint64{true: c.Fixed}[c.Cause != ByFloat], "fixed point errs there")
					n += c.Flips
				}
				require.EqualValues(t, len(m.Flips), n, "%s %v", source, set)
				require.Zero(t, m.Lost)
				require.Zero(t, m.Without(), "%s %v %s: %+v", source, set, m.Mode, m.Unexplained)
				require.Zero(t, map[bool]uint64{true: all[ByState]}[m.Mode == Step], "one step starts from the same state")
			}
		}
	}
	for _, c := range []Cause{ByArithmetic, ByConstants, ByState} {
		require.True(t, causes[c], c)
	}
}

// At the contract's formats an incast has few flips, each judged.
func TestIncastIsJudged(t *testing.T) {
	res := run(t, Spec{Source: "fabric:incast32", Seed: 1, Events: few(25_000, 100_000), Modes: Modes, Flips: 1000})
	require.Empty(t, res.Parted)
	for i := range res.Modes {
		require.Zero(t, res.Modes[i].Without())
		require.LessOrEqual(t, len(res.Modes[i].Flips), 100)
		for _, f := range res.Modes[i].Flips {
			require.NotEqual(t, f.Distance < 0, f.OtherDistance < 0, "%+v", f)
		}
	}
}

// opened returns a trio with an open context, after an event that the rules decided.
func opened(t *testing.T) (*trio, *ccc.Event, contextPair, contextPair) {
	t.Helper()
	o := options(t, 1, 1)
	tr, err := newTrio(Free, ccc.Formats(), SizeOf(o.Params), 100)
	require.NoError(t, err)
	tr.judgeFlips()
	require.NoError(t, tr.event(&ccc.Event{Kind: ccc.KindOpen}))
	k := contextPair{tr.fixed.Context(0), tr.float.Context(0), tr.exact.Context(0)}
	f, d, e := *k.fixed, *k.float, *k.exact
	ev := &ccc.Event{Kind: ccc.KindNewData, Now: 5, Size: 5000}
	require.NoError(t, tr.event(ev))
	require.Zero(t, tr.measure.Apart)
	return tr, ev, contextPair{&f, &d, &e}, k
}

// Every form of the report says when no number explains a flip.
func TestFlipWithoutACauseIsSaid(t *testing.T) {
	for name, flip := range map[string]func(rf, rd *ccc.Response){
		"fixed": func(rf, _ *ccc.Response) { rf.CanSend = !rf.CanSend },
		"float": func(_, rd *ccc.Response) { rd.QAFired = true },
		"both":  func(rf, rd *ccc.Response) { rf.MDApplied, rd.MDApplied = true, true },
	} {
		t.Run(name, func(t *testing.T) {
			tr, ev, before, k := opened(t)
			rf, rd, re := tr.fixed.Last, tr.float.Last, tr.exact.Last
			flip(&rf, &rd)
			require.True(t, tr.decide(1, ev, before, k, &rf, &rd, &re))
			m := tr.result()
			require.EqualValues(t, 1, m.Without())
			require.Equal(t, NoCause, m.Flips[0].Cause)
			require.Len(t, m.Unexplained, 1)
			res := &Result{Block: "ccc", Modes: []Measure{m}}
			require.Contains(t, res.Headline(), "1 flip WITHOUT A CAUSE")
			var text, html bytes.Buffer
			require.NoError(t, res.WriteText(&text))
			require.NoError(t, res.WriteHTML(&html))
			require.Contains(t, text.String(), "Flips without a cause")
			require.Contains(t, text.String(), "1 flip without a cause")
			require.Contains(t, html.String(), "FLIPS WITHOUT A CAUSE")
		})
	}
}

// A flip whose party is on the other side of a threshold has a cause: that of the party that errs.
func TestFlipsOfEachParty(t *testing.T) {
	tr, _, _, k := opened(t)
	k.float.State.Cwnd = 10
	require.NoError(t, tr.event(&ccc.Event{Kind: ccc.KindNewData, Now: 6, Size: 5000}))
	m := tr.result()
	require.Positive(t, m.Judged[0].Flips)
	require.Equal(t, ByFloat, m.Judged[0].Cause)
	require.Equal(t, m.Judged[0].Flips, m.Judged[0].Fixed)
	require.Zero(t, m.Without())
	require.Contains(t, []string{"window", "ack-trigger"}, m.Flips[0].Threshold)
	require.Less(t, m.Flips[0].OtherDistance, 0.0)
	var text strings.Builder
	require.NoError(t, (&Result{Block: "ccc", Modes: []Measure{m}}).WriteText(&text))
	for _, line := range strings.Split(text.String(), "\n") {
		require.LessOrEqual(t, len(line), 100, line)
	}
}

package experiment

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric"
)

func TestRowsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		require.False(t, seen[e.ID], e.ID)
		seen[e.ID] = true
		require.NotEmpty(t, e.Title, e.ID)
		require.NotNil(t, e.runs, e.ID)
		require.NotNil(t, e.judge, e.ID)
		require.NotEmpty(t, e.Small, e.ID)
		require.NotEmpty(t, e.Claim, e.ID)
	}
	_, err := Find([]string{"000/fair"})
	require.ErrorContains(t, err, "000/fairness")
	_, err = Find([]string{"nonsense"})
	require.ErrorContains(t, err, "--list")
	_, err = Find([]string{"000/fairness", "000/fairness"})
	require.ErrorContains(t, err, "twice")
}

// Each check of an experiment whose runs saw no flow is vacuous: none passes without a measurement.
func TestRunsWithoutFlowsNeverPass(t *testing.T) {
	for _, e := range All() {
		s := &setup{seed: 1}
		e.runs(s)
		d := &data{seeds: []uint64{1}, runs: map[string][]*Outcome{}}
		for _, r := range s.runs {
			d.runs[r.label] = []*Outcome{empty()}
		}
		checks := e.judge(d)
		require.NotEmpty(t, checks, e.ID)
		for _, c := range checks {
			if e.ID == "000/trace_delay" && c.Name == "step" {
				continue // drives the filter itself
			}
			require.Equal(t, Vacuous, c.Verdict, "%s %s: %s", e.ID, c.Name, c.Measured)
		}
	}
}

// The same simulation is made once, whatever is recorded of it, and each label gets its outcome.
func TestSharedRuns(t *testing.T) {
	judged := 0
	one := func(id string, up bool) Experiment {
		return Experiment{ID: id, Small: "x", runs: func(s *setup) {
			s.add("a", leafSpine(), permutation(s.seed, hosts000, 4, 100_000)).watch.up = up
			s.add("b", leafSpine(), permutation(s.seed, hosts000, 2, 100_000))
		}, judge: func(d *data) []Check {
			judged++
			require.Len(t, d.runs["a"], 2)
			require.Len(t, d.runs["a"][0].Flows, 4)
			require.Len(t, d.runs["b"][1].Flows, 2)
			require.NotNil(t, d.runs["a"][0].UpQueue)
			require.NotEqual(t, d.runs["a"][0].Digest, d.runs["a"][1].Digest)
			return []Check{{Verdict: Pass}}
		}}
	}
	made := 0
	out, err := Run(context.Background(), []Experiment{one("p", false), one("q", true)},
		Conditions{Seeds: []uint64{1, 2}, Jobs: 2, Note: func(_, all int, _ string) {
			made++
			require.Equal(t, 4, all)
		}})
	require.NoError(t, err)
	require.Equal(t, 4, made)
	require.Equal(t, 2, judged)
	require.Equal(t, Tally{Pass: 2}, Count(out))
	_, err = Run(context.Background(), nil, Conditions{Jobs: 1})
	require.Error(t, err)
}

func TestCountTakesNoChecksForVacuous(t *testing.T) {
	got := Count([]Judged{{}, {Err: errors.New("gone")}, {Checks: []Check{{Verdict: ""}, {Verdict: Fail}}}})
	require.Equal(t, Tally{Vacuous: 2, NotRun: 1, Fail: 1}, got)
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	gone := errors.New("gone")
	stop(gone)
	rows, err := Find([]string{"000/fairness"})
	require.NoError(t, err)
	_, err = Run(ctx, rows, Conditions{Seeds: []uint64{1}, Jobs: 1})
	require.ErrorIs(t, err, gone)
}

// The recorder runs the same NSCC as a run without it, to the digit.
func TestTracerChangesNothing(t *testing.T) {
	flows := incast(1, hosts000, 16, 200_000)
	spec := leafSpine()
	plain, err := fabric.Run(context.Background(), spec, fabric.WithMessages(flows))
	require.NoError(t, err)
	for _, w := range []watch{{}, {trace: true}, {trace: true, up: true}} {
		o, err := (&run{spec: spec, flows: flows, watch: w}).simulate(context.Background())
		require.NoError(t, err)
		require.Equal(t, plain.Digest, o.Digest)
		require.Equal(t, w.trace, len(o.Acks) > 0)
		require.Equal(t, plain.Flows, o.Flows)
	}
	off, err := (&run{spec: spec, flows: flows, noQA: true}).simulate(context.Background())
	require.NoError(t, err)
	require.NotEqual(t, plain.Digest, off.Digest)
	require.Empty(t, off.Fires)
}

// What is recorded agrees with what follows from a flow alone in the network.
func TestRecordedByHand(t *testing.T) {
	spec := leafSpine()
	o, err := (&run{spec: spec, flows: incast(1, hosts000, 1, 100_000), watch: watch{up: true}}).simulate(
		context.Background())
	require.NoError(t, err)
	// 24 packets of 4,086 bytes and one of 1,936, each with 64 of header.
	require.Equal(t, []float64{24*4150 + 2000}, o.Received)
	bytes := 0.0
	for _, s := range o.Host0 {
		bytes += s.Bytes
		require.InDelta(t, s.Bytes*8e-5, s.To-s.From, 1e-9)
	}
	require.InDelta(t, 24*4150+2000+64, bytes, 1e-9, "data and CLOSE")
	require.Len(t, o.UpQueue, 8*16)
	require.Empty(t, o.Fires)
	require.InDelta(t, 1, o.done(math.MaxInt64), 0)
	require.InDelta(t, 0, o.done(1), 0)
	require.InDelta(t, o.Flows[0].Ideal.Micros(), o.fctAt(100), 0.5)
}

// An experiment whose run cannot be made has no checks, and does not keep others from being judged.
func TestRunThatCannotBeMade(t *testing.T) {
	bad := Experiment{ID: "bad", runs: func(s *setup) {
		spec := leafSpine()
		spec.MTU = 1
		s.add("a", spec, incast(s.seed, hosts000, 2, 1000))
	}, judge: func(*data) []Check { return []Check{{Verdict: Pass}} }}
	good := bad
	good.runs = func(s *setup) { s.add("a", leafSpine(), incast(s.seed, hosts000, 2, 1000)) }
	out, err := Run(context.Background(), []Experiment{bad, good}, Conditions{Seeds: []uint64{1}, Jobs: 2})
	require.NoError(t, err)
	require.ErrorContains(t, out[0].Err, "mtu")
	require.Empty(t, out[0].Checks)
	require.Equal(t, Tally{NotRun: 1, Pass: 1}, Count(out))
}

// Every check of seed 000 measures something: a run that is no longer watched fails here.
func TestNothingIsVacuous(t *testing.T) {
	var rows []Experiment
	for _, e := range All() {
		if strings.HasPrefix(e.ID, "000/") {
			rows = append(rows, e)
		}
	}
	require.NotEmpty(t, rows)
	got, err := Run(t.Context(), rows, Conditions{Seeds: []uint64{1}, Jobs: 2})
	require.NoError(t, err)
	for _, j := range got {
		require.NoError(t, j.Err, j.ID)
		require.NotEmpty(t, j.Checks, j.ID)
		for _, c := range j.Checks {
			require.NotEqual(t, Vacuous, c.Verdict, "%s: %s", j.ID, c.Name)
		}
	}
}

package watch_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// wrongModel answers other values than its model: the lowest bit of every field of its outputs is turned.
type wrongModel struct {
	event.Model
	turn []uint64
}

func (m *wrongModel) Cycle(in, out []uint64) {
	m.Model.Cycle(in, out)
	for i := range out {
		out[i] ^= m.turn[i]
	}
}

// judgedCases plays the directed cases of a block, stopping each after that many cycles, and returns the observer.
func judgedCases(t *testing.T, b *block.Block, params map[string]int, wrong bool, most uint64) *watch.Outcomes {
	t.Helper()
	full, err := b.Schema.Values(params)
	require.NoError(t, err)
	lay := event.NewLayout(b.Schema)
	src, err := b.Stimulus.Open("directed", stim.Options{Seed: 1, Params: full})
	require.NoError(t, err)
	defer src.Close()
	w := watch.NewOutcomes(full)
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		if ep.Judge == nil {
			continue
		}
		m, err := b.NewModel(full)
		require.NoError(t, err)
		if wrong {
			turn := make([]uint64, lay.Out.Words)
			for _, p := range lay.Outputs() {
				for _, s := range p.Slots {
					if p.Last == nil || s.Field.Name == "data" || s.Field.Name == "cause" {
						turn[s.Word] |= 1 << s.Bit
					}
				}
			}
			m = &wrongModel{m, turn}
		}
		p := play.New(b.Schema, lay, m, w)
		p.Most = most
		p.Begin(ep)
		require.NoError(t, p.Until(context.Background(), 1<<40, nil))
	}
	return w
}

// Every case whose text demands answers fails on a model that answers otherwise, and none on ours.
func TestOutcomesAreJudged(t *testing.T) {
	for _, b := range block.All() {
		t.Run(b.Name(), func(t *testing.T) {
			good := judgedCases(t, b, nil, false, 0)
			require.Empty(t, good.Wrong())
			s := good.Section()
			o, why := s.Outcome()
			require.Equal(t, report.InBounds, o, why)
			require.Positive(t, s.Metrics[0].Samples)

			bad := judgedCases(t, b, nil, true, 0)
			require.Equal(t, good.Judged(), bad.Judged())
			require.Len(t, bad.Wrong(), int(bad.Judged()), "a case whose demands nothing looks at")
			for _, f := range bad.Wrong() {
				require.Equal(t, watch.ByOutcomes, f.By)
				require.NotEmpty(t, f.Fields)
				require.NotEqual(t, f.Fields[0].Want, f.Fields[0].Got)
			}
			s = bad.Section()
			o, _ = s.Outcome()
			require.Equal(t, report.OutOfBound, o)
		})
	}
}

// What breaks off is not judged: answers are missing that may still have come.
func TestOutcomesOfABrokenEpisode(t *testing.T) {
	for _, b := range block.All() {
		w := judgedCases(t, b, nil, false, 20)
		require.Empty(t, w.Wrong(), b.Name())
		require.Zero(t, w.Judged(), b.Name())
	}
}

// Cases whose text holds for another size are not judged at this one, and are counted.
func TestOutcomesOfAnotherSize(t *testing.T) {
	b, err := block.Lookup("ccc")
	require.NoError(t, err)
	w := judgedCases(t, b, map[string]int{"NumContexts": 2, "NumPdcs": 1, "NumProfiles": 1}, true, 0)
	require.Empty(t, w.Wrong())
	s := w.Section()
	o, why := s.Outcome()
	require.Equal(t, report.NothingDue, o)
	require.Contains(t, why, "no case of")
}

package diff

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// The worst event is that of the largest error; it can be shrunk, and the command repeats it as its last event.
func TestWorst(t *testing.T) {
	for source, set := range map[string][]string{"fabric:incast32": {"GAMMA", "UQ0.6"}, "random": nil,
		"fabric:turnover": {"ETA", "UQ24.0", "cwnd", "UQ18.0"}} {
		spec := Spec{Source: source, Seed: 2, Events: few(10_000, 20_000), TickNs: 128,
			Params: map[string]int{"NumProfiles": 9}, Modes: Modes, Shrink: true}
		res := run(t, spec, set...)
		w := res.Modes[0].Worst
		require.NotNil(t, w)
		require.Nil(t, res.Modes[1].Worst)
		s := res.Modes[0].signalOf(t, "cwnd")
		require.Equal(t, s.Fixed.Max, max(w.Error, -w.Error))
		require.NotEmpty(t, w.Fields)
		require.NotEmpty(t, w.Shrunk)
		require.Less(t, len(w.Shrunk), 30, "%v", w.Shrunk)
		require.Equal(t, w.Fields, w.Shrunk[len(w.Shrunk)-1])
		require.Contains(t, w.Command, "--tick 128ns --param NumProfiles=9")
		for i := 0; i < len(set); i += 2 {
			require.Contains(t, w.Command, " --format "+set[i]+"="+set[i+1])
		}

		spec.Events, spec.Modes = int(w.Event)+1, []Mode{Step}
		again := run(t, spec, set...)
		require.Equal(t, w, again.Modes[0].Worst)
		require.EqualValues(t, w.Event+1, again.Events)
		var text strings.Builder
		require.NoError(t, again.WriteText(&text))
		require.Contains(t, strings.Join(strings.Fields(text.String()), " "), "repeat: "+w.Command)
	}
}

// What cannot be repeated is an error, not a short list.
func TestWorstThatDoesNotRepeat(t *testing.T) {
	spec := Spec{Source: "random", Seed: 2, Events: 20_000, Modes: []Mode{Step}, Table: ccc.Formats()}
	res := run(t, spec)
	o := options(t, 2, 20_000)
	rec, err := Record(context.Background(), spec)
	require.NoError(t, err)
	w := worst{*res.Modes[0].Worst, rec.events[res.Modes[0].Worst.Event]}
	w.Error *= 2
	require.ErrorContains(t, w.shrink(context.Background(), &spec, o), "costs less when played again")
	w.Error /= 2
	w.Event--
	require.ErrorContains(t, w.shrink(context.Background(), &spec, o), "another one when played again")
}

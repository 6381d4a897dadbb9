package run

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/stim"
)

// The search ends after a number of trials, whatever its subject, and reports its progress. When it is stopped, it
// returns the shortest list found so far.
func TestShorten(t *testing.T) {
	t.Parallel()
	block := txstate.Schema()
	rec := &play.Recording{Name: "random/4"}
	for i := range 1000 {
		rec.Items = append(rec.Items, stim.Item{Words: []uint64{0, uint64(i) | 1<<40, 1<<20 - 1, 0, 0, 0, 0, 0}})
	}
	last := func(r *play.Recording) bool { return r.Items[len(r.Items)-1].Words[1]&0xffffff == 999 }

	var said []string
	cfg := &Config{Say: func(what string) { said = append(said, what) }}
	trials := 0
	short, err := shorten(t.Context(), cfg, block, nil, rec, 0, func(_ context.Context, r *play.Recording) (bool, uint64,
		error) {
		trials++
		return len(r.Items) >= 900 && last(r), 1, nil // a hundred may be removed
	})
	require.NoError(t, err)
	require.Equal(t, shrinkTrials, trials)
	require.GreaterOrEqual(t, len(short.Items), 900)
	require.Len(t, said, trials)
	require.True(t, strings.HasPrefix(said[0], "mismatch in random/4, shrinking: 1000 of 1000 events"), said[0])

	stop := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	trials = 0
	short, err = shorten(ctx, &Config{}, block, nil, rec, 0, func(_ context.Context, r *play.Recording) (bool, uint64,
		error) {
		if trials++; trials == 8 {
			cancel(stop)
		}
		return last(r), 1, nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 8, trials)
	require.Less(t, len(short.Items), 200)
	require.True(t, last(&short.Recording))
}

// A field of any width is cleared completely, and nothing beside it.
func TestClearSlot(t *testing.T) {
	t.Parallel()
	b, err := event.Parse([]byte("block: wide\ntitle: t\nstreams:\n  - {name: ev, dir: in, fields: [{name: a, width: " +
		"9}, {name: w, width: 130}, {name: z, width: 64}]}\n" +
		"  - {name: rsp, dir: out, fields: [{name: y, width: 1}]}\n"))
	require.NoError(t, err)
	in := &event.NewLayout(b).In
	for i := range in.Slots {
		s := &in.Slots[i]
		rec := slices.Repeat([]uint64{^uint64(0)}, in.Words)
		clearSlot(s, rec)
		for k := range in.Slots {
			for w := range (in.Slots[k].Field.Width + 63) / 64 {
				if k == i {
					require.Zero(t, format.Word(s, rec, w), s.Field.Name)
				} else {
					require.NotZero(t, format.Word(&in.Slots[k], rec, w), s.Field.Name)
				}
			}
		}
	}
}

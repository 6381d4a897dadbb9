package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// Every way of comparing counts the response that differs, and those of its episode before it. It does not count
// anything that was not compared.
func TestTheResponseThatDiffersIsCounted(t *testing.T) {
	t.Parallel()
	kind, err := block.Lookup("txstate")
	require.NoError(t, err)
	l := event.NewLayout(kind.Schema)
	valid, ready := l.Out.Control("rsp_valid"), l.In.Control("rsp_ready")
	fields := uint64(len(kind.Schema.Stream("rsp").Fields))
	slot := l.Out.Slot("rsp", "rtx_count")
	for _, nth := range []uint64{1, 2, 40} {
		for _, source := range []string{"random", "directed"} {
			if source == "directed" && nth > 1 {
				continue
			}
			given, one := uint64(0), false
			cfg := Config{Block: "txstate", Source: source, Events: 2000, Seed: 3, NoShrink: true}
			res, err := runTampered(t, t.Context(), cfg, func(n int, model event.Model, in, out []uint64) {
				if n == 1 {
					given, one = 0, false
				}
				if model.Cycle(in, out); out[0]&valid == 0 {
					return
				}
				if given+1 >= nth {
					slot.Set(out, slot.Get(out)^1)
					one = true
				}
				if in[0]&ready != 0 {
					given++
				}
			})
			require.NoError(t, err)
			require.True(t, one)
			require.Equal(t, report.Mismatched, res.Verdict())
			if source == "random" {
				require.Equal(t, report.Compared{Responses: nth, Fields: nth * fields}, res.Compared)
			} else {
				require.Greater(t, res.Mismatches, uint64(3), "every case differs at its first response")
				require.Equal(t, report.Compared{Responses: res.Mismatches, Fields: res.Mismatches * fields}, res.Compared)
			}
		}
	}
}

// A run whose first answer is wrong does not count as one that compared nothing.
func TestTheFirstAnswerThatDiffersIsCounted(t *testing.T) {
	t.Parallel()
	for _, latency := range []string{"elastic", "exact"} {
		bad := toy(t, "join_two", latency, 2)
		good := toy(t, "join_two", latency, 0)
		ctx, cfg := bound(t, bad)
		cfg.Against, cfg.NoShrink = other(t, good), true
		res, err := Run(ctx, cfg)
		require.NoError(t, err)
		require.Equal(t, report.Mismatched, res.Verdict())
		require.EqualValues(t, 1, res.Compared.Responses, latency)
		require.NotZero(t, res.Compared.Fields, latency)
		require.Equal(t, res.Compared.Responses, res.Responses, latency)
	}
}

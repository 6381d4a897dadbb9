package run

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// Two versions that differ only where the schema has a mask agree, elastic and exact, and the report shows what was not
// compared. Without the mask they differ, and a mask that hides all of a field ends the run.
func TestMaskedFields(t *testing.T) {
	t.Parallel()
	for _, latency := range []bind.Latency{bind.Elastic, bind.Exact} {
		ctx, cfg := bound(t, examples, "stream/new.yaml")
		cfg.Against, cfg.Events = other(t, examples, "stream/old.yaml"), 800
		if latency == bind.Exact && !long() {
			cfg.Events = 200
		}
		cfg.Bind.Latency, cfg.Against.Latency = latency, latency
		tx, ref := cfg.Bind.Block.Stream("tx"), cfg.Against.Block.Stream("tx")
		res, err := Run(ctx, cfg)
		require.NoError(t, err)
		require.Zero(t, res.Mismatches)
		require.Len(t, res.Masked, 2)
		require.Empty(t, res.Tick, "a schema of one's own has no time")
		for _, m := range res.Masked {
			require.NotZero(t, m.Hidden, m.Name)
			require.Less(t, m.Hidden, m.Bits, m.Name)
		}
		var text strings.Builder
		require.NoError(t, report.WriteResult(&text, res))
		require.Regexp(t, `not compared +masked: tx.data [\d,]+ of [\d,]+ bits \(\d+\.\d %\); tx.sum `, text.String())
		require.NotContains(t, text.String(), "tick")
		require.Equal(t, res.Coverage.Bins, res.Coverage.Hit, res.Coverage.Missed)
		require.Len(t, res.Coverage.Unreachable, 3, "keep is 15 where last is 0")

		tx.Field("sum").When, ref.Field("sum").When = "", ""
		res, err = Run(ctx, cfg)
		require.NoError(t, err)
		require.EqualValues(t, 1, res.Mismatches)
		require.Equal(t, "tx_sum", res.FirstMismatch.Fields[0].Name)
		require.Len(t, res.FirstMismatch.Fields, 1, "a masked byte that differs, too, is not listed")
		require.Regexp(t, "^0x[0-9a-f]{2}$", res.FirstMismatch.Fields[0].Want, "show: hex")

		tx.Field("sum").When, ref.Field("sum").When = "last == 1", "last == 1"
		tx.Field("data").Mask, ref.Field("data").Mask = "", ""
		res, err = Run(ctx, cfg)
		require.NoError(t, err)
		require.Equal(t, "tx_data", res.FirstMismatch.Fields[0].Name)

		_, err = Run(ctx, func() Config { c := cfg; tx.Field("data").Mask = "keep"; return c }())
		require.ErrorContains(t, err, ": field tx.data is compared under mask keep, and always; give both the same schema")

		ref.Field("data").Mask = "keep"
		tx.Field("sum").When, ref.Field("sum").When = "keep == 0", "keep == 0"
		res, err = Run(ctx, cfg)
		require.ErrorContains(t, err, "field tx.sum: its mask hid all ")
		require.ErrorContains(t, err, "so nothing of it was compared")
		require.NotEqual(t, report.Pass, res.Verdict())
	}
}

// A corner of a field that was never driven is named in the report.
func TestCornerNeverDriven(t *testing.T) {
	t.Parallel()
	ctx, cfg := bound(t, examples, "stream/new.yaml")
	cfg.Against, cfg.Events = other(t, examples, "stream/old.yaml"), 60
	none, st := 0, &cfg.Bind.Block.Stimulus.Streams[0]
	st.Fields = append(st.Fields, event.FieldStimulus{Name: "data", Corners: &none})
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.Contains(t, res.Coverage.Corners, "rx.data most 4294967295")
	var text strings.Builder
	require.NoError(t, report.WriteResult(&text, res))
	require.Regexp(t,
		`never driven +(rx.data least 0, )?rx.data most 4294967295; play more events, or give the fields weights or corners`, text.String())
}

package run

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/reference"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
)

// The vectors of a file find what a design loses, drops or changes under back-pressure, as another design does. A
// handshake violation is named with its field, the value that waited and the value in its place. A rule that the
// dut.yaml relaxes is not enforced, and the result names it.
func TestExpectStalls(t *testing.T) {
	t.Parallel()
	good := toy(t, "fifo", "elastic", 0)
	_, cfg := bound(t, good)
	file, err := recordTo(t, cfg, record.Spec{Per: format.PerTransaction})
	require.NoError(t, err)
	replay := func(dut string) Config {
		_, cfg := bound(t, dut)
		cfg.Source, cfg.Expect = "file", file
		return cfg
	}
	res, err := Run(t.Context(), replay(good))
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.EqualValues(t, 3000, res.Events)

	// A design without reset cannot restart a part: its file is played without resets within parts.
	for _, none := range []bool{false, true} {
		c := replay(good)
		c.Bind.Reset.None = none
		kind, err := c.kind()
		require.NoError(t, err)
		params, err := c.Values()
		require.NoError(t, err)
		ref, err := c.reference().Start(t.Context(), &reference.Setup{Block: kind, Params: params, Device: c.device(params),
			Source: c.Source})
		require.NoError(t, err)
		src, err := ref.Open(c.Source)
		require.NoError(t, err)
		defer src.Close()
		most := 0
		for ep, ok := src.Next(); ok; ep, ok = src.Next() {
			most = max(most, len(ep.Drive.Resets))
		}
		require.NoError(t, src.Err())
		if none {
			require.Equal(t, 1, most)
		} else {
			require.Equal(t, 2, most)
		}
	}

	full, drops, changes := toy(t, "fifo", "elastic", 1), toy(t, "fifo", "elastic", 2), toy(t, "fifo", "elastic", 3)
	for _, dut := range []string{full, drops, changes} {
		res, err := Run(t.Context(), replay(dut))
		require.NoError(t, err)
		require.EqualValues(t, 1, res.Mismatches)
		if m := res.FirstMismatch; dut == drops {
			require.Contains(t, m.Note, "with y_ready (y_ready_i) low it changed y_valid from 1 to 0")
			require.Contains(t, m.Note, "relax: [y.valid_drops]")
		} else if dut == changes {
			require.Regexp(t, `with y_ready \(y_ready_i\) low it changed y_v from \d+ to \d+; `, m.Note)
			require.Equal(t, "y_v", m.Fields[1].Name)
			require.NotEqual(t, m.Fields[1].Want, m.Fields[1].Got)
		}
	}

	for _, dut := range []string{drops, changes} { // all with one build
		for _, relaxed := range []string{"valid_drops", "y.data_changes"} {
			ctx, cfg := bound(t, dut)
			cfg.Against, cfg.Bind.Relax = other(t, good), []string{relaxed}
			res, err := Run(ctx, cfg)
			require.NoError(t, err)
			require.Equal(t, []string{"y." + strings.TrimPrefix(relaxed, "y.")}, res.Relaxed)
			switch own := (dut == drops) == (relaxed == "valid_drops"); {
			case !own:
				require.EqualValues(t, 1, res.Mismatches)
				require.Contains(t, res.FirstMismatch.Note, "with y_ready (y_ready_i) low it changed y_v")
			case dut == drops:
				require.Zero(t, res.Mismatches, "%+v", res.FirstMismatch)
			default: // the value taken is wrong anyway
				require.EqualValues(t, 1, res.Mismatches)
				require.Equal(t, "y_v", res.FirstMismatch.Fields[0].Name)
				require.NotContains(t, res.FirstMismatch.Note, "low it changed")
			}
		}
	}
}

package effect

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/credit"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// credited is an incast whose senders send by credit, with a table of formats.
func credited(t *testing.T, set ...string) Spec {
	t.Helper()
	s := incast(t, 1_000_000)
	s.Fabric.CC, s.Table = "rccc", credit.Formats()
	for i := 0; i < len(set); i += 2 {
		require.NoError(t, s.Table.Set(set[i], set[i+1]))
	}
	return s
}

func gapFormat(t *testing.T, format string) *formats.Value {
	t.Helper()
	table := credit.Formats()
	require.NoError(t, table.Set("GAP", format))
	v, _ := table.Lookup("GAP")
	return v
}

// At the exact rate the pacer is the rule's, but for the picoseconds that the rule floors.
func TestExactPacersAreTheRule(t *testing.T) {
	spec := credited(t)
	s := spec.Fabric
	s.Seed = 4
	want, err := fabric.Run(t.Context(), s)
	require.NoError(t, err)
	got, err := onePaced(t.Context(), &spec, nil, 4)
	require.NoError(t, err)
	require.InEpsilon(t, want.FCT().Mean, got.FCT().Mean, 2e-3)
	require.InEpsilon(t, want.FCT().Max, got.FCT().Max, 1e-4)
	require.InEpsilon(t, want.Counters.Credits, got.Counters.Credits, 5e-3)
}

// Pull k comes after k gaps of the format, to the fraction of a picosecond.
func TestGapsOfAFormat(t *testing.T) {
	for format, gap := range map[string]float64{"": 256 * 20 / 0.99, "UQ8.16": 338934.0 / 65536 * 1000,
		"UQ8.4": 83.0 / 16 * 1000, "UQ8.0": 5000} {
		v := (*formats.Value)(nil)
		if format != "" {
			v = gapFormat(t, format)
		}
		p, err := newGapPacer(transport.PacerSpec{PerByte: units.Gbps(400).PerByte(), MaxWnd: 1 << 20}, v)
		require.NoError(t, err)
		require.Negative(t, p.Due())
		p.Wants(77, 3, rccc.First.Plus(1<<20), false)
		for k := range 2000 {
			require.Equal(t, 77+units.Picos(math.Floor(float64(64*k)*gap+1e-6)), p.Due(), "%s, pull %d", format, k)
			who, granted, ok := p.Pull(p.Due())
			require.True(t, ok)
			require.EqualValues(t, 3, who)
			require.EqualValues(t, 64*(k+1), granted.Since(rccc.First))
		}
	}
}

// Each format is compared with the exact rate. A whole number of cycles is seen in the network, and 16 bits of fraction
// are not.
func TestRunPacers(t *testing.T) {
	res, err := RunPacers(t.Context(), credited(t))
	require.NoError(t, err)
	require.Len(t, res.Pairs, 4)
	trims := len(ofPacers) - 1
	for i, format := range []string{"UQ8.16", "UQ8.8", "UQ8.4", "UQ8.0"} {
		p := res.Pairs[i]
		require.Equal(t, [2]string{format, Exact}, [2]string{p.Of, p.Against})
		require.Positive(t, p.Differences[trims].Base)
	}
	require.Less(t, res.Pairs[0].Differences[0].Largest, 5.0, "us")
	require.True(t, res.Pairs[3].Differences[trims].Seen, "%+v", res.Pairs[3].Differences[trims])
	require.Positive(t, res.Pairs[3].Differences[trims].Mean)
	for _, r := range res.Rates {
		cycles := 2048 / float64(r.Gbps) / 0.99
		for i, steps := range []float64{65536, 256, 16, 1} {
			want := cycles/(math.RoundToEven(cycles*steps)/steps) - 1
			require.InDelta(t, 1e6*want, *r.Errors[i], 1e-3, "%v Gb/s", r.Gbps)
		}
	}
	var text bytes.Buffer
	require.NoError(t, res.WriteText(&text))
	require.Regexp(t, `(?m)^400 +-1\.01 +-30\.5 +-3,042 +34,343$`, text.String())
	require.Contains(t, text.String(), "3 seeds, 5 kinds of pacers")

	res, err = RunPacers(t.Context(), credited(t, "GAP", "UQ4.6,floor"))
	require.NoError(t, err)
	require.Len(t, res.Arms, 3)
	require.Equal(t, "UQ4.6", res.Arms[2].Name)
	require.Contains(t, res.Headline(), "cc = rccc")
	require.Nil(t, res.Rates[2].Errors[1], "at 100 Gb/s it does not fit")
	require.Positive(t, *res.Rates[4].Errors[1], "a gap that is floored is a rate above")

	res, err = RunPacers(t.Context(), credited(t, "GAP", "UQ8.16,floor"))
	require.NoError(t, err)
	require.Equal(t, []string{Exact, "UQ8.16", "UQ8.16,floor,none"}, []string{res.Arms[0].Name, res.Arms[1].Name,
		res.Arms[2].Name})
}

func TestRunPacersRefuses(t *testing.T) {
	rounded := credited(t, "GAP", "UQ8.8")
	gap, _ := rounded.Table.Lookup("GAP")
	gap.Round = formats.None
	for want, s := range map[string]Spec{
		"only GAP has a fraction": credited(t, "WINDOW", "UQ15.0"),
		"5.1717":                  credited(t, "GAP", "UQ2.16"),
		"becomes no word":         rounded,
		"at least 2":              func() Spec { s := credited(t); s.Seeds = s.Seeds[:1]; return s }(),
	} {
		_, err := RunPacers(t.Context(), s)
		require.ErrorContains(t, err, want)
	}
	s := credited(t)
	s.Fabric.CC = "nscc"
	_, err := RunPacers(t.Context(), s)
	require.ErrorIs(t, err, diff.ErrNothing)
	require.ErrorContains(t, err, "set cc to rccc or nscc+rccc")
}

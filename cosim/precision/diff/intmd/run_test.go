package intmd

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/golden/telemetry"
	"github.com/goldwire/goldwire/vectors/event/formats"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// sources are all whole sources of intmd.
func sources() (out []string) {
	for _, s := range block.Sources(port.BlockName) {
		if !strings.Contains(s, "/") {
			out = append(out, s)
		}
	}
	return out
}

// table returns the contract's formats with some changed.
func table(t *testing.T, set ...string) *formats.Table {
	t.Helper()
	out := port.Formats()
	for i := 0; i < len(set); i += 2 {
		require.NoError(t, out.Set(set[i], set[i+1]))
	}
	return out
}

func measured(t *testing.T, spec Spec) *Result {
	t.Helper()
	if spec.Modes == nil {
		spec.Modes = diff.Modes
	}
	res, err := Run(t.Context(), spec)
	require.NoError(t, err)
	return res
}

func (res *Result) signal(t *testing.T, name string) *Signal {
	t.Helper()
	all := res.Signals
	for _, m := range res.Modes {
		all = append(all, m.Signals...)
	}
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	require.Fail(t, "no signal", name)
	return nil
}

// The entries in the packets of the model are those of the table on every source, and every error is within the bound
// that the formats state.
func TestPacketsHaveTheTablesEntries(t *testing.T) {
	require.GreaterOrEqual(t, len(sources()), 6)
	seeds, events := []uint64{1, 2}, 5000
	if os.Getenv("GOLDWIRE_LONG") != "" {
		seeds, events = []uint64{1, 2, 3, 4, 5, 6}, 300_000
	}
	for _, source := range sources() {
		t.Run(source, func(t *testing.T) {
			for _, seed := range seeds {
				if source == "directed" && seed > 1 && events < 100_000 {
					continue // the same but for payload
				}
				res := measured(t, Spec{Source: source, Seed: seed, Events: events, Flips: 3})
				require.Empty(t, res.Parted)
				require.Empty(t, res.Examples)
				require.False(t, res.Failed())
				require.Positive(t, res.Entries)
				require.Equal(t, res.Entries, res.Model, "every entry is held against the table")
				require.GreaterOrEqual(t, res.Events, uint64(events))
				for _, name := range []string{"time", "tx", "ql", "B", "TS", "txBytes", "qLen", "txRate", "u"} {
					require.Positive(t, res.signal(t, name).Bounded, name)
				}
				for name, max := range map[string]float64{"STEP": 0, "TIME": 0, "time": 0, "tx": 0, "ql": 0, "B": 0,
					"TS": 1 - 0x1p-16, "txBytes": 127} {
					require.LessOrEqual(t, res.signal(t, name).Wire.Max, max, name)
				}
				if q := res.signal(t, "qLen"); q.Saturated == 0 {
					require.LessOrEqual(t, q.Wire.Max, 79.0)
				}
				for _, m := range res.Modes {
					require.Positive(t, m.Compared)
					for _, s := range m.Signals {
						require.LessOrEqual(t, s.Float.MaxRel, 1e-9, s.Name)
						require.Equal(t, s.Wire.Count, s.Float.Count, s.Name)
					}
				}
			}
		})
	}
}

// Other numbers of ports change nothing.
func TestOtherPorts(t *testing.T) {
	for _, ports := range []int{1, 64} {
		for _, source := range []string{"random", "fabric:permutation", "fabric:incast32"} {
			res := measured(t, Spec{Source: source, Seed: 5, Events: 5000, Params: map[string]int{"NumPorts": ports}})
			require.False(t, res.Failed(), "%s %d: %s %v", source, ports, res.Parted, res.Examples)
			require.Equal(t, res.Entries, res.Model)
			require.Positive(t, res.Entries)
		}
	}
}

// The example of the wire: congestion-control.md section 6.
func TestExampleOfTheWire(t *testing.T) {
	w, err := newWire(port.Formats())
	require.NoError(t, err)
	entry := func(ns, bytes, waiting int64) (raw [3]uint64, s telemetry.Stamp[float64]) {
		for i, c := range []struct {
			f field
			x int64
			n *float64
		}{{ts, ns, &s.TS}, {txBytes, bytes, &s.Tx}, {qLen, waiting, &s.Queue}} {
			y, _ := w.fit(c.f, fixed.Of(c.x, 0))
			raw[i], *c.n = y.Bits(0), w.real(c.f, y).Float64()
		}
		s.Rate = 100
		return raw, s
	}
	before, s := entry(16777200, 134217600, 5600000)
	require.Equal(t, [3]uint64{16777200, 1048575, 65535}, before)
	after, s2 := entry(16777200+500, 134217600+6240, 81)
	require.Equal(t, [3]uint64{484, 47, 1}, after)
	b := newBounds(w)
	f := telemetry.NewFlow(telemetry.Numbers[float64](telemetry.Float{}), telemetry.HPCC, telemetry.DefaultSpec(),
		telemetry.Span[float64]{TS: b.turn(ts, clock), Tx: b.turn(txBytes, sent)})
	f.Begin(100)
	f.Ack(1, 2, []telemetry.Stamp[float64]{s})
	r := f.Ack(2, 3, []telemetry.Stamp[float64]{s2})
	require.Equal(t, []float64{500, 6144, 80}, []float64{r.Hops[0].DT, r.Hops[0].Sent, r.Hops[0].Queue})
}

// With a narrow counter of bytes an ACK soon comes too late to be compared; none is read wrongly.
func TestLateAcks(t *testing.T) {
	spec := Spec{Source: "fabric:permutation", Seed: 1, Events: 8000}
	whole := measured(t, spec)
	require.Zero(t, whole.Late)
	spec.Table = table(t, "txBytes", "UQ9.0") // 64 KiB: at 400 Gb/s 1.3 us, half of which is the limit
	narrow := measured(t, spec)
	require.Positive(t, narrow.Late)
	require.Zero(t, narrow.Turned)
	require.False(t, narrow.Failed(), narrow.Examples)
	require.Less(t, narrow.signal(t, "txRate").Wire.Count, whole.signal(t, "txRate").Wire.Count)
	require.Equal(t, whole.Acks, narrow.Acks)
}

// What was not compared is no success: no packet, packets without an entry, no two entries on a path.
func TestNothingCompared(t *testing.T) {
	for _, spec := range []Spec{
		{Source: "random", Seed: 1, Events: 1},
		{Source: "fabric:incast32", Seed: 1, Events: 6},
		{Source: "fabric:permutation", Seed: 1, Events: 8},
	} {
		for _, mode := range diff.Modes {
			spec.Modes = []diff.Mode{mode}
			res, err := Run(t.Context(), spec)
			require.Nil(t, res, spec.Source)
			require.ErrorIs(t, err, diff.ErrNothing)
		}
	}
}

func TestRefuses(t *testing.T) {
	for want, spec := range map[string]Spec{
		"no mode is given":      {Source: "random"},
		`mode "some"`:           {Source: "random", Modes: []diff.Mode{"some"}},
		`mode "step"`:           {Source: "random", Modes: []diff.Mode{diff.Step, diff.Step}},
		"no value of intmd is":  {Source: "random", Modes: diff.Modes, Table: table(t, "qLen", "SQ15.0")},
		"value tx: a counter":   {Source: "random", Modes: diff.Modes, Table: table(t, "tx", "UQ32.0,saturate")},
		"value time: a counter": {Source: "random", Modes: diff.Modes, Table: table(t, "time", "UQ24.16,saturate")},
		"at most 32 integer":    {Source: "random", Modes: diff.Modes, Table: table(t, "ql", "UQ33.0")},
		"at most 48 bits":       {Source: "random", Modes: diff.Modes, Table: table(t, "time", "UQ44.16")},
		"round trip -1 ns":      {Source: "random", Modes: diff.Modes, Reader: telemetry.Spec{RTT: -1}},
		"known sources":         {Source: "nowhere", Modes: diff.Modes},
		"NumPorts":              {Source: "random", Modes: diff.Modes, Params: map[string]int{"NumPorts": 99}},
	} {
		res, err := Run(t.Context(), spec)
		require.Nil(t, res, want)
		require.ErrorContains(t, err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, err := Run(ctx, Spec{Source: "random", Events: 100_000, Modes: diff.Modes})
	require.Nil(t, res)
	require.ErrorIs(t, err, context.Canceled)
}

func TestReports(t *testing.T) {
	res := measured(t, Spec{Source: "fabric:permutation", Seed: 1, Events: 8000, Flips: 2,
		Table: table(t, "qLen", "UQ8.0,wrap")})
	var text, page, js bytes.Buffer
	require.NoError(t, res.WriteText(&text))
	for _, want := range []string{"1 format is not the contract's", "qLen  UQ16.0,floor,saturate UQ8.0,floor,wrap",
		"Utilisation and window, one step", "Utilisation and window, free", "hpcc window", "fncc U", "hpcc bottleneck",
		"Flipped decisions", "not listed", "How the formats were used", "What was not compared"} {
		require.Contains(t, strings.Join(strings.Fields(text.String()), " "), strings.Join(strings.Fields(want), " "))
	}
	require.NoError(t, res.WriteHTML(&page))
	require.Contains(t, page.String(), "DONE")
	require.Contains(t, page.String(), "qLen: comparisons by absolute error")
	require.NoError(t, res.WriteJSON(&js))
	var back Result
	require.NoError(t, json.Unmarshal(js.Bytes(), &back))
	require.Equal(t, res.Signals, back.Signals)
	res.Beyond, res.Examples = 1, []string{"packet 7"}
	page.Reset()
	require.NoError(t, res.WriteHTML(&page))
	require.Contains(t, page.String(), "MISMATCH")
	require.Contains(t, res.Headline(), "1 ERRORS ARE BEYOND")
}

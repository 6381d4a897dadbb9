package intmd

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// planted are changes of the table: of every field its rounding, its width and its end.
var planted = []struct {
	name, spec string
	source     string // on which it shows
	signal     string // the first of the entry in which it does
	more       []string
}{
	{"TS", "UQ24.0,nearest-even", "random", "TS", nil},
	{"TS", "UQ24.0,ceiling", "random", "TS", nil},
	{"TS", "UQ10.0,saturate", "fabric:permutation", "TS", nil},
	{"txBytes", "UQ20.0,nearest-even", "fabric:permutation", "txBytes", nil},
	{"txBytes", "UQ20.0,ceiling", "fabric:incast32", "txBytes", nil},
	{"txBytes", "UQ20.0,saturate", "random", "txBytes", nil},
	{"txBytes", "UQ8.0,saturate", "fabric:permutation", "txBytes", nil},
	{"qLen", "UQ16.0,nearest-away", "fabric:permutation", "qLen", nil},
	{"qLen", "UQ16.0,ceiling", "fabric:incast32", "qLen", nil},
	{"qLen", "UQ16.0,wrap", "random", "qLen", nil},
	{"qLen", "UQ8.0", "fabric:permutation", "qLen", nil},
	{"qLen", "UQ8.0,wrap", "fabric:permutation", "qLen", nil},
	{"B", "UQ2.0", "fabric:permutation", "B", nil},
	{"B", "UQ2.0,saturate", "fabric:permutation", "B", nil},
	{"ql", "UQ12.0", "fabric:permutation", "ql", []string{"qLen"}},
	{"STEP", "UQ8.4", "random", "STEP", []string{"time", "TS"}},
	{"time", "UQ24.0", "random", "time", []string{"TS"}},
}

// plantedEvents are enough for each of the changes to show.
const plantedEvents = 6000

// Other formats show in the figures of the field that they are given, of what is read from it, and of no other.
func TestOtherFormatsShow(t *testing.T) {
	base := map[string]*Result{}
	for _, c := range planted {
		t.Run(c.name+"="+c.spec, func(t *testing.T) {
			spec := Spec{Source: c.source, Seed: 1, Events: plantedEvents}
			if base[c.source] == nil {
				base[c.source] = measured(t, spec)
			}
			spec.Table = table(t, c.name, c.spec)
			res := measured(t, spec)
			require.False(t, res.Failed(), "%v", res.Examples)
			require.Len(t, res.Changed, 1)
			require.Zero(t, res.Model)
			for f, name := range fieldNames {
				x, y := base[c.source].Signals[f], res.Signals[f]
				x.Format, y.Format = "", ""
				x.LSB, y.LSB, x.Wire.MaxLSB, y.Wire.MaxLSB = 0, 0, 0, 0
				if name == c.signal || slices.Contains(c.more, name) {
					require.NotEqual(t, x, y, name)
				} else {
					require.Equal(t, x.Wire, y.Wire, name)
				}
			}
		})
	}
}

// A table that is not what the model does is found, and the field is named.
func TestPlantedContract(t *testing.T) {
	for _, c := range planted {
		t.Run(c.name+"="+c.spec, func(t *testing.T) {
			wrong := table(t, c.name, c.spec)
			res, err := Run(t.Context(), Spec{Source: c.source, Seed: 1, Events: plantedEvents, Modes: diff.Modes,
				contract: wrong})
			require.NoError(t, err)
			require.True(t, res.Failed())
			require.Empty(t, res.Changed)
			signal := c.signal
			if len(c.more) > 0 {
				signal = c.more[len(c.more)-1]
			}
			require.Contains(t, res.Parted, ": "+signal+": want")
			require.Contains(t, res.Headline(), "NOT THE TABLE'S")
		})
	}
	// A format that changes no bit on the way is none that the packets could tell.
	for _, set := range [][]string{{"tx", "UQ31.0"}, {"TS", "UQ24.0,saturate"}} { // the clock wraps before TS does
		res := measured(t, Spec{Source: "fabric:incast32", Seed: 1, Events: plantedEvents, contract: table(t, set...)})
		require.False(t, res.Failed())
	}
}

// An end that saturates, and one that wraps, are told apart by size and sign of the error.
func TestEndsOfTheQueue(t *testing.T) {
	spec := Spec{Source: "fabric:permutation", Seed: 1, Events: plantedEvents}
	most := measured(t, spec).signal(t, "qLen")
	for over, turns := range map[string]bool{"saturate": false, "wrap": true} {
		spec.Table = table(t, "qLen", "UQ8.0,"+over)
		q := measured(t, spec).signal(t, "qLen")
		require.Equal(t, turns, q.Wrapped > 0, over)
		require.Equal(t, !turns, q.Saturated > 0, over)
		require.Greater(t, q.Wire.Max, 100*most.Wire.Max, over)
		if turns {
			require.InDelta(t, 0, math.Mod(q.Wire.Max, 256*80), 80, "whole turns, and a rounding")
		}
	}
}

// Errors beyond what other formats allow are found in the field, and in all that follows from it.
func TestPlantedBounds(t *testing.T) {
	for _, c := range planted {
		if slices.Contains([]string{"STEP", "time", "ql"}, c.name) {
			continue // their error is known and part of the bound
		}
		t.Run(c.name+"="+c.spec, func(t *testing.T) {
			res, err := Run(t.Context(), Spec{Source: c.source, Seed: 1, Events: plantedEvents, Modes: diff.Modes,
				Table: table(t, c.name, c.spec), bounds: port.Formats()})
			require.NoError(t, err)
			require.True(t, res.Failed())
			require.Empty(t, res.Parted)
			require.Positive(t, res.signal(t, c.signal).Beyond)
			require.NotEmpty(t, res.Examples)
			require.Contains(t, res.Headline(), "BEYOND THEIR BOUNDS")
		})
	}
	res, err := Run(t.Context(), Spec{Source: "fabric:incast32", Seed: 1, Events: plantedEvents, Modes: diff.Modes,
		Table: table(t, "qLen", "UQ7.0"), bounds: port.Formats()})
	require.NoError(t, err)
	for _, name := range []string{"qLen", "u", "hpcc U", "hpcc window", "fncc U", "fncc window"} {
		require.Positive(t, res.signal(t, name).Beyond, name)
	}
	for _, name := range []string{"TS", "txBytes", "B", "txRate"} {
		require.Zero(t, res.signal(t, name).Beyond, name)
	}
}

// What is computed from a field is held against a bound of its own: with one that allows the field no rounding, its
// errors are beyond it, and those of no other field.
func TestPlantedBoundsOfTheReader(t *testing.T) {
	bytes := []string{"txBytes", "UQ20.7"} // exact
	for _, c := range []struct {
		source         string
		table, bounds  []string
		beyond, within []string
	}{
		{"fabric:incast32", nil, bytes, []string{"txBytes", "txRate", "u", "hpcc U", "hpcc window", "fncc U", "fncc window"},
			[]string{"TS", "qLen", "B"}},
		{"random", bytes, append([]string{"TS", "UQ24.16"}, bytes...), []string{"TS", "txRate"},
			[]string{"txBytes", "qLen", "B"}},
	} {
		res, err := Run(t.Context(), Spec{Source: c.source, Seed: 1, Events: 60_000, Modes: []diff.Mode{diff.Step},
			Table: table(t, c.table...), bounds: table(t, c.bounds...)})
		require.NoError(t, err)
		require.True(t, res.Failed())
		require.Empty(t, res.Parted)
		for _, name := range c.beyond {
			require.Positive(t, res.signal(t, name).Beyond, "%v: %s", c.bounds, name)
		}
		for _, name := range c.within {
			require.Zero(t, res.signal(t, name).Beyond, "%v: %s", c.bounds, name)
		}
	}
}

// altered is a model whose inputs and outputs are altered.
type altered struct {
	event.Model
	n       uint64
	in, out func(n uint64, words []uint64)
}

func (a *altered) Cycle(in, out []uint64) {
	x := slices.Clone(in)
	if a.in != nil {
		a.in(a.n, x)
	}
	a.Model.Cycle(x, out)
	if a.out != nil {
		a.out(a.n, out)
	}
	a.n++
}

// A model that is wrong is found, whatever is wrong: counters, clock, timing, packets.
func TestPlantedModel(t *testing.T) {
	report := func(change func(*port.Cnt)) func(uint64, []uint64) {
		return func(n uint64, in []uint64) {
			if n == 3000 {
				var c port.Cnt
				port.UnpackCnt(in, &c)
				change(&c)
				ctl := in[0] & inControl
				port.PackCnt(&c, in)
				in[0] = in[0]&^inControl | ctl
			}
		}
	}
	for name, c := range map[string]struct {
		in, out func(uint64, []uint64)
		want    string
	}{
		"bytes sent": {in: every(report(func(c *port.Cnt) { c.TxBytes += 128 })), want: ": txBytes: want"},
		"queue":      {in: every(report(func(c *port.Cnt) { c.Qlen += 80 })), want: ": qLen: want"},
		"rate": {in: func(n uint64, in []uint64) {
			var c port.Cfg
			port.UnpackCfg(in, &c)
			if in[0]&port.InCfgValid != 0 && c.Kind == port.KindRateWrite {
				c.Data ^= 1
				ctl := in[0] & inControl
				port.PackCfg(&c, in)
				in[0] = in[0]&^inControl | ctl
			}
		}, want: ": B: want"},
		"a cycle late": {in: func(n uint64, in []uint64) {
			if n == 4000 {
				in[0] &^= port.InTxReady
			}
		}, want: ": TS: want"},
		"no beat": {out: func(n uint64, out []uint64) {
			if n > 4000 {
				out[0] &^= port.OutTxValid
			}
		}, want: "a beat at tx: want true (contract), got false (model)"},
		"a bit of every packet": {out: func(n uint64, out []uint64) {
			if out[0]&port.OutTxValid != 0 {
				var x port.Tx
				port.UnpackTx(out, &x)
				x.Data[1] ^= 1 << 60
				ctl := out[0] & outControl
				port.PackTx(&x, out)
				out[0] = out[0]&^outControl | ctl
			}
		}, want: "want"},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := Run(t.Context(), Spec{Source: "fabric:permutation", Seed: 1, Events: plantedEvents, Modes: diff.Modes,
				model: func(m event.Model) event.Model { return &altered{Model: m, in: c.in, out: c.out} }})
			require.NoError(t, err)
			require.True(t, res.Failed())
			require.Contains(t, res.Parted, c.want)
		})
	}
}

const (
	inControl  = port.InRstN | port.InRxValid | port.InCntValid | port.InCfgValid | port.InTxReady | port.InCfgrReady
	outControl = port.OutRxReady | port.OutCntReady | port.OutCfgReady | port.OutTxValid | port.OutCfgrValid
)

// every applies a change of cycle 3000 in all later cycles.
func every(f func(uint64, []uint64)) func(uint64, []uint64) {
	return func(n uint64, words []uint64) {
		if n >= 3000 {
			f(3000, words)
		}
	}
}

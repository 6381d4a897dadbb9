package diff

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// asWritten is fixed point in which every register reads as it was written, so that a change of its format shows only
// through the rules.
type asWritten struct{ *arith.Fixed }

func (asWritten) RegisterWord(_ int, raw uint64) uint64 { return raw }

// offByOne is fixed point in which one register holds its word with the last bit turned over.
type offByOne struct {
	asWritten
	addr int
}

func (o offByOne) Register(addr int, raw uint64) fixed.Num {
	if addr == o.addr {
		raw ^= 1
	}
	return o.Fixed.Register(addr, raw)
}

// seen plays stimulus on a planted change until a difference shows, and returns where. For a change that is known to
// alter nothing it plays the fastest two sources only, and without GOLDWIRE_LONG a twentieth of the first.
func seen(t *testing.T, table *formats.Table, addr int, brief bool) string {
	t.Helper()
	o := options(t, 1, 60_000)
	planted := func() *pair {
		p := newPair(t, table, o.Params)
		p.fixed = NewParty[fixed.Num](offByOne{asWritten{p.num}, addr}, SizeOf(o.Params))
		return p
	}
	shown := func(n uint64, err error) bool {
		require.Positive(t, n)
		require.True(t, err == nil || errors.Is(err, errDiffer), "%v", err)
		return err != nil
	}
	rounds, short := 60_000, brief && os.Getenv("GOLDWIRE_LONG") == ""
	if short {
		rounds /= 20
	}
	if n, err := wild(planted(), 7, rounds); shown(n, err) {
		return fmt.Sprintf("wild, event %d", n)
	}
	if short {
		return ""
	}
	for _, source := range []string{"directed", "random", "fabric:turnover", "fabric:incast32", "fabric:permutation"} {
		if n, err := play(t, planted(), source, o); shown(n, err) {
			return fmt.Sprintf("%s, event %d", source, n)
		}
		if brief {
			break
		}
	}
	return ""
}

// planted is one change of the contract's formats.
type planted struct{ value, spec string }

// plants returns every change of a kind: another rounding, a dropped fraction bit, a dropped integer bit, wrapping in
// place of saturation.
func plants() (out []planted) {
	for _, v := range ccc.Formats().Values {
		if slices.Contains(arith.Outside, v.Name) {
			continue
		}
		f := v.Format
		if v.Round == formats.Floor && v.Kind != formats.Register {
			for _, r := range []formats.Rounding{formats.Ceiling, formats.Truncate, formats.NearestEven, formats.NearestAway} {
				out = append(out, planted{v.Name, fmt.Sprintf("%v,%v", f, r)})
			}
		}
		if f.Frac > 0 {
			less := f
			less.Frac--
			out = append(out, planted{v.Name, fmt.Sprintf("%v,%v", less, formats.Floor)})
		}
		if f.Int > 1 {
			less := f
			less.Int--
			out = append(out, planted{v.Name, less.String()})
		}
		if v.Over == formats.Saturate {
			out = append(out, planted{v.Name, fmt.Sprintf("%v,%v", f, formats.Wrap)})
		}
	}
	return out
}

// equivalent are the changes that alter no output, with the reason.
var equivalent = map[string]string{
	"avg_delay,ceiling":      "avg_step has no more fraction bits than avg_delay, so that their sum is exact",
	"avg_delay,truncate":     "as ceiling",
	"avg_delay,nearest-even": "as ceiling",
	"avg_delay,nearest-away": "as ceiling",
	"ETA,UQ24.7,floor":       "eta_bytes floors all fraction bits",
	"ETA,one LSB":            "eta_bytes floors all fraction bits",
	"QA_GATE,UQ7.0":          "every gate of 32 and more gives 0",
	"penalty,ceiling":        "delta is a multiple of 256, so that the quotient by 128 is exact",
	"penalty,truncate":       "as ceiling",
	"penalty,nearest-even":   "as ceiling",
	"penalty,nearest-away":   "as ceiling",
	"outlier,UQ29.0":         "base_rtt is at most the sample that led here, which is below 2^31",
	"rate_wnd,UQ47.0":        "MAX_WND limits it to 32 bits",
	"fair_inc,ceiling":       "delta is a multiple of 256, so that the quotient by 256 is exact",
	"fair_inc,truncate":      "as ceiling",
	"fair_inc,nearest-even":  "as ceiling",
	"fair_inc,nearest-away":  "as ceiling",
	"fair_inc,UQ54.0":        "inc_bytes saturates at 48 bits all the same",
	"prop_inc,UQ63.0":        "inc_bytes saturates at 48 bits all the same",
	"fast_inc,UQ38.0":        "max_wnd limits the sum to 32 bits",
	"delay,truncate":         positive, "outlier,truncate": positive, "rate_wnd,truncate": positive,
	"gate,truncate":     positive,
	"prop_inc,truncate": positive, "fast_inc,truncate": positive, "ratio,truncate": positive,
	"decreased,truncate": positive,
	"quotient,truncate":  positive, "eta_bytes,truncate": positive,
}

const positive = "it is never negative, and truncation is the floor there"

// key names a change in equivalent: the rounding alone where the format is the contract's.
func (c *planted) key(contract formats.Format) string {
	return c.value + "," + strings.TrimPrefix(c.spec, contract.String()+",")
}

// Every change of a format, a rounding or a constant that alters an output is seen.
func TestPlantedChangesAreSeen(t *testing.T) {
	unseen := map[string]bool{}
	check := func(t *testing.T, key string, table *formats.Table, addr int) {
		why, same := equivalent[key]
		where := seen(t, table, addr, same)
		if where == "" {
			unseen[key] = true
			require.True(t, same, "%s: no source shows the change", key)
			return
		}
		require.False(t, same, "%s: %s shows a change that alters nothing: %s", key, where, why)
	}
	contract := ccc.Formats()
	for _, c := range plants() {
		v, _ := contract.Lookup(c.value)
		table := contract.Clone()
		require.NoError(t, table.Set(c.value, c.spec))
		check(t, c.key(v.Format), table, -1)
	}
	for addr, r := range ccc.RegInfo {
		if addr != ccc.RegCtrl { // no number
			check(t, r.Name+",one LSB", contract, addr)
		}
	}
	for key := range equivalent {
		require.True(t, unseen[key], "%s: no such change", key)
	}
}

package ccc

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

func contract(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("contract.md")
	require.NoError(t, err)
	return string(text)
}

func value(t *testing.T, table *formats.Table, name string) *formats.Value {
	t.Helper()
	v, ok := table.Lookup(name)
	require.True(t, ok, name)
	return v
}

// Every word and register of the schema is in the table, but for flags and codes, which have no arithmetic; Parse holds
// their formats against the schema.
func TestFormatsAreComplete(t *testing.T) {
	table := Formats()
	without := map[string]bool{"trigger_qa": true, "qa_valid": true, "increase": true, "ccc_state": true, "profile": true,
		"speculating": true, "CTRL": true}
	for _, w := range Schema().Words {
		for _, f := range w.Fields {
			_, ok := table.Lookup(f.Name)
			require.Equal(t, !without[f.Name], ok, f.Name)
		}
	}
	for _, r := range Schema().Registers {
		_, ok := table.Lookup(r.Name)
		require.Equal(t, !without[r.Name], ok, r.Name)
	}
}

// Every rule that the table quotes is in the contract, and its shift is the one that the formats of its operands and of
// its result ask for.
func TestFormatsFollowTheRules(t *testing.T) {
	text, table := contract(t), Formats()
	checked := map[string]bool{"service": true} // a shift by a register
	for i := range table.Values {
		if v := &table.Values[i]; v.Kind == formats.Intermediate {
			require.True(t, strings.Contains(text, v.Rule), "contract: rule of %s", v.Name)
		}
	}
	number := func(v *formats.Value, pattern string) int {
		checked[v.Name] = true
		m := regexp.MustCompile(pattern).FindStringSubmatch(v.Rule)
		require.NotNil(t, m, "%s: %s", v.Name, v.Rule)
		n, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		return n
	}
	followed := func(v *formats.Value, remark string, n uint8) {
		checked[v.Name] = true
		pattern := regexp.QuoteMeta(v.Rule) + " +" + regexp.QuoteMeta(fmt.Sprintf(remark, n)) + `\b`
		require.True(t, regexp.MustCompile(pattern).MatchString(text), "contract: %s", pattern)
	}
	// Products: the shift drops all fraction bits of the operands but the result's own.
	for _, c := range []struct {
		name, operands, shift string
		more                  int // integer bits of operands that are no values of the table
		scaled                int // fraction bits of those
	}{
		{"penalty", "delta", `>> (\d+)`, 0, 7}, // pend is in 128ths
		{"fair_inc", "FI delta", `>> (\d+)`, 0, 0},
		{"prop_inc", "ALPHA delta TARGET_QDELAY", `>> (\d+)`, 0, 0},
		{"fast_inc", "delta FI_SCALE", `>> (\d+)`, 0, 0},
		{"rate_wnd", "MWND_RATE base_rtt", `>> (\d+)`, 0, 0},
		{"delay", "avg_delay", `/ 2\^(\d+)`, 0, 0},
		{"avg_step", "EWMA_GAIN avg_delay", `/ 2\^(\d+)\)`, 0, 0},
		{"outlier", "base_rtt", `>> (\d+)`, -2, 2}, // a quarter
	} {
		v, bits, frac := value(t, table, c.name), c.more, c.scaled
		for _, o := range strings.Fields(c.operands) {
			require.Contains(t, v.Rule, o)
			bits += int(value(t, table, o).Format.Int)
			frac += int(value(t, table, o).Format.Frac)
		}
		require.Equal(t, int(v.Format.Frac), frac-number(v, c.shift), "fraction bits of %s", c.name)
		require.Equal(t, formats.Floor, v.Round, "%s: a shift floors", c.name)
		require.Equal(t, min(bits, formats.MaxBits-int(v.Format.Frac)), int(v.Format.Int), "integer bits of %s", c.name)
		require.Equal(t, bits > formats.MaxBits, v.Over == formats.Saturate, c.name)
	}
	avg, gamma := value(t, table, "avg_delay"), value(t, table, "GAMMA")
	step := value(t, table, "avg_step")
	require.Equal(t, int(avg.Format.Frac), number(step, `sample \* 2\^(\d+)`), "the sample is scaled to the average")
	require.Equal(t, avg.Format.Frac, step.Format.Frac)

	ratio := value(t, table, "ratio")
	require.Equal(t, int(avg.Format.Frac), number(ratio, `TARGET_QDELAY \* 2\^(\d+)\)`))
	require.Equal(t, int(ratio.Format.Frac), number(ratio, `\) \* 2\^(\d+)\) / avg_delay`))
	followed(ratio, "%d fraction bits, at most 1", ratio.Format.Frac)
	require.EqualValues(t, 1, ratio.Format.Int)

	factor := value(t, table, "factor")
	require.Equal(t, gamma.Format.Frac+ratio.Format.Frac, factor.Format.Frac, "the factor is exact")
	require.Equal(t, int(factor.Format.Frac), number(factor, `max\(2\^(\d+) - `))
	require.Equal(t, int(factor.Format.Frac-value(t, table, "MAX_MD_JUMP").Format.Frac),
		number(factor, `MAX_MD_JUMP \* 2\^(\d+)`))
	followed(factor, "%d fraction bits", factor.Format.Frac)
	require.Equal(t, int(factor.Format.Frac), number(value(t, table, "decreased"), `>> (\d+)`))
	require.Equal(t, int(value(t, table, "ETA").Format.Frac), number(value(t, table, "eta_bytes"), `>> (\d+)`))
	require.Equal(t, int(value(t, table, "quotient").Format.Int), number(value(t, table, "quotient"), `sat(\d+)`))
	require.Equal(t, TimeW, number(value(t, table, "since"), `mod 2\^(\d+)`))
	require.Equal(t, value(t, table, "since").Format, formats.Format{Int: TimeW})
	require.Equal(t, int(value(t, table, "raw").Format.Int), number(value(t, table, "raw"), `2\^(\d+) - 1`))
	window := value(t, table, "window")
	followed(window, "%d bits, no wrap", window.Format.Int)
	require.True(t, strings.Contains(text, "d < 2^23: delta = 256 d"))
	require.EqualValues(t, 23+8, value(t, table, "delta").Format.Int)
	require.Equal(t, value(t, table, "max_wnd").Format, value(t, table, "gate").Format)
	checked["delta"], checked["gate"] = true, true
	// want: from 0 - (2^31 - 1) to 2^31 - 1 + 2^31, times a fraction of 16 bits.
	bits := number(value(t, table, "want"), `/ 2\^(\d+)`)
	share := slices.IndexFunc(Schema().Stream("ev").Fields, func(f event.Field) bool { return f.Name == "share" })
	require.Equal(t, fmt.Sprintf("UQ0.%d", bits), Schema().Stream("ev").Fields[share].Q)
	require.Equal(t, formats.Floor, value(t, table, "want").Round)
	require.Equal(t, formats.Format{Signed: true, Int: 32}, value(t, table, "want").Format)
	for i := range table.Values {
		if v := &table.Values[i]; v.Kind == formats.Intermediate {
			require.True(t, checked[v.Name], "%s: nothing compares it with the contract", v.Name)
		}
	}
}

// What the contract clamps with its helpers saturates in the table, at the helper's width, and nothing else does.
func TestFormatsFollowTheHelpers(t *testing.T) {
	text, table := contract(t), Formats()
	for _, c := range []struct {
		helper, ends string
		f            formats.Format
	}{
		{"sat32", "min(x, 2^32 - 1)", formats.Format{Int: 32}},
		{"sat48", "min(x, 2^48 - 1)", formats.Format{Int: 48}},
		{"sats32", "clamp(x, -2^31, 2^31 - 1)", formats.Format{Signed: true, Int: 31}},
	} {
		helper := regexp.QuoteMeta(c.helper+"(x)") + ` +` + regexp.QuoteMeta("= "+c.ends)
		require.True(t, regexp.MustCompile(helper).MatchString(text), "contract: %s", helper)
		clamped := map[string]bool{}
		for _, m := range regexp.MustCompile(`(\w+) = `+c.helper+`\(`).FindAllStringSubmatch(text, -1) {
			clamped[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`([\w, ]+): each `+c.helper+`\(`).FindAllStringSubmatch(text, -1) {
			for _, n := range strings.Split(m[1], ",") {
				clamped[strings.TrimSpace(n)] = true
			}
		}
		require.NotEmpty(t, clamped, c.helper)
		for i := range table.Values {
			v := &table.Values[i]
			if v.Kind != formats.State {
				continue
			}
			if clamped[v.Name] {
				require.Equal(t, formats.Saturate, v.Over, v.Name)
				require.Equal(t, c.f, v.Format, v.Name)
			} else {
				require.False(t, v.Over == formats.Saturate && v.Format == c.f, "%s: the contract does not clamp it", v.Name)
			}
		}
	}
}

// The contract's table of error bounds gives the roundings again.
func TestFormatsFollowTheErrorBounds(t *testing.T) {
	text, table := contract(t), Formats()
	_, rows, ok := strings.Cut(text, "## Error bounds")
	require.True(t, ok)
	cells := map[string]string{}
	for _, line := range strings.Split(rows, "\n") {
		if c := strings.Split(line, "|"); len(c) == 5 {
			cells[strings.TrimSpace(c[1])] = strings.TrimSpace(c[2])
		}
	}
	nearest := func(name string) string { // half of the last bit
		v := value(t, table, name)
		require.Equal(t, formats.NearestEven, v.Round, name)
		return fmt.Sprintf("2^-%d", v.Format.Frac+1)
	}
	floor := func(name string) string {
		v := value(t, table, name)
		require.Equal(t, formats.Floor, v.Round, name)
		return fmt.Sprintf("2^-%d", v.Format.Frac)
	}
	whole := func(names ...string) {
		for _, n := range names {
			require.Equal(t, "2^-0", floor(n), n)
		}
	}
	for _, n := range []string{"base_rtt", "raw", "delay"} {
		require.Zero(t, value(t, table, n).Format.Frac, n)
	}
	require.Equal(t, formats.None, value(t, table, "factor").Round)
	whole("fair_inc", "prop_inc", "fast_inc", "decreased", "quotient", "eta_bytes", "rate_wnd")
	require.Equal(t, map[string]string{
		"value": "formats", "---": "---", "RTT, base_rtt, delay": "integer ticks",
		"FAIR, PROP contribution": fmt.Sprintf("constants rounded to %s, %s of a unit, one floor",
			nearest("FI"), nearest("ALPHA")),
		"avg_delay": fmt.Sprintf("gain rounded to %s, one floor to %s tick",
			nearest("EWMA_GAIN"), floor("avg_step")),
		"decrease": fmt.Sprintf("ratio floored to %s and computed from an avg_delay floored to %s tick, "+
			"gamma rounded to %s, factor exact, one floor", floor("ratio"), floor("avg_delay"), nearest("GAMMA")),
		"fast increase": fmt.Sprintf("FI_SCALE rounded to %s, one floor", nearest("FI_SCALE")),
		"fulfil":        "quotient floored, eta floored",
		"max_wnd":       fmt.Sprintf("rate rounded to %s, one floor", nearest("MWND_RATE")),
		"target":        "share rounded to 2^-17, one floor",
	}, cells)
}

package intmd

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/formats"
)

func contract(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("contract.md")
	require.NoError(t, err)
	return string(text)
}

func value(t *testing.T, name string) *formats.Value {
	t.Helper()
	table := Formats()
	for i := range table.Values {
		if v := &table.Values[i]; v.Name == name {
			return v
		}
	}
	require.Fail(t, "no value", name)
	return nil
}

// found returns the whole numbers in the groups of the one place of the contract that a pattern matches.
func found(t *testing.T, pattern string) (out []int) {
	t.Helper()
	m := regexp.MustCompile(pattern).FindAllStringSubmatch(contract(t), -1)
	require.Len(t, m, 1, "contract: %s", pattern)
	for _, s := range m[0][1:] {
		n, err := strconv.Atoi(s)
		require.NoError(t, err)
		out = append(out, n)
	}
	return out
}

// Every register is in the table, but for those that no number of an entry is computed from; Parse holds their formats
// against the schema.
func TestFormatsAreComplete(t *testing.T) {
	table := Formats()
	without := map[string]bool{"MODE": true, "UDP_PORT": true, "MAGIC": true, "MAX_FRAME": true, "PERIOD": true}
	for _, r := range Schema().Registers {
		v, ok := table.Lookup(r.Name)
		ok = ok && v.Kind == formats.Register
		require.Equal(t, !without[r.Name], ok, r.Name)
	}
	for i := range table.Values {
		if v := &table.Values[i]; v.Kind == formats.Intermediate {
			require.True(t, strings.Contains(contract(t), v.Rule), "contract: rule of %s", v.Name)
		}
	}
}

// The fields of an entry have the bits and the units that the contract gives them, and fill 64 bits.
func TestFormatsAreTheEntry(t *testing.T) {
	text, top := contract(t), 63
	for _, name := range []string{"B", "TS", "txBytes", "qLen"} {
		v := value(t, name)
		place := fmt.Sprintf("%s [%d:%d]", name, top, top+1-v.Format.Bits())
		if v.Unit != "" {
			place += " in " + strings.Replace(v.Unit, "bytes", "B", 1)
		}
		require.True(t, strings.Contains(text, place), "contract: %s", place)
		require.Equal(t, formats.Format{Int: uint8(v.Format.Bits())}, v.Format, name)
		top -= v.Format.Bits()
	}
	require.Equal(t, -1, top, "an entry has 64 bits")
}

// Widths, roundings and ends follow from the rules.
func TestFormatsFollowTheRules(t *testing.T) {
	rules := map[string]bool{}
	bits := func(name string) int { rules[name] = true; return value(t, name).Format.Bits() }
	slice := func(name string) (hi, lo int) {
		rules[name] = true
		m := regexp.MustCompile(`\[(\d+):(\d+)\]`).FindStringSubmatch(value(t, name).Rule)
		require.NotNil(t, m, name)
		hi, _ = strconv.Atoi(m[1])
		lo, _ = strconv.Atoi(m[2])
		return hi, lo
	}

	// The clock.
	clock := value(t, "time")
	q := found(t, `time,\s+UQ(\d+)\.(\d+) ns`)
	require.Equal(t, formats.Format{Int: uint8(q[0]), Frac: uint8(q[1])}, clock.Format)
	require.Equal(t, []int{bits("time")}, found(t, regexp.QuoteMeta("(time(t) + STEP) mod 2^")+`(\d+)`))
	require.Equal(t, clock.Format.Frac, value(t, "STEP").Format.Frac, "sums of STEP are exact")
	require.Equal(t, formats.None, clock.Round)
	require.Equal(t, []int{int(value(t, "TIME").Format.Int) - 1, int(clock.Format.Frac)},
		found(t, regexp.QuoteMeta("time(t+1) = data[")+`(\d+)`+regexp.QuoteMeta(":0] * 2^")+`(\d+)`))
	require.Zero(t, value(t, "TIME").Format.Frac)

	// The counters: modulo 2^32, and nothing below a byte.
	n := found(t, regexp.QuoteMeta("ql[p](t+1) = ql[p](t) + qlen, each modulo 2^")+`(\d+)`)
	for _, name := range []string{"tx", "ql"} {
		require.Equal(t, n, []int{bits(name)}, name)
		require.Equal(t, formats.Format{Int: uint8(n[0])}, value(t, name).Format)
	}
	require.Equal(t, []int{n[0]}, found(t, regexp.QuoteMeta("live counters tx[p], ql[p], ")+`(\d+) bits each`))

	// What takes a slice of bits floors and wraps.
	hi, lo := slice("TS")
	require.Equal(t, hi+1-lo, bits("TS"))
	require.Equal(t, bits("time")-1, hi)
	require.EqualValues(t, clock.Format.Frac, lo, "in ns")
	hi, lo = slice("txBytes")
	require.Equal(t, hi+1-lo, bits("txBytes"))
	require.Equal(t, fmt.Sprintf("%d bytes", 1<<lo), value(t, "txBytes").Unit)
	hi, lo = slice("B")
	require.Equal(t, hi+1-lo, bits("B"))
	require.Zero(t, lo)
	require.Equal(t, []int{bits("B")}, found(t, `rate code B\[p\], (\d+) bits`))
	for _, name := range []string{"time", "tx", "ql", "TS", "txBytes", "B"} {
		require.Equal(t, formats.Wrap, value(t, name).Over, name)
	}
	require.Equal(t, formats.Floor, value(t, "TS").Round)
	require.Equal(t, formats.Floor, value(t, "txBytes").Round)

	// The queue: a floored quotient that saturates.
	queue := value(t, "qLen")
	rule := regexp.MustCompile(`^min\(floor\(ql\[p\] / (\d+)\), (\d+)\)$`).FindStringSubmatch(queue.Rule)
	require.NotNil(t, rule)
	require.Equal(t, rule[1]+" bytes", queue.Unit)
	require.Equal(t, rule[2], strconv.Itoa(1<<bits("qLen")-1))
	require.Equal(t, formats.Floor, queue.Round)
	require.Equal(t, formats.Saturate, queue.Over)

	for _, v := range Formats().Values {
		require.Equal(t, v.Kind == formats.Intermediate, rules[v.Name], "%s: nothing compares it with the contract", v.Name)
	}
}

// The contract's error bounds give the steps, the ends and the turns again.
func TestFormatsFollowTheErrorBounds(t *testing.T) {
	_, text, ok := strings.Cut(contract(t), "## Error bounds")
	require.True(t, ok)
	text, _, _ = strings.Cut(text, "\n## ")
	text = strings.Join(strings.Fields(text), " ")
	unit := func(name string) int {
		n := 1
		_, err := fmt.Sscanf(value(t, name).Unit, "%d bytes", &n)
		require.NoError(t, err)
		return n
	}
	span := func(name string) float64 { return float64(uint64(1) << value(t, name).Format.Int) }
	end := (1<<value(t, "qLen").Format.Int - 1) * unit("qLen")
	require.Contains(t, text, fmt.Sprintf("qLen saturates at %d,%03d,%03d bytes", end/1e6, end/1000%1000, end%1000))
	require.Contains(t, text, "floored to 1 ns; txBytes and qLen are floors")
	require.Contains(t, text, fmt.Sprintf("TS wraps after %.1f ms", span("TS")/1e6))
	require.Contains(t, text, fmt.Sprintf("txBytes after %.0f MB", span("txBytes")*float64(unit("txBytes"))/1e6))
	step := value(t, "STEP")
	require.Equal(t, formats.NearestEven, step.Round)
	require.Contains(t, text, fmt.Sprintf("STEP is exact to 2^-%d ns a cycle", step.Format.Frac+1))
}

package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestShort(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1: "1", -3: "-3", 0.5: "0.5", 0.12345: "0.123", 1e-3: "0.001",
		12.345:  "12.3",
		123.456: "123", 890.2: "890", 120.4: "120", 10.04: "10", 100: "100", -1234.5: "-1,235", 99999: "99,999", 1e6: "1.0e6",
		1.5e-5: "1.5e-5", 2.8e14: "2.8e14", 9.996: "10"} {
		require.Equal(t, want, Short(x))
	}
	// The printed number has three correct digits, whatever its size.
	r := rand.New(rand.NewPCG(4, 4))
	for range 100_000 {
		x := math.Copysign(math.Exp(r.Float64()*60-30), r.Float64()-0.5)
		got, err := strconv.ParseFloat(strings.ReplaceAll(Short(x), ",", ""), 64)
		require.NoError(t, err)
		digits := 0.006
		if a := math.Abs(x); a < 1e-3 || a >= 1e6 {
			digits = 0.06
		}
		require.InEpsilon(t, x, got, digits, "%v is printed as %s", x, Short(x))
		require.LessOrEqual(t, len(Short(x)), 8)
	}
}

func TestTextTable(t *testing.T) {
	x := TextTable{Rows: [][]string{{"value", "µs", "n"}, {"a", "1,000", ""}, {"rather long", "2", "3"}}, Gap: 1}
	require.Equal(t, []string{"value          µs n", "a           1,000", "rather long     2 3"}, x.Lines())
	x.Right, x.Gap, x.Indent = func(i int) bool { return i == 2 }, 2, "  "
	require.Equal(t, []string{"  value        µs     n", "  a            1,000", "  rather long  2      3"}, x.Lines())
	require.Empty(t, (&TextTable{}).Lines())
}

// A table wider than allowed continues below itself, and keeps every cell.
func TestTextTableFits(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	for range 200 {
		x := TextTable{Gap: 1, Width: TextWidth}
		columns := 1 + r.IntN(40)
		var want []string
		for row := range 4 {
			var cells []string
			for i := range columns {
				c := fmt.Sprintf("%d/%d%s", row, i, strings.Repeat("x", r.IntN(12)))
				cells, want = append(cells, c), append(want, c)
			}
			x.Add(cells...)
		}
		seen := map[string]bool{}
		for _, l := range x.Lines() {
			require.LessOrEqual(t, utf8.RuneCountInString(l), TextWidth)
			for _, c := range strings.Fields(l) {
				seen[c] = true
			}
		}
		for _, c := range want {
			require.True(t, seen[c], c)
		}
	}
	long := TextTable{Rows: [][]string{{"a", strings.Repeat("b", 120), "c"}}, Gap: 1, Width: TextWidth}
	require.Equal(t, []string{"a " + strings.Repeat("b", 120), "a c"}, long.Lines(), "a single column is never broken")
}

func TestWrap(t *testing.T) {
	require.Equal(t, "\n", Wrap(""))
	require.Equal(t, "diff  ccc\nnext\n", Wrap("diff  ccc\nnext"))
	word := strings.Repeat("é", 49)
	require.Equal(t, word+" "+word+"\nx\n", Wrap(word+" "+word+" x"))
	require.Equal(t, strings.Repeat("y", 120)+"\nz\n", Wrap(strings.Repeat("y", 120)+" z"))
}

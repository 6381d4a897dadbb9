package prove

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/audit/fault"
	"github.com/goldwire/goldwire/cosim/report/measured"
)

// countedOnce reads the lists once: the designs of every survivor take seconds.
var countedOnce = sync.OnceValues(func() (proven, all int) {
	pairs, err := LoadPairs(root)
	if err != nil {
		return 0, 0
	}
	rows, all, err := Survivors(root, pairs)
	if err != nil {
		return 0, 0
	}
	rows, _ = Short(rows)
	return len(rows), all
})

// survivors returns how many survivors are proven, and how many there are in all.
func survivors(t *testing.T) (proven, all int) {
	t.Helper()
	proven, all = countedOnce()
	require.NotZero(t, all, "the lists cannot be read")
	return proven, all
}

// The arguments of survivors.yaml are the survivors of the lists, and at least 60 % of them are proven.
func TestSurvivorsAreCounted(t *testing.T) {
	proven, all := survivors(t)
	arguments, err := fault.Arguments()
	require.NoError(t, err)
	require.Len(t, arguments, all, "the total is that of cosim/audit/fault/survivors.yaml")
	require.GreaterOrEqual(t, 10*proven, 6*all, "less than 60 % of the survivors are proven")
}

// The table that make measured left counts what the lists hold: each row by its name, and the survivors.
func TestMeasuredFigures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "hdl", "prove", measured.Name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("hdl/prove/MEASURED.md is not there yet: make prove MEASURED=1 writes it")
	}
	require.NoError(t, err)
	require.NotContains(t, string(text), measured.Incomplete)
	rows, err := Load(root)
	require.NoError(t, err)
	rows, _ = Short(rows)
	var want, got []string
	for _, r := range rows {
		want = append(want, r.Group+" "+r.Name)
	}
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \|.* \| (for all time|\d+ cycles) \|`).
		FindAllStringSubmatch(string(text), -1) {
		got = append(got, m[1]+" "+m[2])
	}
	require.ElementsMatch(t, want, got, "hdl/prove/MEASURED.md is not of these rows: make prove MEASURED=1 renews it")
	proven, all := survivors(t)
	require.Contains(t, string(text), fmt.Sprintf(
		"Survivors of the fault campaign: %d, proven equivalent here: %d, argued: %d.", all, proven, all-proven))
}

// The Markdown counts verdicts by group and lists every row of the RTL; one that does not count stands out.
func TestMarkdown(t *testing.T) {
	var b strings.Builder
	require.NoError(t, WriteMarkdown(&b, &measured.Doc{Command: "prove"}, []Verdict{
		{Name: "fifo", Group: "FIFOs", Claim: "order", Engine: PDR, Twins: 2, Seconds: 3},
		{Name: "old", Group: survivorGroup, Engine: Same, Twins: 1},
		{Name: "ram", Group: "memories", Claim: "reads", Engine: BMC, Depth: 9},
	}))
	text := b.String()
	for _, want := range []string{"\nPASS: ", "| FIFOs | 1 | 0 | 0 | 0 | 2 |\n", "| all | 2 | 1 | 0 | 0 | 3 |\n",
		"| FIFOs | fifo | order | for all time | 2 | 3 |\n", "| memories | ram | reads | 9 cycles | 0 | 0 |\n"} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "| old |")
	b.Reset()
	require.NoError(t, WriteMarkdown(&b, &measured.Doc{}, []Verdict{{Name: "fifo", Group: "FIFOs", Engine: PDR,
		Failed: "no answer within 9 s"}, {Name: "ram", Group: "memories", Engine: PDR, Failed: "x", Disproved: true}}))
	for _, want := range []string{"\nFAIL: ", "| FIFOs | fifo |  | OPEN | 0 | 0 |",
		"| memories | ram |  | WRONG | 0 | 0 |", "- fifo: no answer within 9 s\n"} {
		require.Contains(t, b.String(), want)
	}
}

// A row with a name of its own proves a survivor once: the same fault in two rows, or one that is no survivor, is an
// error, so that the count cannot grow by repetition.
func TestSurvivorsCountOnce(t *testing.T) {
	pairs, err := LoadPairs(root)
	require.NoError(t, err)
	twice := append(slices.Clone(pairs), pairs[0])
	_, _, err = Survivors(root, twice)
	require.ErrorContains(t, err, "stands twice")
	none := pairs[0]
	none.Faults = []Survivor{{Block: "ccc", Before: "nothing", After: "something"}}
	_, _, err = Survivors(root, []Pair{none})
	require.ErrorContains(t, err, "not in survivors.yaml")
}

// Rows that need long are left out without it, slow ones are started first, and no row is lost on the way.
func TestOrder(t *testing.T) {
	rows := []Row{{Name: "a"}, {Name: "b", Slow: true}, {Name: "c", Long: true}, {Name: "d", Slow: true}}
	short, long := Short(rows)
	require.Equal(t, 1, long)
	require.Len(t, short, 3)
	require.Equal(t, []int{1, 2, 0}, order(short))
}

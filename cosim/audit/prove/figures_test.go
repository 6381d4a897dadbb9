package prove

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/audit/fault"
)

var (
	figureRow     = regexp.MustCompile(`(?m)^\| ([^|]+?) \| (\d+) \|$`)
	figureProven  = regexp.MustCompile(`(\d+) of (\d+) survivors of the fault campaign are proven; (\d+) stand`)
	figureSection = regexp.MustCompile(`(?s)Proofs, from .make prove.*?Dropped resets`)
)

// The README counts what the lists hold: rows by group, the survivors that are proven, and how many there are in all.
func TestReadmeFigures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	section := figureSection.Find(text)
	require.NotEmpty(t, section)
	rows, err := Load(root)
	require.NoError(t, err)
	rows, _ = Short(rows)
	want := map[string]int{}
	for _, r := range rows {
		want[r.Group]++
	}
	got := map[string]int{}
	for _, m := range figureRow.FindAllSubmatch(section, -1) {
		got[string(m[1])], err = strconv.Atoi(string(m[2]))
		require.NoError(t, err)
	}
	require.Equal(t, want, got, "rows by group")

	pairs, err := LoadPairs(root)
	require.NoError(t, err)
	proven, all, err := Survivors(root, pairs)
	require.NoError(t, err)
	proven, _ = Short(proven)
	arguments, err := fault.Arguments()
	require.NoError(t, err)
	require.Len(t, arguments, all, "the total is that of cosim/audit/fault/survivors.yaml")
	m := figureProven.FindSubmatch(section)
	require.NotNil(t, m)
	for i, n := range []int{len(proven), all, all - len(proven)} {
		require.Equal(t, strconv.Itoa(n), string(m[i+1]))
	}
	require.GreaterOrEqual(t, 10*len(proven), 6*all, "less than 60 % of the survivors are proven")
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

package history_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/history"
	"github.com/goldwire/goldwire/ci/plan"
)

// Figures are followed over the campaigns, with the largest of several runs. Figures of removed tests are left out.
func TestFigures(t *testing.T) {
	db := filepath.Join(t.TempDir(), "history.db")
	for night := 1; night <= 6; night++ {
		a, b, gone := record("a", "random", 1), record("a", "random", 2), record("gone", "random", 1)
		a.Figures = []campaign.Figure{{Name: "state/near", Value: 3}, {Name: "state/beyond", Value: 0}}
		b.Figures = []campaign.Figure{{Name: "state/near", Value: 1}}
		gone.Figures = a.Figures
		records := []campaign.Record{a, b, gone}
		if night == 6 {
			a.Figures[0].Value = 30
			records = []campaign.Record{a, b}
		}
		_, err := add(t, db, folder(t, "smoke", night, records...))
		require.NoError(t, err)
	}
	f := trends(t, db).Figures
	require.Len(t, f, 2)
	require.Equal(t, "state/beyond", f[0].Name)
	require.Equal(t, history.Same, f[0].Verdict)
	require.Equal(t, "state/near", f[1].Name)
	require.Equal(t, []float64{3, 3, 3, 3, 3, 30}, f[1].Values)
	require.Equal(t, history.Higher, f[1].Verdict)
	var text strings.Builder
	require.NoError(t, trends(t, db).WriteText(&text))
	require.Regexp(t, `a random +state/near +smoke +30 +3 .*higher`, text.String())
}

// A closed stage that left a testpoint open has not passed, whatever its runs report.
func TestOpenStageHasNotPassed(t *testing.T) {
	db := filepath.Join(t.TempDir(), "history.db")
	dir := folder(t, "smoke", 1, record("a", "random", 1, "a1"))
	path := filepath.Join(dir, "campaign.json")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var head campaign.Head
	require.NoError(t, json.Unmarshal(text, &head))
	head.Goals = plan.Goals{Closed: true, Testpoints: []plan.Goal{{Name: "toy/a", Bins: []string{"a*"}}}}
	text, err = json.Marshal(head)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o666))
	_, err = add(t, db, dir)
	require.NoError(t, err)
	tr := trends(t, db)
	require.Equal(t, campaign.Error, tr.Verdict)
	require.Equal(t, 1, tr.Nights[0].Open)
}

// Faults that a fault campaign caught count for the tests of that source and block at the default size. A test that
// caught some does add something.
func TestRankCountsFaults(t *testing.T) {
	db := filepath.Join(t.TempDir(), "history.db")
	most, less, other := record("most", "directed", 1), record("less", "random", 1, "a"), record("other", "random", 1, "a")
	other.Run.Params = map[string]int{"N": 1}
	less.Cost.CPU = 4
	faults := record("faults", "", 1)
	faults.Result = nil
	for night, n := range []float64{8, 4} {
		faults.Figures = []campaign.Figure{{Name: "toy/caught", Value: 100}, {Name: "toy/caught in random", Value: n},
			{Name: "tay/caught in directed", Value: 9}}
		_, err := add(t, db, folder(t, "smoke", night+1, most, less, other, faults))
		require.NoError(t, err)
	}
	r := ranked(t, db, 2)
	got := map[string][2]float64{}
	for _, x := range r.Tests {
		got[x.Test] = [2]float64{x.Faults, x.FaultsPerSecond}
	}
	require.Equal(t, map[string][2]float64{"most": {}, "less": {6, 1.5}, "other": {}}, got)
	require.NotContains(t, r.Nothing, "less random")
}

package history

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
)

// drawn returns a campaign of generated runs, each of which misses some of 300 bins.
func drawn(rng *rand.Rand, stage string, night, runs int) *campaign.Campaign {
	c := &campaign.Campaign{Head: &campaign.Head{Fingerprint: fmt.Sprintf("%s%d", stage, night), Stage: stage,
		Night: fmt.Sprint(night), Began: time.Unix(int64(86400*(night+1)), 0)},
		Summary: &campaign.Summary{Planned: runs, Passed: runs}}
	for i := range runs {
		var missed []string
		for len(missed) < 80 {
			missed = append(missed, fmt.Sprintf("group_of_bins/%d", rng.IntN(300)))
		}
		r := &campaign.Record{Run: plan.Run{ID: fmt.Sprintf("test%d.random.%d", i%10, i), Test: fmt.Sprintf("test%d", i%10),
			Block: "toy", Source: "random", Seed: uint64(i)}, Outcome: campaign.Passed, Result: &campaign.Result{Events: 1000,
			Fields: 7, Bins: 1000, Missed: missed}, Cost: campaign.Cost{CPU: 1 + rng.Float64()/10}}
		if i%50 == 0 {
			r.Outcome = campaign.Failed
			r.Result.Failure = &campaign.Failure{Field: "f", Event: "ACK"}
			c.Summary.Passed, c.Summary.Failed = c.Summary.Passed-1, c.Summary.Failed+1
		}
		c.Records = append(c.Records, r)
		c.Summary.Runs = append(c.Summary.Runs, campaign.State{Repeat: "goldwire cosim"})
	}
	return c
}

// The trends of ten thousand runs are shown in well under a second: every query for runs uses an index.
func TestTenThousandRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	d, err := Create(path)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	var all []*campaign.Campaign
	for night := range 100 {
		all = append(all, drawn(rng, []string{"nightly", "pull"}[night%2], night, 100))
	}
	_, err = d.Add(t.Context(), all...)
	require.NoError(t, err)
	require.NoError(t, d.Close())

	began := time.Now()
	d, err = Open(t.Context(), path)
	require.NoError(t, err)
	defer d.Close()
	p, err := d.Last(t.Context(), "", 1000)
	require.NoError(t, err)
	tr := NewTrends(p, []plan.Testpoint{{Name: "toy/a", Bins: []string{"group*"}}})
	var text, page strings.Builder
	require.NoError(t, tr.WriteText(&text))
	require.NoError(t, tr.WriteHTML(&page))
	took := time.Since(began)
	t.Logf("trends of 10,000 runs: %v", took)
	require.Less(t, took, 20*time.Second, "a tenth of a second is usual; the bound is for busy machines")
	require.Len(t, tr.Nights, 100)
	require.Len(t, p.Failed, 200)

	for query, args := range map[string][]any{nightsQuery: {"pull", 10}, runsQuery: {5}, failedQuery: nil,
		stagesQuery: nil} {
		rows, err := d.sql.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
		require.NoError(t, err)
		for rows.Next() {
			var id, parent, unused int
			var detail string
			require.NoError(t, rows.Scan(&id, &parent, &unused, &detail))
			t.Log(detail)
			if strings.HasPrefix(detail, "SCAN") {
				require.Contains(t, detail, " INDEX ", query)
			}
		}
		require.NoError(t, rows.Err())
	}
	// The amount read does not grow with the history.
	p, err = d.Last(t.Context(), "pull", 3)
	require.NoError(t, err)
	require.Len(t, p.Nights, 3)
	require.Equal(t, 100, p.Total)
	require.Equal(t, "99", p.Nights[2].Night)
}

// A file that is not a history, or a damaged one, gives one clear error, and never incomplete trends.
func TestFilesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	read := func(name string) error {
		d, err := Open(t.Context(), file(name))
		if err != nil {
			return err
		}
		defer d.Close()
		_, err = d.Last(t.Context(), "", 100)
		return err
	}
	write := func(name string) error {
		d, err := Create(file(name))
		require.NoError(t, err)
		defer d.Close()
		_, err = d.Add(t.Context(), drawn(rand.New(rand.NewPCG(1, 2)), "pull", 7, 5))
		return err
	}
	change := func(name, statement string) {
		db, err := sql.Open("sqlite", file(name))
		require.NoError(t, err)
		defer db.Close()
		_, err = db.Exec(statement)
		require.NoError(t, err)
	}
	require.ErrorIs(t, read("gone"), ErrNone)
	require.NoFileExists(t, file("gone"))
	require.NoError(t, os.WriteFile(file("empty"), nil, 0o666))
	require.ErrorIs(t, read("empty"), ErrNone)
	require.NoError(t, write("empty"))
	require.NoError(t, read("empty"))
	require.NoError(t, os.WriteFile(file("text"), []byte(strings.Repeat("not a database\n", 100)), 0o666))
	require.ErrorIs(t, read("text"), errOther)
	require.ErrorIs(t, write("text"), errOther)
	change("foreign", "CREATE TABLE run (x); INSERT INTO run VALUES (1)")
	require.ErrorIs(t, read("foreign"), errOther)
	require.ErrorIs(t, write("foreign"), errOther)
	require.Error(t, read("."))

	for statement, want := range map[string]string{
		"PRAGMA user_version = 1":           "it has version 1, and this goldwire knows version 2",
		"DELETE FROM campaign":              "no history: there is no campaign",
		"DELETE FROM run WHERE n = 3":       "is damaged: its rows do not fit one another",
		"UPDATE run SET outcome = 'passed'": "is damaged: its rows do not fit one another",
		"DELETE FROM bin WHERE id = 2":      "misses a bin that has no name",
		"UPDATE run SET failure = '{'":      "is damaged",
		"DROP INDEX run_failed":             "no such index",
		"DROP TABLE run":                    "no such table",
	} {
		require.NoError(t, os.RemoveAll(file("x")))
		require.NoError(t, write("x"))
		require.NoError(t, read("x"))
		change("x", statement)
		require.ErrorContains(t, read("x"), want, statement)
	}
	require.NoError(t, os.RemoveAll(file("x")))
	require.NoError(t, write("x"))
	require.NoError(t, os.Truncate(file("x"), 12288))
	require.Error(t, read("x"))
}

// Writers take turns. A writer that waits too long reports that and changes nothing. A reader sees a consistent state
// meanwhile.
func TestOneWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	var group sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		group.Go(func() {
			d, err := Create(path)
			if err == nil {
				_, err = d.Add(t.Context(), drawn(rand.New(rand.NewPCG(1, uint64(i))), "pull", i, 20))
				err = errors.Join(err, d.Close())
			}
			errs[i] = err
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))

	hold, err := Create(path)
	require.NoError(t, err)
	defer hold.Close()
	tx, err := hold.sql.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.Exec("DELETE FROM campaign")
	require.NoError(t, err)
	defer func(w time.Duration) { wait = w }(wait)
	wait = 50 * time.Millisecond
	d, err := Create(path)
	require.NoError(t, err)
	defer d.Close()
	_, err = d.Add(t.Context(), drawn(rand.New(rand.NewPCG(1, 2)), "pull", 9, 20))
	require.ErrorContains(t, err, "another process writes to it; try again later")
	r, err := Open(t.Context(), path)
	require.NoError(t, err)
	defer r.Close()
	p, err := r.Last(t.Context(), "", 100)
	require.NoError(t, err)
	require.Len(t, p.Nights, 8)
	require.NoError(t, tx.Rollback())
}

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/history"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// campaignFolder writes the folder of a campaign of one run that missed a bin of ccc.
func campaignFolder(t *testing.T, outcome campaign.Outcome, bins int) string {
	t.Helper()
	dir := t.TempDir()
	run := plan.Run{ID: "ccc.random.seed1", Test: "ccc", Block: "ccc", Source: "random", Seed: 1,
		Args: []string{"cosim", "--block", "ccc"}}
	head := campaign.Head{Fingerprint: string(outcome), Stage: "smoke", Night: "tonight", Runs: []plan.Run{run},
		Began: time.Unix(1e9, 0)}
	x := campaign.Record{Fingerprint: head.Fingerprint, Run: run, Outcome: outcome, Reason: "so it is",
		Result: &campaign.Result{Block: "ccc", Events: 100, Fields: 7, Bins: bins, Missed: []string{"open_profile/2"}},
		Cost:   campaign.Cost{CPU: 1}}
	if outcome == campaign.Failed {
		x.Result.Failure = &campaign.Failure{Field: "cwnd", Event: "ACK ctx=1"}
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "records"), 0o777))
	for name, doc := range map[string]any{"campaign.json": head, "records/ccc.random.seed1.json": x} {
		text, err := json.Marshal(doc)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	return dir
}

// Campaigns are recorded once and shown with the testpoints of the plan. Showing a failure is not a failure of trends.
func TestHistory(t *testing.T) {
	db := filepath.Join(t.TempDir(), "history.db")
	failed := campaignFolder(t, campaign.Failed, 3)
	require.Contains(t, must(t, "ci", "record", failed, "--db", db), "1 runs (0 passed, 1 failed, 0 errors): added")
	require.Contains(t, must(t, "ci", "record", failed, "--db", db), "already in the history")
	html, doc := filepath.Join(t.TempDir(), "x.html"), filepath.Join(t.TempDir(), "x.json")
	text := must(t, "ci", "trends", "--db", db, "--html", html, "--json", doc)
	require.Contains(t, text, "FAILED  stage smoke, night tonight: 0 of 1 runs passed")
	require.Contains(t, text, "ccc/registers")
	require.Contains(t, text, "open_profile/2")
	page, err := os.ReadFile(html)
	require.NoError(t, err)
	require.Contains(t, string(page), `<div class="verdict bad"><b>FAILED</b>`)
	stored, err := os.ReadFile(doc)
	require.NoError(t, err)
	require.Contains(t, string(stored), `"verdict": "failed"`)
	require.JSONEq(t, string(stored), must(t, "ci", "trends", "--db", db, "--json", "-"))
	require.Contains(t, must(t, "ci", "rank", "--db", db), "1 of 1 tests")
	require.Contains(t, must(t, "ci", "rank", "--db", db, "--json", "-"), `"adds_nothing": []`)

	// A team's history is named once in the environment; a flag overrides it.
	t.Setenv("GOLDWIRE_HISTORY", db)
	require.Equal(t, text, must(t, "ci", "trends"))
	requireBroken(t, goldwire(t, "ci", "trends", "--db", db+"x"), "no history: there is no file")

	// A command that ends early leaves no result of an earlier run.
	requireBroken(t, goldwire(t, "ci", "trends", "--db", db+"x", "--json", doc), "no history: there is no file")
	require.NoFileExists(t, doc)
	require.NoFileExists(t, db+"x")
}

// Each way of having nothing to show or to add gives one line and exit code 2.
func TestHistoryThatIsNotThere(t *testing.T) {
	t.Setenv("GOLDWIRE_HISTORY", "")
	dir := t.TempDir()
	db := filepath.Join(dir, "history.db")
	empty, other := filepath.Join(dir, "empty.db"), filepath.Join(dir, "other.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o666))
	require.NoError(t, os.WriteFile(other, bytes.Repeat([]byte("not a database\n"), 100), 0o666))
	bare := filepath.Join(dir, "bare.db")
	must(t, "ci", "record", campaignFolder(t, campaign.Passed, 0), "--db", bare)
	for _, c := range []string{"trends", "rank"} {
		for path, want := range map[string]string{db: "there is no file", empty: "is empty", other: "is not a history",
			dir: "it is not a file"} {
			requireBroken(t, goldwire(t, "ci", c, "--db", path), want)
		}
		requireBroken(t, goldwire(t, "ci", c, "--db", bare, "--last", "0"), "give a number above 0")
		requireBroken(t, goldwire(t, "ci", c, "--db", bare, "--stage", "noon"), `there is no campaign of stage "noon"`)
		requireBroken(t, goldwire(t, "ci", c, "--db", bare, "--json", bare), "both name")
	}
	root := filepath.Join("..", "..", "..", filepath.FromSlash(history.Default))
	for _, c := range []string{"trends", "rank"} { // its own file is not named, and must not be lost
		o := goldwire(t, "ci", c, "--json", root)
		requireBroken(t, o, "both name")
	}
	requireBroken(t, goldwire(t, "ci", "rank", "--db", bare), "no test of stage smoke has coverage")
	requireBroken(t, goldwire(t, "ci", "record", t.TempDir(), "--db", db), "holds no campaign")
	require.NoFileExists(t, db)
	requireBroken(t, goldwire(t, "ci", "record", campaignFolder(t, campaign.Passed, 3), "--db", other), "is not a history")
	require.Equal(t, cli.ExitPass, goldwire(t, "ci", "record", campaignFolder(t, campaign.Passed, 3), "--db", db).code)
}

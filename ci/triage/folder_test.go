package triage_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/ci/triage"
)

// entry is a run of a campaign; no outcome means no record.
type entry struct {
	id      string
	outcome campaign.Outcome
	reason  string
	failure *campaign.Failure
	lost    bool // its result
}

// folder writes a campaign's folder and returns it.
func folder(t *testing.T, goals plan.Goals, entries ...entry) string {
	t.Helper()
	dir := t.TempDir()
	head := campaign.Head{Fingerprint: "f", Stage: "smoke", Night: "n", Revision: "0123456789ab", Goals: goals}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "records"), 0o777))
	write := func(name string, doc any) {
		text, err := json.Marshal(doc)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	for i, e := range entries {
		run := plan.Run{ID: e.id, Test: "toy/all", Block: "toy", Source: "random", Seed: uint64(i + 1), Events: 10,
			Args: []string{"cosim", "--block", "toy", "--seed", "7", "--json", plan.JSON}}
		head.Runs = append(head.Runs, run)
		if e.outcome == "" {
			continue
		}
		r := campaign.Record{Fingerprint: "f", Run: run, Outcome: e.outcome, Reason: e.reason}
		if !e.lost {
			r.Result = &campaign.Result{Block: "toy", Fields: 7, Events: 10, Failure: e.failure}
		}
		write(filepath.Join("records", e.id+".json"), r)
	}
	write("campaign.json", head)
	return dir
}

func read(t *testing.T, dir string) *triage.Triage {
	t.Helper()
	c, err := campaign.Read(dir)
	require.NoError(t, err)
	return triage.New(c)
}

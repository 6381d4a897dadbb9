package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// Triage ends with 1 for a failure, with 2 for what is no campaign or not a whole one, and with 0 only when all passed.
func TestTriageEnds(t *testing.T) {
	require.Contains(t, must(t, "ci", "triage", campaignFolder(t, campaign.Passed, 3)), "PASSED  stage smoke")
	failed := campaignFolder(t, campaign.Failed, 3)
	o := goldwire(t, "ci", "triage", failed)
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
	require.Contains(t, o.stdout, "BUCKET  ccc-cwnd-ACK-")
	requireBroken(t, goldwire(t, "ci", "triage", t.TempDir()), "holds no campaign")
	requireBroken(t, goldwire(t, "ci", "triage", campaignFolder(t, campaign.Error, 3)), "1 ended in errors")
	missing := campaignFolder(t, campaign.Passed, 3)
	require.NoError(t, os.Remove(filepath.Join(missing, "records", "ccc.random.seed1.json")))
	requireBroken(t, goldwire(t, "ci", "triage", missing), "1 are missing")
	// What was found stays found where runs are missing, and where the result cannot be written.
	o = goldwire(t, "ci", "triage", failed, "--json", "/dev/full")
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
}

func TestBisectCalledWrongly(t *testing.T) {
	failed := campaignFolder(t, campaign.Failed, 3)
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"ccc"}, "--good: no revision given"},
		{[]string{"tay", "--good", "HEAD"}, `bucket "tay": unknown; give one of ccc-cwnd-ACK-`},
		{[]string{"ccc", "--good", "HEAD"}, "give one that fails with --bad"},
		{[]string{"ccc", "--good", "HEAD", "--bad", "HEAD"}, "are one"},
		{[]string{"ccc", "--good", "gone", "--bad", "HEAD"}, `revision "gone"`},
	} {
		requireBroken(t, goldwire(t, append([]string{"ci", "bisect", "--dir", failed}, x.args...)...), x.want)
	}
}

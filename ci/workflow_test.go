package ci

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

const workflow = "../.github/workflows/goldwire.yml"

// GitHub accepts the workflow: keys, expressions, inputs of the actions, needs of the jobs.
func TestWorkflowIsSound(t *testing.T) {
	text, err := os.ReadFile(workflow)
	require.NoError(t, err)
	lint := func(text string) []*actionlint.Error {
		l, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		require.NoError(t, err)
		found, err := l.Lint(workflow, []byte(text), nil)
		require.NoError(t, err)
		return found
	}
	for _, e := range lint(string(text)) {
		t.Error(e)
	}
	// The linter would find a fault.
	for old, bad := range map[string]string{"needs: shard": "needs: shards", "matrix.shard }}/": "matrix.shrad }}/",
		"timeout-minutes: 350": "timeout-minute: 350", "fetch-depth: 0": "fetch-deep: 0"} {
		require.Contains(t, string(text), old)
		require.NotEmpty(t, lint(strings.Replace(string(text), old, bad, 1)), bad)
	}
}

// Verilator builds are cached under everything that they depend on, a merge that did not pass fails its job, and shards
// agree on their number and their night.
func TestWorkflowHoldsWhatResultsDependOn(t *testing.T) {
	text, err := os.ReadFile(workflow)
	require.NoError(t, err)
	var doc struct {
		Jobs map[string]struct {
			If    string
			Steps []struct {
				Uses, Run, If string
				With          map[string]any
				ContinueErr   any `yaml:"continue-on-error"`
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &doc))
	kept, merged, ran := false, false, false
	for name, job := range doc.Jobs {
		for _, s := range job.Steps {
			require.Nil(t, s.ContinueErr, "a step of %s that fails does not fail its job", name)
			if s.Uses == "actions/cache@v4" {
				kept = true
				for _, part := range []string{"steps.tools.outputs.hash", "'hdl/**'", "'bridge/launch/*.go'",
					"'vectors/event/*/schema.yaml'"} {
					require.Contains(t, s.With["key"], part)
				}
				require.NotContains(t, s.With, "restore-keys")
			}
			if strings.Contains(s.Run, "ci merge") {
				merged = true
				require.Contains(t, s.Run, "|| code=$?")
				require.Contains(t, s.Run, `exit "$code"`)
				require.Contains(t, s.Run, `summary.md >>"$GITHUB_STEP_SUMMARY"`)
				require.Contains(t, s.Run, "cat build/report/annotations.txt")
				require.Equal(t, "${{ !cancelled() }}", job.If) // failed shards are reported on
			}
			if strings.Contains(s.Run, "ci shard") {
				ran = true
				require.Contains(t, s.Run, `ci shard "$SHARD" --stage "$STAGE" --night "$NIGHT"`)
			}
			if strings.HasPrefix(s.Uses, "actions/cache/save") { // not reached after a failed step
				require.Equal(t, "github.event_name == 'push'", s.If)
			}
		}
	}
	require.True(t, kept && merged && ran)
	require.Contains(t, string(text), "SHARD: ${{ matrix.shard }}/${{ strategy.job-total }}")
}

// The template for GitLab is YAML with the jobs that it describes.
func TestGitLabTemplate(t *testing.T) {
	text, err := os.ReadFile("gitlab.yml")
	require.NoError(t, err)
	var doc map[string]any
	require.NoError(t, yaml.Unmarshal(text, &doc))
	for _, job := range []string{"build", "shard", "merge"} {
		require.Contains(t, doc, job)
		require.Contains(t, doc["stages"], job)
	}
	require.NotContains(t, string(text), "allow_failure")
}

package ci

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

const workflow = "../.github/workflows/goldwire.yml"

// lint returns what GitHub would not accept of a workflow, with the inputs of the actions in this tree.
func lint(t *testing.T, path, text string) []*actionlint.Error {
	t.Helper()
	l, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	require.NoError(t, err)
	project, err := actionlint.NewProject("..")
	require.NoError(t, err)
	found, err := l.Lint(path, []byte(text), project)
	require.NoError(t, err)
	return found
}

// GitHub accepts the workflow: keys, expressions, inputs of the actions, needs of the jobs.
func TestWorkflowIsSound(t *testing.T) {
	text, err := os.ReadFile(workflow)
	require.NoError(t, err)
	check := func(text string) []*actionlint.Error {
		return lint(t, workflow, text)
	}
	for _, e := range check(string(text)) {
		t.Error(e)
	}
	// The linter would find a fault.
	for old, bad := range map[string]string{"needs: shard": "needs: shards", "matrix.shard }}/": "matrix.shrad }}/",
		"program: goldwire": "programme: goldwire", "timeout-minutes: 350": "timeout-minute: 350",
		"fetch-depth: 0": "fetch-deep: 0"} {
		require.Contains(t, string(text), old)
		require.NotEmpty(t, check(strings.Replace(string(text), old, bad, 1)), bad)
	}
}

// GitHub accepts the weekly workflow, whose systems are those that the script plays.
func TestMatrixWorkflowIsSound(t *testing.T) {
	const path = "../.github/workflows/matrix.yml"
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Empty(t, lint(t, path, string(text)))
	require.NotEmpty(t, lint(t, path, strings.Replace(string(text), "matrix.suite", "matrix.suit", 1)))
	require.NotContains(t, string(text), "continue-on-error")
	script, err := os.ReadFile("tools/matrix.sh")
	require.NoError(t, err)
	suites := regexp.MustCompile(`suite: \[(.*)\]`).FindSubmatch(text)
	require.NotNil(t, suites)
	require.Contains(t, string(script), "${MATRIX_SUITES-"+strings.ReplaceAll(string(suites[1]), ",", "")+"}")
}

// step is one step of a job or of the action.
type step struct {
	ID, Uses, Run, If string
	With, Env         map[string]any
	ContinueErr       any `yaml:"continue-on-error"`
}

// A merge that did not pass fails its job, failed shards are reported on, shards agree on their number and their night,
// and only a push to main leaves a campaign to take over from.
func TestWorkflowHoldsWhatResultsDependOn(t *testing.T) {
	text, err := os.ReadFile(workflow)
	require.NoError(t, err)
	var doc struct {
		Env  map[string]any
		Jobs map[string]struct {
			If    string
			Steps []step
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &doc))
	merged, ran := false, false
	for name, job := range doc.Jobs {
		for _, s := range job.Steps {
			require.Nil(t, s.ContinueErr, "a step of %s that fails does not fail its job", name)
			if s.With["merge"] != nil {
				merged = true
				require.Equal(t, "./.github/action", s.Uses)
				require.Equal(t, "${{ !cancelled() }}", job.If) // failed shards are reported on
			}
			if s.With["shard"] != nil {
				ran = true
				require.Equal(t, "./.github/action", s.Uses)
				require.Equal(t, "${{ matrix.shard }}/${{ strategy.job-total }}", s.With["shard"])
				require.Equal(t, "${{ env.STAGE }}", s.With["stage"])
				require.Equal(t, "${{ env.NIGHT }}", s.With["night"])
			}
			if strings.HasPrefix(s.Uses, "actions/cache/save") { // not reached after a failed step
				require.Equal(t, "github.event_name == 'push'", s.If)
			}
		}
	}
	require.True(t, merged && ran)
	require.Equal(t, "run-${{ github.run_id }}", doc.Env["NIGHT"])
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

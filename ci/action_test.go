package ci

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

const actionDir = "../.github/action"

// action is the file action.yml.
type action struct {
	Name, Description string
	Inputs            map[string]struct{ Description, Default string }
	Outputs           map[string]struct{ Value string }
	Runs              struct {
		Using string
		Steps []step
	}
}

func readAction(t *testing.T) (a action, steps yaml.Node) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(actionDir, "action.yml"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &a))
	var doc struct {
		Runs struct{ Steps yaml.Node }
	}
	require.NoError(t, yaml.Unmarshal(text, &doc))
	return a, doc.Runs.Steps
}

// GitHub accepts the steps of the action: as those of a job whose inputs are the action's.
func TestActionIsSound(t *testing.T) {
	a, steps := readAction(t)
	require.Equal(t, "composite", a.Runs.Using)
	inputs := map[string]any{}
	for name, in := range a.Inputs {
		require.NotEmpty(t, in.Description, name)
		inputs[name] = map[string]string{"type": "string"}
	}
	text, err := yaml.Marshal(map[string]any{
		"on":   map[string]any{"workflow_call": map[string]any{"inputs": inputs}},
		"jobs": map[string]any{"run": map[string]any{"runs-on": "ubuntu-24.04", "steps": &steps}},
	})
	require.NoError(t, err)
	for _, e := range lint(t, "../.github/workflows/action.yml", string(text)) {
		t.Error(e)
	}
	for old, bad := range map[string]string{"inputs.merge": "inputs.marge", "retention-days": "retention-day",
		"steps.prepare.outputs.hash": "steps.prep.outputs.hash"} { // the linter would find a fault
		require.Contains(t, string(text), old)
		require.NotEmpty(t, lint(t, "../.github/workflows/action.yml", strings.Replace(string(text), old, bad, 1)), bad)
	}
}

// Every step that fails fails the job, results are uploaded whatever the outcome, and every input is used.
func TestActionHoldsWhatResultsDependOn(t *testing.T) {
	a, _ := readAction(t)
	used, uploaded, cached := "", false, false
	for _, s := range a.Runs.Steps {
		require.Nil(t, s.ContinueErr)
		used += fmt.Sprint(s)
		if strings.HasPrefix(s.Uses, "actions/upload-artifact") {
			uploaded = true
			require.Contains(t, s.If, "always()")
		}
		if strings.HasPrefix(s.Uses, "actions/cache") {
			cached = true
			require.Contains(t, s.With["key"], "steps.prepare.outputs.hash")
			require.NotContains(t, s.With, "restore-keys")
			require.NotContains(t, s.With["path"], "..", "the cache takes no such path")
		}
	}
	require.True(t, uploaded && cached)
	for name := range a.Inputs {
		require.Contains(t, used, "inputs."+name, "input %s has no effect", name)
	}
	require.Equal(t, "${{ steps.run.outputs.code }}", a.Outputs["code"].Value)
}

// fakeAction is a tree with the action's script and tools that only note their arguments.
type fakeAction struct {
	t    *testing.T
	root string
	env  map[string]string
}

func newFakeAction(t *testing.T, goldwire string) *fakeAction {
	t.Helper()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not on PATH: the action, which runs on GitHub's machines, needs it")
	}
	f := &fakeAction{t, t.TempDir(), map[string]string{}}
	script, err := os.ReadFile(filepath.Join(actionDir, "run.sh"))
	require.NoError(t, err)
	f.write(".github/action/run.sh", string(script))
	f.write("ci/tools/install.sh", "#!/bin/sh\necho installed\n")
	f.write("build/goldwire", "#!/bin/bash\necho \"args: $*\"\n"+goldwire)
	for _, tool := range []string{"verilator", "g++", "ccache"} {
		f.write("bin/"+tool, "#!/bin/sh\necho "+tool+" 1.0\n")
	}
	f.write("bin/make", "#!/bin/sh\necho \"made: $*\"\n")
	f.write("hdl/rtl/a.sv", "a")
	f.write("bridge/launch/a.go", "b")
	f.write("vectors/event/ccc/schema.yaml", "c")
	a, _ := readAction(t)
	for name, in := range a.Inputs {
		f.env[strings.ToUpper(strings.ReplaceAll(name, "-", "_"))] = in.Default
	}
	maps.Copy(f.env, map[string]string{"GITHUB_ACTION_PATH": filepath.Join(f.root, ".github/action"),
		"GITHUB_OUTPUT": filepath.Join(f.root, "outputs"), "GITHUB_STEP_SUMMARY": filepath.Join(f.root, "summary"),
		"PATH": filepath.Join(f.root, "bin") + ":" + os.Getenv("PATH"), "NIGHT": "run-7"})
	return f
}

func (f *fakeAction) write(name, text string) {
	f.t.Helper()
	path := filepath.Join(f.root, name)
	require.NoError(f.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(f.t, os.WriteFile(path, []byte(text), 0o755))
}

func (f *fakeAction) read(name string) string {
	f.t.Helper()
	text, err := os.ReadFile(filepath.Join(f.root, name))
	require.NoError(f.t, err)
	return string(text)
}

// run runs a step of the script with inputs, and returns what it prints and its exit code.
func (f *fakeAction) run(verb string, inputs ...string) (string, int) {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), filepath.Join(f.root, ".github/action/run.sh"), verb)
	cmd.Dir = f.root
	for k, v := range f.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	cmd.Env = append(cmd.Env, inputs...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(f.t, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// Each input reaches goldwire, in the form of the job.
func TestActionCommands(t *testing.T) {
	reports := "--json build/report/summary.json --junit build/report/junit.xml --html build/report/campaign.html " +
		"--markdown build/report/summary.md --annotations build/report/annotations.txt"
	f := newFakeAction(t, "exit 0\n")
	f.write("main/campaign.json", `{"revision": "abc"}`)
	f.write("shards/1/x", "")
	f.write("shards/2/x", "")
	for _, x := range []struct {
		inputs []string
		want   string
	}{
		{[]string{"STAGE=pull"}, "ci run --stage pull --night run-7 --dir build/ci/campaign " + reports},
		{[]string{"STAGE=pull", "PLAN=my.yaml", "ARGS=--slots 3", "CAMPAIGN=c"},
			"ci run my.yaml --stage pull --night run-7 --dir c " + reports + " --slots 3"},
		{[]string{"STAGE=pull", "SHARD=1/4", "HISTORY=main"},
			"ci shard 1/4 --stage pull --night run-7 --dir build/ci/campaign --changed-since abc --history main"},
		{[]string{"STAGE=pull", "SHARD=1/4", "HISTORY=none"},
			"ci shard 1/4 --stage pull --night run-7 --dir build/ci/campaign"},
		{[]string{"MERGE=shards"}, "ci merge shards/1 shards/2 --dir build/ci/campaign " + reports},
		{[]string{"DUT=rtl/dut.yaml", "SEEDS=1..3"}, "cosim --dut rtl/dut.yaml --source directed,random --events 100k " +
			"--seeds 1..3 --json build/report/report.json --junit build/report/junit.xml --html build/report/report.html " +
			"--waves build/report/waves"},
	} {
		out, code := f.run("run", x.inputs...)
		require.Zero(t, code, out)
		require.Contains(t, strings.Split(out, "\n"), "args: "+x.want)
	}
	for _, inputs := range [][]string{nil, {"STAGE=a", "DUT=b"}, {"DUT=a", "SHARD=1/2"}} {
		out, code := f.run("run", inputs...)
		require.Equal(t, 2, code, out)
		require.NotContains(t, out, "args: ")
	}
}

// The exit code decides, the job summary is goldwire's or else what it printed, and never one of an earlier step.
func TestActionResult(t *testing.T) {
	for _, code := range []int{0, 1, 2} {
		f := newFakeAction(t, fmt.Sprintf("echo '### passed' >build/report/summary.md\n"+
			"echo ::error::x >build/report/annotations.txt\nexit %d\n", code))
		out, got := f.run("run", "STAGE=pull")
		require.Equal(t, code, got)
		require.Contains(t, out, "::error::x")
		require.Equal(t, "### passed\n", f.read("summary"))
		require.Equal(t, fmt.Sprintf("code=%d\n", code), f.read("outputs"))

		f = newFakeAction(t, fmt.Sprintf("echo 'MISMATCH <b>'; exit %d\n", code))
		f.write("build/report/summary.md", "### of an earlier step")
		out, got = f.run("run", "DUT=a.yaml")
		require.Equal(t, code, got)
		require.Contains(t, out, "MISMATCH <b>")
		require.Contains(t, f.read("summary"), fmt.Sprintf(": exit code %d\n", code))
		require.Contains(t, f.read("summary"), "\n    MISMATCH <b>\n")
		require.NotContains(t, f.read("summary"), "earlier")
	}
	f := newFakeAction(t, "kill -9 $$\n")
	out, code := f.run("run", "STAGE=pull")
	require.Equal(t, 137, code, out)
}

// Verilator builds are cached under everything that they depend on; goldwire is built unless an artifact holds it.
func TestActionPrepares(t *testing.T) {
	f := newFakeAction(t, "")
	hash := func() string {
		t.Helper()
		require.NoError(t, os.RemoveAll(filepath.Join(f.root, "outputs")))
		out, code := f.run("prepare", "PROGRAM=goldwire")
		require.Zero(t, code, out)
		require.Contains(t, out, "installed")
		require.NotContains(t, out, "made")
		lines := strings.Fields(f.read("outputs"))
		require.Equal(t, "root="+f.root, lines[0])
		require.Regexp(t, `^hash=[0-9a-f]{16}$`, lines[1])
		return lines[1]
	}
	seen := []string{hash()}
	require.Equal(t, seen[0], hash())
	f.write("README.md", "of no consequence")
	require.Equal(t, seen[0], hash())
	for _, name := range []string{"hdl/rtl/a.sv", "hdl/shell/new.cpp", "bridge/launch/a.go",
		"vectors/event/ccc/schema.yaml"} {
		f.write(name, "changed")
		h := hash()
		require.NotContains(t, seen, h, name)
		seen = append(seen, h)
	}
	f.write("bin/verilator", "#!/bin/sh\necho verilator 2.0\n")
	require.False(t, slices.Contains(seen, hash()), "another Verilator")

	out, code := f.run("prepare")
	require.Zero(t, code, out)
	require.Contains(t, out, "made: -C "+f.root+" build")
	out, code = f.run("prepare", "PROGRAM=goldwire", "MERGE=shards")
	require.Zero(t, code, out)
	require.NotContains(t, out, "installed")
	require.NoError(t, os.Remove(filepath.Join(f.root, "build/goldwire")))
	out, code = f.run("prepare", "PROGRAM=goldwire", "MERGE=shards")
	require.Equal(t, 2, code)
	require.Contains(t, out, "the artifact goldwire does not hold goldwire")
}

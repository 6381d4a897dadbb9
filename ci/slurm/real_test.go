package slurm_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/slurm"
)

// ended waits until all jobs of a submission have ended, and returns its state and the merged summary.
func (c *cluster) ended(s *slurm.Spec, most time.Duration) (*slurm.Status, string) {
	c.t.Helper()
	var st *slurm.Status
	c.wait("all jobs of "+s.Dir+" have ended", most, func() bool {
		var err error
		st, err = slurm.ReadStatus(c.t.Context(), s.Dir)
		require.NoError(c.t, err)
		require.Empty(c.t, st.Notes)
		return st.UnderWay == 0
	})
	text, err := os.ReadFile(filepath.Join(s.Dir, "summary.json"))
	require.NoError(c.t, err)
	return st, timeless(string(text))
}

// A thousand short runs take two calls of sbatch, and give the same result as a local run.
func TestClusterThousandRuns(t *testing.T) {
	c := newCluster(t)
	sources := repeat("plain", 1000)
	sources[700] = "differs"
	s := stage(t, 16, sources...)
	begin := time.Now()
	sub := submit(t, s)
	st, merged := c.ended(&s, 10*time.Minute)
	t.Logf("1000 runs in 16 shards on two nodes: %.1f s, %d calls of sbatch", time.Since(begin).Seconds(), c.submissions())
	require.LessOrEqual(t, c.submissions(), 3)
	require.Equal(t, c.submissions(), len(sub.Commands))
	require.Equal(t, 999, st.Summary.Passed)
	require.Equal(t, 1, st.Summary.Failed)
	require.Equal(t, local(t, &s), merged)
}

// Runs that are killed, out of memory, timed out, cancelled or lost with their node are missing and named, never
// passed. The other shards count, and the same submission again runs what is missing.
func TestClusterBroken(t *testing.T) {
	c := newCluster(t)
	cases := []struct {
		source, cause, args string
		spec                slurm.Spec
		sub                 *slurm.Submission
	}{
		{source: "plain"},
		{source: "kills", cause: "signal 9"},
		{source: "eats", cause: "out of memory", args: "--mem=200M"},
		{source: "hangs", cause: "timed out", args: "--time=1"},
		{source: "hangs once", cause: "cancelled"},
		{source: "hangs", cause: "its node was lost", args: "--nodelist=n2 --no-requeue"},
	}
	for i := range cases {
		x := &cases[i]
		// Shard 1 plays a run that passes before the one that breaks it; shard 2 has only runs that pass.
		x.spec = stage(t, 2, "plain", "plain", x.source, "plain", "plain")
		t.Setenv("FAKE_HEAD", filepath.Join(x.spec.Root, "head.json"))
		args := x.args
		if !strings.Contains(args, "--nodelist") {
			args += " --nodelist=n1"
		}
		x.sub = submit(t, x.spec, strings.Fields(args)...)
	}
	hung := func(i int) func() bool {
		return func() bool {
			for _, pid := range c.processes("SLURM_ARRAY_JOB_ID="+cases[i].sub.Array, "SLURM_ARRAY_TASK_ID=1") {
				text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				if strings.Contains(string(text), "\x00"+cases[i].source+"\x00") {
					return true
				}
			}
			return false
		}
	}
	c.wait("the run to be cancelled hangs", time.Minute, hung(4))
	_, err := slurm.Submit(t.Context(), cases[4].spec, cases[4].spec.Program, slurm.Options{})
	require.ErrorIs(t, err, slurm.ErrUnderWay)
	require.True(t, c.ok("scancel", cases[4].sub.Array+"_1"))
	c.wait("the run to be lost hangs", time.Minute, hung(5))
	lost := filepath.Join(cases[5].spec.Dir, "shard", "2", "campaign.json")
	c.wait("the other shard of the node has ended", time.Minute, func() bool {
		_, err := os.Stat(lost)
		return err == nil && c.left(cases[5].sub)
	})
	c.lose("n2")
	c.wait("the loss is noticed", 2*time.Minute, func() bool { return strings.Contains(c.idle(), "down") })
	c.node("n2") // the merge was to run there
	for i := range cases {
		x := &cases[i]
		t.Run(x.source+" "+x.cause, func(t *testing.T) {
			st, merged := c.ended(&x.spec, 4*time.Minute)
			if x.cause == "" {
				require.Equal(t, local(t, &x.spec), merged)
				require.Equal(t, campaign.Passed, st.Summary.Verdict)
				return
			}
			for _, r := range st.Summary.Runs {
				t.Logf("%s: %s: %s", r.ID, r.Outcome, r.Reason)
			}
			require.Equal(t, campaign.Error, st.Summary.Verdict)
			broken := st.Summary.Runs[2]
			require.Equal(t, campaign.Missing, broken.Outcome)
			require.Contains(t, broken.Reason, x.cause)
			require.Contains(t, merged, `"verdict": "error"`)
			require.Contains(t, merged, fmt.Sprintf(`"passed": %d,`, st.Summary.Passed))
			require.Contains(t, merged, fmt.Sprintf(`"missing": %d,`, st.Summary.Missing))
			require.GreaterOrEqual(t, st.Summary.Passed, 2, "the other shard's")
			require.Equal(t, 5, st.Summary.Passed+st.Summary.Missing)
		})
	}
	x := &cases[4]
	t.Setenv("FAKE_HEAD", filepath.Join(x.spec.Root, "head.json"))
	require.Equal(t, []int{1}, submit(t, x.spec).Submitted)
	st, merged := c.ended(&x.spec, 2*time.Minute)
	require.Equal(t, campaign.Passed, st.Summary.Verdict)
	require.Equal(t, local(t, &x.spec), merged)
}

// left reports whether shard 2 of an array has left the queue.
func (c *cluster) left(sub *slurm.Submission) bool {
	out, _ := exec.Command("squeue", "--noheader", "--array", "--jobs="+sub.Array+"_2").Output()
	return len(out) == 0
}

// A whole stage of the plan gives the same result on the cluster as here: make slurm-test STAGE=nightly.
func TestClusterStage(t *testing.T) {
	name, program, dir := os.Getenv("SLURM_STAGE"), os.Getenv("SLURM_PROGRAM"), os.Getenv("SLURM_DIR")
	if name == "" {
		t.Skip("it plays a stage of the plan: run make slurm-test STAGE=smoke")
	}
	c := newCluster(t)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	night := time.Now().UTC().Format(time.DateOnly)
	if given := os.Getenv("SLURM_NIGHT"); given != "" {
		night = given
	}
	goldwire := func(args ...string) int {
		cmd := exec.CommandContext(t.Context(), program, append([]string{"--root", root, "ci"}, args...)...)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			require.NoError(t, err)
		}
		t.Logf("%s: exit code %d\n%s", strings.Join(cmd.Args, " "), cmd.ProcessState.ExitCode(), out)
		return cmd.ProcessState.ExitCode()
	}
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "cluster")))
	require.NoError(t, os.MkdirAll(dir, 0o777))
	begin := time.Now()
	summary := filepath.Join(dir, "local.json")
	here := goldwire("run", "--stage", name, "--night", night, "--dir", filepath.Join(dir, "local"), "--json", summary)
	took := time.Since(begin)
	begin = time.Now()
	require.Zero(t, goldwire("submit", "--stage", name, "--night", night, "--shards", "2", "--dir",
		filepath.Join(dir, "cluster"), "--sbatch-arg", "--mem=12000"))
	st, merged := c.ended(&slurm.Spec{Dir: filepath.Join(dir, "cluster")}, 11*time.Hour)
	t.Logf("here %.0f s (0 when it was there already), on two nodes %.0f s, %d calls of sbatch", took.Seconds(),
		time.Since(begin).Seconds(), c.submissions())
	require.Equal(t, here, goldwire("status", "--dir", filepath.Join(dir, "cluster")))
	require.Zero(t, st.Summary.Missing)
	require.Equal(t, 2, c.submissions())
	text, err := os.ReadFile(summary)
	require.NoError(t, err)
	require.Equal(t, folder.ReplaceAllString(timeless(string(text)), "DIR/work/"), folder.ReplaceAllString(merged,
		"DIR/work/"))
}

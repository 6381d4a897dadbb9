package slurm_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/slurm"
	"github.com/goldwire/goldwire/cosim/report"
)

// submit submits the stage.
func submit(t *testing.T, s slurm.Spec, args ...string) *slurm.Submission {
	t.Helper()
	sub, err := slurm.Submit(t.Context(), s, s.Program, slurm.Options{Args: args})
	require.NoError(t, err)
	return sub
}

// play runs the job of a shard, or of the merge, as Slurm would.
func play(t *testing.T, s *slurm.Spec, script string, index int) (output string, exit int) {
	t.Helper()
	cmd := exec.Command("sh", filepath.Join(s.Dir, script))
	cmd.Dir, cmd.Env = s.Root, append(os.Environ(), fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", index))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		require.NoError(t, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func repeat(source string, n int) []string { return slices.Repeat([]string{source}, n) }

// A stage is one array and one merge. Their merged result equals that of a local run.
func TestSubmit(t *testing.T) {
	dir := fakes(t)
	s := stage(t, 3, "plain", "differs", "plain", "plain", "plain", "plain", "plain")
	sub, err := slurm.Submit(t.Context(), s, s.Program, slurm.Options{AtOnce: 2, Args: []string{"--partition=long"}})
	require.NoError(t, err)
	require.Equal(t, "41", sub.Array)
	require.Equal(t, "42", sub.Merge)
	made := calls(t, dir, "sbatch")
	require.Len(t, made, 2)
	require.Contains(t, made[0], "--parsable --array=1-3%2 --job-name="+sub.Name+" --chdir="+s.Root)
	require.Contains(t, made[0], "--partition=long")
	require.Contains(t, made[1], "--dependency=afterany:41")
	require.Contains(t, made[1], "--partition=long")
	stored, err := slurm.Read(s.Dir)
	require.NoError(t, err)
	require.Equal(t, sub, stored)

	for i, want := range []int{0, 1, 0} {
		out, exit := play(t, &s, "shard.sh", i+1)
		require.Equal(t, want, exit, out)
	}
	write(t, dir, "job.txt", "")
	out, exit := play(t, &s, "merge.sh", 0)
	require.Equal(t, 1, exit, out)
	text, err := os.ReadFile(filepath.Join(s.Dir, "summary.json"))
	require.NoError(t, err)
	require.Equal(t, local(t, &s), timeless(string(text)))
	st, err := slurm.ReadStatus(t.Context(), s.Dir)
	require.NoError(t, err)
	require.Empty(t, st.Shards)
	require.Equal(t, campaign.Failed, st.Summary.Verdict)

	_, err = slurm.Submit(t.Context(), s, s.Program, slurm.Options{})
	require.ErrorContains(t, err, "every run has its record")
	require.Len(t, calls(t, dir, "sbatch"), 2)
}

// A folder takes one submission at a time, and one campaign. Only missing runs are submitted again.
func TestSecondSubmission(t *testing.T) {
	dir := fakes(t)
	s := stage(t, 4, repeat("plain", 8)...)
	sub := submit(t, s)
	again := func(want string) {
		t.Helper()
		_, err := slurm.Submit(t.Context(), s, s.Program, slurm.Options{})
		require.ErrorContains(t, err, want)
		require.Len(t, calls(t, dir, "sbatch"), 2)
	}
	for _, state := range []string{"PENDING", "RUNNING", "COMPLETING", "SUSPENDED", "REQUEUED", "SOMETHING_NEW"} {
		write(t, dir, "squeue.txt", "41|1|COMPLETED|None|n1\n41|2|"+state+"|None|n1\n")
		again("under way")
	}
	write(t, dir, "squeue.txt", "42|N/A|PENDING|Dependency|\n")
	again("scancel --name=" + sub.Name + "," + sub.Name + "-merge")
	write(t, dir, "down", "")
	again("whether its jobs have ended is not known")
	require.NoError(t, os.Remove(filepath.Join(dir, "down")))
	write(t, dir, "squeue.txt", "41|1|COMPLETED|None|n1\n41|3|CANCELLED|None|\n42|N/A|COMPLETED|None|n1\n")
	other := s
	other.Shards = 5
	s, other = other, s
	again("give --shards 4")
	s = other
	head := *s.Head
	head.Fingerprint = "0123"
	s.Head = &head
	again("holds another campaign")
	s.Head = stageHead(t)

	for _, i := range []int{1, 2, 4} {
		out, exit := play(t, &s, "shard.sh", i)
		require.Zero(t, exit, out)
	}
	require.NoError(t, os.Remove(filepath.Join(s.Dir, "shard", "2", "records", "plain.6.json")))
	write(t, s.Dir, "summary.json", "of the earlier one")
	second := submit(t, s)
	require.Equal(t, []int{2, 3}, second.Submitted)
	require.NotEqual(t, sub.Name, second.Name)
	require.Contains(t, calls(t, dir, "sbatch")[2], "--array=2-3 ")
	require.NoFileExists(t, filepath.Join(s.Dir, "summary.json"))
	st, err := slurm.ReadStatus(t.Context(), s.Dir)
	require.NoError(t, err)
	require.Equal(t, 3, st.Summary.Missing)
	require.Equal(t, campaign.Error, st.Summary.Verdict)
}

func stageHead(t *testing.T) *campaign.Head {
	t.Helper()
	h, err := readHead()
	require.NoError(t, err)
	return h
}

// A submission that fails reports that, and never looks like one that succeeded.
func TestRefused(t *testing.T) {
	dir := fakes(t)
	s := stage(t, 11, repeat("plain", 12)...)
	refused := func(want string, args ...string) {
		t.Helper()
		_, err := slurm.Submit(t.Context(), s, s.Program, slurm.Options{Args: args})
		require.ErrorContains(t, err, want)
		require.Empty(t, calls(t, dir, "sbatch"))
	}
	refused("indexes up to 10 (MaxArraySize - 1); give --shards 10")
	s.Shards = 13
	refused("give --shards 12")
	s.Shards = 0
	refused("give a number above 0")
	s.Shards = 2
	for _, a := range []string{"--array=1-9", "--arr=2", "--test-only", "--dependency=singleton", "-p", "long", "--",
		"--wrap=true", "--wait", "--output=x", "--help"} {
		refused("--sbatch-arg", a)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(s.Dir, "shard"), 0o777))
	refused("that is of no submission")
	s.Dir = filepath.Join(t.TempDir(), "a%A")
	refused("Slurm would change")

	s.Dir = t.TempDir()
	write(t, dir, "refuse1", "")
	_, err := slurm.Submit(t.Context(), s, s.Program, slurm.Options{})
	require.ErrorContains(t, err, "array of shards: sbatch: exit status 1: no such partition")
	st, err := slurm.ReadStatus(t.Context(), s.Dir)
	require.NoError(t, err)
	require.Equal(t, 12, st.Summary.Missing)
	require.Contains(t, st.Summary.Runs[0].Reason, "it was not submitted: sbatch failed")

	require.NoError(t, os.Remove(filepath.Join(dir, "refuse1")))
	write(t, dir, "refuse3", "")
	_, err = slurm.Submit(t.Context(), s, s.Program, slurm.Options{})
	require.ErrorContains(t, err, "job 42 runs the shards, and merge: sbatch: exit status 1")
	require.ErrorContains(t, err, "ci merge")
	write(t, dir, "odd", "")
	_, err = slurm.Submit(t.Context(), s, s.Program, slurm.Options{})
	require.ErrorContains(t, err, `it printed "Submitted\n" in place of a job's number`)
	t.Setenv("PATH", t.TempDir())
	_, err = slurm.Submit(t.Context(), s, s.Program, slurm.Options{})
	require.ErrorContains(t, err, "scontrol is not on PATH")
}

// Jobs refuse to run anything but the submitted campaign.
func TestEditedAfterSubmission(t *testing.T) {
	fakes(t)
	s := stage(t, 2, "plain", "plain")
	submit(t, s)
	write(t, s.Root, "hdl/toy.sv", "module toy; wire x; endmodule\n")
	out, exit := play(t, &s, "shard.sh", 1)
	require.Equal(t, 2, exit)
	require.Contains(t, out, "edited")
	out, exit = play(t, &s, "merge.sh", 0)
	require.Equal(t, 2, exit, out)
}

// Missing runs are named with the cause from the scheduler and the log. Nothing that the scheduler reports makes a
// pass.
func TestCauses(t *testing.T) {
	dir := fakes(t)
	s := stage(t, 9, repeat("plain", 9)...)
	submit(t, s)
	states := []string{"COMPLETED", "TIMEOUT", "OUT_OF_MEMORY", "CANCELLED", "NODE_FAIL", "FAILED", "FAILED", "RUNNING"}
	exits := []string{"0:0", "0:0", "0:125", "0:15", "0:0", "2:0", "0:9", "0:0"}
	var queued, jobs strings.Builder
	for i, state := range states {
		fmt.Fprintf(&queued, "41|%d|%s|None|n%d\n", i+1, state, i%2)
		fmt.Fprintf(&jobs,
			"JobId=5%d ArrayJobId=41 ArrayTaskId=%d JobName=x JobState=%s Reason=None ExitCode=%s NodeList=n%d\n",
			i, i+1, state, exits[i], i%2)
	}
	queued.WriteString("41|9|PENDING|Resources|\n42|N/A|PENDING|Dependency|\n")
	jobs.WriteString("JobId=41 ArrayJobId=41 ArrayTaskId=9 JobState=PENDING Reason=Resources ExitCode=0:0 NodeList=\n")
	write(t, dir, "squeue.txt", queued.String())
	write(t, dir, "job.txt", jobs.String())
	log := func(i int) string { return fmt.Sprintf("log/shard-41_%d.log", i) }
	write(t, s.Dir, log(6), "goldwire: no simulator\n")
	check := func(want ...string) *slurm.Status {
		t.Helper()
		st, err := slurm.ReadStatus(t.Context(), s.Dir)
		require.NoError(t, err)
		require.Equal(t, 9, st.Summary.Missing)
		require.Equal(t, campaign.Error, st.Summary.Verdict)
		require.Len(t, st.Shards, 9)
		for i, w := range want {
			require.Equal(t, w, st.Shards[i].Cause)
			require.Contains(t, st.Summary.Runs[i].Reason, fmt.Sprintf("it has no record; shard %d (job 41_%d", i+1, i+1))
			require.Contains(t, st.Summary.Runs[i].Reason, w)
		}
		return st
	}
	want := []string{"ended (exit code 0)", "timed out", "out of memory", "cancelled", "its node was lost",
		"failed (exit code 2); its log ends: goldwire: no simulator", "killed (signal 9)", "runs",
		"waits in the queue (Resources)"}
	require.Equal(t, 3, check(want...).UnderWay)
	st := &slurm.Status{UnderWay: 1, Summary: &campaign.Summary{Verdict: campaign.Passed}}
	require.ErrorContains(t, st.Open(), "1 job under way", "what is not merged has not passed")
	st.UnderWay = 0
	require.NoError(t, st.Open())
	for _, n := range []string{"squeue", "scontrol", "sacct"} {
		require.LessOrEqual(t, len(calls(t, dir, n)), 2, "one call for all jobs")
	}

	const cancelled = "slurmstepd: error: *** JOB 41 ON n1 CANCELLED AT 2026-11-22T01:00:00"
	// The daemon's own words stay in the log after Slurm has forgotten the jobs.
	write(t, s.Dir, log(1), "slurmstepd: error: Detected 1 oom_kill event in StepId=41.batch.\n")
	write(t, s.Dir, log(2), cancelled+" DUE TO TIME LIMIT ***\n")
	write(t, s.Dir, log(3), "slurmstepd-n1: error: Exceeded job memory limit\nslurmstepd-n1: error: *** JOB 10 ON n1 "+
		"CANCELLED AT 2026-11-22T01:00:00 ***\n")
	write(t, s.Dir, log(4), cancelled+" ***\n")
	write(t, s.Dir, log(5), cancelled+" DUE TO NODE FAILURE, SEE SLURMCTLD LOG ***\n")
	// They override a state of COMPLETED.
	check("out of memory", "timed out", "out of memory", "cancelled", "its node was lost")
	// Slurm 26.05 puts the time in place of the daemon's name.
	const at = "[2026-11-28T17:01:39.555] error: "
	write(t, s.Dir, log(2), at+"*** JOB 14 ON n1 CANCELLED AT 2026-11-28T17:01:39 DUE TO TIME LIMIT ***\n")
	write(t, s.Dir, log(3), at+"Exceeded job memory limit\n")
	write(t, s.Dir, log(4), at+"*** JOB 18 ON n1 CANCELLED AT 2026-11-28T17:01:39 DUE to SIGNAL Terminated ***\n")
	check("out of memory", "timed out", "out of memory", "cancelled", "its node was lost")
	write(t, dir, "squeue.txt", "")
	require.NoError(t, os.Remove(filepath.Join(dir, "job.txt")))
	check("out of memory", "timed out", "out of memory", "cancelled", "its node was lost",
		"Slurm knows nothing of it any more; its log ends: goldwire: no simulator", "Slurm knows nothing of it any more")
	// The merge job noted Slurm's knowledge at the end.
	write(t, s.Dir, "scheduler.txt", jobs.String())
	check("out of memory", "timed out", "out of memory", "cancelled", "its node was lost", want[5], want[6])
	write(t, dir, "down", "")
	st = check("out of memory")
	require.Contains(t, st.Notes[0], "cannot contact the controller")
	var b strings.Builder
	require.NoError(t, st.WriteText(&b))
	require.Contains(t, b.String(), "whether its jobs have ended is not known")
	require.Contains(t, b.String(), "shard 7 of 9: 1 run missing: killed (signal 9)")
	require.Contains(t, b.String(), "9 planned = 0 passed + 0 failed + 0 errors + 9 missing")
}

// The commands for other engines name every run once, and merge accounts for shards that never ran.
func TestWorkflow(t *testing.T) {
	s := stage(t, 3, repeat("plain", 7)...)
	w, err := slurm.NewWorkflow(&s)
	require.NoError(t, err)
	require.Equal(t, 7, w.Planned)
	compared := s
	compared.Good = "/good/rtl"
	g, err := slurm.NewWorkflow(&compared)
	require.NoError(t, err)
	require.Equal(t, append(slices.Clone(w.Shards[0].Command), "--good", "/good/rtl"), g.Shards[0].Command)
	var runs []string
	for _, x := range w.Shards {
		runs = append(runs, x.Runs...)
	}
	slices.Sort(runs)
	require.Len(t, slices.Compact(runs), 7)
	run := func(command []string) (string, int) {
		cmd := exec.Command("sh", "-c", report.CommandLine(command))
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	for _, i := range []int{0, 2} {
		out, exit := run(w.Shards[i].Command)
		require.Zero(t, exit, out)
		for _, id := range w.Shards[i].Runs {
			require.FileExists(t, filepath.Join(w.Shards[i].Dir, "records", id+".json"))
		}
	}
	out, exit := run(w.Merge.Command)
	require.Equal(t, 2, exit, out)
	text, err := os.ReadFile(w.Merge.Summary)
	require.NoError(t, err)
	require.Contains(t, string(text), `"missing": 2`)
	out, exit = run(w.Shards[1].Command)
	require.Zero(t, exit, out)
	out, exit = run(w.Merge.Command)
	require.Zero(t, exit, out)
	text, err = os.ReadFile(w.Merge.Summary)
	require.NoError(t, err)
	require.Equal(t, local(t, &s), timeless(string(text)))
}

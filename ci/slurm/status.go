package slurm

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/report"
)

// Status is the state of a submission: of each run from its record and, for runs without one, of the shards as far as
// Slurm and their logs show it.
type Status struct {
	Submission *Submission       `json:"submission"`
	UnderWay   int               `json:"under_way"` // jobs that have not ended, including the merge
	Shards     []ShardState      `json:"shards"`    // shards with missing runs
	Summary    *campaign.Summary `json:"summary"`
	Notes      []string          `json:"notes"` // queries without an answer
}

// ShardState is why runs of a shard are missing.
type ShardState struct {
	Index   int    `json:"index"`
	Job     string `json:"job"` // 12_3; empty if it was not submitted
	Node    string `json:"node,omitempty"`
	State   string `json:"state"` // of Slurm; empty if Slurm has forgotten the job
	Cause   string `json:"cause"` // in words
	Missing int    `json:"missing"`
}

// ReadStatus returns the state of the submission in a folder. It reads the records first. It asks Slurm for all jobs at
// once, and only while runs are missing or jobs may be in progress; queries without an answer become notes.
func ReadStatus(ctx context.Context, dir string) (*Status, error) {
	sub, err := Read(dir)
	if err != nil {
		return nil, err
	}
	st := &Status{Submission: sub}
	tasks := st.ask(ctx, dir)
	// The records are read after the scheduler was asked, so a record written in between counts.
	dirs := []string{filepath.Join(dir, "planned")}
	for i := 1; i <= sub.Shards; i++ {
		dirs = append(dirs, filepath.Join(dir, "shard", strconv.Itoa(i)))
	}
	if st.Summary, err = campaign.Gather(dirs); err != nil {
		return nil, err
	}
	if st.Summary.Fingerprint != sub.Fingerprint {
		return nil, fmt.Errorf("folder %s: its records are of the campaign %s, not of %s, which was submitted; give another "+
			"folder", dir, st.Summary.Fingerprint, sub.Fingerprint)
	}
	st.explain(dir, tasks)
	return st, nil
}

// Open returns an error while jobs are in progress although all runs passed: the results are not merged yet.
func (st *Status) Open() error {
	if st.UnderWay == 0 || st.Summary.Verdict != campaign.Passed {
		return nil
	}
	return fmt.Errorf("%s under way; every run has passed, and the results are merged when the last job has ended",
		report.Plural(uint64(st.UnderWay), "job"))
}

// ask returns the known state of the shards' jobs, by index.
func (st *Status) ask(ctx context.Context, dir string) map[int]task {
	sub, tasks := st.Submission, map[int]task{}
	add := func(list []task) {
		for _, t := range list {
			old := tasks[t.index]
			if t.job != sub.Array || t.index == 0 || ended[old.state] && !ended[t.state] {
				continue
			}
			t.exit, t.node = cmp.Or(t.exit, old.exit), cmp.Or(t.node, old.node)
			tasks[t.index] = t
		}
	}
	// First add what the merge found, so that Slurm's present answers replace it.
	if text, err := os.ReadFile(filepath.Join(dir, schedulerName)); err == nil {
		add(shown(string(text)))
	}
	now, err := queue(ctx, sub.Name, sub.Name+mergeSuffix)
	if err != nil {
		st.Notes = append(st.Notes, err.Error()+"; the jobs' states are those of logs and of "+schedulerName)
		return tasks
	}
	for _, t := range now {
		if !ended[t.state] {
			st.UnderWay++
		}
	}
	add(now)
	if len(now) > 0 && sub.Array != "" {
		if text, err := call(ctx, "scontrol", "show", "job", "--oneliner", sub.Array); err == nil {
			add(shown(text)) // with exit codes; it does not know jobs that ended long ago
		}
	}
	if sub.Array != "" && len(tasks) < len(sub.Submitted) {
		if list, err := accounted(ctx, sub.Array, sub.Began); err == nil { // not every cluster has accounting
			add(list)
		}
	}
	return tasks
}

// explain gives the missing runs a reason.
func (st *Status) explain(dir string, tasks map[int]task) {
	sub := st.Submission
	states := map[int]*ShardState{}
	for k := range st.Summary.Runs {
		r := &st.Summary.Runs[k]
		if r.Outcome != campaign.Missing {
			continue
		}
		i := k%sub.Shards + 1
		x := states[i]
		if x == nil {
			x = sub.shard(dir, i, tasks[i])
			states[i] = x
		}
		x.Missing++
		r.Reason = fmt.Sprintf("it has no record; shard %d", i)
		if x.Job != "" {
			r.Reason += " (job " + x.Job
			if x.Node != "" {
				r.Reason += " on " + x.Node
			}
			r.Reason += ")"
		}
		r.Reason += ": " + x.Cause
	}
	for _, i := range slices.Sorted(maps.Keys(states)) {
		st.Shards = append(st.Shards, *states[i])
	}
}

// shard returns the state of a shard.
func (s *Submission) shard(dir string, i int, t task) *ShardState {
	x := &ShardState{Index: i}
	switch {
	case !slices.Contains(s.Submitted, i):
		x.Cause = "it was not submitted again, for it had all its records then"
		return x
	case s.Array == "":
		x.Cause = "it was not submitted: sbatch failed or was broken off; submit again"
		return x
	}
	x.Job = s.Array + "_" + strconv.Itoa(i)
	x.Node, x.State = t.node, t.state
	log := filepath.Join(dir, "log", "shard-"+x.Job+".log")
	said, last := readLog(log)
	switch cause := t.cause(); {
	case !ended[t.state] && t.state != "":
		x.Cause = cause
	case said == outOfMemory || cause == "": // without cgroups, Slurm reports running out of memory as a failure
		x.Cause = said
	case t.state == "FAILED" || t.state == "COMPLETED":
		x.Cause = cause
		if said != "" {
			x.Cause = said + " (" + cause + ")"
		}
	default:
		x.Cause = cause
	}
	if x.Cause == "" {
		x.Cause = "Slurm knows nothing of it any more"
	}
	if last != "" && (ended[t.state] || t.state == "") {
		x.Cause += "; its log ends: " + last
	}
	return x
}

const outOfMemory = "out of memory"

// causes describes the states that need no more than their name.
var causes = map[string]string{"RUNNING": "runs", "TIMEOUT": "timed out", "DEADLINE": "timed out",
	"OUT_OF_MEMORY": outOfMemory, "CANCELLED": "cancelled", "NODE_FAIL": "its node was lost",
	"BOOT_FAIL": "its node was lost", "PREEMPTED": "preempted"}

// cause describes the state of a job; "" for an unknown job.
func (t *task) cause() string {
	code, signal, _ := strings.Cut(t.exit, ":")
	how := ""
	switch {
	case signal != "" && signal != "0":
		how = "signal " + signal
	case code != "":
		how = "exit code " + code
	case t.reason != "" && t.reason != "None":
		how = t.reason
	}
	if how != "" {
		how = " (" + how + ")"
	}
	switch t.state {
	case "":
		return ""
	case "FAILED":
		if signal != "" && signal != "0" {
			return "killed" + how
		}
		return "failed" + how
	case "COMPLETED":
		return "ended" + how
	case "PENDING":
		if t.reason != "" && t.reason != "None" {
			return "waits in the queue (" + t.reason + ")"
		}
		return "waits in the queue"
	}
	return cmp.Or(causes[t.state], strings.ToLower(t.state)+how)
}

// daemon matches how Slurm's daemon begins a line in a job's log: with its name, since 26.05 with a time stamp.
var daemon = regexp.MustCompile(`^(?:slurmstepd\S*|\[\d{4}-\d\d-\d\dT[\d:.]+\]) error: `)

// sayings are what the daemon writes when it ends a job, the most specific first.
var sayings = []struct {
	line  *regexp.Regexp
	cause string
}{
	{regexp.MustCompile(`exceeded memory limit|Exceeded job memory|oom.kill|Out Of Memory`), outOfMemory},
	{regexp.MustCompile(` DUE TO TIME LIMIT`), "timed out"},
	{regexp.MustCompile(` DUE TO NODE FAILURE`), "its node was lost"},
	{regexp.MustCompile(` DUE TO PREEMPTION`), "preempted"},
	{regexp.MustCompile(` CANCELLED AT `), "cancelled"},
}

// readLog returns why a job ended, as Slurm wrote it into its log, and the last line that the job itself wrote.
func readLog(path string) (cause, last string) {
	f, err := os.Open(path)
	if err != nil {
		return "", ""
	}
	defer f.Close()
	const tail = 16 << 10
	if end, err := f.Seek(0, io.SeekEnd); err == nil {
		_, _ = f.Seek(max(0, end-tail), io.SeekStart)
	}
	text, _ := io.ReadAll(io.LimitReader(f, tail))
	var said strings.Builder
	for line := range strings.Lines(string(text)) {
		if daemon.MatchString(line) {
			said.WriteString(line)
		} else if line = strings.TrimSpace(line); line != "" {
			last = line
		}
	}
	for _, s := range sayings {
		if s.line.MatchString(said.String()) {
			cause = s.cause
			break
		}
	}
	if len(last) > 200 {
		last = last[:200] + "..."
	}
	return cause, strings.ToValidUTF8(last, "?")
}

// WriteText writes the state for a terminal.
func (st *Status) WriteText(w io.Writer) error {
	var b strings.Builder
	sub := st.Submission
	state := "all jobs have ended"
	switch {
	case st.UnderWay > 0:
		state = report.Plural(uint64(st.UnderWay), "job") + " under way"
	case len(st.Notes) > 0:
		state = "whether its jobs have ended is not known"
	}
	fmt.Fprintf(&b, "array %s, merge %s (%s): %s\n", cmp.Or(sub.Array, "not submitted"),
		cmp.Or(sub.Merge, "not submitted"), sub.Name, state)
	for _, n := range st.Notes {
		fmt.Fprintln(&b, "note: "+n)
	}
	for _, x := range st.Shards {
		fmt.Fprintf(&b, "shard %d of %d: %s missing: %s\n", x.Index, sub.Shards, report.Plural(uint64(x.Missing), "run"),
			x.Cause)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return st.Summary.WriteText(w)
}

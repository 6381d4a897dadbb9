package slurm

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// patience is how long a Slurm command may take: a busy controller answers within its MessageTimeout, or not at all.
const patience = 2 * time.Minute

func call(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s is not on PATH; run this where jobs are submitted to Slurm", name)
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s: %w", name, ctx.Err())
	case err != nil:
		return "", fmt.Errorf("%s: %w: %s", name, err, strings.Join(strings.Fields(errs.String()), " "))
	}
	return out.String(), nil
}

// jobID matches the output of sbatch --parsable: a number, and the cluster's name if there are several.
var jobID = regexp.MustCompile(`^(\d+)(;\S+)?$`)

func sbatch(ctx context.Context, args []string) (string, error) {
	out, err := call(ctx, "sbatch", args...)
	if err != nil {
		return "", err
	}
	m := jobID.FindStringSubmatch(strings.TrimSpace(out))
	if m == nil {
		return "", fmt.Errorf("sbatch: it printed %q in place of a job's number", out)
	}
	return m[1], nil
}

var arrayLimit = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)\s*$`)

// maxIndex returns the largest index that a job of an array may have.
func maxIndex(ctx context.Context) (int, error) {
	out, err := call(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	m := arrayLimit.FindStringSubmatch(out)
	if m == nil {
		return 0, errors.New("scontrol show config: it shows no MaxArraySize")
	}
	n, err := strconv.Atoi(m[1])
	return n - 1, err
}

// task is a job as Slurm reports it: one job of an array, or the merge, with index 0.
type task struct {
	job    string // number of the array, or of the merge
	index  int
	state  string // COMPLETED, TIMEOUT ...
	reason string
	exit   string // code:signal; empty if unknown
	node   string
}

// ended are the final states of a job.
var ended = map[string]bool{"BOOT_FAIL": true, "CANCELLED": true, "COMPLETED": true, "DEADLINE": true, "FAILED": true,
	"NODE_FAIL": true, "OUT_OF_MEMORY": true, "PREEMPTED": true, "REVOKED": true, "TIMEOUT": true}

// queue returns the jobs of the given names that Slurm still knows. Without accounting it forgets a job some minutes
// after its end.
func queue(ctx context.Context, names ...string) ([]task, error) {
	out, err := call(ctx, "squeue", "--noheader", "--array", "--states=all", "--name="+strings.Join(names, ","),
		"--format=%F|%K|%T|%r|%N")
	if err != nil {
		return nil, err
	}
	var tasks []task
	for line := range strings.Lines(out) {
		w := strings.Split(strings.TrimSpace(line), "|")
		if len(w) != 5 {
			return nil, fmt.Errorf("squeue: it printed %q in place of 5 fields", strings.TrimSpace(line))
		}
		t := task{job: w[0], state: w[2], reason: w[3], node: w[4]}
		if w[1] != "N/A" {
			if t.index, err = strconv.Atoi(w[1]); err != nil {
				return nil, fmt.Errorf("squeue: %q is not an index of an array", w[1])
			}
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// shown reads the lines of scontrol show job --oneliner. It leaves out jobs that wait together, which have no exit
// code, and jobs outside arrays.
func shown(text string) (tasks []task) {
	for line := range strings.Lines(text) {
		field := map[string]string{}
		for _, w := range strings.Fields(line) {
			if k, v, ok := strings.Cut(w, "="); ok && field[k] == "" {
				field[k] = v
			}
		}
		index, err := strconv.Atoi(field["ArrayTaskId"])
		if err != nil || field["JobState"] == "" {
			continue
		}
		tasks = append(tasks, task{job: field["ArrayJobId"], index: index, state: field["JobState"],
			reason: field["Reason"], exit: field["ExitCode"], node: field["NodeList"]})
	}
	return tasks
}

// accounted asks the accounting for the jobs of an array since a time; by default sacct begins at midnight.
func accounted(ctx context.Context, job string, since time.Time) (tasks []task, err error) {
	out, err := call(ctx, "sacct", "--noheader", "--parsable2", "--allocations", "--jobs="+job,
		"--starttime="+since.Local().Add(-time.Hour).Format("2006-01-02T15:04:05"), "--format=JobID,State,ExitCode,NodeList")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		w := strings.Split(strings.TrimSpace(line), "|")
		array, index, ok := strings.Cut(w[0], "_")
		n, err := strconv.Atoi(index)
		if len(w) != 4 || !ok || err != nil {
			continue
		}
		state, _, _ := strings.Cut(w[1], " ") // CANCELLED by 0
		tasks = append(tasks, task{job: array, index: n, state: state, exit: w[2], node: w[3]})
	}
	return tasks, nil
}

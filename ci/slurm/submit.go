package slurm

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/report"
)

// Options are Slurm settings of a submission.
type Options struct {
	AtOnce int      // shards that may run in parallel; 0 for no limit of ours
	Args   []string // long options of sbatch, for the array and for the merge
}

// Submit submits the shards of a stage that lack a record, and a job that merges all shards when those have ended. The
// file own holds the program; the jobs run a copy, so that it may be rebuilt meanwhile. Submit returns an error that
// wraps ErrUnderWay if jobs of this folder have not ended.
func Submit(ctx context.Context, s Spec, own string, o Options) (*Submission, error) {
	if err := checkArgs(o.Args); err != nil {
		return nil, err
	}
	if o.AtOnce < 0 {
		return nil, fmt.Errorf("--at-once %d: give a number above 0", o.AtOnce)
	}
	s.Program = filepath.Join(s.Dir, "goldwire")
	w, err := NewWorkflow(&s)
	if err != nil {
		return nil, err
	}
	most, err := maxIndex(ctx)
	if err != nil {
		return nil, err
	}
	if s.Shards > most {
		return nil, fmt.Errorf("--shards %d: this cluster's arrays have indexes up to %d (MaxArraySize - 1); give "+
			"--shards %d or fewer, which play the same runs", s.Shards, most, most)
	}
	if err := os.MkdirAll(s.Dir, 0o777); err != nil {
		return nil, err
	}
	release, err := hold(s.Dir)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := s.takeOver(ctx); err != nil {
		return nil, err
	}
	indexes, err := s.prepare(w, own)
	if err != nil {
		return nil, err
	}
	if len(indexes) == 0 {
		return nil, fmt.Errorf("folder %s: every run has its record, nothing is left to submit; merge them with: %s", s.Dir,
			report.CommandLine(w.Merge.Command))
	}
	return s.submit(ctx, w, indexes, o)
}

// takeOver returns an error unless the folder is empty or holds an earlier submission of the same shards whose jobs
// have ended.
func (s *Spec) takeOver(ctx context.Context) error {
	old, err := Read(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		for _, name := range []string{"shard", "planned", "merged"} {
			if _, err := os.Lstat(filepath.Join(s.Dir, name)); err == nil {
				return fmt.Errorf("folder %s holds %s that is of no submission; give another folder with --dir", s.Dir, name)
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	open, err := old.underWay(ctx)
	if err != nil {
		return fmt.Errorf("folder %s: whether its jobs have ended is not known: %w", s.Dir, err)
	}
	if len(open) > 0 {
		return fmt.Errorf("folder %s: %w: %s (%s, %s); wait for it, cancel it with scancel --name=%s,%s, or give another "+
			"folder with --dir", s.Dir, ErrUnderWay, report.Plural(uint64(len(open)), "job"), open[0].job,
			strings.ToLower(open[0].state), old.Name, old.Name+mergeSuffix)
	}
	switch {
	case old.Fingerprint != s.Head.Fingerprint:
		return fmt.Errorf("folder %s holds another campaign (stage %s, night %s; the program, the plan or hdl/ may have "+
			"changed); give another folder with --dir", s.Dir, old.Stage, old.Night)
	case old.Shards != s.Shards:
		return fmt.Errorf("folder %s holds a submission of %d shards; give --shards %d to go on with it, or another folder",
			s.Dir, old.Shards, old.Shards)
	}
	return nil
}

// prepare fills the folder and returns the shards that lack a record.
func (s *Spec) prepare(w *Workflow, own string) (indexes []int, err error) {
	for _, name := range []string{"shard", "log"} {
		if err := os.MkdirAll(filepath.Join(s.Dir, name), 0o777); err != nil {
			return nil, err
		}
	}
	if err := copyProgram(own, s.Program); err != nil {
		return nil, err
	}
	// The result of an earlier submission must not pass for this one's.
	if err := report.Remove(w.Merge.Summary); err != nil {
		return nil, err
	}
	planned := filepath.Join(s.Dir, "planned")
	if err := campaign.Prepare(planned, s.Head); err != nil {
		return nil, err
	}
	dirs := []string{planned}
	for i := range w.Shards {
		dirs = append(dirs, w.Shards[i].Dir)
	}
	w.Merge = s.merge(dirs)
	sum, err := campaign.Gather(dirs)
	if err != nil {
		return nil, err
	}
	for k, r := range sum.Runs {
		if r.Outcome == campaign.Missing || s.Retry && r.Outcome == campaign.Error {
			indexes = append(indexes, k%s.Shards+1)
		}
	}
	slices.Sort(indexes)
	return slices.Compact(indexes), nil
}

// submit makes the two calls of sbatch.
func (s *Spec) submit(ctx context.Context, w *Workflow, indexes []int, o Options) (*Submission, error) {
	random := make([]byte, 4)
	_, _ = rand.Read(random) // never fails
	sub := &Submission{Name: "goldwire-" + hex.EncodeToString(random), Stage: w.Stage, Night: w.Night,
		Fingerprint: w.Fingerprint, Planned: w.Planned, Shards: s.Shards, Submitted: indexes,
		MergeLine: report.CommandLine(w.Merge.Command), Began: time.Now().UTC().Truncate(time.Second)}
	log := func(name string) string { return "--output=" + filepath.Join(s.Dir, "log", name) }
	file := filepath.Join(s.Dir, "shard.sh")
	if err := writeScript(file, "exec "+ofIndex(s.shard(placeholder))+"\n"); err != nil {
		return nil, err
	}
	array := "--array=" + ranges(indexes)
	if o.AtOnce > 0 {
		array += "%" + strconv.Itoa(o.AtOnce)
	}
	args := sub.job(s, o, array, sub.Name, log("shard-%A_%a.log"), s.Slots, file)
	if err := sub.write(s.Dir); err != nil {
		return nil, err
	}
	var err error
	if sub.Array, err = sbatch(ctx, args); err != nil {
		return nil, fmt.Errorf("array of shards: %w", err)
	}
	err = sub.write(s.Dir)
	if e := s.submitMerge(ctx, w, sub, o, log("merge-%A.log")); err == nil {
		err = e
	}
	if err != nil {
		return nil, fmt.Errorf("job %s runs the shards, and %w; when it has ended, merge them with: %s", sub.Array, err,
			sub.MergeLine)
	}
	return sub, nil
}

// job returns the arguments of sbatch for a job, and adds its command to the submission.
func (s *Submission) job(spec *Spec, o Options, kind, name, log string, cores int, file string) []string {
	args := append([]string{"--parsable", kind, "--job-name=" + name, "--chdir=" + spec.Root, log,
		"--cpus-per-task=" + strconv.Itoa(cores), "--nodes=1", "--ntasks=1"}, o.Args...)
	args = append(args, file)
	s.Commands = append(s.Commands, append([]string{"sbatch"}, args...))
	return args
}

// placeholder stands for the index of a shard in a command; no path contains it.
const placeholder = "\x00"

// ofIndex returns a command quoted for a shell, with the index of the array's job for the placeholder.
func ofIndex(command []string) string {
	words := make([]string, len(command))
	for i, w := range command {
		parts := strings.Split(w, placeholder)
		for k, p := range parts {
			if p != "" || len(parts) == 1 {
				parts[k] = report.Quoted(p)
			}
		}
		words[i] = strings.Join(parts, `"$SLURM_ARRAY_TASK_ID"`)
	}
	return strings.Join(words, " ")
}

// submitMerge submits the merge of a submitted array.
func (s *Spec) submitMerge(ctx context.Context, w *Workflow, sub *Submission, o Options, log string) error {
	file, known := filepath.Join(s.Dir, "merge.sh"), report.Quoted(filepath.Join(s.Dir, schedulerName))
	// Slurm forgets the jobs some minutes after their end. --oneliner shows all jobs of an array in one call.
	text := fmt.Sprintf("scontrol show job --oneliner %[1]s >%[2]s.tmp && mv %[2]s.tmp %[2]s\nexec %[3]s\n", sub.Array,
		known, report.CommandLine(w.Merge.Command))
	if err := writeScript(file, text); err != nil {
		return err
	}
	args := sub.job(s, o, "--dependency=afterany:"+sub.Array, sub.Name+mergeSuffix, log, 1, file)
	var err error
	if sub.Merge, err = sbatch(ctx, args); err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	return sub.write(s.Dir)
}

// schedulerName is the file with Slurm's knowledge at the beginning of the merge.
const schedulerName = "scheduler.txt"

func writeScript(path, text string) error {
	return report.WriteFile(path, func(w io.Writer) error { _, err := io.WriteString(w, "#!/bin/sh\n"+text); return err })
}

// copyProgram copies a program, whole or not at all.
func copyProgram(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	tmp := to + ".tmp"
	if err := report.WriteFile(tmp, func(w io.Writer) error { _, err := io.Copy(w, f); return err }); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	return os.Rename(tmp, to)
}

// ranges returns sorted numbers in Slurm's notation: 1-3,7.
func ranges(n []int) string {
	var parts []string
	for i := 0; i < len(n); {
		j := i
		for j+1 < len(n) && n[j+1] == n[j]+1 {
			j++
		}
		if i == j {
			parts = append(parts, strconv.Itoa(n[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", n[i], n[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

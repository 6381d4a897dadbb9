package slurm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/cosim/report"
)

// Submission is what was requested from the cluster. It is stored before the first job is submitted, and again with the
// number of each job.
type Submission struct {
	Name        string     `json:"name"` // of the array's jobs; the merge has -merge appended
	Stage       string     `json:"stage"`
	Night       string     `json:"night"`
	Fingerprint string     `json:"fingerprint"`
	Planned     int        `json:"planned"` // runs
	Shards      int        `json:"shards"`  // of the stage
	Submitted   []int      `json:"submitted"`
	Array       string     `json:"array"` // number of the job; empty if it was not submitted
	Merge       string     `json:"merge"`
	Commands    [][]string `json:"commands"` // of Slurm, in order
	MergeLine   string     `json:"merge_line"`
	Began       time.Time  `json:"began"`
}

// mergeSuffix is appended to the array's name for the merge job.
const mergeSuffix = "-merge"

const submissionName = "submission.json"

func (s *Submission) write(dir string) error {
	return report.WriteFile(filepath.Join(dir, submissionName),
		func(w io.Writer) error { return report.EncodeJSON(w, s) })
}

// Read returns the submission in a folder. Its error wraps fs.ErrNotExist if there is none.
func Read(dir string) (*Submission, error) {
	path := filepath.Join(dir, submissionName)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("folder %s holds no submission: %w", dir, err)
	}
	s := new(Submission)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("file %s is damaged: %w; delete the folder when none of its jobs is in the queue", path, err)
	}
	if s.Name == "" || s.Shards < 1 || s.Fingerprint == "" {
		return nil, fmt.Errorf("file %s is not of a submission; give another folder with --dir", path)
	}
	return s, nil
}

// underWay returns the jobs of a submission that have not ended.
func (s *Submission) underWay(ctx context.Context) ([]task, error) {
	tasks, err := queue(ctx, s.Name, s.Name+mergeSuffix)
	return slices.DeleteFunc(tasks, func(t task) bool { return ended[t.state] }), err
}

// hold takes a folder for the duration of a submission.
func hold(dir string) (release func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, "submit.lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("folder %s: another submission is being made; wait for it, or give another folder", dir)
	}
	return func() { f.Close() }, nil
}

// owned are the options of sbatch that a submission sets itself or that prevent it from submitting.
var owned = []string{"array", "dependency", "parsable", "wait", "wrap", "output", "error", "chdir", "job-name",
	"clusters", "test-only", "help", "usage", "version", "cpus-per-task", "nodes", "ntasks", "kill-on-invalid-dep"}

// checkArgs returns an error for options of sbatch that are incompatible with a submission.
func checkArgs(args []string) error {
	for _, a := range args {
		name, long := strings.CutPrefix(a, "--")
		name, _, _ = strings.Cut(name, "=")
		if !long || name == "" || strings.ContainsAny(a, "\n\r") {
			return fmt.Errorf("--sbatch-arg %q: give a long option with its value, such as --partition=long", a)
		}
		for _, o := range owned {
			// sbatch accepts the beginning of an option for the option.
			if strings.HasPrefix(o, name) {
				return fmt.Errorf("--sbatch-arg %s: submit sets --%s itself, or cannot work with it; leave it out", a, o)
			}
		}
	}
	return nil
}

// ErrUnderWay is wrapped by the error for a folder whose jobs have not all ended.
var ErrUnderWay = errors.New("a submission into this folder is under way")

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
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/report"
)

// Spec is a stage and how it is divided. All paths are absolute.
type Spec struct {
	Program string // path of goldwire in the commands
	Root    string // of the repository
	Plan    string // empty for the project's own
	Dir     string // for all output
	Head    *campaign.Head
	Shards  int
	Slots   int  // parallel runs of a shard
	Retry   bool // repeat runs that ended in an error
	// Good is a folder with the RTL of a passing design, for campaign.Good; empty for none.
	Good string
}

// validate returns an error for a stage that cannot be divided this way.
func (s *Spec) validate() error {
	switch n := len(s.Head.Runs); {
	case s.Shards < 1:
		return fmt.Errorf("--shards %d: give a number above 0", s.Shards)
	case s.Shards > n:
		return fmt.Errorf("--shards %d: the stage has %d runs, and each shard must have one; give --shards %d", s.Shards, n,
			n)
	case s.Slots < 1:
		return fmt.Errorf("--slots %d: give a number above 0", s.Slots)
	}
	for _, p := range []string{s.Program, s.Root, s.Plan, s.Dir} {
		if strings.ContainsAny(p, "%\\\n\r\x00") {
			return fmt.Errorf("path %q: Slurm would change its %% or \\, or it holds the end of a line; give another", p)
		}
	}
	return nil
}

// Workflow is the commands that run a stage in shards, for any engine. The commands of Shards may run in any order, on
// any machines that share the folders, and any number of times. Merge follows when all have ended, however they ended.
type Workflow struct {
	Stage       string  `json:"stage"`
	Night       string  `json:"night"`
	Fingerprint string  `json:"fingerprint"` // of the campaign; another program or an edited hdl/ is refused
	Planned     int     `json:"planned"`     // runs
	Shards      []Shard `json:"shards"`
	Merge       Merge   `json:"merge"`
}

// Shard is the command of a part of the runs.
type Shard struct {
	Index   int      `json:"index"` // from 1
	Command []string `json:"command"`
	Dir     string   `json:"dir"`
	Runs    []string `json:"runs"` // names; each leaves DIR/records/NAME.json
}

// Merge is the command that combines the shards.
type Merge struct {
	Command []string `json:"command"`
	Dir     string   `json:"dir"`
	Summary string   `json:"summary"` // file with the state of all runs
}

// NewWorkflow returns the commands of a stage.
func NewWorkflow(s *Spec) (*Workflow, error) {
	if s.Head == nil {
		return nil, errors.New("workflow: no campaign")
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	h := s.Head
	w := &Workflow{Stage: h.Stage, Night: h.Night, Fingerprint: h.Fingerprint, Planned: len(h.Runs)}
	var dirs []string
	for i := 1; i <= s.Shards; i++ {
		part, err := campaign.Shard(h, i, s.Shards)
		if err != nil {
			return nil, err
		}
		x := Shard{Index: i, Command: s.shard(strconv.Itoa(i)), Dir: s.shardDir(strconv.Itoa(i))}
		for _, k := range part {
			x.Runs = append(x.Runs, h.Runs[k].ID)
		}
		w.Shards, dirs = append(w.Shards, x), append(dirs, x.Dir)
	}
	w.Merge = s.merge(dirs)
	return w, nil
}

func (s *Spec) shardDir(index string) string { return filepath.Join(s.Dir, "shard", index) }

// shard returns the command of a shard. Its index may be a shell variable.
func (s *Spec) shard(index string) []string {
	c := []string{s.Program, "--root", s.Root, "ci", "shard", index + "/" + strconv.Itoa(s.Shards)}
	if s.Plan != "" {
		c = append(c, s.Plan)
	}
	c = append(c, "--stage", s.Head.Stage, "--night", s.Head.Night, "--slots", strconv.Itoa(s.Slots),
		"--dir", s.shardDir(index), "--campaign", s.Head.Fingerprint)
	if s.Retry {
		c = append(c, "--retry")
	}
	if s.Good != "" {
		c = append(c, "--good", s.Good)
	}
	return c
}

func (s *Spec) merge(dirs []string) Merge {
	m := Merge{Dir: filepath.Join(s.Dir, "merged"), Summary: filepath.Join(s.Dir, "summary.json")}
	m.Command = append([]string{s.Program, "--root", s.Root, "ci", "merge"}, dirs...)
	m.Command = append(m.Command, "--dir", m.Dir, "--json", m.Summary, "--campaign", s.Head.Fingerprint)
	return m
}

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
	return report.WriteFile(filepath.Join(dir, submissionName), func(w io.Writer) error { return report.EncodeJSON(w, s) })
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

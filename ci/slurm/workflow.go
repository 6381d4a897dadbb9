package slurm

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
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

package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Run is one run of a stage: a goldwire command line and what it is planned to play.
type Run struct {
	ID     string         `json:"id"` // made of test, source and seed; also a file name
	Test   string         `json:"test"`
	Block  string         `json:"block"`
	Source string         `json:"source,omitempty"` // empty for a command other than a co-simulation
	Seed   uint64         `json:"seed"`
	Events uint64         `json:"events,omitempty"` // 0: the command's own default
	Params map[string]int `json:"params,omitempty"`
	// Args is the command line without the result file, for which {json} stands.
	Args     []string `json:"args"`
	Design   string   `json:"design"` // runs of one design share a build
	Seconds  int      `json:"seconds"`
	MemoryMB int      `json:"memory_mb"`
}

// Cosim reports whether the run is a co-simulation, whose result is known in detail.
func (r *Run) Cosim() bool { return r.Source != "" }

// JSON stands for the result file in the arguments of a run. Names of other files of the run begin with it.
const JSON = "{json}"

// Runs returns the runs of a stage, in the order of the plan. Drawn seeds derive from night: equal nights have equal
// seeds. It errors if the stage is unknown or has no runs.
func (p *Plan) Runs(stage, night string) ([]Run, error) {
	i := slices.IndexFunc(p.Stages, func(s Stage) bool { return s.Name == stage })
	if i < 0 {
		var names []string
		for _, s := range p.Stages {
			names = append(names, s.Name)
		}
		return nil, fmt.Errorf("%w: no stage %q; give one of %s", ErrPlan, stage, strings.Join(names, ", "))
	}
	s := &p.Stages[i]
	var out []Run
	seen := map[string]bool{}
	for i := range p.Tests {
		t := &p.Tests[i]
		if !MatchAny(s.Tests, t.Name) {
			continue
		}
		if n := cmp.Or(s.Drawn, t.Drawn); n < 0 || n > MaxSeeds {
			return nil, fmt.Errorf("%w: test %s: drawn %d: give 1 to %d seeds", ErrPlan, t.Name, n, MaxSeeds)
		}
		for _, r := range t.runs(s, night) {
			if seen[r.ID] {
				return nil, fmt.Errorf("%w: test %s: two runs are named %s; rename the test", ErrPlan, t.Name, r.ID)
			}
			seen[r.ID] = true
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: stage %s has no run", ErrPlan, stage)
	}
	return out, nil
}

// Goals is what the runs of a stage must show together.
type Goals struct {
	Closed     bool   `json:"closed"` // the stage passes only if all of them are shown
	Testpoints []Goal `json:"testpoints"`
}

// Goal is a testpoint, with the patterns of bins and directed cases that show it.
type Goal struct {
	Name  string   `json:"name"` // BLOCK/SLUG
	Bins  []string `json:"bins,omitempty"`
	Cases []string `json:"cases,omitempty"`
}

// Goals returns what the tests of a stage claim to show; nothing for a stage that does not exist.
func (p *Plan) Goals(stage string) Goals {
	i := slices.IndexFunc(p.Stages, func(s Stage) bool { return s.Name == stage })
	if i < 0 {
		return Goals{}
	}
	s := &p.Stages[i]
	out := Goals{Closed: s.Closed}
	for i := range p.Testpoints {
		t := &p.Testpoints[i]
		if t.Informative == "" && (s.Closed || p.staged(s, t)) {
			out.Testpoints = append(out.Testpoints, Goal{Name: t.Name, Bins: t.Bins, Cases: t.Cases})
		}
	}
	return out
}

// staged reports whether a test of the stage shows a testpoint.
func (p *Plan) staged(s *Stage, t *Testpoint) bool {
	return slices.ContainsFunc(p.Tests, func(x Test) bool {
		return MatchAny(s.Tests, x.Name) && MatchAny(x.Shows, t.Name)
	})
}

func (t *Test) runs(s *Stage, night string) []Run {
	seeds, events := t.seeds(s, night), cmp.Or(s.Events, t.Events)
	base := Run{Test: t.Name, Block: t.Block, Params: t.Params, Seconds: cmp.Or(t.Seconds, DefaultSeconds),
		MemoryMB: cmp.Or(t.MemoryMB, DefaultMemoryMB)}
	var out []Run
	if len(t.Command) > 0 {
		if !strings.Contains(strings.Join(t.Command, " "), "{seed}") {
			seeds = seeds[:1] // every seed would give the same run
		}
		for _, seed := range seeds {
			r := base
			r.Seed, r.Design = seed, t.Name
			for _, a := range t.Command {
				r.Args = append(r.Args, strings.ReplaceAll(a, "{seed}", strconv.FormatUint(seed, 10)))
			}
			r.ID = fileName(fmt.Sprintf("%s.seed%d", t.Name, seed))
			out = append(out, r)
		}
		return out
	}
	for _, source := range t.Sources {
		if len(s.Sources) > 0 && !MatchAny(s.Sources, source) {
			continue
		}
		ofSource := seeds
		if source == "directed" || strings.HasPrefix(source, "directed/") {
			ofSource = seeds[:1] // directed cases are the same for every seed
		}
		for _, seed := range ofSource {
			r := base
			r.Source, r.Seed, r.Events = source, seed, uint64(events)
			r.Args, r.Design = t.cosim(source, seed, r.Events)
			r.ID = fileName(fmt.Sprintf("%s.%s.seed%d", t.Name, source, seed))
			out = append(out, r)
		}
	}
	return out
}

// cosim returns the command line of a co-simulation, and what distinguishes its design.
func (t *Test) cosim(source string, seed, events uint64) (args []string, design string) {
	var build []string
	if t.Dut != "" {
		build = append(build, "--dut", t.Dut)
	} else {
		build = append(build, "--block", t.Block)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Params)) {
		build = append(build, "--param", fmt.Sprintf("%s=%d", name, t.Params[name]))
	}
	if t.Assert {
		build = append(build, "--assert")
	}
	args = append([]string{"cosim"}, build...)
	if t.Code { // runs that count code coverage have their own builds
		build = append(build, "with code")
	}
	args = append(args, "--source", source, "--seed", strconv.FormatUint(seed, 10))
	if events > 0 {
		args = append(args, "--events", strconv.FormatUint(events, 10))
	}
	if t.Tick != "" {
		args = append(args, "--tick", t.Tick)
	}
	if t.Transport != "" {
		args = append(args, "--transport", t.Transport)
	}
	if t.Code {
		args = append(args, "--code-coverage", JSON+".code")
	}
	return append(args, "--json", JSON), strings.Join(build, " ")
}

// seeds returns the seeds of a test in a stage: the stage's seeds, if it has any.
func (t *Test) seeds(s *Stage, night string) []uint64 {
	seeds, drawn := t.Seeds, t.Drawn
	if s.Drawn > 0 || len(s.Seeds) > 0 {
		seeds, drawn = s.Seeds, s.Drawn
	}
	if drawn == 0 {
		if len(seeds) == 0 {
			return []uint64{1}
		}
		return seeds
	}
	out, seen := make([]uint64, 0, drawn), map[uint64]bool{}
	for i := 0; len(out) < drawn; i++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d", night, t.Name, i))
		// Short enough to type, and far from the small seeds that people choose.
		seed := 1_000_000 + binary.BigEndian.Uint64(sum[:8])%1_000_000_000
		if !seen[seed] {
			seen[seed] = true
			out = append(out, seed)
		}
	}
	return out
}

// fileName replaces the characters that would separate folders.
func fileName(s string) string { return strings.NewReplacer("/", "-", ":", "-").Replace(s) }

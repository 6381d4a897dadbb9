package cosim

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/cosim/report"
)

// vectorFile is the source of a run that plays the events of a file.
const vectorFile = "file"

// reference checks the reference of a bound design. It returns the other design, of --against, or nil without one.
func (a *commands) reference(f *cosimFlags, design *bind.Binding, changed func(string) bool) (*bind.Binding, error) {
	if design == nil && f.Expect+f.against+f.Golden != "" {
		return nil, errors.New("--expect, --against, --golden: need your own design; bind it with --dut FILE")
	}
	if f.Expect != "" {
		if changed("source") || changed("events") || changed("seed") || changed("seeds") || changed("case") {
			return nil, errors.New("--expect: the file has its own events; leave out --source, --case, --events, --seed and " +
				"--seeds")
		}
		if _, err := os.Stat(f.Expect); err != nil {
			return nil, fmt.Errorf("--expect: %w", err)
		}
		f.sources = []string{vectorFile}
	}
	if f.Self && f.against == "" {
		return nil, errors.New("--self: needs --against; leave it out")
	}
	if f.against == "" {
		return nil, nil
	}
	return bind.Load(f.against, a.Lookup)
}

// savedCase checks --save-case and --replay. It returns the case to replay, or nil without one.
func (a *commands) savedCase(f *cosimFlags, changed func(string) bool) (*run.SavedCase, error) {
	if f.SaveCase != "" && (f.NoShrink || f.ModelOnly || f.Expect != "" || len(f.sources) > 1 || changed("seeds")) {
		return nil, errors.New("--save-case: needs one source and one seed, and a search for the shortest events; leave " +
			"out --no-shrink, --model-only, --expect, --seeds and further sources")
	}
	if f.SaveCase != "" {
		if err := report.Preflight(f.SaveCase); err != nil {
			return nil, fmt.Errorf("--save-case: %w", err)
		}
	}
	if f.Replay == "" {
		return nil, nil
	}
	for _, name := range []string{"source", "events", "seed", "seeds", "case", "episode", "expect", "tick"} {
		if changed(name) {
			return nil, fmt.Errorf("--replay: the file has its own events and seed; leave out --%s", name)
		}
	}
	f.sources = []string{run.ReplaySource}
	c, err := run.ReadCase(f.Replay)
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	// Check the block first: the case's parameters and seed belong to its block.
	switch {
	case c.Block == f.Block:
		return c, nil
	case f.dut != "":
		return nil, fmt.Errorf("--replay %s: the case is of block %s, but %s binds a design to block %s; "+
			"give a design of block %s", f.Replay, c.Block, f.dut, f.Block, c.Block)
	}
	return nil, fmt.Errorf("--replay %s: the case is of block %s, but the run is of block %s; give --block %s", f.Replay,
		c.Block, f.Block, c.Block)
}

// checkSourceOf checks the name of a source of the block, which may have its own schema.
func (a *commands) checkSourceOf(f *cosimFlags, own bool, source string) error {
	switch {
	case f.Replay != "" && source == run.ReplaySource, !own && source == run.GuidedSource,
		f.Expect != "" && source == vectorFile:
		return nil
	case own && source != "random":
		return fmt.Errorf("unknown source %q: block %s has its own schema, so its only source is random", source, f.Block)
	case own:
		return nil
	}
	return a.CheckSource(f.Block, source)
}

// part is one run of a source.
type part struct {
	seed, events uint64
	params       map[string]int
	oneCase      string
}

// alone are the flags that make a source one run: they name files or episodes of that run.
var alone = []string{"waves-of", "expect", "against", "golden", "save-case", "pcap"}

// parts returns the runs of a source: one for each seed or, if the flags leave seeds, events and size open, the parts
// of the block's check. --episode makes it a single run.
func (a *commands) parts(f *cosimFlags, changed func(string) bool, source string, seeds []uint64,
	params map[string]int) (out []part) {
	if !slices.ContainsFunc([]string{"seed", "seeds", "events", "param", "episode", "case", "replay", "dut",
		"waves-of"}, changed) {
		if b, err := block.Lookup(f.Block); err == nil {
			for _, p := range b.Check(source) {
				if p.Case != "" && slices.ContainsFunc(alone, changed) {
					continue
				}
				out = append(out, part{p.Seed, p.Events, b.Params(p.Size), p.Case})
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, seed := range seeds {
		out = append(out, part{seed, uint64(f.events), params, f.Case})
	}
	return out
}

// sizeOf returns the parameters of a run of our design that differ from the defaults, for people.
func sizeOf(c *run.Config) (text string) {
	b, err := block.Lookup(c.Block)
	if err != nil || c.Bind != nil {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(c.Params)) {
		if p := b.Schema.Param(name); p != nil && c.Params[name] != p.Default {
			text += fmt.Sprintf(" %s=%d", name, c.Params[name])
		}
	}
	return text
}

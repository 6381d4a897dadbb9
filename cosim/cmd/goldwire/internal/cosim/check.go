package cosim

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/run"
)

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
		if b, err := block.Lookup(f.block); err == nil {
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
		out = append(out, part{seed, uint64(f.events), params, f.oneCase})
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

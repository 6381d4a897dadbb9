package plan

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Catalogue is everything that can be planned for.
type Catalogue struct {
	Blocks     []Block
	Commands   []string // of goldwire, which a test may run
	Transports []string
	Ticks      []string
	// File reports whether a file of the repository exists.
	File func(path string) bool
}

// Block is one block of the catalogue.
type Block struct {
	Name     string
	Contract string   // text
	Bins     []string // reachable bins, at the default parameters
	Sources  []string // without single directed cases
	Cases    []string
	Params   []string
}

func (c *Catalogue) block(name string) *Block {
	if i := slices.IndexFunc(c.Blocks, func(b Block) bool { return b.Name == name }); i >= 0 {
		return &c.Blocks[i]
	}
	return nil
}

// Summary counts the contents of a plan.
type Summary struct {
	Rules, Informative, Testpoints, Bins, Tests, Stages int
}

// checker collects findings.
type checker struct {
	p     *Plan
	c     *Catalogue
	found []string
	sum   Summary
}

func (k *checker) add(format string, args ...any) {
	k.found = append(k.found, fmt.Sprintf(format, args...))
}

// Check compares a plan with the catalogue. It returns one line for each fault, in the order of the plan. No fault
// means that every rule of every contract has a testpoint, every testpoint a test, every bin a testpoint and every test
// a stage.
func Check(p *Plan, c *Catalogue) (Summary, []string) {
	k := &checker{p: p, c: c, sum: Summary{Testpoints: len(p.Testpoints), Tests: len(p.Tests), Stages: len(p.Stages)}}
	if len(p.Testpoints) == 0 || len(p.Tests) == 0 || len(p.Stages) == 0 {
		k.add("the plan has %d testpoints, %d tests and %d stages; give at least one of each", len(p.Testpoints),
			len(p.Tests), len(p.Stages))
	}
	names(k, "testpoint", p.Testpoints, func(t Testpoint) string { return t.Name })
	names(k, "test", p.Tests, func(t Test) string { return t.Name })
	names(k, "stage", p.Stages, func(s Stage) string { return s.Name })
	for i := range p.Testpoints {
		k.testpoint(&p.Testpoints[i])
	}
	for i := range c.Blocks {
		k.complete(&c.Blocks[i])
	}
	for i := range p.Tests {
		k.test(&p.Tests[i])
	}
	for i := range p.Stages {
		k.stage(&p.Stages[i])
	}
	return k.sum, k.found
}

// names checks that each thing has a name of its own.
func names[T any](k *checker, what string, all []T, name func(T) string) {
	seen := map[string]bool{}
	for i, x := range all {
		switch n := name(x); {
		case n == "":
			k.add("%s %d has no name", what, i+1)
		case seen[n]:
			k.add("%s %s: there are two of that name; rename one", what, n)
		}
		seen[name(x)] = true
	}
}

// testpoint checks that each pattern of a testpoint matches something.
func (k *checker) testpoint(t *Testpoint) {
	b := k.c.block(t.Block())
	if b == nil {
		k.add("testpoint %s: no block %q; name it BLOCK/WHAT", t.Name, t.Block())
		return
	}
	for _, x := range []struct {
		what            string
		patterns, names []string
	}{{"rule", t.Rules, Rules(b.Contract)}, {"bin", t.Bins, b.Bins}, {"case", t.Cases, b.Cases}} {
		for _, p := range x.patterns {
			if !slices.ContainsFunc(x.names, func(n string) bool { return Match(p, n) }) {
				k.add("testpoint %s: no %s of %s is named %s", t.Name, x.what, b.Name, p)
			}
		}
	}
	if len(t.Rules) == 0 {
		k.add("testpoint %s: it has no rule of the contract", t.Name)
	}
	switch shown := len(t.Bins)+len(t.Cases) > 0; {
	case t.Informative != "" && shown:
		k.add("testpoint %s: it is informative, and has bins or cases; keep one", t.Name)
	case t.Informative != "":
		return
	case !shown:
		k.add("testpoint %s: nothing shows it; give bins or cases, or say under informative why there are none", t.Name)
	}
	if !slices.ContainsFunc(k.p.Tests, func(x Test) bool { return k.shows(&x, t) }) {
		k.add("testpoint %s: no test shows it", t.Name)
	}
}

// shows reports whether a test claims to show a testpoint.
func (k *checker) shows(x *Test, t *Testpoint) bool { return MatchAny(x.Shows, t.Name) }

// complete checks that every rule and every bin of a block is in a testpoint.
func (k *checker) complete(b *Block) {
	var rules, plain, bins []string
	for i := range k.p.Testpoints {
		t := &k.p.Testpoints[i]
		if t.Block() != b.Name {
			continue
		}
		rules, bins = append(rules, t.Rules...), append(bins, t.Bins...)
		if t.Informative != "" {
			plain = append(plain, t.Rules...)
		}
	}
	for _, r := range Rules(b.Contract) {
		k.sum.Rules++
		if MatchAny(plain, r) {
			k.sum.Informative++
		}
		if !MatchAny(rules, r) {
			k.add("rule %s of %s: no testpoint has it", r, b.Name)
		}
	}
	groups := map[string]int{} // of bins in no testpoint
	for _, x := range b.Bins {
		k.sum.Bins++
		if !MatchAny(bins, x) {
			groups[path.Dir(x)]++
		}
	}
	for _, g := range slices.Sorted(maps.Keys(groups)) {
		k.add("bins %s/* of %s: %d are in no testpoint", g, b.Name, groups[g])
	}
}

// test checks that a test can be run, that it shows something, and that a stage runs it.
func (k *checker) test(t *Test) {
	bad := func(format string, args ...any) { k.add("test %s: %s", t.Name, fmt.Sprintf(format, args...)) }
	b := k.c.block(t.Block)
	if b == nil {
		bad("no block %q", t.Block)
		return
	}
	known := func(what, name string, all []string) {
		if name != "" && !slices.Contains(all, name) {
			bad("no %s %q; give one of %s", what, name, strings.Join(all, ", "))
		}
	}
	switch {
	case len(t.Command) > 0:
		known("command", t.Command[0], k.c.Commands)
		if len(t.Sources) > 0 || t.Params != nil || t.Transport != "" || t.Tick != "" || t.Dut != "" || t.Assert || t.Code ||
			t.Events != 0 {
			bad("it has a command of its own, and what only a co-simulation takes; put it into the command")
		}
		if !strings.Contains(strings.Join(t.Command, " "), "{json}") {
			bad("its command names no {json}: without a result it could not be told from one that did nothing")
		}
	case len(t.Sources) == 0:
		bad("it has no sources")
	}
	for _, s := range t.Sources {
		name, _, _ := strings.Cut(s, "/")
		if name == s || name != "directed" {
			known("source", s, b.Sources)
		} else {
			known("case", strings.TrimPrefix(s, "directed/"), b.Cases)
		}
	}
	for name := range t.Params {
		known("parameter", name, b.Params)
	}
	known("transport", t.Transport, k.c.Transports)
	known("tick", t.Tick, k.c.Ticks)
	if t.Dut != "" && !k.c.File(t.Dut) {
		bad("no file %s", t.Dut)
	}
	if t.Drawn < 0 || t.Drawn > MaxSeeds {
		bad("drawn %d: give 1 to %d seeds", t.Drawn, MaxSeeds)
	}
	if t.Drawn > 0 && len(t.Seeds) > 0 {
		bad("it has seeds and draws %d; keep one", t.Drawn)
	}
	if t.Seconds < 0 || t.MemoryMB < 0 {
		bad("seconds %d, memory_mb %d: give numbers above 0, or leave them out", t.Seconds, t.MemoryMB)
	}
	for i := range k.p.Testpoints {
		if x := &k.p.Testpoints[i]; k.shows(t, x) && x.Block() != t.Block {
			bad("it runs %s and shows %s, of another block", t.Block, x.Name)
		}
	}
	for _, p := range t.Shows {
		if !slices.ContainsFunc(k.p.Testpoints, func(x Testpoint) bool { return Match(p, x.Name) }) {
			bad("it shows %s, and there is no such testpoint", p)
		}
	}
	staged := func(s Stage) bool { return MatchAny(s.Tests, t.Name) }
	if !slices.ContainsFunc(k.p.Stages, staged) {
		bad("no stage runs it")
	}
	for _, source := range t.Sources {
		if slices.ContainsFunc(k.p.Stages, staged) && !slices.ContainsFunc(k.p.Stages, func(s Stage) bool {
			return staged(s) && (len(s.Sources) == 0 || MatchAny(s.Sources, source))
		}) {
			bad("no stage runs its source %s", source)
		}
	}
}

// stage checks that each pattern of a stage matches a test.
func (k *checker) stage(s *Stage) {
	if len(s.Tests) == 0 {
		k.add("stage %s: it has no test", s.Name)
	}
	for _, p := range s.Tests {
		if !slices.ContainsFunc(k.p.Tests, func(t Test) bool { return Match(p, t.Name) }) {
			k.add("stage %s: no test is named %s", s.Name, p)
		}
	}
	for _, p := range s.Sources {
		if !slices.ContainsFunc(k.p.Tests, func(t Test) bool {
			return MatchAny(s.Tests, t.Name) && slices.ContainsFunc(t.Sources, func(n string) bool { return Match(p, n) })
		}) {
			k.add("stage %s: none of its tests has a source named %s", s.Name, p)
		}
	}
	for i := range k.p.Testpoints {
		if t := &k.p.Testpoints[i]; s.Closed && t.Informative == "" && !k.p.staged(s, t) {
			k.add("stage %s: it is closed, and none of its tests shows %s", s.Name, t.Name)
		}
	}
	if s.Drawn < 0 || s.Drawn > MaxSeeds || s.Drawn > 0 && len(s.Seeds) > 0 {
		k.add("stage %s: give seeds, or drawn with 1 to %d", s.Name, MaxSeeds)
	}
}

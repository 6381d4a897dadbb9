package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/goldwire/goldwire/cosim/bind"
)

// vectorFile is the source of a run whose events a file brings along.
const vectorFile = "file"

// reference checks where the expected values of a bound design come from, and returns the other design of
// --against, nil without one.
func (a *app) reference(f *cosimFlags, design *bind.Binding, changed func(string) bool) (*bind.Binding, error) {
	if design == nil && f.expect+f.against+f.golden != "" {
		return nil, errors.New("--expect, --against, --golden: they are for a design of your own; bind it with --dut FILE")
	}
	if f.expect != "" {
		if changed("source") || changed("events") || changed("seed") || changed("seeds") || changed("case") {
			return nil, errors.New("--expect: the file brings its events along; leave --source, --case, --events, --seed and --seeds out")
		}
		if _, err := os.Stat(f.expect); err != nil {
			return nil, fmt.Errorf("--expect: %w", err)
		}
		f.sources = []string{vectorFile}
	}
	if f.self && f.against == "" {
		return nil, errors.New("--self: it is for --against; leave it out")
	}
	if f.against == "" {
		return nil, nil
	}
	return bind.Load(f.against, a.lookup)
}

// checkSourceOf checks the name of a source of the block, which may be of a schema of its own.
func (a *app) checkSourceOf(f *cosimFlags, own bool, source string) error {
	switch {
	case f.expect != "" && source == vectorFile:
		return nil
	case own && source != "random":
		return fmt.Errorf("unknown source %q: block %s has a schema of your own, whose stimulus is random", source, f.block)
	case own:
		return nil
	}
	return a.checkSource(f.block, source)
}

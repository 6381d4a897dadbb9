package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/run"
	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/vectors/event"
)

// backend is what the commands call; tests put fakes in its place.
type backend struct {
	run      func(context.Context, run.Config) (*report.Result, error)
	validate func(*run.Config) error
	blocks   func() []string
	sources  func(block string) []string // block.Sources: directed cases as directed/NAME
	schema   func(block string) *event.Block
}

func newBackend() backend {
	return backend{
		run:      run.Run,
		validate: (*run.Config).Validate,
		blocks:   block.Blocks,
		sources:  block.Sources,
		schema: func(name string) *event.Block {
			b, err := block.Lookup(name)
			if err != nil {
				return nil
			}
			return b.Schema
		},
	}
}

const directed = "directed"

// groups returns the sources of a block without its single directed cases.
func (b *backend) groups(block string) (out []string) {
	for _, s := range b.sources(block) {
		if !strings.HasPrefix(s, directed+"/") {
			out = append(out, s)
		}
	}
	return out
}

// cases returns the names of the directed cases of a block.
func (b *backend) cases(block string) (out []string) {
	for _, s := range b.sources(block) {
		if name, ok := strings.CutPrefix(s, directed+"/"); ok {
			out = append(out, name)
		}
	}
	return out
}

func (b *backend) checkBlock(block string) error {
	return known("block", block, b.blocks(), "goldwire list blocks")
}

func (b *backend) checkSource(block, source string) error {
	if name, ok := strings.CutPrefix(source, directed+"/"); ok {
		return b.checkCase(block, name)
	}
	return known("source", source, b.groups(block), "goldwire list sources --block "+block)
}

func (b *backend) checkCase(block, name string) error {
	return known("case", name, b.cases(block), "goldwire list cases --block "+block)
}

// known returns nil when name is one of all, else an error with the nearest name,
// or all of them when they are few.
func known(what, name string, all []string, listing string) error {
	for _, x := range all {
		if x == name {
			return nil
		}
	}
	s := fmt.Sprintf("unknown %s %q", what, name)
	if meant := near.Name(name, all); meant != "" {
		s += fmt.Sprintf("; did you mean %q?", meant)
	} else if len(all) <= 8 {
		s += "; known: " + strings.Join(all, ", ")
	}
	return fmt.Errorf("%s (%s shows all)", s, listing)
}

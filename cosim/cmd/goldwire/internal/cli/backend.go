package cli

import (
	"context"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim/cache"
)

// Backend holds the functions that commands call; tests replace them with fakes.
type Backend struct {
	Run      func(context.Context, run.Config) (*report.Result, error)
	Validate func(*run.Config) error
	Blocks   func() []string
	Sources  func(block string) []string // block.Sources: directed cases as directed/NAME
	Files    func(block string) []string // block.FileSources: pcap:FILE
	Schema   func(block string) *event.Block
	Stimulus func() *cache.Cache // keeps the stimulus of simulated networks; nil for none
}

// NewBackend returns the functions that the program itself uses.
func NewBackend() Backend {
	stimulus := sync.OnceValue(cache.FromEnv)
	return Backend{
		Run: func(ctx context.Context, cfg run.Config) (*report.Result, error) {
			cfg.Stimulus = stimulus()
			return run.Run(ctx, cfg)
		},
		Stimulus: stimulus,
		Validate: (*run.Config).Validate,
		Blocks:   block.Blocks,
		Sources:  block.Sources,
		Files:    block.FileSources,
		Schema: func(name string) *event.Block {
			b, err := block.Lookup(name)
			if err != nil {
				return nil
			}
			return b.Schema
		},
	}
}

// Directed is the source of the directed cases.
const Directed = "directed"

// Groups returns the sources of a block without its single directed cases.
func (b *Backend) Groups(block string) (out []string) {
	for _, s := range b.Sources(block) {
		if !strings.HasPrefix(s, Directed+"/") {
			out = append(out, s)
		}
	}
	return out
}

// Cases returns the names of the directed cases of a block.
func (b *Backend) Cases(block string) (out []string) {
	for _, s := range b.Sources(block) {
		if name, ok := strings.CutPrefix(s, Directed+"/"); ok {
			out = append(out, name)
		}
	}
	return out
}

// CheckBlock errors if there is no such block.
func (b *Backend) CheckBlock(block string) error {
	return Known("block", block, b.Blocks(), "goldwire list blocks")
}

// CheckSource errors if the block has no such source.
func (b *Backend) CheckSource(block, source string) error {
	if name, ok := strings.CutPrefix(source, Directed+"/"); ok {
		return b.CheckCase(block, name)
	}
	files := b.Files(block)
	for _, f := range files {
		if prefix, _, _ := strings.Cut(f, ":"); strings.HasPrefix(source, prefix+":") {
			return nil // the file is looked at when it is opened
		}
	}
	return Known("source", source, append(b.Groups(block), files...), "goldwire list sources --block "+block)
}

// CheckCase errors if the block has no such directed case.
func (b *Backend) CheckCase(block, name string) error {
	return Known("case", name, b.Cases(block), "goldwire list cases --block "+block)
}

// Lookup returns the schema of a known block.
func (b *Backend) Lookup(block string) (*event.Block, error) {
	if err := b.CheckBlock(block); err != nil {
		return nil, err
	}
	return b.Schema(block), nil
}

// Known returns nil if name is one of all, else an error with the nearest name. listing is the command that prints all
// names.
func Known(what, name string, all []string, listing string) error {
	return near.Known(what, name, all, listing)
}

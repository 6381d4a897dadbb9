// Package suite makes the vector files of a set of blocks from every kind of source, with a manifest and a README that
// describe each. Equal arguments give equal bytes.
//
//	m, err := suite.Write(ctx, suite.Spec{Level: "smoke", Seed: 1, Blocks: blocks, Create: create})
package suite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/tool"
)

// Spec describes the contents of a suite.
type Spec struct {
	Level  string // one of Levels
	Seed   uint64
	Blocks []Block

	// Create makes a file of the folder.
	Create func(name string) (io.WriteCloser, error)

	// Made is called for each vector file that was made; it may be nil.
	Made func(f *File)
}

// Manifest lists the files of a suite. It contains nothing about the machine that made it.
type Manifest struct {
	Generator string `json:"generator"`
	Level     string `json:"level"`
	Seed      uint64 `json:"seed"`
	Files     []File `json:"files"`
}

// File is one vector file of a suite.
type File struct {
	Name    string         `json:"name"`
	Block   string         `json:"block"`
	Schema  string         `json:"schema"`
	Params  map[string]int `json:"params"`
	Source  string         `json:"source"`
	Per     string         `json:"per"`
	Totals  format.Totals  `json:"totals"`
	Bytes   int64          `json:"bytes"`
	SHA256  string         `json:"sha256"`
	Command string         `json:"command"`

	moved string // the totals' transfers in readable form
}

// Write makes every file of a suite, manifest.json and README.md last. It errors when the level is unknown, when a file
// cannot be made, or when ctx ends.
func Write(ctx context.Context, s Spec) (*Manifest, error) {
	events, ok := LevelEvents(s.Level)
	if !ok {
		return nil, fmt.Errorf("level %q: unknown", s.Level)
	}
	m := &Manifest{Generator: record.Generator, Level: s.Level, Seed: s.Seed}
	for _, b := range s.Blocks {
		for i := range b.Stimulus.Sources {
			if b.Stimulus.Sources[i].Named() {
				continue // no file is given
			}
			for _, per := range pers(b) {
				o := &Order{Block: b, Source: b.Stimulus.Sources[i].Name, Per: per, Level: s.Level, Events: events,
					Seed: s.Seed, TickNs: 1}
				f, err := s.file(ctx, o)
				if err != nil {
					return nil, err
				}
				if s.Made != nil {
					s.Made(&f)
				}
				m.Files = append(m.Files, f)
			}
		}
	}
	if len(m.Files) == 0 {
		return nil, fmt.Errorf("suite: no block has a source, so there is nothing to write")
	}
	return m, s.describe(m)
}

// pers returns the kinds of record of a block's files: without time only where that means something.
func pers(b Block) []string {
	if DefaultPer(b.Stimulus.Schema) == format.PerTransaction {
		return []string{format.PerTransaction, format.PerCycle}
	}
	return []string{format.PerCycle}
}

// file makes one vector file.
func (s *Spec) file(ctx context.Context, o *Order) (File, error) {
	spec, err := o.Spec()
	if err != nil {
		return File{}, err
	}
	h, err := record.Header(spec)
	if err != nil {
		return File{}, err
	}
	name := fmt.Sprintf("%s-%s-%s.gwv", h.Block, strings.NewReplacer(":", "-", "/", "-").Replace(spec.Source), spec.Per)
	var t format.Totals
	sum := sha256.New()
	n := &tool.Counter{}
	err = s.write(name, func(w io.Writer) (err error) {
		n.W = io.MultiWriter(w, sum)
		t, err = record.Write(ctx, n, spec)
		return err
	})
	return File{Name: name, Block: h.Block, Schema: h.SchemaHash, Params: h.Params, Source: h.Source, Per: h.Per,
		Totals: t,
		Bytes:  n.N, SHA256: hex.EncodeToString(sum.Sum(nil)),
		Command: tool.CommandLine("goldwire", h.Args) + " -o " + name,
		moved:   tool.Transfers(spec.Block, &t)}, err
}

// write makes a file of what render writes.
func (s *Spec) write(name string, render func(w io.Writer) error) error {
	w, err := s.Create(name)
	if err != nil {
		return err
	}
	err = render(w)
	if e := w.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// describe writes the manifest and the README.
func (s *Spec) describe(m *Manifest) error {
	err := s.write("manifest.json", func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(m)
	})
	if err != nil {
		return err
	}
	var doc strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&doc, format+"\n", args...) }
	p("# Golden vectors\n")
	p("Made by %s, level %s, seed %d. manifest.json says how each file was made, what it adds up to,",
		m.Generator, m.Level,
		m.Seed)
	p("and its SHA-256. Files per transaction hold for RTL of any latency; files per cycle for RTL that is")
	p("cycle-true to the block's contract.\n")
	p("    goldwire vectors info FILE\n    goldwire vectors export --to sv FILE -o bench\n")
	p("| file | block | source | records | transfers |\n|---|---|---|---|---|")
	for _, x := range m.Files {
		p("| %s | %s | %s | %d %ss | %s |", x.Name, x.Block, x.Source, x.Totals.Records, x.Per, x.moved)
	}
	return s.write("README.md", func(w io.Writer) error {
		_, err := io.WriteString(w, doc.String())
		return err
	})
}

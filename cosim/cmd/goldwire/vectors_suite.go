package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/block"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
)

// manifest lists the files of a suite. It holds nothing of the machine that made it.
type manifest struct {
	Generator string      `json:"generator"`
	Level     string      `json:"level"`
	Seed      uint64      `json:"seed"`
	Files     []suiteFile `json:"files"`
}

type suiteFile struct {
	Name    string         `json:"name"`
	Block   string         `json:"block"`
	Schema  string         `json:"schema"`
	Params  map[string]int `json:"params"`
	Source  string         `json:"source"`
	Per     string         `json:"per"`
	Totals  gwv.Totals     `json:"totals"`
	Bytes   int64          `json:"bytes"`
	SHA256  string         `json:"sha256"`
	Command string         `json:"command"`

	moved string // the totals' transfers as a person reads them
}

func newVectorsSuite(a *app) *cobra.Command {
	var level, out string
	var blocks []string
	var seed uint64
	c := &cobra.Command{
		Use:   "suite",
		Short: "make directed, random and fabric vectors of every block, with a manifest",
		Long: `suite makes vector files of every block from every kind of source, directed, random
and fabric, per transaction (where every event has its answer) and per cycle, with a manifest.json and a README.md that
say what each is. The folder is meant to be handed over whole; equal arguments give
equal bytes.

--level says how many events each random and fabric file has: smoke 2,000, full
100,000, soak 10,000,000. Directed cases are always whole.

Exit codes: 0 written; 2 called wrongly, interrupted, or the folder cannot be written.`,
		Example: `  goldwire vectors suite -o vectors
  goldwire vectors suite --level full --block txstate -o vectors`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return errors.New("-o: no folder given; name one")
			}
			events, err := levelEvents(level)
			if err != nil {
				return err
			}
			if len(blocks) == 0 {
				for _, b := range block.All() {
					blocks = append(blocks, b.Name())
				}
			}
			for _, b := range blocks {
				if err := a.checkBlock(b); err != nil {
					return err
				}
			}
			f, err := newFolder(out)
			if err != nil {
				return err
			}
			defer f.discard()
			m := manifest{Generator: record.Generator, Level: level, Seed: seed}
			for _, b := range blocks {
				for _, source := range a.groups(b) {
					for _, per := range suitePers(b) {
						spec, err := vectorSpec(b, source, per, level, events, seed, 1, nil)
						if err != nil {
							return err
						}
						x, err := makeSuiteFile(cmd, f, spec)
						if err != nil {
							if cmd.Context().Err() != nil {
								return fmt.Errorf("interrupted: %w", err)
							}
							return err
						}
						fmt.Fprintf(a.stdout, "%s: %d %ss, %d bytes\n", x.Name, x.Totals.Records, per, x.Bytes)
						m.Files = append(m.Files, x)
					}
				}
			}
			if err := writeManifest(f, &m); err != nil {
				return err
			}
			n := len(f.names)
			if err := f.commit(); err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%s: %d files, manifest.json and README.md among them\n", out, n)
			return nil
		},
	}
	fl := c.Flags()
	fl.SortFlags = false
	fl.StringVar(&level, "level", "smoke", "amount of events, `LEVEL`: smoke, full or soak")
	fl.StringSliceVar(&blocks, "block", nil, "only these blocks, `B[,B...]` (default: all)")
	fl.Uint64Var(&seed, "seed", 1, "seed `K` of all that is drawn")
	fl.StringVarP(&out, "output", "o", "", "folder `DIR` to write to; made when missing")
	return c
}

// suitePers returns the kinds of record of a block's files: without time only where that means something.
func suitePers(name string) []string {
	k, err := block.Lookup(name)
	if err == nil && defaultPer(k) == gwv.PerTransaction {
		return []string{gwv.PerTransaction, gwv.PerCycle}
	}
	return []string{gwv.PerCycle}
}

func makeSuiteFile(cmd *cobra.Command, f *folder, spec *record.Spec) (suiteFile, error) {
	name := fmt.Sprintf("%s-%s-%s.gwv", spec.Block.Name, strings.NewReplacer(":", "-", "/", "-").Replace(spec.Source), spec.Per)
	w, err := f.create(name)
	if err != nil {
		return suiteFile{}, err
	}
	sum := sha256.New()
	n := &counting{w: io.MultiWriter(w, sum)}
	t, err := record.Write(cmd.Context(), n, spec)
	if e := w.Close(); err == nil {
		err = e
	}
	if err != nil {
		return suiteFile{}, fmt.Errorf("%s: %w", name, err)
	}
	h, err := record.Header(spec)
	return suiteFile{Name: name, Block: h.Block, Schema: h.SchemaHash, Params: h.Params, Source: h.Source, Per: h.Per, Totals: t,
		Bytes: n.n, SHA256: hex.EncodeToString(sum.Sum(nil)), Command: commandLine(h.Args) + " -o " + name, moved: transfers(spec.Block, &t)}, err
}

func writeManifest(f *folder, m *manifest) error {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return err
	}
	var doc strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&doc, format+"\n", args...) }
	p("# Golden vectors\n\nMade by %s, level %s, seed %d. manifest.json says how each file was made, what it adds up to,", m.Generator, m.Level, m.Seed)
	p("and its SHA-256. Files per transaction hold for RTL of any latency; files per cycle for RTL that is")
	p("cycle-true to the block's contract.\n")
	p("    goldwire vectors info FILE\n    goldwire vectors export --to sv FILE -o bench\n")
	p("| file | block | source | records | transfers |\n|---|---|---|---|---|")
	for _, x := range m.Files {
		p("| %s | %s | %s | %d %ss | %s |", x.Name, x.Block, x.Source, x.Totals.Records, x.Per, x.moved)
	}
	for _, x := range [][2]string{{"manifest.json", text.String()}, {"README.md", doc.String()}} {
		w, err := f.create(x[0])
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, x[1])
		if e := w.Close(); err == nil {
			err = e
		}
		if err != nil {
			return fmt.Errorf("%s: %w", x[0], err)
		}
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/vectors/export"
)

func newVectorsExport(a *app) *cobra.Command {
	var to, out string
	c := &cobra.Command{
		Use:   "export FILE",
		Short: "rewrite a vector file for another flow",
		Long: `export rewrites a vector file for flows that do not read it:

  readmemh  in.hex and out.hex, one word per line, with layout.md and layout.json
  csv       one row per record; hex for fields wider than 53 bits
  jsonl     one JSON object per record; beside it, as beside csv, BLOCK.columns.json
            has each column's width, sign, Q format, unit and form
  sv        a self-checking bench in plain SystemVerilog (Icarus, Verilator --timing and
            any other), field offsets as a package, and a wrapper to edit for your RTL
  python    as readmemh, with a reader in standard-library Python

Files go into a folder, which is made when missing; they appear together when all
are written. FILE - reads stdin.

Exit codes: 0 written; 2 the file is damaged, or the folder cannot be written.`,
		Example: `  goldwire vectors export --to sv random.gwv -o bench
  goldwire vectors export --to csv random.gwv -o tables
  goldwire vectors gen --level smoke -o - | goldwire vectors export --to readmemh - -o images`,
		Args: oneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(export.Kinds, to) {
				return fmt.Errorf("--to %q: give one of %s", to, strings.Join(export.Kinds, ", "))
			}
			if out == "" {
				return errors.New("-o: no folder given; name one")
			}
			r, done, err := a.openVectors(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer done()
			f, err := newFolder(out)
			if err != nil {
				return err
			}
			defer f.discard()
			t, err := export.Write(cmd.Context(), f.create, to, r)
			if err != nil {
				return vectorError(args[0], err)
			}
			names := f.names
			if err := f.commit(); err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%s: %d records in %s\n", out, t.Records, strings.Join(names, ", "))
			return nil
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&to, "to", "", "form to write, `FORM`: "+strings.Join(export.Kinds, ", "))
	c.Flags().StringVarP(&out, "output", "o", "", "folder `DIR` to write to")
	_ = c.RegisterFlagCompletionFunc("to", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return export.Kinds, cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

// folder collects files under temporary names and shows them all at once, so that a file that turns out
// damaged half way leaves nothing that looks whole.
type folder struct {
	dir   string
	fresh bool // made here
	names []string
}

func newFolder(dir string) (*folder, error) {
	_, err := os.Stat(dir)
	fresh := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("folder %s: cannot be made (%w); give another", dir, err)
	}
	return &folder{dir: dir, fresh: fresh}, nil
}

func (f *folder) temp(name string) string {
	return filepath.Join(f.dir, fmt.Sprintf(".%s.%d.tmp", name, os.Getpid()))
}

func (f *folder) create(name string) (io.WriteCloser, error) {
	w, err := os.OpenFile(f.temp(name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, fmt.Errorf("folder %s: cannot be written (%w); give another", f.dir, err)
	}
	f.names = append(f.names, name)
	return w, nil
}

func (f *folder) commit() error {
	for _, n := range f.names {
		if err := os.Rename(f.temp(n), filepath.Join(f.dir, n)); err != nil {
			return fmt.Errorf("folder %s: %w", f.dir, err)
		}
	}
	f.names = nil
	return nil
}

// discard removes what was not committed, and the folder when it was made for that alone.
func (f *folder) discard() {
	for _, n := range f.names {
		os.Remove(f.temp(n))
	}
	if f.fresh {
		os.Remove(f.dir) // fails when it holds something
	}
}

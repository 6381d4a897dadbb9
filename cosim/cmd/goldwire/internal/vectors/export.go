package vectors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/vectors/export"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
)

func newExport(a *commands) *cobra.Command {
	var to, out string
	c := &cobra.Command{
		Use:   "export FILE",
		Short: "rewrite a vector file for another flow",
		Long: `export rewrites a vector file for flows that do not read it:

  readmemh  in.hex and out.hex, one word per line, with layout.md and layout.json
  csv       one row per record; hex for fields wider than 53 bits
  jsonl     one JSON object per record; for csv and jsonl, BLOCK.columns.json gives
            each column's width, sign, Q format, unit and form
  sv        a self-checking bench in plain SystemVerilog (Icarus, Verilator --timing and
            any other), field offsets as a package, and a wrapper to edit for your RTL
  python    as readmemh, with a reader in standard-library Python

Files go into a folder, which is created if missing; they appear together when all are
written. FILE - reads stdin.

Exit codes: 0 written; 2 the file is damaged, or the folder cannot be written.`,
		Example: `  goldwire vectors export --to sv random.gwv -o bench
  goldwire vectors export --to csv random.gwv -o tables
  goldwire vectors gen --level smoke -o - | goldwire vectors export --to readmemh - -o images`,
		Args: cli.OneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(export.Kinds, to) {
				return fmt.Errorf("--to %q: give one of %s", to, strings.Join(export.Kinds, ", "))
			}
			if err := cli.NeedFolder(out); err != nil {
				return err
			}
			return a.reading(cmd, args[0], func(in *tool.File, r *gwv.Reader) error {
				f, err := cli.NewFolder(out)
				if err != nil {
					return err
				}
				defer f.Discard()
				t, err := export.Write(cmd.Context(), f.Create, to, r)
				if err != nil {
					return in.Wrap(err)
				}
				names := f.Names
				if err := f.Commit(); err != nil {
					return err
				}
				_, err = fmt.Fprintf(a.Stdout, "%s: %d records in %s\n", out, t.Records, strings.Join(names, ", "))
				return err
			})
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&to, "to", "", "`FORM` to write: "+strings.Join(export.Kinds, ", "))
	c.Flags().StringVarP(&out, "output", "o", "", "folder `DIR` to write to")
	cli.Complete(c, "to", func() []string { return export.Kinds })
	return c
}

package vectors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/export"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
	"github.com/goldwire/goldwire/vectors/tool/show"
	"github.com/goldwire/goldwire/vectors/tool/verify"
)

func newInfo(a *commands) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "check a vector file and print its header and totals",
		Long: `info reads a whole vector file, checks every byte of it, and prints its header and its
totals. For a damaged file it prints the header, the damaged frame and the sound records
before it.

FILE - reads stdin. Exit codes: 0 sound; 2 damaged, or it cannot be read.`,
		Example: `  goldwire vectors info random.gwv
  goldwire vectors info --json random.gwv | python3 -m json.tool`,
		Args: cli.OneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reading(cmd, args[0], func(f *tool.File, r *gwv.Reader) error {
				bad := f.Each(r, func(*gwv.Record) (bool, error) { return true, nil })
				if asJSON {
					if bad != nil {
						return bad
					}
					return report.EncodeJSON(a.Stdout, show.File{Header: r.Header(), Totals: r.Totals()})
				}
				if err := show.Info(a.Stdout, r, bad == nil); err != nil {
					return err
				}
				return bad
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, the schema included")
	return c
}

func newVerify(a *commands) *cobra.Command {
	most := 10
	c := &cobra.Command{
		Use:   "verify FILE",
		Short: "replay a vector file against today's golden model",
		Long: `verify plays the stimulus of a vector file on the golden model of this goldwire and
compares its answers with the file's. Use it before handing over an old file, and after
a change of the model to see what it changed.

FILE - reads stdin. Exit codes: 0 everything agrees; 1 the model's answers differ; 2 the
file is damaged, its schema or masks are not current, or it cannot be read.`,
		Example: `  goldwire vectors verify random.gwv
  goldwire vectors verify --most 1 incast.gwv`,
		Args: cli.OneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 1 {
				return fmt.Errorf("--most %d: give 1 or more", most)
			}
			return a.reading(cmd, args[0], func(f *tool.File, r *gwv.Reader) error {
				model, err := a.model(f, r)
				if err != nil {
					return err
				}
				return cli.Found(verify.File(cmd.Context(), a.Stdout, f, r, model, most))
			})
		},
	}
	c.Flags().IntVar(&most, "most", most, "print the first `N` differences; all are counted")
	return c
}

// model returns the current model of a file's block. The file must have the current interface.
func (a *commands) model(f *tool.File, r *gwv.Reader) (event.Model, error) {
	name := r.Header().Block
	if !slices.Contains(a.Blocks(), name) {
		return nil, fmt.Errorf("%s: block %s is user-defined and has no model here; replay it on a design with "+
			"goldwire cosim --dut FILE --expect %s", f.Name, name, f.Name)
	}
	k, err := block.Lookup(name)
	if err == nil {
		err = verify.Suits(r, k.Schema)
	}
	var params map[string]int
	if err == nil {
		params, err = k.Schema.Values(r.Header().Params)
	}
	var model event.Model
	if err == nil {
		model, err = k.NewModel(params)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return model, nil
}

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
  vhdl      a self-checking bench in VHDL-2008 (GHDL and any other), and a wrapper to edit
            for your design
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
	cli.Ordered(c).StringVar(&to, "to", "", "`FORM` to write: "+strings.Join(export.Kinds, ", "))
	c.Flags().StringVarP(&out, "output", "o", "", "folder `DIR` to write to")
	cli.Complete(c, "to", func() []string { return export.Kinds })
	return c
}

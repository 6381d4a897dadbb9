package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/tool"
)

func newVectorsInfo(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "check a vector file and print its header and totals",
		Long: `info reads a whole vector file, checks every byte of it, and prints its header and
its totals. Of a damaged file it prints the header and says which frame is damaged
and which records before it are sound.

FILE - reads stdin. Exit codes: 0 sound; 2 damaged, or it cannot be read.`,
		Example: `  goldwire vectors info random.gwv
  goldwire vectors info --json random.gwv | python3 -m json.tool`,
		Args: cli.OneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, done, err := a.openVectors(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer done()
			var bad error
			for _, err := range r.All() {
				if err != nil {
					bad = vectorError(args[0], err)
				}
			}
			if asJSON {
				if bad != nil {
					return bad
				}
				enc := json.NewEncoder(a.Stdout)
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				return enc.Encode(struct {
					*gwv.Header
					Totals gwv.Totals `json:"totals"`
				}{r.Header(), r.Totals()})
			}
			if err := writeInfo(a.Stdout, r, bad == nil); err != nil {
				return err
			}
			return bad
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, the schema included")
	return c
}

func writeInfo(out io.Writer, r *gwv.Reader, whole bool) error {
	h, t := r.Header(), r.Totals()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	p := func(name, format string, args ...any) { fmt.Fprintf(w, name+"\t"+format+"\n", args...) }
	p("block", "%s: %s", h.Block, r.Block().Title)
	p("schema", "%s", h.SchemaHash)
	if h.CompareHash != "" {
		p("masks", "compare hash %s", h.CompareHash)
	}
	if len(h.Relaxed) > 0 {
		p("relaxed", "%s (handshake rules that the design which answered was not held to)", strings.Join(h.Relaxed, ", "))
	}
	if len(h.Constants) > 0 {
		p("constants", "%s (of the dut.yaml; the design did not answer them)", strings.Join(h.Constants, ", "))
	}
	for _, x := range r.Block().Params {
		p("parameter", "%s = %d", x.Name, h.Params[x.Name])
	}
	p("source", "%s", h.Source)
	p("seed", "%s", h.SeedText())
	if h.Level != "" {
		p("level", "%s", h.Level)
	}
	p("generator", "%s", h.Generator)
	p("made by", "%s", tool.CommandLine("goldwire", h.Args))
	p("record", "one per %s (%s)", h.Per, map[string]string{gwv.PairAnswers: "each with its answer", gwv.PairOrder: "in order within each stream"}[h.Pairing])
	if whole {
		p("records", "%d in %d frames", t.Records, t.Frames)
		p("episodes", "%d", t.Episodes)
		p("resets", "%d", t.Resets)
		p("transfers", "%s", tool.Transfers(r.Block(), &t))
		p("digest", "%s", t.Digest)
	} else {
		p("records", "%d sound, then damage", r.Sound())
	}
	return w.Flush()
}

func newVectorsVerify(a *app) *cobra.Command {
	most := 10
	c := &cobra.Command{
		Use:   "verify FILE",
		Short: "replay a vector file against today's golden model",
		Long: `verify gives the golden model of this goldwire the stimulus of a vector file and
compares what it answers with what the file expects. Use it before handing over an
old file, and after a change of the model to see what it changed.

FILE - reads stdin. Exit codes: 0 all agrees; 1 the model answers otherwise; 2 the
file is damaged, its schema or masks are not today's, or it cannot be read.`,
		Example: `  goldwire vectors verify random.gwv
  goldwire vectors verify --most 1 incast.gwv`,
		Args: cli.OneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 1 {
				return fmt.Errorf("--most %d: give 1 or more", most)
			}
			r, done, err := a.openVectors(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer done()
			if !slices.Contains(a.Blocks(), r.Header().Block) {
				return fmt.Errorf("%s: block %s is of a schema of your own and has no model here; replay it on a design with goldwire cosim --dut FILE --expect %s", args[0], r.Header().Block, args[0])
			}
			k, err := sameBlock(r)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			params, err := k.Schema.Values(r.Header().Params)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			twin, err := k.NewModel(params)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			n, per := 0, r.Header().Per
			bad, err := record.Verify(cmd.Context(), r, twin, func(m record.Mismatch) bool {
				if n++; n <= most {
					fmt.Fprintf(a.Stdout, "%s %d (%s):", per, m.Record, m.Episode)
					for i, d := range m.Fields {
						if i > 0 {
							fmt.Fprint(a.Stdout, ";")
						}
						fmt.Fprintf(a.Stdout, " %s: file %s, model %s", d.Name, d.Want, d.Got)
					}
					fmt.Fprintln(a.Stdout)
				}
				return true
			})
			if err != nil {
				return a.Found(bad > 0, vectorError(args[0], err))
			}
			t := r.Totals()
			if t.Records == 0 {
				return fmt.Errorf("%s: it has no records, so nothing was checked; generate it again", args[0])
			}
			if bad > 0 {
				fmt.Fprintf(a.Stdout, "%s: %d of %d %ss differ from today's model\n", args[0], bad, t.Records, per)
				return cli.ErrMismatch
			}
			if responses(r.Block(), &t) == 0 {
				return fmt.Errorf("%s: it has no response in %d %ss, so nothing was checked; generate it again", args[0], t.Records, per)
			}
			fmt.Fprintf(a.Stdout, "%s: %d %ss agree with today's model (%s)\n", args[0], t.Records, per, tool.Transfers(r.Block(), &t))
			return nil
		},
	}
	c.Flags().IntVar(&most, "most", most, "print the first `N` differences; all are counted")
	return c
}

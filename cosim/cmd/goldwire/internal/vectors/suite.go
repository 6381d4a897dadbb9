package vectors

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/vectors/tool/suite"
)

func newSuite(a *commands) *cobra.Command {
	var level, out string
	var blocks []string
	var seed uint64
	c := &cobra.Command{
		Use:   "suite",
		Short: "make directed, random and fabric vectors of every block, with a manifest",
		Long: `suite makes vector files of every block from every kind of source, directed, random and
fabric, per transaction (if every event has an answer) and per cycle, with a
manifest.json and a README.md that describe them. The folder is meant to be handed over
whole; equal arguments give equal bytes.

--level sets the number of events in each random and fabric file: smoke 2,000, full
100,000, soak 10,000,000. Directed cases are always played whole.

Exit codes: 0 written; 2 called wrongly, interrupted, or the folder cannot be written.`,
		Example: `  goldwire vectors suite -o vectors
  goldwire vectors suite --level full --block txstate -o vectors`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.NeedFolder(out); err != nil {
				return err
			}
			if _, err := levelEvents(level); err != nil {
				return err
			}
			spec := suite.Spec{Level: level, Seed: seed}
			for _, name := range blocks {
				if err := a.CheckBlock(name); err != nil {
					return err
				}
				b, err := block.Lookup(name)
				if err != nil {
					return err
				}
				spec.Blocks = append(spec.Blocks, vectorBlock(b))
			}
			if len(blocks) == 0 {
				for _, b := range block.All() {
					spec.Blocks = append(spec.Blocks, vectorBlock(b))
				}
			}
			f, err := cli.NewFolder(out)
			if err != nil {
				return err
			}
			defer f.Discard()
			spec.Create = f.Create
			spec.Made = func(x *suite.File) {
				fmt.Fprintf(a.Stdout, "%s: %d %ss, %d bytes\n", x.Name, x.Totals.Records, x.Per, x.Bytes)
			}
			if _, err := suite.Write(cmd.Context(), spec); err != nil {
				if cmd.Context().Err() != nil {
					return fmt.Errorf("interrupted: %w", err)
				}
				return err
			}
			n := len(f.Names)
			if err := f.Commit(); err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "%s: %d files, manifest.json and README.md among them\n", out, n)
			return nil
		},
	}
	fl := c.Flags()
	fl.SortFlags = false
	fl.StringVar(&level, "level", "smoke", "number of events, `LEVEL`: smoke, full or soak")
	fl.StringSliceVar(&blocks, "block", nil, "only these blocks, `B[,B...]` (default: all)")
	cli.SeedFlag(fl, &seed)
	fl.StringVarP(&out, "output", "o", "", "folder `DIR` to write to, created if missing")
	return c
}

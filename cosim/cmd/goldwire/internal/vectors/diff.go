package vectors

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/vectors/tool/diff"
)

func newDiff(a *commands) *cobra.Command {
	most := 10
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "compare two vector files field by field",
		Long: `diff compares two vector files record by record and field by field, and prints the first
differences and how often each field differs. Files of two schemas are compared in the
fields that both have. Use it to see what a change of the model, a seed or a parameter
changed.

Exit codes: 0 the same records; 1 something differs, even if a file turns out to be
damaged after it; 2 a file is damaged, or the two cannot be compared.`,
		Example: `  goldwire vectors diff old.gwv new.gwv
  goldwire vectors diff --most 1 old.gwv new.gwv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%d arguments of %q; it takes two vector files; usage: %s", len(args),
					cmd.CommandPath(), cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 0 {
				return fmt.Errorf("--most %d: give 0 or more", most)
			}
			if args[0] == "-" && args[1] == "-" {
				return errors.New("diff - -: only one file can come from stdin")
			}
			if cli.SameRegular(args[0], args[1]) {
				return fmt.Errorf("diff %s %s: they are one file, so nothing would be compared; give two", args[0], args[1])
			}
			one, two := a.file(cmd, args[0]), a.file(cmd, args[1])
			differ, err := diff.Files(a.Stdout, &one, &two, most)
			return cli.Found(differ, err)
		},
	}
	c.Flags().IntVar(&most, "most", most, "print the first `N` differences; all are counted")
	return c
}

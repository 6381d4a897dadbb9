package ci

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/triage"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// triage reads the campaign of a folder, by default that of the stage smoke, and sorts its failures.
func (a *app) triage(dir string) (*triage.Triage, error) {
	if dir == "" {
		root, err := a.Repository()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(root, "build", "ci", "smoke")
	}
	c, err := campaign.Read(dir)
	if err != nil {
		return nil, err
	}
	return triage.New(c), nil
}

func newTriage(a *app) *cobra.Command {
	var json string
	c := &cobra.Command{
		Use:   "triage [DIR]",
		Short: "put the failures of a campaign into buckets of one cause",
		Long: `triage sorts the failures of the campaign in a folder that run or merge has written
(default: build/ci/smoke) into buckets: those of a block that, reduced to the
shortest events that still fail, differ in the same field after the same kinds of
events. Each bucket has its count, the seed, the revision and the shortest events of
its first run, and the command that repeats it. Errors of the harness are listed by
reason.

Exit codes: 0 all planned runs passed; 1 one failed; 2 otherwise: there is no
campaign, or runs are missing or ended in errors.`,
		Example: `  goldwire ci triage build/ci/nightly
  goldwire ci triage build/ci/nightly --json triage.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := ""
			if len(args) > 0 {
				dir = args[0]
			}
			out := cli.Output{Flag: "--json", Path: json}
			if err := a.Take(out); err != nil {
				return err
			}
			t, err := a.triage(dir)
			if err != nil {
				return err
			}
			if json != "-" {
				err = t.WriteText(a.Stdout)
			}
			if e := out.Write(a.Stdout, t.WriteJSON); err == nil {
				err = e
			}
			if err == nil {
				err = t.Incomplete()
			}
			return cli.Found(t.Found(), err)
		},
	}
	c.Flags().StringVar(&json, "json", "", "write it as JSON to `FILE` (- for stdout, in place of the text)")
	return c
}

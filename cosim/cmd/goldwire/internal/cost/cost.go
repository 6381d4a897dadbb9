// Package cost is goldwire fabric cost, which answers what a size of the NIC costs.
package cost

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/network/cost"
	"github.com/goldwire/goldwire/cosim/report"
)

// command holds the values of the flags.
type command struct {
	*cli.App

	seeds, markdown string
}

// New returns the command.
func New(shared *cli.App) *cobra.Command {
	f := &command{App: shared}
	names, list := []string{}, ""
	for _, q := range cost.All() {
		names = append(names, q.Name)
		values := strings.Trim(strings.ReplaceAll(fmt.Sprint(q.Values), " ", ", "), "[]")
		list += fmt.Sprintf("\n  %-16s %s: %s (%s)", q.Name, q.Title, values, q.Unit)
	}
	c := &cobra.Command{
		Use:   "cost [QUESTION ...]",
		Short: "what a longer pipeline or a smaller table of the NIC costs in completion time and area",
		Long: `cost simulates several workloads with several sizes of a part of the NIC, and shows mean
and 99th percentile of the completion times with the difference to the first size. Each
size meets the same flows with the same seed. A difference is the mean over the seeds,
beside its standard deviation over the seeds; one of at most twice that is within
scatter. Where the size is a parameter of a block, Yosys counts its area.
Without a QUESTION it answers all:
` + list + `

Exit codes: 0 answered; 2 called wrongly, a flow did not finish, or the area could not be
counted.`,
		Example: `  goldwire fabric cost ack-pipeline
  goldwire fabric cost txstate-entries --seeds 1..10 --markdown build/entries.md`,
		ValidArgs: names,
		RunE:      func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fl := c.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.seeds, "seeds", "1..5", "one run per seed, 3 at least: a range `A..B`, both ends included, or a list "+
		"1,5,9")
	fl.StringVar(&f.markdown, "markdown", "", "write the tables as Markdown to `FILE`, with revision and machine")
	return c
}

func (f *command) run(cmd *cobra.Command, names []string) error {
	questions, err := cost.Find(names)
	if err != nil {
		return err
	}
	seeds, err := cli.ParseSeeds(f.seeds)
	if err != nil {
		return err
	}
	root, err := f.Repository()
	if err != nil {
		return err
	}
	doc := f.Measure(f.markdown, root, "yosys")
	out := []cli.Output{{Flag: "--markdown", Path: f.markdown}}
	if err := f.Take(out...); err != nil {
		return err
	}
	bar := report.NewProgress(f.Stderr, "cost").Of("runs")
	defer bar.Close()
	all, made := 0, 0
	for i := range questions {
		all += questions[i].Runs(len(seeds))
	}
	var lines []string
	var lacking error
	for i := range questions {
		a, err := cost.Ask(cmd.Context(), &questions[i], seeds, root, func(runs int) {
			made += runs
			bar.Update(uint64(made), uint64(all))
		})
		if err != nil {
			return err
		}
		lines = append(lines, a.Headline())
		doc.Sheets = append(doc.Sheets, a.Sheets()...)
		doc.Lack(a.NoArea)
		lacking = errors.Join(lacking, a.NoArea)
	}
	bar.Close()
	doc.Outcome = strings.Join(lines, "; ") + "."
	text := func(w io.Writer) error { return report.WriteSheets(w, doc.Outcome, doc.Sheets) }
	return errors.Join(f.WriteReports(out, text, doc.WriteMarkdown), lacking)
}

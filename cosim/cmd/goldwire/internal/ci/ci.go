// Package ci holds the commands of verification plans.
package ci

import (
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// app holds what the commands share.
type app struct{ *cli.App }

// New returns the command ci.
func New(shared *cli.App) *cobra.Command {
	a := &app{shared}
	return cli.Group(&cobra.Command{
		Use:   "ci",
		Short: "run the stages of a verification plan, on one machine or in shards",
		Long: `ci works with verification plans. A plan lists which bins and directed cases show each
rule of a contract, which runs hit them, and which runs form a stage. The project's own
plan is ` + plan.Own + `. Every planned run ends as passed, failed, error
or missing; only a run whose own result shows what it compared has passed.`,
		Example: `  goldwire ci plan check
  goldwire ci run --stage smoke
  goldwire ci run --stage nightly --night 2026-11-22 --json nightly.json`,
	}, newPlan(a), newRun(a), newShard(a), newMerge(a), newCoverage(a), newRecord(a), newTrends(a), newRank(a),
		newTriage(a), newBisect(a), newKeep(a), newSubmit(a), newStatus(a), newEmit(a))
}

package reports

import (
	"fmt"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/history"
	"github.com/goldwire/goldwire/ci/plan"
)

// bucket returns the title of what a failed run has in common with others: block, first differing field, kind of the
// event. Runs of one title are shown as one.
func bucket(run *plan.Run, st *campaign.State) string {
	k := history.KeyOf(run.Block, run.Test, st.Failure)
	if k.Kind == "-" {
		return fmt.Sprintf("%s: %s differs", k.Block, k.Field)
	}
	return fmt.Sprintf("%s: %s differs, %s", k.Block, k.Field, k.Kind)
}

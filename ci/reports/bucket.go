package reports

import (
	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
)

// bucket returns what a failed run has in common with others. Runs of one bucket are shown as one.
func bucket(run *plan.Run, st *campaign.State) string {
	k := campaign.KeyOf(run, st.Failure)
	return k.Title()
}

package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// ownLosses are the controls of every run that find their losses themselves.
func ownLosses() (names []string) {
	for _, r := range cc.Rows() {
		if r.Needs.OneConnection && r.Needs.INT == "" {
			names = append(names, r.Name)
		}
	}
	return names
}

// TestControlsThatFindLosses: with packets lost at random, trimmed or not, every flow ends and the books balance. Runs
// of the same seed are the same.
func TestControlsThatFindLosses(t *testing.T) {
	require.NotEmpty(t, ownLosses())
	for _, name := range ownLosses() {
		for _, trim := range []bool{true, false} {
			s := small(settings.Incast)
			s.CC, s.Trim, s.LossProb, s.Incast = name, trim, 0.01, 8
			r := books(t, s)
			require.NoError(t, r.Verify(), name)
			require.Positive(t, r.Counters.Retransmits, name)
			require.Positive(t, r.Counters.InferredLosses, name)
			sameRun(t, r, run(t, s))
		}
	}
}

// TestTailLoss: the last packet of a flow is lost and nothing else is to come: the control's timer brings it back.
func TestTailLoss(t *testing.T) {
	for _, name := range ownLosses() {
		s := alone(4)
		s.CC, s.LossProb, s.Trim = name, 0.1, false
		late := 0
		for seed := range uint64(40) {
			s.Seed = seed
			r := run(t, s)
			require.NoError(t, r.Verify(), "%s, seed %d", name, seed)
			require.EqualValues(t, 1, r.Counters.FlowsAcked, "%s, seed %d", name, seed)
			if r.Counters.Timeouts > 0 {
				late++
				require.Greater(t, r.Time, 20*units.Microsecond)
			}
		}
		require.Positive(t, late, "%s: no run needed the timer", name)
	}
}

// TestOneConnection: a context with two connections is refused.
func TestOneConnection(t *testing.T) {
	for _, name := range ownLosses() {
		s := small(settings.Permutation)
		s.CC, s.PDCsPerCCC = name, 2
		_, err := Run(t.Context(), s)
		require.ErrorContains(t, err, "follows one connection of a context, and nic.pdcs = 2: set nic.pdcs to 1")
	}
}

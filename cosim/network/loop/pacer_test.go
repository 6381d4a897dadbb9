package loop

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPacerX(t *testing.T) {
	for _, preset := range []string{"incast"} {
		_ = preset
		spec := incast(t, "rccc", 1_000_000)
		spec.SlowHosts = 0
		rule := run(t, Config{}, spec)
		spec.CC = PacerFixed
		fixed := run(t, Config{}, spec)
		t.Log(rule.FCT().Mean, fixed.FCT().Mean, rule.Counters.Credits, fixed.Counters.Credits)
		spec.CC = PacerRTL
		rtl, played, err := Run(t.Context(), Config{Root: "../../.."}, spec, nil)
		require.NoError(t, err)
		t.Log(played)
		same(t, fixed, rtl)
	}
}

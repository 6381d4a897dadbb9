package units

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric"
)

// TestEgressRulesThatDoNotFit names what egress cannot do.
func TestEgressRulesThatDoNotFit(t *testing.T) {
	for want, edit := range map[string]func(*fabric.Spec){
		"whole packets":   func(s *fabric.Spec) { s.WholePackets = true },
		"in bytes":        func(s *fabric.Spec) { s.KMinBytes = 1000 },
		"several rates":   func(s *fabric.Spec) { s.TierGbps[0] = 800 },
		"at the tail":     func(s *fabric.Spec) { s.TrimRule = fabric.TrimEither },
		"PFC or DRR":      func(s *fabric.Spec) { s.DRR[2] = 4096 },
		"data or probes":  func(s *fabric.Spec) { s.Recovery = fabric.RecoverSLEEK },
		"DROP_LOW = 9000": func(s *fabric.Spec) { s.Trim, s.DropAt = false, 9000 },
	} {
		spec := fabric.DefaultSpec()
		edit(&spec)
		_, err := EgressRules(spec)
		require.ErrorContains(t, err, want)
	}
}

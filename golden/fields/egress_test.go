package fields

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// TestEgressRulesThatDoNotFit names what egress cannot do.
func TestEgressRulesThatDoNotFit(t *testing.T) {
	for want, edit := range map[string]func(*settings.Spec){
		"whole packets":   func(s *settings.Spec) { s.WholePackets = true },
		"in bytes":        func(s *settings.Spec) { s.KMinBytes = 1000 },
		"several rates":   func(s *settings.Spec) { s.TierGbps[0] = 800 },
		"at the tail":     func(s *settings.Spec) { s.TrimRule = settings.TrimEither },
		"PFC or DRR":      func(s *settings.Spec) { s.DRR[2] = 4096 },
		"data or probes":  func(s *settings.Spec) { s.Recovery = settings.RecoverSLEEK },
		"DROP_LOW = 9000": func(s *settings.Spec) { s.Trim, s.DropAt = false, 9000 },
	} {
		spec := settings.DefaultSpec()
		edit(&spec)
		_, err := EgressRules(spec)
		require.ErrorContains(t, err, want)
	}
}

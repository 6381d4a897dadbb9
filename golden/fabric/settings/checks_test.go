package settings

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChecksNameSettings: what Validate names can be set, but for HostOrder.
func TestChecksNameSettings(t *testing.T) {
	d := DefaultSpec()
	for _, c := range append(d.checks(), d.partChecks()...) {
		if _, err := Lookup(c.field); c.field != "hosts" && c.field != "host_order" {
			require.NoError(t, err)
		}
	}
}

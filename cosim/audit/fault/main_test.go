package fault

import (
	"os"
	"testing"

	"github.com/goldwire/goldwire/vectors/stim/cache"
)

// TestMain keeps the goldwire commands of the tests out of the developer's cache of stimulus.
func TestMain(m *testing.M) {
	os.Setenv(cache.Env, cache.Off)
	os.Exit(m.Run())
}

package fourstate

import (
	"os"
	"testing"
)

// TestMain keeps the goldwire commands of the tests out of the developer's cache of stimulus.
func TestMain(m *testing.M) {
	os.Setenv("GOLDWIRE_CACHE", "off")
	os.Exit(m.Run())
}

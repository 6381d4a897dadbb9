package launchtest

import (
	"os"
	"testing"
)

// Long skips a test that make test leaves to make soak and the nightly workflow, which set GOLDWIRE_LONG. instead names
// what make test plays in its place.
func Long(t testing.TB, instead string) {
	t.Helper()
	if os.Getenv("GOLDWIRE_LONG") == "" {
		t.Skip("make soak plays it, or GOLDWIRE_LONG=1; in its place: " + instead)
	}
}

package launchtest

import (
	"os"
	"testing"
)

// Longer reports whether GOLDWIRE_LONG is set, as make soak and the nightly workflow do: tests then play all that they
// can, and otherwise what shows the same in less time.
func Longer() bool { return os.Getenv("GOLDWIRE_LONG") != "" }

// Long skips a test that make test leaves to make soak and the nightly workflow. instead names what make test plays in
// its place.
func Long(t testing.TB, instead string) {
	t.Helper()
	if !Longer() {
		t.Skip("make soak plays it, or GOLDWIRE_LONG=1; in its place: " + instead)
	}
}

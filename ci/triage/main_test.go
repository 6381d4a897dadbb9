package triage_test

import (
	"os"
	"testing"
)

// TestMain keeps the tests' goldwire commands out of the developer's cache of stimulus.
func TestMain(m *testing.M) {
	os.Setenv("GOLDWIRE_CACHE", "off")
	os.Exit(m.Run())
}

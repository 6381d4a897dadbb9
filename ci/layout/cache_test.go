package layout

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A test that runs goldwire neither reads nor fills the developer's cache of stimulus: its package sets the cache's
// environment variable, by name or as cache.Env.
func TestTestsKeepOutOfTheCache(t *testing.T) {
	runs := regexp.MustCompile(`"(\./|\.\./|build/)(cosim/)?(cmd/)?goldwire"|cli\.NewBackend\(\)`)
	sets := regexp.MustCompile(`Setenv\((cache\.Env|"GOLDWIRE_CACHE"), `)
	running, setting := map[string]string{}, map[string]bool{}
	golang(t, func(file, text string) {
		if !strings.HasSuffix(file, "_test.go") || path.Dir(file) == "ci/layout" {
			return
		}
		if runs.MatchString(text) {
			running[path.Dir(file)] = file
		}
		if sets.MatchString(text) {
			setting[path.Dir(file)] = true
		}
	})
	require.GreaterOrEqual(t, len(running), 4, "the search found few tests: is the expression right?")
	for dir, file := range running {
		require.True(t, setting[dir], "%s runs goldwire, and no TestMain of its package sets GOLDWIRE_CACHE", file)
	}
}

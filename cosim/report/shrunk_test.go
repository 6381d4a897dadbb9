package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A long list of events is cut in its middle: the last, which shows the fault, stays.
func TestShrunkListKeepsTheLast(t *testing.T) {
	for n, want := range map[int]string{1: "shrunk to 1 event that still fails:",
		20: "shrunk to 20 events that still fail:", 21: "... 1 between;", 300: "... 280 between;"} {
		var m Mismatch
		for i := range n {
			m.Shrunk = append(m.Shrunk, fmt.Sprintf("EVENT %d", i))
		}
		m.ShrunkTo = n
		var b strings.Builder
		mismatchText(&b, &m)
		require.Contains(t, b.String(), want)
		require.Contains(t, b.String(), "EVENT 0\n")
		require.Contains(t, b.String(), fmt.Sprintf("EVENT %d\n", n-1))
		shown := strings.Count(b.String(), "EVENT ")
		require.Equal(t, min(n, 20), shown)
	}
}

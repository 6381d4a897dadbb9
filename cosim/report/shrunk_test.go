package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A long list of events is cut in the middle: the last event, which shows the fault, stays.
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

// The deciding lines of a long rule are shown even if they come after the first lines. They are not shown twice.
func TestLongRuleShowsItsDecidingLines(t *testing.T) {
	var text []string
	for i := range 30 {
		text = append(text, fmt.Sprintf("line %d.", i))
	}
	shown := func(deciding ...string) string {
		var b strings.Builder
		explanationText(&b, &Explanation{Rules: []RuleText{{Text: strings.Join(text, "\n"), Deciding: deciding}}})
		return b.String()
	}
	require.Contains(t, shown("line 24.", "line 25."), "line 11.\n      ...\n      line 24.\n      line 25.\n      ...\n")
	require.Equal(t, 1, strings.Count(shown("line 3."), "line 3."))
	require.NotContains(t, shown(), "line 24.")
	text = text[:13]
	require.Contains(t, shown("line 12."), "line 12.\n")
	require.NotContains(t, shown("line 12."), "...")
}

package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/plan"
)

// A command's result gives its figures; a result of another command is not a pass.
func TestFiguresOfCommands(t *testing.T) {
	const faults = `[{"block": "toy", "hand": {"total": 3, "caught": 3, "in": {"directed": 2, "random": 1}},
		"drawn": {"total": 2, "caught": 1, "in": {"directed": 1}}}]`
	for _, x := range []struct {
		command, result string
		exit            int
		want            Outcome
		reason          string
		figures         []Figure
	}{
		{"faults", faults, 0, Passed, "found nothing", []Figure{{"toy/caught", 4}, {"toy/caught in directed", 3},
			{"toy/caught in random", 1}, {"toy/planted", 5}}},
		{"faults", faults, 1, Failed, "found a difference", []Figure{{"toy/caught", 4}, {"toy/caught in directed", 3},
			{"toy/caught in random", 1}, {"toy/planted", 5}}},
		{"faults", "[]", 0, Error, "its result is not of goldwire faults: it has no block", nil},
		{"faults", `[{"block": "toy"}]`, 0, Error, "without faults", nil},
		{"faults", `{"verdict": "pass"}`, 0, Error, "is not of goldwire faults", nil},
		{"faults", "[]", 1, Failed, "a difference was found, and its result is not", nil},
		{"diff", `{"counts": {"flip": 2, "identical": 7}}`, 0, Passed, "", []Figure{{"flip", 2}, {"identical", 7}}},
		{"diff", `{}`, 0, Passed, "", nil},
		{"diff compare a b", `{"counts": {"identical": 7}}`, 0, Passed, "", []Figure{{"identical", 7}}},
		{"diff compare a b", `{}`, 0, Error, "compared nothing", nil},
		{"diff compare a b", `{"counts": {"identical": 0}}`, 0, Error, "compared nothing", []Figure{{"identical", 0}}},
		{"diff", `{"counts": {`, 0, Error, "left no result", nil},
		{"vectors", `{}`, 2, Error, "exit code 2", nil},
	} {
		file := filepath.Join(t.TempDir(), "result.json")
		require.NoError(t, os.WriteFile(file, []byte(x.result), 0o666))
		r := Record{Run: plan.Run{Args: strings.Fields(x.command)}}
		r.judge(x.exit, file)
		require.Equal(t, x.want, r.Outcome, "%s %s: %s", x.command, x.result, r.Reason)
		require.Contains(t, r.Reason, x.reason)
		require.Equal(t, x.figures, r.Figures)
	}
}

// A co-simulation's metrics are its figures; a metric that was not measured is not one.
func TestFiguresOfCosims(t *testing.T) {
	file := filepath.Join(t.TempDir(), "result.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"verdict": "pass", "block": "toy", "source": "s", "seed": 1,
		"events": 5, "compared": {"fields": 3}, "results": [{}], "metrics": [{"section": "state", "name": "near", "value": 2},
		{"section": "state", "name": "far", "value": null}]}`), 0o666))
	r := Record{Run: plan.Run{Block: "toy", Source: "s", Seed: 1, Args: []string{"cosim"}}}
	r.judge(0, file)
	require.Equal(t, Passed, r.Outcome, r.Reason)
	require.Equal(t, []Figure{{"state/near", 2}}, r.Figures)
}

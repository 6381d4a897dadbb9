package campaign_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
)

// A closed stage does not pass with a bin missed, a case not played or a block not run, whatever its runs report. Each
// run of the toy misses the bin named after its seed.
func TestClosed(t *testing.T) {
	for _, x := range []struct {
		name    string
		sources []string
		seeds   int
		goal    plan.Goal
		why     string // "" for shown
		missing []string
	}{
		{"all bins", []string{"plain"}, 1, plan.Goal{Name: "toy/a", Bins: []string{"a*", "2"}}, "", nil},
		{"one missed", []string{"plain"}, 1, plan.Goal{Name: "toy/a", Bins: []string{"1", "2"}}, "1 bin missed",
			[]string{"1"}},
		{"hit by another seed", []string{"plain"}, 2, plan.Goal{Name: "toy/a", Bins: []string{"*"}}, "", nil},
		{"cases", []string{"plain"}, 2, plan.Goal{Name: "toy/a", Cases: []string{"c/*"}},
			"no run played its directed cases and passed", nil},
		{"cases played", []string{"directed"}, 1, plan.Goal{Name: "toy/a", Cases: []string{"c/*"}}, "", nil},
		{"one case played", []string{"directed/c/one"}, 1, plan.Goal{Name: "toy/a", Cases: []string{"c/one"}}, "", nil},
		{"another case played", []string{"directed/c/one"}, 1, plan.Goal{Name: "toy/a", Cases: []string{"c/*"}},
			"no run played its directed cases and passed", nil},
		{"another block", []string{"plain"}, 1, plan.Goal{Name: "tay/a", Bins: []string{"*"}},
			"no run of its block gave coverage", nil},
	} {
		for _, closed := range []bool{true, false} {
			root := repository(t)
			h := head(t, root, x.seeds, x.sources...)
			for i := range h.Runs {
				h.Runs[i].ID = strings.ReplaceAll(h.Runs[i].ID, "/", "-")
			}
			h, err := campaign.NewHead(root, "/proc/self/exe", h.Stage, h.Night, h.Runs,
				plan.Goals{Closed: closed, Testpoints: []plan.Goal{x.goal}})
			require.NoError(t, err)
			c, _ := config(t, root, h)
			sum, err := campaign.Run(t.Context(), c)
			require.NoError(t, err)
			require.Equal(t, []campaign.Point{{Name: x.goal.Name, Shown: x.why == "", Why: x.why, Missing: x.missing}},
				sum.Testpoints, x.name)
			want := campaign.Passed
			if closed && x.why != "" {
				want = campaign.Error
			}
			require.Equal(t, want, sum.Verdict, x.name)
			var text strings.Builder
			require.NoError(t, sum.WriteText(&text))
			require.Equal(t, want == campaign.Error, strings.Contains(text.String(), "\nOPEN  "+x.goal.Name+": "+x.why))
		}
	}
}

// Hits with other parameters or another design show nothing about ours.
func TestOtherDesignsShowNothing(t *testing.T) {
	for name, change := range map[string]func(*plan.Run){
		"parameters": func(r *plan.Run) { r.Params = map[string]int{"N": 2} },
		"design":     func(r *plan.Run) { r.Args = append(r.Args, "--dut", "x.yaml") },
	} {
		root := repository(t)
		h := head(t, root, 2, "plain")
		for i := range h.Runs {
			change(&h.Runs[i])
		}
		h, err := campaign.NewHead(root, "/proc/self/exe", h.Stage, h.Night, h.Runs,
			plan.Goals{Closed: true, Testpoints: []plan.Goal{{Name: "toy/a", Bins: []string{"*"}}}})
		require.NoError(t, err)
		c, _ := config(t, root, h)
		sum, err := campaign.Run(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, campaign.Error, sum.Verdict, name)
	}
}

// A shard shows only a part of a closed stage: it passes, and the merged campaign is judged.
func TestClosedInShards(t *testing.T) {
	root := repository(t)
	h := head(t, root, 2, "plain")
	h, err := campaign.NewHead(root, "/proc/self/exe", h.Stage, h.Night, h.Runs,
		plan.Goals{Closed: true, Testpoints: []plan.Goal{{Name: "toy/a", Bins: []string{"1", "3"}}, {Name: "toy/b",
			Cases: []string{"c"}}}})
	require.NoError(t, err)
	var dirs []string
	for i := range 2 {
		c, _ := config(t, root, h)
		c.Part = []int{i}
		sum, err := campaign.Run(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, campaign.Passed, sum.Verdict)
		require.Empty(t, sum.Testpoints)
		dirs = append(dirs, c.Dir)
	}
	sum, err := campaign.Merge(t.TempDir(), dirs)
	require.NoError(t, err)
	require.Equal(t, campaign.Error, sum.Verdict)
	require.Equal(t, 1, sum.Open())
}

// Values that had to be near are distinguished from those that had to be equal.
func TestJudged(t *testing.T) {
	root := repository(t)
	h := head(t, root, 1, "plain", "near")
	c, _ := config(t, root, h)
	sum, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, 1, sum.Judged)
	require.Empty(t, sum.Runs[0].Judged)
	require.Equal(t, "within tolerances", sum.Runs[1].Judged)
}

// An error of the harness is repeated on request; two answers of one command stay.
func TestRetry(t *testing.T) {
	root := repository(t)
	h := head(t, root, 1, "plain", "broken once", "differs once")
	c, begun := config(t, root, h)
	outcomes := func() (out []campaign.Outcome) {
		sum, err := campaign.Run(t.Context(), c)
		require.NoError(t, err)
		for _, r := range sum.Runs {
			out = append(out, r.Outcome)
		}
		return out
	}
	before := []campaign.Outcome{campaign.Passed, campaign.Error, campaign.Error}
	require.Equal(t, before, outcomes())
	begun()
	require.Equal(t, before, outcomes(), "without being asked")
	require.Empty(t, begun())
	c.Retry = true
	require.Equal(t, []campaign.Outcome{campaign.Passed, campaign.Passed, campaign.Error}, outcomes())
	require.Equal(t, []string{"broken", "once.1"}, begun())
}

// The command line that repeats a run leaves out all result files.
func TestRepeatNamesNoFileOfTheResult(t *testing.T) {
	root := repository(t)
	h := head(t, root, 1, "plain")
	h.Runs[0].Args = append(h.Runs[0].Args, "--code-coverage", plan.JSON+".code")
	h, err := campaign.NewHead(root, "/proc/self/exe", h.Stage, h.Night, h.Runs, h.Goals)
	require.NoError(t, err)
	c, _ := config(t, root, h)
	sum, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, "goldwire cosim --block toy --source plain --seed 1", sum.Runs[0].Repeat)
}

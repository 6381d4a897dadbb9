package campaign_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// Not a pass: each way for a run to end without having compared what was planned.
func TestOutcomes(t *testing.T) {
	for source, want := range map[string]struct {
		outcome campaign.Outcome
		reason  string
	}{
		"plain":        {campaign.Passed, "so it is"},
		"silent":       {campaign.Error, "exit code 0, and it left no result; it printed nothing"},
		"broken":       {campaign.Error, "exit code 2, and it left no result; it printed: goldwire: no simulator"},
		"damaged":      {campaign.Error, "its result is damaged"},
		"killed":       {campaign.Error, "a signal ended it"},
		"nothing":      {campaign.Error, "it passed and compared nothing"},
		"short":        {campaign.Error, "it passed and played 9 of the 10 events planned"},
		"other block":  {campaign.Error, "its result is of tay"},
		"other seed":   {campaign.Error, "seed 99: another run"},
		"model":        {campaign.Error, "exit code 0, and its result says model only"},
		"two runs":     {campaign.Error, "holds 2 runs in place of 1"},
		"lies":         {campaign.Error, "exit code 0, and its result says mismatch"},
		"exit 1":       {campaign.Error, "exit code 1, and its result says pass"},
		"differs":      {campaign.Failed, "so it is"},
		"differs anew": {campaign.Error, "two runs of one command found two differences"},
		"differs once": {campaign.Error, "the same command again: passed"},
		"hangs":        {campaign.Error, "it took more than its 1 seconds"},

		"differs and is lost":        {campaign.Failed, "so that a difference was found, and it left no result"},
		"differs and loses it once":  {campaign.Failed, "so it is"},
		"differs and loses it again": {campaign.Failed, "so it is"},

		"differs and exits 2": {campaign.Failed, "so it is"},

		"differs, then hangs":  {campaign.Failed, "so it is; once more with waves, it took more than its 1 seconds"},
		"differs, then breaks": {campaign.Failed, "so it is; once more with waves, exit code 2, and it left no result"},

		"eats": {campaign.Error, "MB of memory, more than its 200"},
	} {
		t.Run(source, func(t *testing.T) {
			root := repository(t)
			h := head(t, root, 1, source)
			switch source {
			case "hangs", "differs, then hangs":
				h.Runs[0].Seconds = 1
			case "eats":
				h.Runs[0].MemoryMB = 200
			}
			h, err := campaign.NewHead(root, "/proc/self/exe", h.Stage, h.Night, h.Runs, h.Goals)
			require.NoError(t, err)
			c, _ := config(t, root, h)
			sum, err := campaign.Run(t.Context(), c)
			require.NoError(t, err)
			require.Equal(t, want.outcome, sum.Runs[0].Outcome, sum.Runs[0].Reason)
			require.Contains(t, sum.Runs[0].Reason, want.reason)
			require.Equal(t, want.outcome, sum.Verdict)
			require.Equal(t, sum.Planned, sum.Passed+sum.Failed+sum.Errors+sum.Missing)
			if want.outcome == campaign.Error {
				require.Empty(t, sum.Coverage, "what an error says it hit shows nothing")
			}
		})
	}
}

// A record of another campaign, a damaged one and one of another run count for nothing.
func TestRecordsThatCountForNothing(t *testing.T) {
	root := repository(t)
	h := head(t, root, 3, "plain")
	c, begun := config(t, root, h)
	_, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, begun(), 3)
	record := func(i int) string { return filepath.Join(c.Dir, "records", h.Runs[i].ID+".json") }

	_, err = campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Empty(t, begun(), "every run has its record")

	text, err := os.ReadFile(record(0))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(record(0), text[:len(text)/2], 0o666))
	require.NoError(t, os.WriteFile(record(1), bytes.Replace(text, []byte(h.Fingerprint), []byte("0123456789abcdef"), 1),
		0o666))
	require.NoError(t, os.WriteFile(record(2), text, 0o666))
	sum, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, begun(), 3)
	require.Equal(t, campaign.Passed, sum.Verdict)

	// An edit of the RTL makes it another campaign.
	require.NoError(t, os.WriteFile(filepath.Join(root, "hdl", "toy.sv"), []byte("module toy (); endmodule\n"), 0o666))
	old := h.Fingerprint
	c.Head = head(t, root, 3, "plain")
	require.NotEqual(t, old, c.Head.Fingerprint)
	_, err = campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, begun(), 3)
}

// Runs of a design that was edited during them are not a campaign.
func TestEditWhileRunning(t *testing.T) {
	root := repository(t)
	c, _ := config(t, root, head(t, root, 4, "slow"))
	c.Progress = func(done, _ int) {
		if done == 2 {
			_ = os.WriteFile(filepath.Join(root, "hdl", "toy.sv"), []byte("module toy; wire a; endmodule\n"), 0o666)
		}
	}
	_, err := campaign.Run(t.Context(), c)
	require.ErrorContains(t, err, "was edited while the campaign ran")
}

// Runs of an edited design leave no record that would count once the edit is undone.
func TestEditTakenBack(t *testing.T) {
	root := repository(t)
	h := head(t, root, 4, "slow")
	c, begun := config(t, root, h)
	c.Slots = 1
	file := filepath.Join(root, "hdl", "toy.sv")
	was, err := os.ReadFile(file)
	require.NoError(t, err)
	c.Progress = func(done, _ int) {
		if done == 2 {
			_ = os.WriteFile(file, []byte("module toy; wire a; endmodule\n"), 0o666)
		}
	}
	_, err = campaign.Run(t.Context(), c)
	require.ErrorContains(t, err, "was edited while the campaign ran")
	begun()
	require.NoError(t, os.WriteFile(file, was, 0o666))
	c.Progress = nil
	sum, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, campaign.Passed, sum.Verdict)
	require.Len(t, begun(), 2, "those of the edited design have no record")
}

// An edit made and undone within one run leaves no record: it is unknown what the run built.
func TestEditTakenBackWithinARun(t *testing.T) {
	root := repository(t)
	c, begun := config(t, root, head(t, root, 1, "sees an edit once", "plain"))
	c.Slots = 1
	var notes []string
	c.Note = func(line string) { notes = append(notes, line) }
	sum, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, campaign.Passed, sum.Verdict)
	require.Len(t, strings.Split(strings.Join(begun(), " "), "once."), 3, "it is run again")
	require.Contains(t, strings.Join(notes, "\n"), "written or moved while it ran")

	c, _ = config(t, root, head(t, root, 1, "sees an edit"))
	sum, err = campaign.Run(t.Context(), c)
	require.ErrorContains(t, err, "was edited while the campaign ran")
	require.Equal(t, 1, sum.Missing)
	require.Equal(t, campaign.Error, sum.Verdict)
}

// The files of a design belong to its campaign wherever they are; their neighbours do not.
func TestFilesOfDesigns(t *testing.T) {
	root := repository(t)
	write := func(name, text string) {
		t.Helper()
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(root, name)
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	far := t.TempDir()
	write("mine/dut.yaml", "top: t\nsources: [../rtl/*.sv, "+far+"/far.sv]\ninclude: [../inc]\n"+
		"verilator: [-f, ../opts/files.f, +incdir+../more]\n")
	write("rtl/t.sv", "`include \"sub/used.svh\"\n  initial $readmemh(\"../data/rom.hex\", m);\n")
	write("opts/files.f", "../lib/cell.v -y ../cells\n")
	for _, name := range []string{far + "/far.sv", "inc/a.svh", "inc/sub/used.svh", "more/b.svh", "lib/cell.v",
		"cells/c.v", "data/rom.hex", "mine/sub/x.sv", "rtl/unused.txt", "other/d.sv"} {
		write(name, "0")
	}
	for _, dut := range []string{"mine/dut.yaml", filepath.Join(root, "mine/dut.yaml")} {
		print := func() string {
			runs := []plan.Run{{ID: "a", Test: "a", Args: []string{"cosim", "--dut", dut, "--json", plan.JSON}}}
			h, err := campaign.NewHead(root, "/proc/self/exe", "s", "n", runs, plan.Goals{})
			require.NoError(t, err)
			return h.Fingerprint
		}
		before := print()
		for name, counts := range map[string]bool{"mine/dut.yaml": true, "rtl/t.sv": true, far + "/far.sv": true,
			"inc/a.svh": true, "inc/sub/used.svh": true, "more/b.svh": true, "opts/files.f": true, "lib/cell.v": true,
			"cells/c.v": true, "data/rom.hex": true, "mine/sub/x.sv": true, "rtl/new.sv": true, "rtl/unused.txt": false,
			"other/d.sv": false} {
			path := name
			if !filepath.IsAbs(name) {
				path = filepath.Join(root, name)
			}
			was, err := os.ReadFile(path)
			write(name, string(was)+"\n# 1\n")
			require.Equal(t, counts, before != print(), name)
			if err != nil {
				require.NoError(t, os.Remove(path))
			} else {
				write(name, string(was))
			}
			require.Equal(t, before, print())
		}
	}
}

// A folder that a command reads counts with all its contents; files that commands write under build/ do not.
func TestFoldersOfCommands(t *testing.T) {
	root := repository(t)
	for dir, counts := range map[string]bool{"given": true, "build/made": false} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir, "x"), 0o777))
		print := func() string {
			runs := []plan.Run{{ID: "a", Test: "a", Args: []string{"vectors", "check", dir, "--json", plan.JSON}}}
			h, err := campaign.NewHead(root, "/proc/self/exe", "s", "n", runs, plan.Goals{})
			require.NoError(t, err)
			return h.Fingerprint
		}
		before := print()
		require.NoError(t, os.WriteFile(filepath.Join(root, dir, "x", "f"), nil, 0o666))
		require.Equal(t, counts, before != print(), dir)
	}
}

// A file that a command reads is part of its campaign.
func TestFilesOfCommands(t *testing.T) {
	root := repository(t)
	file := filepath.Join(root, "figures.json")
	for _, args := range [][]string{{"diff", "compare", "figures.json", "--json", plan.JSON},
		{"diff", "--with=figures.json", "--json", plan.JSON}, {"cosim", "--json", plan.JSON, "--dut"}} {
		runs := []plan.Run{{ID: "a", Test: "a", Args: args}}
		require.NoError(t, os.WriteFile(file, []byte("1"), 0o666))
		before, err := campaign.NewHead(root, "/proc/self/exe", "s", "n", runs, plan.Goals{})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte("2"), 0o666))
		after, err := campaign.NewHead(root, "/proc/self/exe", "s", "n", runs, plan.Goals{})
		require.NoError(t, err)
		require.Equal(t, args[0] != "diff", before.Fingerprint == after.Fingerprint, "%v", args)
	}
}

// A folder with other work in it is refused for a campaign.
func TestFolderOfOthers(t *testing.T) {
	root := repository(t)
	h := head(t, root, 1, "plain")
	c, _ := config(t, root, h)
	_, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	for _, name := range []string{"work", "records"} {
		dir := t.TempDir()
		file := filepath.Join(dir, name, "mine")
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, nil, 0o666))
		_, err = campaign.Merge(dir, []string{c.Dir})
		require.ErrorContains(t, err, "holds "+name+" that is of no campaign")
		require.FileExists(t, file)
		o := c
		o.Dir, o.Fresh = dir, true
		_, err = campaign.Run(t.Context(), o)
		require.ErrorContains(t, err, "holds "+name+" that is of no campaign")
		require.FileExists(t, file)
	}
}

// A shard without runs runs nothing.
func TestEmptyShard(t *testing.T) {
	root := repository(t)
	h := head(t, root, 2, "plain")
	c, begun := config(t, root, h)
	var err error
	c.Part, err = campaign.Shard(h, 5, 5)
	require.NoError(t, err)
	sum, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Empty(t, begun())
	require.Equal(t, campaign.Error, sum.Verdict)
}

func TestOneManagerForAFolder(t *testing.T) {
	root := repository(t)
	c, _ := config(t, root, head(t, root, 4, "slow"))
	var second error
	c.Progress = func(done, _ int) {
		if done == 1 {
			other := c
			other.Progress = nil
			_, second = campaign.Run(context.Background(), other)
		}
	}
	_, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.ErrorIs(t, second, campaign.ErrBusy)
}

// The first run of a design builds it; until it ends, no other run of that design begins.
func TestFirstRunOfADesignIsAlone(t *testing.T) {
	root := repository(t)
	c, begun := config(t, root, head(t, root, 4, "slow"))
	early := -1
	c.Progress = func(done, _ int) {
		if done == 1 {
			early = len(begun())
		}
	}
	_, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, 1, early)
}

func summary(t *testing.T, s *campaign.Summary) string {
	t.Helper()
	x := *s
	x.Cost = campaign.Cost{}
	x.Runs = append([]campaign.State(nil), s.Runs...)
	for i := range x.Runs {
		x.Runs[i].Cost = campaign.Cost{}
	}
	var b strings.Builder
	require.NoError(t, report.EncodeJSON(&b, x))
	return b.String()
}

// Merged shards give the same bytes as one run, except for the costs.
func TestMerge(t *testing.T) {
	root := repository(t)
	h := head(t, root, 5, "plain", "differs", "nothing")
	c, _ := config(t, root, h)
	alone, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, campaign.Failed, alone.Verdict)

	for _, n := range []int{1, 2, 4, 20} {
		dirs := make([]string, n)
		for i := range n {
			s := c
			s.Dir = filepath.Join(t.TempDir(), fmt.Sprint(i))
			s.Part, err = campaign.Shard(h, i+1, n)
			require.NoError(t, err)
			_, err := campaign.Run(t.Context(), s)
			require.NoError(t, err)
			dirs[i] = s.Dir
		}
		sum, err := campaign.Merge(filepath.Join(t.TempDir(), "all"), dirs)
		require.NoError(t, err)
		require.Equal(t, summary(t, alone), summary(t, sum))

		if n == 2 {
			part, err := campaign.Merge(filepath.Join(t.TempDir(), "part"), dirs[:1])
			require.NoError(t, err)
			require.Equal(t, 7, part.Missing)
			require.Equal(t, 15, part.Planned)
			// The runs of a shard that never began are missing, whatever happened to its folder.
			empty, gone, planned := t.TempDir(), filepath.Join(t.TempDir(), "gone"), filepath.Join(t.TempDir(), "planned")
			require.NoError(t, campaign.Prepare(planned, h))
			for _, from := range [][]string{{gone, dirs[0]}, {dirs[0], empty}, {planned, dirs[0], gone}} {
				less, err := campaign.Gather(from)
				require.NoError(t, err)
				require.Equal(t, summary(t, part), summary(t, less))
			}
			none, err := campaign.Gather([]string{planned, gone})
			require.NoError(t, err)
			require.Equal(t, 15, none.Missing)
			require.Equal(t, campaign.Error, none.Verdict)
			_, err = campaign.Gather([]string{gone, empty})
			require.ErrorContains(t, err, "holds no campaign")

			file := filepath.Join(dirs[1], "records", h.Runs[1].ID+".json")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			wrong := bytes.Replace(text, []byte(`"digest": "d2"`), []byte(`"digest": "d3"`), 1)
			require.NotEqual(t, text, wrong)
			require.NoError(t, os.WriteFile(filepath.Join(dirs[0], "records", h.Runs[1].ID+".json"), wrong, 0o666))
			two, err := campaign.Merge(filepath.Join(t.TempDir(), "two"), dirs)
			require.NoError(t, err)
			require.Equal(t, campaign.Error, two.Runs[1].Outcome)
			require.Contains(t, two.Runs[1].Reason, "hold different answers")
			require.Equal(t, campaign.Failed, two.Verdict, "what the other runs found stays")

			// A difference recorded in one folder stays, whatever broke in another.
			failed, err := os.ReadFile(filepath.Join(dirs[1], "records", h.Runs[5].ID+".json"))
			require.NoError(t, err)
			lost := campaign.Record{Fingerprint: h.Fingerprint, Run: h.Runs[5], Outcome: campaign.Failed}
			broke := campaign.Record{Fingerprint: h.Fingerprint, Run: h.Runs[5], Outcome: campaign.Error}
			for _, other := range []any{lost, broke, "damaged"} {
				text, err := json.Marshal(other)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join(dirs[0], "records", h.Runs[5].ID+".json"), text, 0o666))
				for _, from := range [][]string{{dirs[0], dirs[1]}, {dirs[1], dirs[0]}} {
					both, err := campaign.Gather(from)
					require.NoError(t, err)
					require.Equal(t, campaign.Failed, both.Runs[5].Outcome, "%s", text)
					require.NotNil(t, both.Runs[5].Failure, "%s", text)
				}
			}
			require.NoError(t, os.WriteFile(filepath.Join(dirs[0], "records", h.Runs[5].ID+".json"), failed, 0o666))

			require.NoError(t, os.WriteFile(filepath.Join(dirs[0], "records", "stranger.json"), wrong, 0o666))
			_, err = campaign.Merge(filepath.Join(t.TempDir(), "three"), dirs)
			require.ErrorContains(t, err, "stranger.json is of no run")
		}
	}
	for _, x := range [][2]int{{0, 2}, {3, 2}, {1, 0}, {-1, -1}} {
		_, err := campaign.Shard(h, x[0], x[1])
		require.ErrorContains(t, err, "shard")
	}
}

// A campaign that is stopped ends soon, leaves no record of interrupted runs, and is never a pass.
func TestStopped(t *testing.T) {
	root := repository(t)
	c, _ := config(t, root, head(t, root, 3, "plain", "hangs"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	time.AfterFunc(500*time.Millisecond, cancel)
	start := time.Now()
	sum, err := campaign.Run(ctx, c)
	require.ErrorContains(t, err, "interrupted")
	require.Less(t, time.Since(start), 20*time.Second)
	require.Equal(t, campaign.Error, sum.Verdict)
	require.Positive(t, sum.Missing)
}

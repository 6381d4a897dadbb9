package measured

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
)

func written(t *testing.T, d *Doc) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, d.WriteMarkdown(&b))
	return b.String()
}

// The first line names command, revision and machine. What follows is text and tables, with everything escaped.
func TestWhole(t *testing.T) {
	d := New(t.TempDir(), "goldwire", []string{"bench", "--source", "a b"}, "no-such-tool")
	require.Equal(t, "unknown", d.Revision, "no repository")
	require.Contains(t, d.Machine, runtime.Version()+", no no-such-tool")
	require.Regexp(t, `^.+, \d+ cores?, (\d+\.\d GiB|unknown memory), .+ \(`+runtime.GOOS+"/"+runtime.GOARCH+`\)`,
		d.Machine)
	d.Machine = "CPU, 2 cores"
	d.Outcome, d.Notes = "PASS: all", []string{"one | note"}
	d.Sheets = []report.Sheet{{Title: "T", Head: []string{"name", "what", "n"}, Words: 2,
		Rows: [][]string{{"a|b", "w", "3"}}}}
	require.Equal(t, "Measured by `goldwire bench --source 'a b'`, revision unknown, on CPU, 2 cores.\n\nPASS: all\n\n"+
		"one \\| note\n\n**T**\n\n| name | what | n |\n|---|---|--:|\n| a\\|b | w | 3 |\n", written(t, d))
}

// A document that lacks something says so before its tables, and so does one without figures.
func TestIncomplete(t *testing.T) {
	d := &Doc{Command: "goldwire faults", Sheets: []report.Sheet{{Head: []string{"a"}, Rows: [][]string{{"1"}}}}}
	d.Lack(nil)
	require.NotContains(t, written(t, d), Incomplete)
	d.Lack(errors.New("ccc: interrupted\nlater"))
	text := written(t, d)
	require.Contains(t, text, "\n\n"+Incomplete+" What follows is not the whole result:\n\n- ccc: interrupted later\n")
	require.Less(t, strings.Index(text, Incomplete), strings.Index(text, "| a |"))
	require.Contains(t, written(t, &Doc{Outcome: "PASS", Sheets: []report.Sheet{{Title: "empty"}}}),
		Incomplete+" What follows is not the whole result:\n\n- nothing was measured\n")
}

// A figure without samples has no value, whatever it holds, and a bound that is not kept stands out.
func TestFigures(t *testing.T) {
	fast := report.Metric{Name: "fast", What: "speed", Bound: report.AtLeast(2)}
	fast.Median([]float64{3, 4, 5})
	slow := report.Metric{Name: "slow", Bound: report.AtLeast(2)}
	slow.Median([]float64{1})
	free := report.Metric{Name: "free", Value: 7, Samples: 1}
	s := Figures("speeds", []report.Metric{fast, slow, free, {Name: "none", Value: 9, Bound: report.AtMost(1)}})
	require.Equal(t, [][]string{{"fast", "speed", "4", "3", "5", ">= 2", "yes"}, {"slow", "", "1", "-", "-", ">= 2", "NO"},
		{"free", "", "7", "-", "-", "", ""}, {"none", "", "-", "-", "-", "<= 1", "NOT MEASURED"}}, s.Rows)
}

// A revision is a commit, with a + when files were changed besides those excepted.
func TestRevision(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	git("init", "-q")
	sub := filepath.Join(dir, "sub")
	require.NoError(t, os.Mkdir(sub, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(sub, "a"), []byte("1"), 0o644))
	git("add", ".")
	git("commit", "-qm", "first")
	require.Regexp(t, `^[0-9a-f]{12}$`, Revision(dir))
	require.Empty(t, Revision(sub), "not the top")
	require.NoError(t, os.WriteFile(filepath.Join(sub, Name), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, Name+Earlier), nil, 0o644))
	require.Regexp(t, `^[0-9a-f]{12}\+$`, Revision(dir))
	require.Regexp(t, `^[0-9a-f]{12}$`, New(dir, "x", nil).Revision, "other files of the same campaign do not count")
	require.NoError(t, os.WriteFile(filepath.Join(sub, "a"), []byte("2"), 0o644))
	require.Regexp(t, `^[0-9a-f]{12}\+$`, New(dir, "x", nil).Revision)
}

// What an earlier run left is out of the way until this run has a verdict, and an incomplete file never replaces it.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	read := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	whole := &Doc{Command: "first", Sheets: []report.Sheet{{Head: []string{"a"}, Rows: [][]string{{"1"}}}}}
	f, err := Take(path)
	require.NoError(t, err)
	require.NoError(t, errors.Join(f.Write(whole.WriteMarkdown), f.Settle(true)))
	first := read(path)

	f, err = Take(path)
	require.NoError(t, err)
	require.NoFileExists(t, path, "an interrupted run leaves no table that looks like its own")
	require.NoError(t, f.Write((&Doc{Command: "second"}).WriteMarkdown))
	require.ErrorContains(t, f.Settle(false), "kept in "+path+Earlier)
	require.Contains(t, read(path), Incomplete)
	for range 2 { // however many fail
		f, err = Take(path)
		require.NoError(t, err)
		require.Equal(t, first, read(path+Earlier))
		require.ErrorContains(t, f.Settle(false), path+Earlier)
		require.NoError(t, os.WriteFile(path, []byte("x\n"+Incomplete), 0o644))
	}
	f, err = Take(path)
	require.NoError(t, err)
	whole.Command = "third"
	require.NoError(t, errors.Join(f.Write(whole.WriteMarkdown), f.Settle(true)))
	require.Contains(t, read(path), "third")
	require.NoFileExists(t, path+Earlier)

	_, err = Take(filepath.Join(path, "none"))
	require.Error(t, err)
	f, err = Take("")
	require.NoError(t, err)
	require.NoError(t, errors.Join(f.Write(whole.WriteMarkdown), f.Settle(true)))
}

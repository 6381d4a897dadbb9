package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

func TestFoundStaysFound(t *testing.T) {
	broken := errors.New("disk full")
	require.NoError(t, Found(false, nil))
	require.Equal(t, broken, Found(false, broken))
	require.Equal(t, ErrMismatch, Found(true, nil))
	err := Found(true, broken)
	require.ErrorIs(t, err, ErrMismatch)
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "a mismatch was found; also: disk full")
}

func TestTakeSetsOldResultsAside(t *testing.T) {
	dir := t.TempDir()
	old, link, target := filepath.Join(dir, "old"), filepath.Join(dir, "link"), filepath.Join(dir, "target")
	require.NoError(t, os.WriteFile(old, []byte("x"), 0o644))
	require.NoError(t, os.WriteFile(target, []byte("x"), 0o644))
	require.NoError(t, os.Symlink(target, link))
	a := &App{}
	require.NoError(t, a.Take(Output{"--json", old}, Output{"--html", link}, Output{"--csv", ""}, Output{"--json", "-"},
		Output{"--junit", "/dev/null"}))
	require.True(t, a.Reporting)
	require.NoFileExists(t, old)
	require.NoFileExists(t, target, "what a link leads to")
	require.FileExists(t, "/dev/null")
	kept := a.Settle(errors.New("broken"))
	require.EqualError(t, kept, "what an earlier run left is kept in "+old+".earlier, "+target+".earlier")
	text, err := os.ReadFile(old + ".earlier")
	require.NoError(t, err)
	require.Equal(t, "x", string(text))

	// A verdict replaces what was there.
	for _, verdict := range []error{nil, ErrMismatch, &FoundError{errors.New("broken")}} {
		require.NoError(t, os.WriteFile(old, []byte("x"), 0o644))
		require.NoError(t, a.Take(Output{"--json", old}))
		require.FileExists(t, old+".earlier")
		require.NoError(t, a.Settle(verdict))
		require.NoFileExists(t, old+".earlier")
	}

	// A file that cannot be written leaves the others unchanged, for Withdraw.
	require.NoError(t, os.WriteFile(old, []byte("x"), 0o644))
	a = &App{}
	require.ErrorContains(t, a.Take(Output{"--json", old}, Output{"--html", dir}), "--html: ")
	require.False(t, a.Reporting)
	require.FileExists(t, old)
	require.ErrorContains(t, a.Take(Output{"--json", old}, Output{"--html", old}), "--json and --html: both name")
	require.FileExists(t, old)
}

// Of two earlier results the later one is kept, and a file of the user's stays whatever its name.
func TestLaterResultIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	put := func(path, text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o644)) }
	kept := func() string {
		text, err := os.ReadFile(file + ".earlier")
		require.NoError(t, err)
		return string(text)
	}
	const first, second = `{"verdict": "passed", "seed": 1}`, `{"verdict": "passed", "seed": 2}`
	fails := func() error {
		a := &App{}
		require.NoError(t, a.SetAside(Output{"--json", file}))
		require.NoFileExists(t, file)
		return a.Settle(errors.New("broken"))
	}
	put(file, first)
	require.ErrorContains(t, fails(), "kept in "+file+".earlier")
	for _, text := range []string{"{\n  \"verdict\": \"error\",", `{"verdict": "not run"`,
		`x<div class="verdict bad"><b>ERROR</b>`, `<testsuites name="goldwire cosim" tests="1" failures="0" errors="1"`} {
		put(file, text)
		require.ErrorContains(t, fails(), "kept in "+file+".earlier")
		require.Equal(t, first, kept(), text)
	}
	put(file, second)
	require.ErrorContains(t, fails(), "kept in "+file+".earlier")
	require.Equal(t, second, kept())
	require.ErrorContains(t, fails(), "kept in "+file+".earlier")

	put(file+".earlier", "precious")
	for _, verdict := range []error{nil, errors.New("broken")} {
		a := &App{}
		require.NoError(t, a.SetAside(Output{"--json", file}))
		require.NoError(t, a.Settle(verdict))
		require.Equal(t, "precious", kept())
	}
}

func TestWithdrawLeavesOtherFilesAlone(t *testing.T) {
	dir := t.TempDir()
	c := &cobra.Command{}
	for _, flag := range []string{"json", "html", "junit"} {
		c.Flags().String(flag, "", "")
	}
	c.Flags().Bool("csv", false, "")
	for name, x := range map[string]struct {
		text string
		gone bool
	}{
		"json": {`{"verdict": "pass"}`, true}, "junit": {"<testsuites errors=\"0\">", true},
		"page":   {`<div class="verdict good">`, true},
		"fabric": {`{"fct_us": {}}`, true}, "faults": {`[{"drawn_percent": 100}]`, true},
		"replay":  {`{"integer": {"action_mismatches": 0}}`, true},
		"vectors": {"\x89GWV\r\n", false}, "corpus": {"seed 1\n\ncase guided/1\n", false}, // inputs, named by mistake
		"text": {"precious", false}, "none": {"", false}, "figures": {`{"vectors_bytes": 3}`, false},
	} {
		path := filepath.Join(dir, name)
		for _, args := range [][]string{{"--json", path}, {"--html=" + path}, {"--bogus", "--junit", path, "--junit"},
			{"--json", "x", "--json", path}} {
			require.NoError(t, os.WriteFile(path, []byte(x.text), 0o644))
			a := &App{}
			require.NoError(t, a.Withdraw(Results(c, args)))
			_, err := os.Stat(path)
			require.Equal(t, x.gone, errors.Is(err, os.ErrNotExist), "%s %v", name, args)
			require.Equal(t, x.gone, a.Settle(errors.New("broken")) != nil)
		}
	}
	for _, text := range []string{"\x89GWV\r\n", "seed 1\n\ncase guided/1\n"} {
		path := filepath.Join(dir, "made")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		require.NoError(t, new(App).Withdraw([]Output{{"-o", path}}))
		require.NoFileExists(t, path)
	}
	require.NoError(t, new(App).Withdraw(Results(c, []string{"--json", dir, "--html"})))
	require.Empty(t, Results(c, []string{"--csv", "kept", "--markdown", "kept"}),
		"what follows a flag that takes no value, or that the command does not have")
	require.DirExists(t, dir)
}

func TestDistinct(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	require.NoError(t, os.Symlink(file, link))
	in := []Output{{"--dut", file}, {"--expect", ""}}
	require.NoError(t, Distinct(in, []Output{{"--json", "-"}, {"--html", filepath.Join(dir, "new")}, {"--csv", ""}}))
	require.NoError(t, Distinct(nil, []Output{{"--json", "-"}, {"--csv", ""}, {"--html", ""}}))
	for _, path := range []string{file, link, filepath.Join(dir, "x", "..", "file")} {
		require.EqualError(t, Distinct(in, []Output{{"--html", path}}),
			"--dut and --html: both name "+path+"; give two files")
	}
	require.ErrorContains(t, Distinct(nil, []Output{{"--json", file}, {"--html", link}}), "--json and --html: both name")
	kept := Output{"--html", file + ".earlier"}
	require.EqualError(t, Distinct(nil, []Output{{"--json", file}, kept}),
		"--html: "+file+".earlier is where an earlier result of --json is kept; give another file")
	require.ErrorContains(t, Distinct([]Output{kept}, []Output{{"--json", file}}), "is where an earlier result of --json")
	// A link to a file that does not exist yet leads to the same file.
	none, ahead := filepath.Join(dir, "none"), filepath.Join(dir, "ahead")
	require.NoError(t, os.Symlink("none", ahead))
	require.ErrorContains(t, Distinct(nil, []Output{{"--json", none}, {"--html", ahead}}), "--json and --html: both name")
	require.ErrorContains(t, Distinct(nil, []Output{{"--html", "-"}}), "only --json can go to stdout")
}

func TestFoldersShowAllFilesAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	f, err := NewFolder(dir)
	require.NoError(t, err)
	for _, name := range []string{"a", "b"} {
		w, err := f.Create(name)
		require.NoError(t, err)
		_, err = io.WriteString(w, name)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		require.NoFileExists(t, filepath.Join(dir, name))
	}
	f.Discard()
	require.NoDirExists(t, dir, "made for this alone")
	f, err = NewFolder(dir)
	require.NoError(t, err)
	w, err := f.Create("c")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, f.Commit())
	f.Discard()
	require.FileExists(t, filepath.Join(dir, "c"))
}

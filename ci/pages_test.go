package ci

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report/measured"
)

// pages are the texts for readers: every README, and CONTRIBUTING.
func pages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	add := func(name string) {
		text, err := os.ReadFile("../" + name)
		require.NoError(t, err)
		out[name] = string(text)
	}
	add(".github/CONTRIBUTING.md")
	require.NoError(t, filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(p), "../")
		if d.IsDir() && (name == "build" || name == "testdata" || strings.HasPrefix(name, ".git")) {
			return fs.SkipDir
		}
		if path.Base(name) == "README.md" {
			add(name)
		}
		return nil
	}))
	require.Greater(t, len(out), 10)
	return out
}

// Every link of a page into the tree has a target.
func TestLinks(t *testing.T) {
	found := 0
	for name, text := range pages(t) {
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`).FindAllStringSubmatch(text, -1) {
			found++
			_, err := os.Stat(filepath.Join("..", path.Dir(name), m[1]))
			require.NoError(t, err, "%s: %s", name, m[0])
		}
	}
	require.Greater(t, found, 30)
}

// Every target that a README names in passing is one of the Makefile.
func TestNamedTargets(t *testing.T) {
	text, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	found := 0
	for name, page := range pages(t) {
		if path.Base(name) != "README.md" {
			continue
		}
		for _, m := range regexp.MustCompile("`make ([a-z-]+)").FindAllStringSubmatch(page, -1) {
			found++
			require.Regexp(t, `(?m)^`+m[1]+`:`, string(text), "%s: make %s", name, m[1])
		}
	}
	require.Greater(t, found, 5)
}

// words splits a command line as a shell does, as far as the pages need it: single quotes, and a comment at the end.
func words(line string) (out []string) {
	for _, w := range regexp.MustCompile(`'[^']*'|[^\s']+`).FindAllString(line, -1) {
		if strings.HasPrefix(w, "#") || w == "||" || w == "&&" || w == "|" {
			break
		}
		out = append(out, strings.Trim(w, "'"))
	}
	return out
}

var shown = regexp.MustCompile(`(?m)^ *(?:[a-z ./-]+ && )*build/goldwire (.+)$`)

// The commands of goldwire that a page shows could be typed: command, flags, blocks, sources and files exist. The
// README's run as well, see TestReadmeCommands.
func TestShownCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: asks goldwire for the help of each command")
	}
	build(t)
	asked := map[string]string{}
	ask := func(args ...string) string {
		key := strings.Join(args, " ")
		if _, ok := asked[key]; !ok {
			cmd := exec.Command("build/goldwire", args...)
			cmd.Dir = ".."
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "goldwire %s: %s", key, out)
			asked[key] = string(out)
		}
		return asked[key]
	}
	names := strings.Fields(strings.NewReplacer(":\n", "\n", ": ", " ", ",", " ").Replace(ask("fabric", "list") +
		ask("fabric", "validate", "--list") + ask("list")))
	found := 0
	for name, text := range pages(t) {
		for _, m := range shown.FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", " "), -1) {
			if strings.Contains(m[1], "$") { // the README's, which run
				continue
			}
			found++
			checkCommand(t, name, words(m[1]), ask, names)
		}
	}
	require.Greater(t, found, 60)
}

// checkCommand checks one command line against the help of its command.
func checkCommand(t *testing.T, page string, args []string, ask func(...string) string, names []string) {
	t.Helper()
	line := page + ": goldwire " + strings.Join(args, " ")
	n := 0
	for n < len(args) {
		_, commands, _ := strings.Cut(ask(append([]string{"help"}, args[:n]...)...), "Commands:\n")
		if !strings.Contains("\n"+commands, "\n  "+args[n]+" ") {
			break
		}
		n++
	}
	require.NotZero(t, n, "%s: no such command", line)
	help := ask(append([]string{"help"}, args[:n]...)...)
	value := map[string]string{}
	for i := n; i < len(args); i++ {
		flag, given, cut := strings.Cut(args[i], "=")
		if strings.HasPrefix(flag, "-") && flag != "-" {
			m := regexp.MustCompile(`(?m)^ +(-\w, )?(--\S+)?( [A-Za-z]\S*)?  .*$`).FindAllStringSubmatch(help, -1)
			k := slices.IndexFunc(m, func(m []string) bool { return m[1] == flag+", " || m[2] == flag })
			require.GreaterOrEqual(t, k, 0, "%s: %s is no flag", line, flag)
			if m[k][3] != "" && !cut { // it takes a value
				i++
				require.Less(t, i, len(args), line)
				given = args[i]
			}
			value[flag] = given
			if flag == "--dir" || flag == "-o" || flag == "--corpus" || flag == "--set" && !strings.Contains(given, "file=") {
				continue
			}
			_, after, ok := strings.Cut(given, "=") // --set topology.file=FILE, --pcap LINK=FILE
			if ok {
				given = after
			}
		} else {
			given = args[i]
		}
		for _, w := range strings.Split(given, ",") {
			if !strings.Contains(w, "/") || regexp.MustCompile(`^(build|mine)/|^[a-z]+:|[A-Z]{3}|/\d+$`).MatchString(w) ||
				slices.Contains(names, w) {
				continue
			}
			if slices.Contains(strings.Fields(ask("list", "cases")), strings.TrimPrefix(w, "directed/")) {
				continue
			}
			_, err := os.Stat("../" + w)
			require.False(t, errors.Is(err, fs.ErrNotExist), "%s: there is no %s", line, w)
		}
	}
	if b := value["--block"]; b != "" && b != "NAME" {
		require.Contains(t, strings.Fields(ask("list", "blocks")), b, line)
		for _, s := range strings.Split(value["--source"], ",") {
			if prefix, file, ok := strings.Cut(s, ":"); ok && strings.Contains(file, ".") {
				s = prefix + ":FILE" // the user's own
			}
			if s != "" && s != "guided" {
				require.Contains(t, strings.Fields(ask("list", "sources", "--block", b)), s, line)
			}
		}
		if c := value["--case"]; c != "" {
			require.Contains(t, strings.Fields(ask("list", "cases", "--block", b)), c, line)
		}
	}
}

// A table of measured figures is whole, and names what it was measured by, at which revision and where.
func TestMeasuredFiles(t *testing.T) {
	first := regexp.MustCompile("^Measured by `.+`, revision [0-9a-f]{12}\\+?, on .+, \\d+ cores?, .+ GiB, .+, go1")
	for _, dir := range []string{"cosim/audit/bench", "cosim/audit/fault", "cosim/audit/fourstate", "hdl/prove",
		"golden/experiment", "cosim/network/cost"} {
		text, err := os.ReadFile(filepath.Join("..", dir, measured.Name))
		if errors.Is(err, fs.ErrNotExist) {
			t.Logf("%s has no %s: make measured writes it", dir, measured.Name)
			continue
		}
		require.NoError(t, err)
		require.Regexp(t, first, string(text), dir)
		require.NotContains(t, string(text), measured.Incomplete, dir)
	}
}

package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
)

// rtlUses holds the folders whose modules the modules of a folder of hdl/rtl may instantiate, besides those of the
// folder itself. It is common and packet for a block; the switch port contains other blocks too.
var rtlUses = map[string][]string{
	"common":     nil,
	"packet":     {"common"},
	"nic":        {"common", "packet", "ackparse", "ackgen", "txpdc", "txstate", "ccc"},
	"switchport": {"common", "packet", "egress", "trimmer", "intmd"},
}

var (
	moduleLine   = regexp.MustCompile(`(?m)^module (\w+)`)
	instanceLine = regexp.MustCompile(`(?m)^ +(\w+) +(?:#\(|\w+ \()`)
)

// Each module of hdl/rtl is in a file of its name, in the folder whose name it begins with, or gw_, and uses only what
// its folder may use.
func TestRTLFolders(t *testing.T) {
	rtl, err := launch.ReadRTL("../hdl/rtl")
	require.NoError(t, err)
	across := 0
	for _, file := range rtl.Files {
		text, err := os.ReadFile(filepath.Join("../hdl/rtl", file))
		require.NoError(t, err)
		folder, name := filepath.Dir(file), strings.TrimSuffix(filepath.Base(file), ".sv")
		uses, ok := rtlUses[folder]
		if !ok {
			uses = []string{"common", "packet"}
		}
		if folder == "common" || folder == "packet" {
			require.True(t, strings.HasPrefix(name, "gw_"), file)
		} else {
			require.NotEmpty(t, rtl.Module(folder), "%s: hdl/rtl has a folder for each block", file)
			require.True(t, name == folder || strings.HasPrefix(name, folder+"_"), file)
		}
		modules := moduleLine.FindAllStringSubmatch(string(text), -1)
		require.Len(t, modules, 1, file)
		require.Equal(t, name, modules[0][1], file)
		for _, m := range instanceLine.FindAllStringSubmatch(string(text), -1) {
			if used := rtl.Module(m[1]); used != "" && filepath.Dir(used) != folder {
				require.Contains(t, uses, filepath.Dir(used), "%s uses %s", file, m[1])
				across++
			}
		}
	}
	require.Greater(t, across, 50, "instances of modules in other folders were found")
}

// make compiles nothing while a module of hdl/rtl is there twice, and fails when a folder is missing.
func TestMakeSeesEveryFolder(t *testing.T) {
	lookAtTree(t)
	root := t.TempDir()
	for _, part := range []string{"Makefile", "hdl/rtl", "hdl/gen", "hdl/lint", "ci/tools", "vectors/event/txstate"} {
		if fi, err := os.Stat("../" + part); err == nil && fi.IsDir() {
			require.NoError(t, os.CopyFS(filepath.Join(root, part), os.DirFS("../"+part)))
			continue
		}
		text, err := os.ReadFile("../" + part)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(root, part), text, 0o644))
	}
	targets := []string{"lint-txstate", "icarus-txstate", "synth-txstate"}
	all := func(want string) {
		t.Helper()
		for _, target := range targets {
			out, err := exec.CommandContext(t.Context(), "make", "-C", root, target).CombinedOutput()
			require.Equal(t, want == "", err == nil, "%s: %s", target, out)
			require.Contains(t, string(out), want, target)
		}
	}
	all("")
	again := filepath.Join(root, "hdl/rtl/zoo/gw_issue.v")
	require.NoError(t, os.Mkdir(filepath.Dir(again), 0o755))
	require.NoError(t, os.WriteFile(again, nil, 0o644))
	all("two files of hdl/rtl hold the module: gw_issue")
	require.NoError(t, os.RemoveAll(filepath.Dir(again)))
	require.NoError(t, os.RemoveAll(filepath.Join(root, "hdl/rtl/common")))
	all("gw_")
}

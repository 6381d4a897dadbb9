package ci

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// Records of a campaign of another revision, program or tools are not taken over.
func TestUsable(t *testing.T) {
	const commit = "0123456789abcdef0123"
	good := campaign.Head{Revision: "0123456789ab", Built: "0123456", Tools: "x 1"}
	require.NoError(t, usable(&good, &campaign.Head{Tools: "x 1"}, commit))
	tagged := good
	tagged.Built = "v1-g2-3-g0123456"
	require.NoError(t, usable(&tagged, &campaign.Head{Tools: "x 1"}, commit))
	for want, edit := range map[string]func(h *campaign.Head){
		"uncommitted files":                   func(h *campaign.Head) { h.Revision += "+" },
		`revision "" with`:                    func(h *campaign.Head) { h.Revision = "" },
		"another revision: 99999999, and":     func(h *campaign.Head) { h.Revision = "99999999" },
		`built from revision "0123456-dirty"`: func(h *campaign.Head) { h.Built += "-dirty" },
		`built from revision ""`:              func(h *campaign.Head) { h.Built = "" },
		`built from revision "0"`:             func(h *campaign.Head) { h.Built = "0" },
		`other tools: "" then, "x 1" now`:     func(h *campaign.Head) { h.Tools = "" },
		`other tools: "x 2" then, "x 1" now`:  func(h *campaign.Head) { h.Tools = "x 2" },
	} {
		h := good
		edit(&h)
		require.ErrorContains(t, usable(&h, &campaign.Head{Tools: "x 1"}, commit), want)
	}
}

// writeCampaign writes the folder of a campaign in which every run passed, or has no record.
func writeCampaign(t *testing.T, dir string, head *campaign.Head, records bool) {
	t.Helper()
	write := func(name string, x any) {
		text, err := json.Marshal(x)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "records"), 0o777))
	write("campaign.json", head)
	for _, run := range head.Runs {
		if records {
			write(filepath.Join("records", run.ID+".json"), campaign.Record{Fingerprint: head.Fingerprint, Run: run,
				Outcome: campaign.Passed, Result: &campaign.Result{Fields: 1}})
		}
	}
}

// Anything unknown selects everything, with a note. Wrong arguments are an error.
func TestTakenOverOnlyWhenKnown(t *testing.T) {
	var notes bytes.Buffer
	a := &app{&cli.App{Stderr: &notes}}
	head := &campaign.Head{Fingerprint: "f", Runs: []plan.Run{{ID: "a", Block: "egress", Source: "random"}}}
	ctx := context.Background()
	got, err := a.taken(ctx, &changedFlags{}, ".", head)
	require.NoError(t, err)
	require.Empty(t, got)
	_, err = a.taken(ctx, &changedFlags{since: "HEAD"}, ".", head)
	require.ErrorContains(t, err, "--changed-since: needs --history")
	_, err = a.taken(ctx, &changedFlags{history: "x"}, ".", head)
	require.ErrorContains(t, err, "--history: needs --changed-since")
	_, err = a.taken(ctx, &changedFlags{"HEAD", t.TempDir()}, ".", head)
	require.ErrorContains(t, err, "holds no campaign")

	dir := t.TempDir()
	writeCampaign(t, dir, head, false)
	_, err = a.taken(ctx, &changedFlags{"HEAD", dir}, ".", head)
	require.ErrorContains(t, err, "1 of 1 planned runs have no record")
	writeCampaign(t, dir, head, true)
	got, err = a.taken(ctx, &changedFlags{"HEAD", dir}, t.TempDir(), head) // no repository
	require.NoError(t, err)
	require.Empty(t, got)
	require.Contains(t, notes.String(),
		"every run is repeated, because it is unknown what the change affects: git rev-parse")
}

// A run is taken over while nothing that can affect it has changed since the campaign.
func TestTakenOver(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root, dir := t.TempDir(), t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", root, "-c", "user.name=x", "-c", "user.email=x@example.com",
			"-c", "core.hooksPath=/dev/null"}, args...)...).CombinedOutput()
		require.NoError(t, err, string(out))
		return strings.TrimSpace(string(out))
	}
	head := &campaign.Head{Fingerprint: "f", Tools: "t"}
	for _, b := range []string{"one", "two"} {
		put("hdl/rtl/"+b+".sv", "module "+b+"; endmodule")
		put("vectors/event/"+b+"/schema.yaml", "block: "+b)
		head.Runs = append(head.Runs, plan.Run{ID: b, Block: b, Source: "random", Args: []string{"cosim", "--block", b}})
	}
	far := filepath.Join(t.TempDir(), "far.sv")
	require.NoError(t, os.WriteFile(far, []byte("module far; endmodule"), 0o666))
	for name, source := range map[string]string{"near": "../rtl/near.sv", "far": far, "built": "../build/built.sv"} {
		put(name+"/dut.yaml", "top: t\nsources: ["+source+"]\n")
		head.Runs = append(head.Runs, plan.Run{ID: name, Block: "one", Source: "random",
			Args: []string{"cosim", "--dut", name + "/dut.yaml"}})
	}
	put("rtl/near.sv", "module near; endmodule")
	put("build/built.sv", "module built; endmodule")
	put(".gitignore", "/build/\n")
	git("init", "-q")
	git("add", "--all")
	git("commit", "-q", "-m", "all")
	commit := git("rev-parse", "HEAD")
	head.Revision, head.Built = commit[:12], commit[:7]
	writeCampaign(t, dir, head, true)

	var notes bytes.Buffer
	a := &app{&cli.App{Stderr: &notes}}
	names := func() (out []string) {
		got, err := a.taken(context.Background(), &changedFlags{"HEAD", dir}, root, head)
		require.NoError(t, err)
		for name, r := range got {
			require.Equal(t, dir, r.From.Dir)
			require.Equal(t, commit[:12], r.From.Revision)
			out = append(out, name)
		}
		return out
	}
	// Uncommitted files may have changed: a design with such a file is run.
	require.ElementsMatch(t, []string{"one", "two", "near"}, names())
	put("hdl/rtl/one.sv", "module one; wire x; endmodule")
	require.Equal(t, []string{"two"}, names())
	put("Makefile", "all:")
	require.Empty(t, names())
	require.Empty(t, notes.String())

	git("add", "--all")
	git("commit", "-q", "-m", "next")
	_, err := a.taken(context.Background(), &changedFlags{"HEAD", dir}, root, head)
	require.ErrorContains(t, err, "the campaign is of another revision: "+commit[:12])
}

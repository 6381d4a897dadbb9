package slurm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/ci/slurm"
	"github.com/goldwire/goldwire/cosim/report"
)

// TestMain makes the test binary act as goldwire: ci shard and ci merge work on the campaign in FAKE_HEAD, and the
// source of a run determines its behaviour.
func TestMain(m *testing.M) {
	if os.Getenv("FAKE_HEAD") != "" && len(os.Args) > 3 && os.Args[1] == "--root" {
		os.Exit(fake(os.Args[3:]))
	}
	os.Exit(m.Run())
}

func fake(args []string) int {
	switch {
	case args[0] == "cosim":
		return fakeRun(flag(args, "--source"), flag(args, "--seed"), flag(args, "--json"))
	case args[1] == "shard":
		return fakeShard(args)
	}
	to := slices.Index(args, "--dir")
	sum, err := campaign.Merge(args[to+1], args[2:to])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	var b bytes.Buffer
	if report.EncodeJSON(&b, sum) != nil || os.WriteFile(flag(args, "--json"), b.Bytes(), 0o666) != nil {
		return 2
	}
	return code(sum)
}

func code(sum *campaign.Summary) int {
	switch sum.Verdict {
	case campaign.Passed:
		return 0
	case campaign.Failed:
		return 1
	}
	return 2
}

func fakeShard(args []string) int {
	var i, n int
	head, err := readHead()
	if err == nil {
		_, err = fmt.Sscanf(args[2], "%d/%d", &i, &n)
	}
	if err == nil && flag(args, "--campaign") != head.Fingerprint {
		err = fmt.Errorf("--campaign %s: it is %s", flag(args, "--campaign"), head.Fingerprint)
	}
	var part []int
	if err == nil {
		part, err = campaign.Shard(head, i, n)
	}
	var sum *campaign.Summary
	if err == nil {
		sum, err = campaign.Run(context.Background(), campaign.Config{Root: os.Args[2],
			Program: fmt.Sprintf("/proc/%d/exe", os.Getpid()), Dir: flag(args, "--dir"), Head: head, Part: part,
			Slots: 1, Note: func(line string) { fmt.Fprintln(os.Stderr, line) }})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return code(sum)
}

func flag(args []string, name string) string {
	if i := slices.Index(args, name); i >= 0 {
		return args[i+1]
	}
	return ""
}

// fakeRun is a run: it behaves as its source demands and leaves its result.
func fakeRun(source, seed, out string) int {
	verdict, exit, first := "pass", 0, "null"
	switch source {
	case "slow":
		time.Sleep(2 * time.Second)
	case "hangs":
		time.Sleep(10 * time.Minute)
	case "hangs once":
		once := os.Getenv("FAKE_HEAD") + ".once"
		if _, err := os.Stat(once); err != nil {
			_ = os.WriteFile(once, nil, 0o666)
			time.Sleep(10 * time.Minute)
		}
	case "eats":
		b := make([]byte, 400<<20)
		for i := range b {
			b[i] = 1
		}
		time.Sleep(10 * time.Minute)
		fmt.Println(b[7])
	case "kills": // the whole shard
		_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
		time.Sleep(10 * time.Minute)
	case "differs":
		verdict, exit = "mismatch", 1
		first = `{"episode": "e", "cycle": 3, "fields": [{"name": "a", "want": "1", "got": "2"}]}`
	}
	text := fmt.Sprintf(`{"verdict": %q, "reason": "so it is", "block": "toy", "source": %q, "seed": %s, "events": 10,
		"cycles": 20, "compared": {"responses": 7, "fields": 7}, "digest": "d%s", "first_mismatch": %s,
		"coverage": {"bins": 3, "hit": 2, "missed": ["%s"]}, "results": [{}]}`, verdict, source, seed, seed, first, seed)
	if err := os.WriteFile(out, []byte(text), 0o666); err != nil {
		return 2
	}
	return exit
}

func readHead() (*campaign.Head, error) {
	text, err := os.ReadFile(os.Getenv("FAKE_HEAD"))
	if err != nil {
		return nil, err
	}
	h := new(campaign.Head)
	return h, json.Unmarshal(text, h)
}

// stage returns a stage with a run for each of the sources, played by the test binary.
func stage(t *testing.T, shards int, sources ...string) slurm.Spec {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "hdl"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(root, "hdl", "toy.sv"), []byte("module toy; endmodule\n"), 0o666))
	var runs []plan.Run
	for i, s := range sources {
		seed := strconv.Itoa(i + 1)
		runs = append(runs, plan.Run{ID: s + "." + seed, Test: s, Block: "toy", Source: s, Seed: uint64(i + 1),
			Events: 10, Design: "toy" + seed, Seconds: 900, MemoryMB: 4096,
			Args: []string{"cosim", "--block", "toy", "--source", s, "--seed", seed, "--json", plan.JSON}})
	}
	h, err := campaign.NewHead(root, "/proc/self/exe", "stage", "night", runs, plan.Goals{})
	require.NoError(t, err)
	text, err := json.Marshal(h)
	require.NoError(t, err)
	file := filepath.Join(root, "head.json")
	require.NoError(t, os.WriteFile(file, text, 0o666))
	t.Setenv("FAKE_HEAD", file)
	exe, err := os.Executable()
	require.NoError(t, err)
	return slurm.Spec{Program: exe, Root: root, Dir: filepath.Join(t.TempDir(), "it's a folder"), Head: h, Shards: shards,
		Slots: 1}
}

// local runs the whole stage here and returns its summary without costs.
func local(t *testing.T, s *slurm.Spec) string {
	t.Helper()
	sum, err := campaign.Run(t.Context(), campaign.Config{Root: s.Root, Program: s.Program,
		Dir: filepath.Join(t.TempDir(), "local"), Head: s.Head, Slots: 2, Note: func(line string) { t.Log(line) }})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, report.EncodeJSON(&b, sum))
	return timeless(b.String())
}

var cost = regexp.MustCompile(`"(seconds|cpu_seconds|memory_mb)": [0-9.e+-]+`)

// folder matches the folder of a campaign, in the form in which the summary of a failed run names its waves.
var folder = regexp.MustCompile(`[^" ]*/work/`)

// timeless removes the costs from a summary.
func timeless(text string) string { return cost.ReplaceAllString(text, `"$1": 0`) }

// fakes puts fake Slurm commands at the front of PATH, which record how they are called. sbatch numbers jobs from 41;
// squeue and scontrol show job print the files squeue and job of the folder.
func fakes(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	add := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name),
			[]byte("#!/bin/sh\ncd '"+dir+"'\necho "+name+` "$@" >>calls`+"\n"+text), 0o755))
	}
	add("sbatch", "n=$(grep -c ^sbatch calls)\n[ ! -e refuse$n ] || { echo no such partition >&2; exit 1; }\n"+
		"if [ -e odd ]; then echo Submitted; else echo $((40+n)); fi\n")
	add("squeue", "[ ! -e down ] || { echo cannot contact the controller >&2; exit 1; }\n"+
		"[ ! -e squeue.txt ] || cat squeue.txt\n")
	add("scontrol", `case "$2" in config) echo 'MaxArraySize            = 11'; exit ;; esac
[ -e job.txt ] || { echo slurm_load_jobs error: Invalid job id specified >&2; exit 1; }
cat job.txt
`)
	add("sacct", "echo Slurm accounting storage is disabled >&2; exit 1\n")
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return dir
}

// write writes a file of the fake cluster.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
}

// calls returns how the commands of one name were called since the last time.
func calls(t *testing.T, dir, name string) (out []string) {
	t.Helper()
	text, _ := os.ReadFile(filepath.Join(dir, "calls"))
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, name+" ") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

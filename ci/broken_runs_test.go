package ci

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// longRun starts a co-simulation that would take many minutes. It returns once the device works, with the command, the
// device's process id and the path of the report.
func longRun(t *testing.T, args ...string) (cmd *exec.Cmd, dut int, jsonPath, junitPath string, stderr *bytes.Buffer) {
	t.Helper()
	build(t)
	jsonPath, junitPath = filepath.Join(t.TempDir(), "run.json"), filepath.Join(t.TempDir(), "run.xml")
	stderr = &bytes.Buffer{}
	cmd = exec.Command("build/goldwire", append([]string{"cosim", "--block", "txstate", "--source", "random",
		"--events", "2000M",
		"--json", jsonPath, "--junit", junitPath}, args...)...)
	cmd.Dir, cmd.Stderr = "..", stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if dut = child(cmd.Process.Pid); dut != 0 {
			time.Sleep(time.Second) // well into the run
			return cmd, dut, jsonPath, junitPath, stderr
		}
	}
	t.Fatalf("the device never started: %s", stderr)
	return
}

// child returns a child process that is a device under test, or 0.
func child(parent int) int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, s := range stats {
		text, err := os.ReadFile(s)
		if err != nil {
			continue
		}
		name, rest, ok := strings.Cut(string(text), ") ")
		f := strings.Fields(rest)
		if ok && len(f) > 1 && f[1] == strconv.Itoa(parent) && strings.HasSuffix(name, "(dut") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(s)))
			return pid
		}
	}
	return 0
}

func verdict(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var r struct{ Verdict string }
	require.NoError(t, json.Unmarshal(text, &r))
	return r.Verdict
}

// A device that is killed, a device that hangs and an interrupt each give one line on stderr, exit code 2, no pass in
// any report, and leave no process behind.
func TestRunsThatBreak(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: each takes some seconds")
	}
	for name, tc := range map[string]struct {
		strike  func(t *testing.T, cmd *exec.Cmd, dut int)
		args    []string
		verdict string
		says    string
	}{
		"killed": {func(t *testing.T, _ *exec.Cmd, dut int) { require.NoError(t, syscall.Kill(dut, syscall.SIGKILL)) },
			nil, "error", "killed"},
		"hung": {func(t *testing.T, _ *exec.Cmd, dut int) { require.NoError(t, syscall.Kill(dut, syscall.SIGSTOP)) },
			[]string{"--timeout", "2s"}, "error", "sign of life"},
		"interrupted": {func(t *testing.T, cmd *exec.Cmd, _ int) { require.NoError(t, cmd.Process.Signal(os.Interrupt)) },
			nil, "interrupted", "interrupt"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd, dut, jsonPath, junitPath, stderr := longRun(t, tc.args...)
			tc.strike(t, cmd, dut)
			var exit *exec.ExitError
			require.ErrorAs(t, cmd.Wait(), &exit)
			require.Equal(t, 2, exit.ExitCode(), stderr)
			require.Equal(t, 1, strings.Count(strings.TrimSpace(stderr.String()), "\n")+1, stderr)
			require.Contains(t, stderr.String(), tc.says)
			require.Equal(t, tc.verdict, verdict(t, jsonPath))
			junit, err := os.ReadFile(junitPath)
			require.NoError(t, err)
			require.Contains(t, string(junit), `errors="1"`)
			require.Eventually(t, func() bool { return syscall.Kill(dut, 0) == syscall.ESRCH }, 2*time.Minute,
				50*time.Millisecond, "the device is still there")
		})
	}
}

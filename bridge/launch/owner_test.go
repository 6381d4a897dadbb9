package launch

import (
	"bufio"
	"context"
	"fmt"
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

// victimEnv makes this test binary a process that is going to be killed while it works in a folder.
const victimEnv = "GOLDWIRE_TEST_VICTIM"

// TestVictim is that process: it makes private folders and builds for ever.
func TestVictim(t *testing.T) {
	dir := os.Getenv(victimEnv)
	if dir == "" {
		t.Skip("no test: the process that is killed")
	}
	private, err := PrivateDirIn(filepath.Join(dir, "shm"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(private, "dut.shm"), make([]byte, 4096), 0o600))
	s := tiny(t)
	s.OutDir = filepath.Join(dir, "dut", "adder")
	_, err = Build(t.Context(), s)
	require.NoError(t, err)
}

// alive reports whether a process is there and no zombie.
func alive(pid int) bool {
	_, ok := startTime(pid)
	return ok
}

// victim starts one whose Verilator writes for ever, in a process of its own, and returns both ids when it does.
func victim(t *testing.T, dir string) (owner, orphan int) {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "verilator")
	script := "#!/bin/sh\n[ \"$1\" = --version ] && exec verilator --version\n" +
		"sh -c 'echo $$ > DIR/orphan.new; mv DIR/orphan.new DIR/orphan; while :; do date > DIR/dut/written; sleep 0.01; " +
		"done'\n"
	require.NoError(t, os.WriteFile(tool, []byte(strings.ReplaceAll(script, "DIR", dir)), 0o755))
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, "-test.run", "^TestVictim$")
	cmd.Env = append(os.Environ(), victimEnv+"="+dir, "VERILATOR="+tool)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			fmt.Println("victim:", s.Text())
		}
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "orphan"))
		if err != nil {
			return false
		}
		orphan, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	}, 5*time.Minute, time.Millisecond)
	t.Cleanup(func() {
		if alive(orphan) {
			_ = syscall.Kill(orphan, syscall.SIGKILL)
		}
	})
	return cmd.Process.Pid, orphan
}

// free reports whether a lock can be had at once.
func free(t *testing.T, path string) bool {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

func glob(t *testing.T, parts ...string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(parts...))
	require.NoError(t, err)
	return files
}

// What a killed process leaves behind, folders and programs, is gone after the next build; while it lives nobody
// touches it, and the lock is not free for as long as one of its programs writes.
func TestKilledProcessIsCleanedUp(t *testing.T) {
	dir := t.TempDir()
	mkdir(t, dir, "shm")
	mkdir(t, dir, "dut")
	pid, orphan := victim(t, dir)
	sweep(filepath.Join(dir, "shm"))
	sweep(filepath.Join(dir, "dut"))
	require.True(t, alive(orphan), "its owner lives")
	require.Len(t, glob(t, dir, "shm", "goldwire-*"), 1)
	require.Len(t, glob(t, dir, "dut", "adder.half-*"), 1)
	require.Contains(t, glob(t, dir, "shm", "goldwire-*")[0], fmt.Sprintf("goldwire-%d-", pid))

	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	require.Eventually(t, func() bool { return !alive(pid) }, 2*time.Minute, time.Millisecond)
	require.True(t, alive(orphan), "a program of a program of its")
	require.False(t, free(t, filepath.Join(dir, "dut", "adder.lock")), "the orphan still writes")

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	s := tiny(t)
	s.OutDir = filepath.Join(dir, "dut", "adder")
	bin, err := Build(ctx, s)
	require.NoError(t, err)
	require.False(t, alive(orphan))
	require.Empty(t, glob(t, dir, "dut", "*.half-*"))
	require.NoError(t, exec.Command(bin.Path, "--info").Run())
	_, err = PrivateDirIn(filepath.Join(dir, "shm"))
	require.NoError(t, err)
	left := glob(t, dir, "shm", "goldwire-*")
	require.Len(t, left, 1, "the new one")
	require.Contains(t, left[0], self().String())
}

// A folder is removed only when its owner is known to be gone.
func TestSweepKeepsWhatIsNotKnown(t *testing.T) {
	dir := t.TempDir()
	gone := exec.Command("true")
	require.NoError(t, gone.Run())
	other := func(pid int, start, where string) string {
		return privatePrefix + owner{pid, start, where}.String() + "-1"
	}
	mine := self()
	for name, stays := range map[string]bool{
		other(mine.pid, mine.start, mine.where):                true,
		other(gone.Process.Pid, "1", mine.where):               false,
		other(mine.pid, "1", mine.where):                       false, // the id was used before us
		other(gone.Process.Pid, "1", "abcdef"):                 true,  // another machine or container
		"goldwire-123456":                                      true,
		"goldwire-mine":                                        true,
		"x" + halfDone + "1-2-3":                               true,
		"x" + halfDone + owner{mine.pid, "1", here()}.String(): false,
	} {
		put(t, filepath.Join(dir, name, "file"), "")
		sweep(dir)
		if stays {
			require.DirExists(t, filepath.Join(dir, name))
		} else {
			require.NoDirExists(t, filepath.Join(dir, name))
		}
	}
}

// An outer make's options are not those of the build.
func TestBuildIgnoresOuterMake(t *testing.T) {
	t.Setenv("MAKEFLAGS", "n --jobserver-auth=3,4")
	t.Setenv("MAKEFILES", "/nonexistent.mk")
	s := tiny(t)
	s.Opt, s.OutDir = "-Og", filepath.Join(t.TempDir(), "out")
	bin, err := Build(t.Context(), s)
	require.NoError(t, err)
	require.FileExists(t, bin.Path)
}

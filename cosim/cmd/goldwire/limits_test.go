package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// Under a limit with which the Go runtime cannot start, or no run can work, there is one line that names the limit, and
// no stack.
func TestLimitsAreOneLine(t *testing.T) {
	if os.Getenv("GOLDWIRE_TEST_LIMITS") != "" {
		code := execute(t.Context(), &cli.App{Backend: cli.NewBackend(), Stdout: os.Stdout, Stderr: os.Stderr,
			Program: "goldwire"}, []string{"version"})
		stderrDone()
		os.Exit(code)
	}
	if !limitsChecked {
		t.Skip("built without a C compiler")
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	for _, c := range []struct{ limit, says string }{
		{"-n 5", "too few file descriptors, the limit is 5; raise it: ulimit -n 64"},
		{"-n 63", "too few file descriptors, the limit is 63; raise it: ulimit -n 64"},
		{"-v 100000", "too little memory, the limit is 100000; raise it: ulimit -v 2097152"},
		{"-v 1300000", "too little memory, the limit is 1300000; raise it: ulimit -v 2097152"},
		{"-n 64", ""},
	} {
		cmd := exec.Command("sh", "-c", fmt.Sprintf("ulimit %s; exec %s -test.run '^TestLimitsAreOneLine$'", c.limit, exe))
		cmd.Env = append(os.Environ(), "GOLDWIRE_TEST_LIMITS=1")
		var said strings.Builder
		cmd.Stderr = &said
		err := cmd.Run()
		if c.says == "" {
			require.NoError(t, err, said.String())
			continue
		}
		require.Error(t, err, c.limit)
		require.Equal(t, 2, cmd.ProcessState.ExitCode(), said.String())
		require.Equal(t, "goldwire: a limit is too low: "+c.says+"\n", said.String())
	}
}

// exhaust takes memory until none is left. It leaves it untouched: ulimit -v and -d count it all the same. A cgroup,
// which counts what is touched, would not notice. It does not collect: a collector that gets no memory may end the
// process by a signal of its own.
func exhaust() {
	debug.SetGCPercent(-1)
	var all [][]byte
	for {
		all = append(all, make([]byte, 64<<20))
	}
}

// A command that runs out of memory under a limit ends with one line that names the limit, no stack, and exit code 2.
// Earlier output stays. Any other death is left as it is.
func TestMemoryExhaustedIsOneLine(t *testing.T) {
	switch os.Getenv("GOLDWIRE_TEST_MEMORY") {
	case "exhaust":
		fmt.Fprint(os.Stderr, "first line\nrun of a label\rfatal but not at a beginning\nno end")
		fmt.Fprintln(os.Stderr)
		exhaust()
	case "long":
		fmt.Fprint(os.Stderr, "fatal error: "+strings.Repeat("a stack\n", 20000))
		os.Exit(cli.ExitBroken)
	case "panic":
		fmt.Fprintln(os.Stderr, "runtime: of the run 3 s")
		panic("a mistake")
	case "ends":
		fmt.Fprint(os.Stderr, "fatal err")
		stderrDone()
		os.Exit(1)
	}
	if !limitsChecked {
		t.Skip("built without a C compiler")
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	die := func(how, limit string) (string, int) {
		cmd := exec.Command("sh", "-c", fmt.Sprintf("ulimit %s; exec %s -test.run '^TestMemoryExhaustedIsOneLine$'",
			limit, exe))
		cmd.Env = append(os.Environ(), "GOLDWIRE_TEST_MEMORY="+how)
		var said strings.Builder
		cmd.Stderr = &said
		_ = cmd.Run()
		return said.String(), cmd.ProcessState.ExitCode()
	}
	for limit, option := range map[string]string{"-v 2097152": "-v", "-d 1048576": "-d"} {
		said, code := die("exhaust", limit)
		require.Equal(t, cli.ExitBroken, code, said)
		var kib int
		_, err = fmt.Sscanf(limit, option+" %d", &kib)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("first line\nrun of a label\rfatal but not at a beginning\nno end\n"+
			"goldwire: out of memory: the limit of %d KiB "+
			"does not suffice for this command; raise it: ulimit %s %d, or make the command smaller\n", kib, option, 2*kib),
			said)
	}
	said, code := die("panic", "-v 2097152")
	require.Equal(t, cli.ExitBroken, code)
	require.True(t, strings.HasPrefix(said, "runtime: of the run 3 s\npanic: a mistake"), said)
	require.Contains(t, said, "goroutine 1", "the stack of a mistake is needed")
	said, code = die("long", "-v 2097152")
	require.Equal(t, cli.ExitBroken, code)
	require.Equal(t, "fatal error: "+strings.Repeat("a stack\n", 20000), said)
	said, code = die("ends", "-v 2097152")
	require.Equal(t, []any{cli.ExitMismatch, "fatal err"}, []any{code, said})
}

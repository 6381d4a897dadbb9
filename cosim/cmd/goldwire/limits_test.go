package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Under a limit that the Go runtime cannot start with, or that no run can do with, there is one line that names
// the limit, and no stack.
func TestLimitsAreOneLine(t *testing.T) {
	if os.Getenv("GOLDWIRE_TEST_LIMITS") != "" {
		os.Exit(execute(t.Context(), &app{backend: newBackend(), stdout: os.Stdout, stderr: os.Stderr, program: "goldwire"}, []string{"version"}))
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

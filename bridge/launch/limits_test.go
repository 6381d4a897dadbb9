package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

func TestLimitError(t *testing.T) {
	for text, what := range map[string]string{
		"cc1plus: out of memory allocating 65536 bytes":                                     "too little memory",
		"terminate called after throwing an instance of 'std::bad_alloc'":                   "too little memory",
		"g++: fatal error: Killed signal terminated program cc1plus":                        "too little memory",
		"verilator: error while loading shared libraries: x: failed to map segment":         "too little memory",
		"error while loading shared libraries: libc.so.6: cannot open: Too many open files": "too few file descriptors",
		"sh: 1: Cannot fork":                           "too few processes",
		"make: fork: Resource temporarily unavailable": "too few processes",
	} {
		l := LimitError(errors.New("exit status 1"), text)
		require.NotNil(t, l, text)
		require.ErrorIs(t, l, wire.ErrLimit)
		require.ErrorContains(t, l, what)
		require.ErrorContains(t, l, "raise it: ulimit -")
	}
	for _, errno := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN} {
		require.NotNil(t, LimitError(fmt.Errorf("fork/exec: %w", errno), ""))
	}
	require.Nil(t, LimitError(errors.New("exit status 1"), "%Error: a.sv:1:2: syntax error, unexpected fork"))
	require.Nil(t, LimitError(syscall.ENOENT, "resource temporarily unavailable"))
}

// A Verilator that has too little is not told to be installed again, and neither is a compiler.
func TestToolsUnderLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tool")
	for _, variable := range []string{"VERILATOR", "CXX"} {
		t.Run(variable, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho 'tool: error while loading: Cannot allocate "+
				"memory' >&2\nexit 127\n"), 0o755))
			t.Setenv(variable, path)
			_, err := Build(t.Context(), tiny(t))
			require.ErrorIs(t, err, wire.ErrLimit)
			require.ErrorContains(t, err, "does not start: too little memory")
			require.NotContains(t, err.Error(), "install")
			require.NotContains(t, err.Error(), "\n")
		})
	}
	t.Run("compile", func(t *testing.T) {
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n[ \"$1\" = --version ] && exec g++ --version\n"+
			"echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2\nexit 1\n"), 0o755))
		t.Setenv("CXX", path)
		s := tiny(t)
		s.OutDir = filepath.Join(t.TempDir(), "out")
		_, err := Build(t.Context(), s)
		require.ErrorIs(t, err, wire.ErrLimit)
		require.ErrorContains(t, err, "C++ compiler: too little memory")
	})
}

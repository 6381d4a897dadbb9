package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// The action of the GitHub workflow gives flags that the commands know. ci, TestActionCommands has what it gives when.
func TestFlagsOfTheAction(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", ".github", "action", "run.sh"))
	require.NoError(t, err)
	root := newRoot(&app{App: &cli.App{Backend: cli.NewBackend()}})
	seen := 0
	for line := range strings.Lines(string(text)) {
		if !regexp.MustCompile(`command|reports=|--markdown`).MatchString(line) {
			continue
		}
		for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(line, -1) {
			seen++
			require.True(t, slices.ContainsFunc([]string{"ci run", "ci shard", "ci merge", "cosim"}, func(name string) bool {
				c, _, err := root.Find(strings.Fields(name))
				return err == nil && c.Flags().Lookup(flag[2:]) != nil
			}), flag)
		}
	}
	require.Greater(t, seen, 10)
}

// The commands in the other workflow are commands of this goldwire, with flags that it knows.
func TestCommandsOfWorkflows(t *testing.T) {
	root := newRoot(&app{App: &cli.App{Backend: cli.NewBackend()}})
	for _, file := range []string{"ci/gitlab.yml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(file)))
		require.NoError(t, err)
		lines := strings.Split(strings.ReplaceAll(string(text), "\\\n", " "), "\n")
		seen := map[string]bool{}
		for _, line := range lines {
			_, args, ok := strings.Cut(line, "build/goldwire ci ")
			if !ok {
				continue
			}
			c, _, err := root.Find(append([]string{"ci"}, strings.Fields(args)...))
			require.NoError(t, err)
			require.NotEqual(t, "ci", c.Name(), line)
			seen[c.Name()] = true
			for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(args, -1) {
				require.NotNil(t, c.Flags().Lookup(flag[2:]), "%s: %s has no %s", file, c.Name(), flag)
			}
		}
		require.Equal(t, map[string]bool{"check": true, "shard": true, "merge": true}, seen, file)
		shard, _, err := root.Find([]string{"ci", "shard"})
		require.NoError(t, err)
		for _, flag := range []string{"--changed-since", "--history"} {
			require.Contains(t, string(text), flag)
			require.NotNil(t, shard.Flags().Lookup(flag[2:]))
		}
	}
}

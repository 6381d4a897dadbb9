package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// The commands that emit prints are valid, and refuse any campaign but the one they were printed for.
func TestEmit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "night")
	args := []string{"ci", "emit", "--stage", "smoke", "--shards", "5", "--night", "n", "--dir", dir}
	var w struct {
		Fingerprint string
		Planned     int
		Shards      []struct {
			Command []string
			Runs    []string
		}
		Merge struct{ Command []string }
	}
	require.NoError(t, json.Unmarshal([]byte(must(t, append(args, "--json")...)), &w))
	require.Len(t, w.Shards, 5)
	runs := 0
	for _, s := range w.Shards {
		runs += len(s.Runs)
	}
	require.Equal(t, w.Planned, runs)
	require.Contains(t, w.Shards[1].Command, w.Fingerprint)
	lines := must(t, args...)
	require.Contains(t, lines, "ci shard 5/5 --stage smoke --night n --slots 1 --dir "+dir+"/shard/5 --campaign "+
		w.Fingerprint+"\n")

	for i := range w.Shards {
		s := w.Shards[i].Command[1:]
		for k, a := range s {
			if a == "n" {
				s[k] = "another night"
			}
		}
		requireBroken(t, goldwire(t, s...), "--campaign "+w.Fingerprint, "has changed since it was planned")
	}
	require.NoDirExists(t, dir, "a refused shard writes nothing")
}

func TestClusterCalledWrongly(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	stage := func(name string, more ...string) []string {
		return append([]string{"ci", name, "--stage", "smoke", "--dir", filepath.Join(t.TempDir(), "d")}, more...)
	}
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"ci", "submit"}, "--dir: no folder given"},
		{[]string{"ci", "emit"}, "--dir: no folder given"},
		{[]string{"ci", "status"}, "--dir: no folder given"},
		{[]string{"ci", "status", "--dir", t.TempDir()}, "holds no submission"},
		{stage("emit", "--shards", "0"), "give a number above 0"},
		{stage("emit", "--shards", "1000"), "the stage has"},
		{stage("submit", "--slots", "0"), "give a number above 0"},
		{stage("submit", "--sbatch-arg", "--array=1-2"), "submit sets --array itself"},
		{stage("submit"), "scontrol is not on PATH"},
	} {
		o := goldwire(t, x.args...)
		requireBroken(t, o, x.want)
		require.Equal(t, cli.ExitBroken, o.code)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	gwv "github.com/goldwire/goldwire/vectors/format"
)

// fragile is a small file in its own folder, with the result of each command while it is sound, and that command's
// outputs.
type fragile struct {
	dir, path string
	data      []byte
	headEnd   int // where the header's payload ends
}

func newFragile(t *testing.T) *fragile {
	t.Helper()
	x := &fragile{dir: t.TempDir()}
	x.path = filepath.Join(x.dir, "f.gwv")
	must(t, "vectors", "gen", "--block", "txstate", "--param", "NumPdcs=2", "--param", "Depth=2", "--events", "6",
		"-o", x.path)
	var err error
	x.data, err = os.ReadFile(x.path)
	require.NoError(t, err)
	x.headEnd = bytes.Index(x.data, []byte("DATA"))
	require.Positive(t, x.headEnd)
	return x
}

// try runs a command on a file of those bytes and returns the outcome and the names of the files it left.
func (x *fragile) try(t *testing.T, data []byte, args ...string) (outcome, []string) {
	t.Helper()
	require.NoError(t, os.WriteFile(x.path, data, 0o666))
	o := goldwire(t, append([]string{"vectors"}, args...)...)
	all, err := os.ReadDir(x.dir)
	require.NoError(t, err)
	var left []string
	for _, e := range all {
		if e.Name() != "f.gwv" && e.Name() != "whole.gwv" {
			left = append(left, e.Name())
			require.NoError(t, os.RemoveAll(filepath.Join(x.dir, e.Name())))
		}
	}
	return o, left
}

// Every command is run on a small file with each byte flipped and at each length that is too short. It gives one line
// with the fault and what can be read, exit code 2, prints nothing that it does not print for the sound file, and
// leaves no output, whole or partial. In the long form (make soak) every command meets every byte; here they take
// turns, and most bytes of the header's JSON, which share one checksum, are left out.
func TestVectorsEveryByteOfADamagedFile(t *testing.T) {
	long := launchtest.Longer()
	commands := [][]string{
		{"info", "F"}, {"info", "--json", "F"}, {"show", "--json", "--most", "0", "F"}, {"verify", "F"},
		{"diff", "WHOLE", "F"}, {"diff", "F", "WHOLE"},
		{"cut", "--from", "2", "F", "-o", "OUT"}, {"merge", "WHOLE", "F", "-o", "OUT"}, {"merge", "F", "WHOLE", "-o", "-"},
		{"export", "--to", "csv", "F", "-o", "OUT"},
		{"export", "--to", "sv", "F", "-o", "OUT"},
	}
	for turn, c := range commands {
		t.Run(strings.Join(c, " "), func(t *testing.T) {
			t.Parallel()
			x := newFragile(t)
			require.NoError(t, os.WriteFile(filepath.Join(x.dir, "whole.gwv"), x.data, 0o666))
			args := make([]string, len(c))
			for i, s := range c {
				switch args[i] = s; s {
				case "F":
					args[i] = x.path
				case "WHOLE":
					args[i] = filepath.Join(x.dir, "whole.gwv")
				case "OUT":
					args[i] = filepath.Join(x.dir, "out")
				}
			}
			sound, left := x.try(t, x.data, args...)
			require.Equal(t, cli.ExitPass, sound.code, sound.stderr)
			require.Equal(t, strings.Contains(strings.Join(c, " "), "OUT"), len(left) > 0)
			broken := func(what string, data []byte) {
				o, left := x.try(t, data, args...)
				require.Equal(t, cli.ExitBroken, o.code, "%s: %s", what, o.stdout)
				require.Empty(t, left, what)
				require.Equal(t, 1, strings.Count(o.stderr, "\n"), "%s: %s", what, o.stderr)
				require.Contains(t, o.stderr, "f.gwv: ", what)
				said := strings.Contains(o.stderr, "can be read") || strings.Contains(o.stderr, "not a vector file")
				require.True(t, said, "%s: what can be read is not said: %s", what, o.stderr)
				switch c[0] {
				case "show":
					require.True(t, strings.HasPrefix(sound.stdout, o.stdout), "%s: %s", what, o.stdout)
				case "info":
					head, _, _ := strings.Cut(o.stdout, "records ")
					require.True(t, strings.HasPrefix(sound.stdout, head), "%s: %s", what, o.stdout)
				default:
					require.Empty(t, o.stdout, what)
				}
			}
			for at := range x.data {
				if !long && at > 64 && at < x.headEnd-8 && at%97 != 0 {
					continue
				}
				if long || at%len(commands) == turn {
					bad := bytes.Clone(x.data)
					bad[at] ^= 1 << (at / len(commands) % 8)
					broken(fmt.Sprintf("a bit of byte %d", at), bad)
				}
				if long || (at+5)%len(commands) == turn {
					broken(fmt.Sprintf("%d bytes", at), x.data[:at])
				}
			}
		})
	}
}

// Every command refuses a file that is not a vector file, or holds more than one, in the same way.
func TestVectorsOfOtherThings(t *testing.T) {
	dir := t.TempDir()
	f := made(t, dir, "f.gwv")
	whole, err := os.ReadFile(f)
	require.NoError(t, err)
	newer := bytes.Clone(whole)
	newer[8] += gwv.Version
	binary.LittleEndian.PutUint32(newer[12:], crc32.Checksum(newer[:12], crc32.MakeTable(crc32.Castagnoli)))
	all := " records 0 to 2999 before it can be read"
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty.gwv":   {nil, "not a vector file"},
		"newer.gwv":   {newer, "newer version: the file has version 3, this goldwire reads up to 2"},
		"twice.gwv":   {slices.Concat(whole, whole), "bytes follow the end mark;" + all},
		"garbage.gwv": {slices.Concat(whole, []byte{'\n'}), "bytes follow the end mark;" + all},
		"folder.gwv":  {nil, "is a directory"},
	} {
		path := filepath.Join(dir, name)
		if name == "folder.gwv" {
			require.NoError(t, os.Mkdir(path, 0o777))
		} else {
			require.NoError(t, os.WriteFile(path, c.data, 0o666))
		}
		before, err := os.ReadDir(dir)
		require.NoError(t, err)
		out := filepath.Join(dir, "out")
		for _, args := range [][]string{
			{"info", path}, {"show", "--json", "--most", "0", path}, {"verify", path}, {"diff", f, path},
			{"cut", "--from", "0", path, "-o", out},
			{"merge", f, path, "-o", out}, {"export", "--to", "sv", path, "-o", out},
		} {
			requireBroken(t, goldwire(t, append([]string{"vectors"}, args...)...), name, c.want)
		}
		after, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, after, len(before), "%s: something was left", name)
	}
}

// A pipe is read like a file. If nobody writes to it, or stdin gives nothing, a signal still ends the command.
func TestVectorsWaitForAPipeAndAreCalledOff(t *testing.T) {
	dir := t.TempDir()
	f := made(t, dir, "f.gwv")
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o666))
	go func() {
		data, err := os.ReadFile(f)
		if w, e := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil && e == nil {
			_, _ = w.Write(data) // the reader notices missing data
			w.Close()
		}
	}()
	require.Contains(t, must(t, "vectors", "verify", pipe), "3000 transactions agree")

	silent, end := io.Pipe()
	defer end.Close()
	for _, path := range []string{pipe, "-"} {
		for _, args := range [][]string{{"info", path}, {"export", "--to", "csv", path, "-o", filepath.Join(dir, "out")},
			{"cut", "--to", "5", path, "-o", filepath.Join(dir, "out")}} {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(20*time.Millisecond, cancel)
			var out, errs bytes.Buffer
			code := execute(ctx, &cli.App{Backend: cli.NewBackend(), Stdin: silent, Stdout: &out, Stderr: &errs},
				append([]string{"vectors"}, args...))
			cancel()
			requireBroken(t, outcome{code, out.String(), errs.String()}, "interrupted: "+path)
			require.NoFileExists(t, filepath.Join(dir, "out"))
		}
	}
	// Readers that still wait to open the pipe get end of file.
	if w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
		w.Close()
	}
}

// A command interrupted half way leaves nothing.
func TestVectorsCalledOffHalfWay(t *testing.T) {
	dir := t.TempDir()
	f := made(t, dir, "f.gwv", "--events", "30000")
	data, err := os.ReadFile(f)
	require.NoError(t, err)
	out := filepath.Join(dir, "out")
	for _, args := range [][]string{{"cut", "--to", "29999", "-", "-o", out}, {"export", "--to", "jsonl", "-", "-o", out},
		{"info", "-"}, {"verify", "-"}, {"diff", "-", f}} {
		ctx, cancel := context.WithCancel(t.Context())
		var o, errs bytes.Buffer
		in := io.MultiReader(bytes.NewReader(data[:len(data)/2]), calledOff{cancel}, bytes.NewReader(data[len(data)/2:]))
		code := execute(ctx, &cli.App{Backend: cli.NewBackend(), Stdin: in, Stdout: &o, Stderr: &errs},
			append([]string{"vectors"}, args...))
		cancel()
		requireBroken(t, outcome{code, o.String(), errs.String()}, "interrupted: -: ")
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 1, "%v", args)
	}
}

// calledOff is an end of input at which somebody presses ^C.
type calledOff struct{ press func() }

func (c calledOff) Read([]byte) (int, error) {
	c.press()
	return 0, io.EOF
}

package report

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPreflight(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, c := range []struct{ name, path, want string }{
		{"new file", filepath.Join(dir, "new.json"), ""},
		{"existing file", file, ""},
		{"device", os.DevNull, ""},
		{"no name", "", "empty file name"},
		{"folder", dir, "it is a folder; give the name of a file in it"},
		{"missing folder", filepath.Join(dir, "a", "b.json"), "does not exist; make it first (mkdir -p " + filepath.Join(dir,
			"a") + ")"},
		{"file as folder", filepath.Join(file, "b.json"), "not a directory; give another path"},
		{"name too long", filepath.Join(dir, strings.Repeat("x", 300)), "file name too long"},
		{"unwritable folder", "/proc/goldwire.json", "cannot be written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Preflight(c.path)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
			require.NotContains(t, err.Error(), ".tmp")
		})
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "preflight leaves nothing behind")
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestWriteFileIsWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r.json")
	require.NoError(t, WriteFile(path, text("one")))
	err := WriteFile(path, func(w io.Writer) error {
		_, _ = io.WriteString(w, strings.Repeat("half", 10000))
		return errors.New("renderer broke")
	})
	require.ErrorContains(t, err, "r.json: renderer broke")
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "one", string(got))

	link := filepath.Join(dir, "link.json")
	require.NoError(t, os.Symlink(path, link))
	require.NoError(t, WriteFile(link, text("two")))
	st, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, st.Mode()&os.ModeSymlink, "the link stays one")
	got, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two", string(got))

	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 2, "no temporary file stays")
	require.NoError(t, WriteFile(os.DevNull, text("x")))
	require.ErrorIs(t, WriteFile("/dev/full", text("x")), syscall.ENOSPC)
}

// TestRegular: pipes and devices are recognised without opening them.
func TestRegular(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(pipe, link))
	require.ErrorContains(t, Regular(pipe), "it is a pipe, not a file")
	require.ErrorContains(t, Regular(link), "it is a pipe, not a file")
	require.ErrorContains(t, Regular(os.DevNull), "it is a device, not a file")
	require.NoError(t, Regular(filepath.Join(dir, "new")))
	require.NoError(t, Regular(dir), "what Preflight says")
}

func TestWriteFileHonoursUmask(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	path := filepath.Join(t.TempDir(), "r.json")
	require.NoError(t, WriteFile(path, text("x")))
	st, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), st.Mode().Perm())
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	clock := time.Unix(0, 0)
	p := newProgress(&b, "random seed 7", 80, func() time.Time { return clock })
	p.Update(0, 1000000)
	clock = clock.Add(50 * time.Millisecond)
	p.Update(100, 1000000)
	require.NotContains(t, b.String(), "100 of", "too soon for another line")
	clock = clock.Add(1950 * time.Millisecond)
	p.Update(250000, 1000000)
	require.Contains(t, b.String(), "\r\x1b[Krandom seed 7  250,000 of 1,000,000 events  25 %  125 k events/s  0:07 to go")
	p.Close()
	require.True(t, strings.HasSuffix(b.String(), "\r\x1b[K"))
	n := b.Len()
	p.Close()
	require.Equal(t, n, b.Len())

	b.Reset()
	p.Say("building the device")
	require.Equal(t, "\r\x1b[Krandom seed 7  building the device", b.String())
	p.Close()
	require.True(t, strings.HasSuffix(b.String(), "\r\x1b[K"))

	b.Reset()
	p = newProgress(&b, strings.Repeat("long ", 30), 40, func() time.Time { return clock })
	p.Update(1, 2)
	require.Len(t, []rune(strings.TrimPrefix(b.String(), "\r\x1b[K")), 39, "a line that wraps could not be taken back")
}

func TestProgressIsSilentOffTerminal(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, "x")
	p.Update(1, 2)
	p.Close()
	require.Zero(t, b.Len())
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer f.Close()
	q := NewProgress(f, "x")
	q.Update(1, 2)
	q.Close()
	st, err := f.Stat()
	require.NoError(t, err)
	require.Zero(t, st.Size())
}

func TestEta(t *testing.T) {
	require.Equal(t, "0:01", eta(0.2))
	require.Equal(t, "2:06", eta(125))
	require.Equal(t, "1:00:01", eta(3600))
	require.Equal(t, "over 100 h", eta(1e12))
}

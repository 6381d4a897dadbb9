package cache

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/stim"
)

// Two runs that write the same file at once leave one good file.
func TestTwoWriteAtOnce(t *testing.T) {
	b := newBench(t)
	want := play(t, &list{episodes: large.episodes, items: large.items})
	var both sync.WaitGroup
	for range 2 {
		s := b.source(large)
		both.Go(func() {
			defer s.Close()
			require.Equal(t, want, play(t, s))
		})
	}
	both.Wait()
	require.Len(t, b.files(), 1)
	again, read := b.pass(large)
	require.True(t, read)
	require.Equal(t, want, again)
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	b := newBench(t)
	b.notKept(func() { require.NoError(t, os.WriteFile(b.Dir, nil, 0o600)) }) // root may write to any folder
}

// notKept plays a source twice in a folder that cannot keep it, and expects one line in the log.
func (b *bench) notKept(prepare func()) {
	b.t.Helper()
	prepare()
	l := list{episodes: 4, items: 20000}
	for range 2 {
		all, read := b.pass(l)
		require.False(b.t, read)
		require.Len(b.t, all, 4)
	}
	require.Equal(b.t, 1, strings.Count(b.log.String(), "stimulus is not kept"), "one line: %s", b.log.String())
	require.NotContains(b.t, b.log.String(), "damaged")
}

// A folder that others can write to, or that has a relative path, is not used.
func TestFolderOfOthers(t *testing.T) {
	b := newBench(t)
	l := list{episodes: 4, items: 20000}
	b.pass(l)
	b.notKept(func() { require.NoError(t, os.Chmod(b.Dir, 0o770)) })
	require.NoError(t, os.Chmod(b.Dir, 0o755))
	_, read := b.pass(l)
	require.True(t, read)
	if os.Geteuid() == 0 {
		other := newBench(t)
		require.NoError(t, os.Mkdir(other.Dir, 0o700))
		other.notKept(func() { require.NoError(t, os.Chown(other.Dir, 12345, -1)) })
	}
	t.Chdir(t.TempDir())
	part := newBench(t)
	part.Dir = "OFF"
	part.notKept(func() {})
	require.NoDirExists(t, "OFF")
}

// A name that is not a regular file is neither opened nor removed: a pipe would block the run, a link could lead
// anywhere.
func TestWhatIsNoFileIsLeftAlone(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"link":   func(path string) error { return os.Symlink(path+".good", path) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.pass(list{episodes: 4, items: 20000})
			file := b.file()
			require.NoError(t, os.Rename(file, file+".good"))
			b.notKept(func() { require.NoError(t, put(file)) })
			info, err := os.Lstat(file)
			require.NoError(t, err)
			require.False(t, info.Mode().IsRegular())
		})
	}
}

// A file that is removed while it is read is still read to its end.
func TestRemovedWhileItIsRead(t *testing.T) {
	b := newBench(t)
	want, _ := b.pass(large)
	s := b.source(large)
	defer s.Close()
	require.NoError(t, os.Remove(b.file()))
	require.Equal(t, want, play(t, s))
	require.NoError(t, s.Err())
	_, read := s.Made()
	require.True(t, read)
}

func TestSizeIsBounded(t *testing.T) {
	b := newBench(t)
	l := list{episodes: 1, items: 1000} // 24 kB
	keep := func(seed uint64) string {
		b.o.Seed = seed
		before := b.files()
		b.pass(l)
		for _, f := range b.files() {
			if !slices.Contains(before, f) {
				return f
			}
		}
		return ""
	}
	var names []string
	for seed := range uint64(4) {
		names = append(names, keep(seed))
		old := time.Now().Add(time.Duration(seed)*time.Minute - time.Hour)
		require.NoError(t, os.Chtimes(filepath.Join(b.Dir, names[seed]), old, old))
	}
	require.Len(t, b.files(), 4)
	b.o.Seed = 0
	_, read := b.pass(l) // most recently used
	require.True(t, read)
	other := filepath.Join(b.Dir, "other")
	require.NoError(t, os.WriteFile(other, make([]byte, 1<<20), 0o600))
	lost := filepath.Join(b.Dir, "x"+tempSuffix)
	require.NoError(t, os.WriteFile(lost, nil, 0o600))
	old := time.Now().Add(-2 * left)
	require.NoError(t, os.Chtimes(lost, old, old))
	b.Limit = 100_000 // four files
	require.NotEmpty(t, keep(4))
	require.NotContains(t, b.files(), names[1], "the one used before all others")
	require.Contains(t, b.files(), names[0])
	require.Contains(t, b.files(), names[2])
	require.NoFileExists(t, lost)
	require.FileExists(t, other, "nothing else is touched")
	b.Limit = 45_000 // more than half of it
	require.Empty(t, keep(5))
	require.Len(t, b.files(), 5)
}

// A file that would become too large is abandoned long before that.
func TestWhatWouldBeTooLargeIsGivenUp(t *testing.T) {
	b := newBench(t)
	l := list{episodes: 1, items: 400_000, want: 1 << 40, change: func(_ int, ep *stim.Episode) { ep.Times = nil }}
	s := b.source(l)
	ep, _ := s.Next()
	for it := (stim.Item{Words: make([]uint64, 2)}); ep.NextItem(&it); {
	}
	require.Nil(t, s.write.temp)
	require.Less(t, s.write.size, int64(8*(enough+2)*chunkWords))
	s.Close()
	require.Empty(t, b.files())
}

func TestFromEnv(t *testing.T) {
	t.Setenv(Env, Off)
	require.Nil(t, FromEnv())
	t.Setenv(Env, "/some/where")
	require.Equal(t, "/some/where", FromEnv().Dir)
	t.Setenv(Env, "")
	t.Setenv("XDG_CACHE_HOME", "/home/x/cache")
	require.Equal(t, "/home/x/cache/goldwire/stimulus", FromEnv().Dir)
}

// Making an event of many items takes about as long as reading it.
func TestPacketsAreNotKept(t *testing.T) {
	for more, kept := range map[int]bool{1: true, 20: false} {
		b := newBench(t)
		s := b.source(list{episodes: 1, items: 40_000, want: 40_000 / more, change: func(_ int, ep *stim.Episode) {
			items, pos := ep.Items, 0
			ep.Items = func(it *stim.Item) bool {
				ok := items(it)
				pos++
				it.More = pos%more != 0
				return ok
			}
		}})
		play(t, s)
		s.Close()
		require.Equal(t, kept, s.Written())
		require.Equal(t, kept, len(b.files()) == 1)
	}
}

// A full disk costs the cache, not the run.
func TestDiskThatIsFull(t *testing.T) {
	b := newBench(t)
	s := b.source(large)
	defer s.Close()
	_, ok := s.Next()
	require.True(t, ok)
	require.NoError(t, s.write.temp.Close()) // writes fail from now on
	require.Len(t, play(t, s), large.episodes-1)
	require.NoError(t, s.Err())
	require.Empty(t, b.files())
}

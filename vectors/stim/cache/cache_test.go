package cache

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// toy is a block whose items have two words.
func toy(t *testing.T) *event.Block {
	t.Helper()
	b, err := event.Parse([]byte(`block: toy
title: takes numbers
params:
  - {name: Depth, default: 4, min: 2, max: 8, doc: entries}
streams:
  - {name: ev, dir: in, fields: [{name: x, width: 64}]}
  - {name: rsp, dir: out, fields: [{name: y, width: 16}]}
`))
	require.NoError(t, err)
	return b
}

// list is a source of episodes with numbered items.
type list struct {
	episodes, items int
	change          func(number int, ep *stim.Episode) // each episode, or nil
	err             error                              // at the end

	number int
	closed bool
}

func (s *list) Next() (*stim.Episode, bool) {
	if s.number == s.episodes || s.closed {
		return nil, false
	}
	n, pos := s.number, 0
	s.number++
	ep := &stim.Episode{Name: "fabric:toy/" + string(rune('a'+n)), Block: "toy", Seed: 7, Len: n % 3,
		Drive: stim.DriveSpec{Idle: stim.Bursts(3, 4), Resets: []stim.Reset{{Low: 2}}}}
	ep.Items = func(it *stim.Item) bool {
		if pos == s.items || s.closed {
			return false
		}
		copy(it.Words, []uint64{uint64(pos) << 32, uint64(n)})
		it.Gap, it.Wait, it.More, it.Pair, it.Lane = uint16(pos), uint8(pos*3), pos%3 == 0, pos%5 == 0, pos%4
		pos++
		return true
	}
	if n%2 == 1 { // the time of every third item is known
		ep.Times = func() (now, tx int64, ok bool) {
			if pos%3 != 1 {
				return 0, 0, false
			}
			return int64(pos) * 1000, -int64(pos), true
		}
	}
	if s.change != nil {
		s.change(n, ep)
	}
	return ep, true
}

func (s *list) Err() error { return s.err }
func (s *list) Close()     { s.closed = true }

// played is all that a player can see of a source.
type played struct {
	ep    stim.Episode
	items []stim.Item
	times [][3]int64
}

func play(t *testing.T, src stim.Source) (all []played) {
	t.Helper()
	words := make([]uint64, 2)
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		p := played{ep: *ep}
		p.ep.Items, p.ep.Events, p.ep.Times = nil, nil, nil
		for it := (stim.Item{Words: words}); ep.NextItem(&it); it.Words = words {
			p.items = append(p.items, it.Clone())
			now, tx, ok := ep.Picos()
			p.times = append(p.times, [3]int64{now, tx, int64(stim.Bit(ok))})
		}
		all = append(all, p)
	}
	return all
}

// bench is a cache in a folder of a test, and what it logs.
type bench struct {
	*Cache
	t    *testing.T
	toy  *event.Block
	o    stim.Options
	log  bytes.Buffer
	made int // sources opened
}

func newBench(t *testing.T) *bench {
	b := &bench{Cache: New(filepath.Join(t.TempDir(), "cache")), t: t, toy: toy(t), o: stim.Options{Seed: 1, Events: 9}}
	b.Log = slog.New(slog.NewTextHandler(&b.log, nil))
	b.program = func() (string, error) { return "program", nil }
	return b
}

func (b *bench) source(l list) *Source {
	b.t.Helper()
	s, err := b.Open(b.toy, "fabric:toy", b.o, func() (stim.Source, error) {
		b.made++
		return &l, nil
	})
	require.NoError(b.t, err)
	return s
}

// pass plays a source and closes it; read reports whether it came from the cache.
func (b *bench) pass(l list) (all []played, read bool) {
	b.t.Helper()
	s := b.source(l)
	defer s.Close()
	all = play(b.t, s)
	require.NoError(b.t, s.Err())
	_, read = s.Made()
	return all, read
}

// files returns the names in the folder.
func (b *bench) files() (names []string) {
	entries, _ := os.ReadDir(b.Dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// file returns the path of the only file.
func (b *bench) file() string {
	b.t.Helper()
	names := b.files()
	require.Len(b.t, names, 1)
	return filepath.Join(b.Dir, names[0])
}

// large needs several chunks.
var large = list{episodes: 5, items: 9000}

func TestReadIsMade(t *testing.T) {
	for name, l := range map[string]list{"small": {episodes: 3, items: 10}, "large": large, "empty": {},
		"no item": {episodes: 2}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			want := play(t, &list{episodes: l.episodes, items: l.items})
			first, read := b.pass(l)
			require.False(t, read)
			require.Equal(t, want, first, "writing changes nothing")
			again, read := b.pass(list{err: errors.New("it must not be opened")})
			require.True(t, read)
			require.Equal(t, want, again)
			require.Equal(t, 1, b.made)
			require.Empty(t, b.log.String())
			info, err := os.Stat(b.Dir)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
		})
	}
}

// The words of an item stay as they are for the next stim.Lookahead items.
func TestWordsStay(t *testing.T) {
	b := newBench(t)
	b.pass(large)
	s := b.source(large)
	defer s.Close()
	var kept []stim.Item
	n := 0
	for ep, ok := s.Next(); ok; ep, ok = s.Next() {
		for pos, it := uint64(0), (stim.Item{}); ep.NextItem(&it); pos++ {
			kept = append(kept, it)
			if len(kept) > stim.Lookahead {
				require.Equal(t, (pos-stim.Lookahead)<<32, kept[0].Words[0])
				kept = kept[1:]
				n++
			}
		}
		kept = nil
	}
	require.Equal(t, 5*(9000-stim.Lookahead), n)
}

func TestDamageIsFound(t *testing.T) {
	b := newBench(t)
	l := list{episodes: 3, items: 10}
	want, _ := b.pass(l)
	good, err := os.ReadFile(b.file())
	require.NoError(t, err)
	file := b.file()
	damaged := func(name string, bad []byte) {
		require.NoError(t, os.WriteFile(file, bad, 0o600))
		b.log.Reset()
		got, read := b.pass(l)
		require.False(t, read, name)
		require.Equal(t, want, got, name)
		require.Contains(t, b.log.String(), file, name)
		again, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Len(t, again, len(good), name) // made again
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 1 << (i % 8)
		damaged("flipped", bad)
	}
	for n := range len(good) {
		if n%7 == 0 || n > len(good)-50 {
			damaged("truncated", good[:n])
		}
	}
	damaged("longer", append(slices.Clone(good), 0))
}

// Damage in the second chunk of several is found before the first item.
func TestDamageFarBehindIsFound(t *testing.T) {
	b := newBench(t)
	want, _ := b.pass(large)
	good, err := os.ReadFile(b.file())
	require.NoError(t, err)
	require.Greater(t, len(good), 4*8*chunkWords)
	for _, at := range []int{8 * chunkWords, 8*chunkWords + 8*headerWords + 3, len(good) / 2, len(good) - 1} {
		bad := slices.Clone(good)
		bad[at] ^= 0x40
		require.NoError(t, os.WriteFile(b.file(), bad, 0o600))
		got, read := b.pass(large)
		require.False(t, read)
		require.Equal(t, want, got)
	}
	// A good chunk in another place is damage, too.
	chunk := []uint64{0, 1, 2, 3}
	seal(chunk, 4)
	require.NoError(t, check(chunk[0], chunk[1:], 4))
	require.Error(t, check(chunk[0], chunk[1:], 5))
}

// A file that changes after it was checked ends the run with an error.
func TestChangeWhileItIsPlayed(t *testing.T) {
	b := newBench(t)
	b.pass(large)
	s := b.source(large)
	defer s.Close()
	ep, ok := s.Next()
	require.True(t, ok)
	f, err := os.OpenFile(b.file(), os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.WriteAt([]byte("other"), 2*8*chunkWords)
	require.NoError(t, err)
	for ; ok; ep, ok = s.Next() {
		for it := (stim.Item{}); ep.NextItem(&it); {
		}
	}
	require.ErrorContains(t, s.Err(), "has changed while it was played")
}

// Only a source that was played to its end is kept.
func TestWhatEndsEarlyLeavesNothing(t *testing.T) {
	for name, play := range map[string]func(t *testing.T, b *bench){
		"never played": func(t *testing.T, b *bench) { b.source(large).Close() },
		"first item": func(t *testing.T, b *bench) {
			s := b.source(large)
			ep, _ := s.Next()
			ep.NextItem(&stim.Item{Words: make([]uint64, 2)})
			s.Close()
		},
		"not asked for the end": func(t *testing.T, b *bench) {
			s := b.source(list{episodes: 1, items: 5})
			ep, _ := s.Next()
			for it := (stim.Item{Words: make([]uint64, 2)}); ep.NextItem(&it); {
			}
			s.Close()
		},
		"an episode given up": func(t *testing.T, b *bench) {
			s := b.source(large)
			for ep, ok := s.Next(); ok; ep, ok = s.Next() {
				ep.NextItem(&stim.Item{Words: make([]uint64, 2)})
			}
			s.Close()
		},
		"an error": func(t *testing.T, b *bench) {
			s := b.source(list{episodes: 2, items: 20, err: errors.New("the network broke")})
			require.Len(t, playAll(t, s), 2)
			require.EqualError(t, s.Err(), "the network broke")
			s.Close()
		},
		"closed while it is played": func(t *testing.T, b *bench) {
			s := b.source(large)
			ep, _ := s.Next()
			ep.NextItem(&stim.Item{Words: make([]uint64, 2)})
			s.Close()
			for it := (stim.Item{Words: make([]uint64, 2)}); ep.NextItem(&it); {
			}
			_, ok := s.Next()
			require.False(t, ok)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			play(t, b)
			require.Empty(t, b.files())
			require.Empty(t, b.log.String())
		})
	}
}

func playAll(t *testing.T, s stim.Source) []played { return play(t, s) }

// A source whose items are not a list is played and not kept.
func TestWhatIsNoListIsNotKept(t *testing.T) {
	for name, change := range map[string]func(ep *stim.Episode){
		"by lane": func(ep *stim.Episode) { ep.Drive.ByLane = true },
		"lanes":   func(ep *stim.Episode) { ep.Lanes = func(int, bool, *stim.Item) bool { return false } },
		"judge":   func(ep *stim.Episode) { ep.Judge = judge{} },
		"far stream": func(ep *stim.Episode) {
			items := ep.Items
			ep.Items = func(it *stim.Item) bool { ok := items(it); it.Lane += 256; return ok }
		},
		"longer item": func(ep *stim.Episode) {
			items := ep.Items
			ep.Items = func(it *stim.Item) bool { ok := items(it); it.Words = make([]uint64, 3); return ok }
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			l := list{episodes: 2, items: 10, change: func(n int, ep *stim.Episode) {
				if n == 1 {
					change(ep)
				}
			}}
			s := b.source(l)
			require.Len(t, play(t, s), 2)
			s.Close()
			require.Empty(t, b.files())
		})
	}
}

type judge struct{ stim.Judge }

func TestOnlySimulatedNetworksAreKept(t *testing.T) {
	b := newBench(t)
	for _, c := range []*Cache{b.Cache, nil} {
		for _, name := range []string{"random", "directed/x"} {
			s, err := c.Open(b.toy, name, b.o, func() (stim.Source, error) { return &list{episodes: 1, items: 1}, nil })
			require.NoError(t, err)
			require.False(t, s.Kept())
			require.Len(t, play(t, s), 1)
			s.Close()
		}
	}
	s, err := (*Cache)(nil).Open(b.toy, "fabric:toy", b.o, func() (stim.Source, error) { return &list{}, nil })
	require.NoError(t, err)
	require.False(t, s.Kept())
	_, err = b.Open(b.toy, "fabric:toy", b.o, func() (stim.Source, error) { return nil, errors.New("unknown") })
	require.EqualError(t, err, "unknown")
	require.Empty(t, b.files())
}

// Two that write the same file at once leave one good file.
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
	require.NoError(t, os.WriteFile(b.Dir, nil, 0o600)) // a file in its place: root may write to any folder
	l := list{episodes: 4, items: 20000}
	for range 2 {
		all, read := b.pass(l)
		require.False(t, read)
		require.Len(t, all, 4)
	}
	require.Equal(t, 1, strings.Count(b.log.String(), "stimulus is not kept"), "one line: %s", b.log.String())
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
	_, read := b.pass(l) // used last
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
	b.Limit = 45_000 // half of it is less than the file
	require.Empty(t, keep(5))
	require.Len(t, b.files(), 5)
}

// A file that would be too large is given up long before it is.
func TestWhatWouldBeTooLargeIsGivenUp(t *testing.T) {
	b := newBench(t)
	b.o.Events = 1 << 40
	l := list{episodes: 1, items: 400_000, change: func(_ int, ep *stim.Episode) { ep.Times = nil }}
	s := b.source(l)
	ep, _ := s.Next()
	for it := (stim.Item{Words: make([]uint64, 2)}); ep.NextItem(&it); {
	}
	require.Nil(t, s.write.chunk)
	require.Less(t, s.write.size, enough+16*chunkWords)
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

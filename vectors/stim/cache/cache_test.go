package cache

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

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
	change          func(number int, ep *stim.Episode) // changes each episode; may be nil
	err             error                              // at the end
	want            int                                // requested events; 0 for as many as it has

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
	if n%2 == 1 { // every third item has a time
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

// played is everything that a player sees of an episode.
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
		p.ep.Items, p.ep.Times = nil, nil
		for it := (stim.Item{Words: words}); ep.NextItem(&it); it.Words = words {
			p.items = append(p.items, it.Clone())
			now, tx, ok := ep.Picos()
			p.times = append(p.times, [3]int64{now, tx, int64(stim.Bit(ok))})
		}
		all = append(all, p)
	}
	return all
}

// bench is a cache in a test's folder, with its log.
type bench struct {
	*Cache
	t    *testing.T
	toy  *event.Block
	o    stim.Options
	log  bytes.Buffer
	made int // sources opened
}

func newBench(t *testing.T) *bench {
	b := &bench{Cache: New(filepath.Join(t.TempDir(), "cache")), t: t, toy: toy(t), o: stim.Options{Seed: 1}}
	b.Log = slog.New(slog.NewTextHandler(&b.log, nil))
	b.program = func() ([32]byte, error) { return [32]byte{1}, nil }
	return b
}

// suite offers the list as the sources fabric:toy, fabric:toy/N and other.
func (b *bench) suite(l list) *stim.Suite {
	open := func(_ *stim.Options, _ string) (stim.Source, error) {
		b.made++
		made := l
		return &made, nil
	}
	return &stim.Suite{Schema: b.toy, Sources: []stim.Entry{{Name: "fabric:toy", Part: "N", Open: open},
		{Name: "other", Open: open}}}
}

func (b *bench) source(l list) *Source {
	b.t.Helper()
	if b.o.Events = l.want; l.want == 0 {
		b.o.Events = l.episodes * (l.items - (l.items+2)/3)
	}
	s, err := b.Open(b.suite(l), "fabric:toy", b.o)
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
			again, read := b.pass(l)
			require.True(t, read)
			require.Equal(t, want, again)
			require.Equal(t, 1, b.made, "what is read is not made")
			require.Empty(t, b.log.String())
			info, err := os.Stat(b.Dir)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
		})
	}
}

// The words of an item stay unchanged for the next stim.Lookahead items.
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
			require.Len(t, play(t, s), 2)
			require.EqualError(t, s.Err(), "the network broke")
			s.Close()
		},
		"fewer events than asked for": func(t *testing.T, b *bench) {
			s := b.source(list{episodes: 2, items: 20, want: 27})
			require.Len(t, play(t, s), 2)
			require.NoError(t, s.Err())
			s.Close()
		},
		"more events than asked for": func(t *testing.T, b *bench) {
			s := b.source(list{episodes: 2, items: 20, want: 25})
			require.Len(t, play(t, s), 2)
			s.Close()
		},
		"closed and then played": func(t *testing.T, b *bench) {
			s := b.source(list{})
			s.Close()
			_, ok := s.Next()
			require.False(t, ok)
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

// A source whose items are not a fixed list is played but not kept.
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

func TestOnlyWholeSimulatedNetworksAreKept(t *testing.T) {
	b := newBench(t)
	for _, c := range []*Cache{b.Cache, nil} {
		for _, name := range []string{"other", "fabric:toy/1"} {
			s, err := c.Open(b.suite(list{episodes: 1, items: 1}), name, b.o)
			require.NoError(t, err)
			require.False(t, s.Looked())
			require.Len(t, play(t, s), 1)
			s.Close()
		}
	}
	s, err := (*Cache)(nil).Open(b.suite(list{}), "fabric:toy", b.o)
	require.NoError(t, err)
	require.False(t, s.Looked())
	_, err = b.Open(b.suite(list{}), "fabric:unknown", b.o)
	require.ErrorContains(t, err, "unknown")
	b.o.TickNs = 5
	_, err = b.Open(b.suite(list{}), "fabric:toy", b.o)
	require.ErrorContains(t, err, "tick 5 ns")
	require.Empty(t, b.files())
	require.Empty(t, b.log.String())
}

// The file holds the stimulus as made, even if the player writes to the words it gets.
func TestPlayerThatWritesToWords(t *testing.T) {
	b := newBench(t)
	want := play(t, &list{episodes: large.episodes, items: large.items})
	for range 2 {
		s := b.source(large)
		for ep, ok := s.Next(); ok; ep, ok = s.Next() {
			words := make([]uint64, 2)
			for it := (stim.Item{Words: words}); ep.NextItem(&it); it.Words = words {
				it.Words[0], it.Words[1] = 1, 2
			}
		}
		require.NoError(t, s.Err())
		s.Close()
	}
	got, read := b.pass(large)
	require.True(t, read)
	require.Equal(t, want, got)
}

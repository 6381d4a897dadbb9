package credit

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/credit"
)

const max24 = 1<<24 - 1

// A pull from the active list: what it grants, and what becomes of the sender, wherever its numbers are.
func TestActivePull(t *testing.T) {
	for _, from := range []uint32{0, 1000, max24, max24 - 62, 1<<23 - 1} {
		for _, tc := range []struct {
			name   string
			demand int // target - granted
			n      uint8
			flags  uint64 // after it
		}{
			{"far more than a pull", 1<<23 - 1, 63, 0b011},
			{"more than a pull", 64, 63, 0b011},
			{"a pull", 63, 63, 0b101},
			{"less", 62, 62, 0b101},
			{"a quantum", 1, 1, 0b101},
			{"nothing", 0, 0, 0b101},
			{"less than nothing", -1, 0, 0b101},
			{"as little as can be", -1 << 23, 0, 0b101},
		} {
			w := newWorld(t)
			w.ask(port.KindOpen, 2, 0, from+uint32(tc.demand))
			w.ask(port.KindWant, 2, 0, 0)
			w.ask(port.KindLoad, 2, port.WordGranted, from)
			number := (from + uint32(tc.n)) & max24
			require.Equal(t, &port.Pull{Sender: 2, Number: number, Quanta: tc.n}, w.pull(), "%s, from %d", tc.name, from)
			require.Equal(t, tc.flags, w.flags(2), tc.name)
			require.Equal(t, number, w.p.Words(2).Granted)
		}
	}
}

// A pull from the idle list grants QUANTA, and ends when the sender has WINDOW more than it wants.
func TestIdlePull(t *testing.T) {
	for _, from := range []uint32{0, 1000, max24, max24 - 99, 1<<23 - 1} {
		for _, tc := range []struct {
			name   string
			x      int // granted - target, after it
			window uint32
			flags  uint64
		}{
			{"just not beyond", 99, 100, 0b101},
			{"beyond", 100, 100, 0b001},
			{"no window", 0, 0, 0b001},
			{"as it wants", 0, 1, 0b101},
			{"less than it wants", -1, 100, 0b001},
			{"far less", -1 << 23, 100, 0b001},
			{"far more", 1<<23 - 1, 65535, 0b001},
			{"the widest window", 65534, 65535, 0b101},
		} {
			w := newWorld(t, port.RegQuanta, 10, port.RegWindow, tc.window)
			w.ask(port.KindOpen, 2, 0, from)
			w.ask(port.KindWant, 2, 0, 0)
			require.Equal(t, &port.Pull{Sender: 2, Number: from}, w.pull())
			w.ask(port.KindLoad, 2, port.WordGranted, from+uint32(tc.x)-10)
			number := (from + uint32(tc.x)) & max24
			require.Equal(t, &port.Pull{Sender: 2, Number: number, Quanta: 10, Slow: true}, w.pull(), tc.name)
			require.Equal(t, tc.flags, w.flags(2), "%s, from %d", tc.name, from)
		}
	}
}

// Slow pulls go on until WINDOW, and a target that is still below what was granted brings an empty one.
func TestWindow(t *testing.T) {
	w := newWorld(t, port.RegWindow, 200)
	w.wants(1, max24-50, 100)
	for i, want := range []port.Pull{{Number: 12, Quanta: 63}, {Number: 49, Quanta: 37}, {Number: 112, Quanta: 63},
		{Number: 175, Quanta: 63}, {Number: 238, Quanta: 63}, {Number: 301, Quanta: 63}} {
		want.Sender, want.Slow = 1, i >= 2
		require.Equal(t, &want, w.pull(), "pull %d", i)
	}
	require.False(t, w.p.Waiting(), "252 more than it wants")
	require.Equal(t, port.Response{Kind: port.KindTarget, Sender: 1, Raised: true, Joined: true},
		w.ask(port.KindTarget, 1, 0, 300))
	require.Equal(t, &port.Pull{Sender: 1, Number: 301}, w.pull())
	require.Equal(t, &port.Pull{Sender: 1, Number: 364, Quanta: 63, Slow: true}, w.pull())
	require.Equal(t, Counters{port.WordEvents: 4, port.WordPulls: 8, port.WordSlowPulls: 5, port.WordEmptyPulls: 1,
		port.WordQuanta: 100 + 5*63}, w.p.Counters())
}

// Senders take turns; one that wants more goes to the end of the active list, the others to that of the idle list,
// which waits for the active one.
func TestTurns(t *testing.T) {
	w := newWorld(t)
	w.wants(3, 0, 200)
	w.wants(1, 0, 63)
	w.wants(2, 0, 64)
	var order []uint16
	for range 11 {
		order = append(order, w.pull().Sender)
	}
	require.Equal(t, []uint16{3, 1, 2, 3, 2, 3, 3, 1, 2, 3, 1}, order)
}

// A sender may be in both lists, and is in each at most once.
func TestBothLists(t *testing.T) {
	w := newWorld(t)
	w.wants(0, 0, 1)
	w.pull()
	require.Equal(t, uint64(0b101), w.flags(0))
	w.ask(port.KindTarget, 0, 0, 70)
	require.Equal(t, uint64(0b111), w.flags(0))
	require.False(t, w.ask(port.KindWant, 0, 0, 0).Joined)
	require.Equal(t, uint32(1<<16+1), w.ask(port.KindRead, 0, port.WordActives, 0).Data)
	require.Equal(t, uint8(63), w.pull().Quanta)
	require.Equal(t, uint64(0b111), w.flags(0))
	require.Equal(t, uint8(6), w.pull().Quanta)
	require.Equal(t, uint64(0b101), w.flags(0), "it is idle already")
	require.Equal(t, uint32(1<<16), w.ask(port.KindRead, 0, port.WordActives, 0).Data)
	require.True(t, w.pull().Slow)
}

// A closed sender leaves each list when its turn comes, without a pull. One that opens again before has its old place.
func TestStale(t *testing.T) {
	w := newWorld(t)
	for s := range uint16(3) {
		w.wants(s, 0, 10)
	}
	w.pull()
	w.ask(port.KindTarget, 0, 0, 20)
	w.ask(port.KindClose, 0, 0, 0)
	w.ask(port.KindClose, 1, 0, 0)
	w.ask(port.KindOpen, 1, 0, 500)
	require.Equal(t, uint64(0b110), w.flags(0))
	require.Equal(t, &port.Pull{Sender: 1, Number: 500}, w.pull(), "it joined before, and wants nothing since")
	require.Equal(t, uint16(2), w.pull().Sender)
	require.Nil(t, w.pull())
	require.Equal(t, uint64(0b100), w.flags(0))
	require.Nil(t, w.pull(), "now from the idle list")
	require.Zero(t, w.flags(0))
	require.Equal(t, &port.Pull{Sender: 1, Number: 563, Quanta: 63, Slow: true}, w.pull())
	require.Equal(t, uint32(2), w.p.Counters()[port.WordStale])
	require.Equal(t, uint32(10), w.p.Words(0).Granted, "numbers stay")
	require.Equal(t, uint32(4), w.p.Counters()[port.WordPulls])
}

// A list holds all senders.
func TestFullLists(t *testing.T) {
	w := newWorld(t)
	for range 3 {
		for s := range uint16(4) {
			w.event(port.Event{Kind: port.KindOpen, Sender: s})
			w.event(port.Event{Kind: port.KindTarget, Sender: s, Data: 1000})
			w.event(port.Event{Kind: port.KindWant, Sender: s})
		}
	}
	for i := range 4 * (1000/63 + 1) {
		require.Equal(t, uint16(i%4), w.pull().Sender)
	}
	require.Equal(t, 4, w.p.idle.Len())
	for s := range uint16(4) {
		w.ask(port.KindWant, s, 0, 0)
	}
	require.Equal(t, uint32(4<<16+4), w.ask(port.KindRead, 0, port.WordActives, 0).Data)
}

// All that a sender is granted is the sum of its pulls, while it opens and closes, and every sender that wants more has
// its turn before any other has two.
func TestNothingIsLostOrDoubled(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	w := newWorld(t, port.RegQuanta, 5, port.RegWindow, 40)
	var at [4]uint32 // what each has been granted
	all := Counters{port.WordEvents: w.p.counters[port.WordEvents]}
	since := [4]int{} // pulls since a sender joined or had its turn
	for range 60_000 {
		if w.p.Waiting() && r.IntN(3) > 0 {
			active := w.p.active.Len() > 0
			x := w.pull()
			if x == nil {
				all[port.WordStale]++
				continue
			}
			at[x.Sender] = (at[x.Sender] + uint32(x.Quanta)) & max24
			require.Equal(t, at[x.Sender], x.Number)
			require.Equal(t, active, !x.Slow)
			since[x.Sender] = 0
			for s := range since {
				if s != int(x.Sender) && w.flags(s)&0b010 != 0 {
					since[s]++
					require.Less(t, since[s], 4, "sender %d waits too long", s)
				}
			}
			all[port.WordPulls]++
			all[port.WordQuanta] += uint32(x.Quanta)
			all[port.WordSlowPulls] += uint32(bits(x.Slow))
			all[port.WordEmptyPulls] += uint32(bits(x.Quanta == 0))
			continue
		}
		s := uint16(r.IntN(4))
		e := port.Event{Kind: []port.Kind{5, 5, 6, 7, 7, 7, 7, 7, 7, 8}[r.IntN(10)], Sender: s,
			Data: at[s] + uint32(r.IntN(30))}
		rsp := w.event(e)
		all[port.WordEvents]++
		if e.Kind == port.KindOpen && !rsp.Refused {
			at[s] = e.Data & max24
		}
		if rsp.Joined {
			since[s] = 0
		}
	}
	require.Equal(t, all, w.p.Counters())
	for s := range at {
		require.Equal(t, at[s], w.p.Words(s).Granted)
	}
	require.Positive(t, all[port.WordSlowPulls]*all[port.WordEmptyPulls]*all[port.WordStale])
}

func TestDiff(t *testing.T) {
	for _, tc := range []struct {
		a, b uint32
		want int32
	}{{5, 3, 2}, {3, 5, -2}, {0, max24, 1}, {max24, 0, -1}, {1<<23 - 1, 0, 1<<23 - 1}, {1 << 23, 0, -1 << 23},
		{0, 1 << 23, -1 << 23}, {0xFF000005, 3, 2}, {5, 0xFF000006, -1}} {
		require.Equal(t, tc.want, diff(tc.a, tc.b), "%#x %#x", tc.a, tc.b)
		require.Equal(t, int(tc.want), plainDiff(int(tc.a), int(tc.b)), "%#x %#x", tc.a, tc.b)
	}
}

// The time of a pull is that of its quanta; one without counts as EMPTY.
func TestGap(t *testing.T) {
	w := newWorld(t, port.RegGap, 1<<24-1)
	for n, want := range map[uint8]uint64{0: 4 * (1<<24 - 1), 1: 1<<24 - 1, 4: 4 * (1<<24 - 1), 255: 255 * (1<<24 - 1)} {
		require.Equal(t, want, w.p.Gap(n))
	}
}

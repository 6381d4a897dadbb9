package credit

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// Pulls start their gap apart, to the fraction: pull k comes after the whole cycles of k gaps. The first one is too
// late to catch up.
func TestGapsToTheFraction(t *testing.T) {
	for _, tc := range []struct{ quanta, gap uint32 }{{1, 5 << 16}, {1, 5<<16 + 1}, {1, 6<<16 - 1}, {1, 338934},
		{63, 338934}, {2, 338934}, {255, 1301}, {7, 1<<16 + 9362}, {64, 1<<24 - 1}, {255, 1<<24 - 1}} {
		for _, senders := range []int{1, 3} {
			b := newBench(t, 4)
			b.m.pace.late = port.Slack
			g := int(tc.quanta * tc.gap)
			cycles := min(400*g>>16, 400_000)
			s := b.greedy(senders, tc.quanta, tc.gap).run(nil, takes, cycles)
			require.GreaterOrEqual(t, len(s.pullAt), 6)
			for k, at := range s.pullAt {
				if want := port.PullBusy + k*g>>16; want != at {
					require.Equal(t, want, at, "pull %d, %+v", k, tc)
				}
				require.Equal(t, k%senders, int(s.pull[k].Sender))
			}
		}
	}
}

// A gap below PULL_BUSY is as long as the job, and nothing is saved up.
func TestShortGaps(t *testing.T) {
	for _, gap := range []uint32{1, 65536, 5<<16 - 1} {
		b := newBench(t, 4).greedy(1, 1, gap)
		s := b.run(nil, takes, 500)
		require.Equal(t, from(5, 5, 99), s.pullAt)
		b.set(port.Event{Kind: port.KindCfgWrite, Addr: port.RegGap, Data: 100 << 16})
		s = b.run(nil, takes, 400) // the pull that started in 500 has the new gap
		require.Equal(t, from(500, 5, 2), s.pullAt[:2])
		require.Equal(t, from(605, 100, 3), s.pullAt[2:5])
	}
}

// The next pull follows by the quanta of this one, and by EMPTY after one without.
func TestGapsOfQuanta(t *testing.T) {
	b := newBench(t, 4).greedy(0, 50, 10<<16)
	b.m.pace.late = port.Slack
	for s, target := range []uint32{50, 20, 0, 120} {
		b.set(port.Event{Kind: port.KindOpen, Sender: uint16(s)}, port.Event{Kind: port.KindTarget, Sender: uint16(s),
			Data: target}, port.Event{Kind: port.KindWant, Sender: uint16(s)})
	}
	s := b.run(nil, takes, 4000)
	at := 5
	for i, n := range []int{50, 20, 0, 50, 50, 20, 50, 50, 50} {
		require.Equal(t, at, s.pullAt[i], "pull %d", i)
		require.Equal(t, n, int(s.pull[i].Quanta))
		require.Equal(t, i >= 6, s.pull[i].Slow)
		if n == 0 {
			n = port.Empty
		}
		at += 10 * n
	}
}

// A pull that starts late brings the next one forward by as much, unless it is SLACK cycles late or more. Here four
// pulls fill the FIFO, at 0, 20, 40 and 60, so that the one of 80 waits for a take.
func TestLatePulls(t *testing.T) {
	for _, tc := range []struct{ quanta, late, next int }{
		{1, 0, 20}, {1, 1, 19}, {1, 14, 6}, {1, 15, 5}, {1, 16, 5}, {1, 63, 5}, {1, 64, 20}, {1, 65, 20}, {1, 1000, 20},
		{5, 0, 100}, {5, 62, 38}, {5, 63, 37}, {5, 64, 100}, {5, 65, 100},
	} {
		t.Run(fmt.Sprint(tc), func(t *testing.T) {
			b := newBench(t, 4).greedy(1, uint32(tc.quanta), 20<<16)
			b.m.pace.late = port.Slack
			g := 20 * tc.quanta
			b.run(nil, high, 4*g+tc.late-1)
			require.Equal(t, 4, b.m.pull.Len())
			b.cycle(nil, takes) // so that a pull starts in the next cycle
			start := b.now
			s := b.run(nil, takes, 3*g)
			require.Equal(t, start+5, s.pullAt[3])
			require.Equal(t, []int{start + 5 + tc.next, start + 5 + tc.next + g}, s.pullAt[4:6])
		})
	}
}

// An event in the way makes a pull late, and does not lower the rate: pull k is due after k gaps, and starts then or
// when the event's job is over.
func TestEventsDoNotLowerTheRate(t *testing.T) {
	b := newBench(t, 4).greedy(1, 4, 338934)
	b.m.pace.late = port.Slack
	var late int
	s := b.run(looks(2000), takes, 8000)
	require.Greater(t, len(s.rsp), 1000)
	for k, at := range s.pullAt {
		due := 5 + k*4*338934>>16
		require.GreaterOrEqual(t, at, due, "pull %d", k)
		require.Less(t, at, due+port.EvBusy, "pull %d", k)
		if at > due {
			late++
		}
	}
	require.Greater(t, len(s.pullAt), 380)
	require.Greater(t, late, 200)
}

// A pacer that had nothing to do does not save up time, but less than SLACK cycles.
func TestIdleDoesNotSaveUp(t *testing.T) {
	for wait, next := range map[int]int{0: 100, 1: 99, 63: 37, 64: 100, 5000: 100} {
		b := newBench(t, 4)
		b.m.pace = pace{}
		b.run(nil, takes, wait)
		s := b.greedy(1, 1, 100<<16).run(nil, takes, 300)
		require.Equal(t, []int{wait + 5, wait + 5 + next, wait + 5 + next + 100}, s.pullAt[:3])
	}
}

// Time passes in the job of an event, and not in that of a pull.
func TestWhenTimePasses(t *testing.T) {
	b := newBench(t, 4)
	b.m.pace = pace{wait: 3<<16 + 7}
	b.run(looks(1), takes, 1)
	var got []pace
	for range 6 {
		b.cycle(nil, takes)
		got = append(got, b.m.pace)
	}
	const f = 7
	require.Equal(t, []pace{{1<<16 + f, 0}, {f, 0}, {f, 1}, {f, 2}, {f, 3}, {f, 4}}, got)
	b.greedy(1, 1, 10<<16)
	for range 5 {
		require.Equal(t, pace{f, 4}, b.m.pace)
		b.cycle(nil, takes)
	}
	require.Equal(t, pace{wait: 1<<16 + f}, b.m.pace, "10 - 5 - 4 cycles")
}

// The widest wait: 255 quanta of the longest gap.
func TestWidestWait(t *testing.T) {
	b := newBench(t, 4).greedy(1, 255, 1<<24-1)
	b.m.pace = pace{wait: 1<<16 - 1}
	b.run(nil, takes, 5)
	require.Equal(t, uint64(1<<16-1+255*(1<<24-1)-5<<16), b.m.pace.wait)
	require.Less(t, b.m.pace.wait, uint64(1)<<(17+port.Frac))
}

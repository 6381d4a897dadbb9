package clk

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// rig drives a Stream by hand; the response to an event is its id.
type rig struct {
	t *testing.T
	s Stream[uint32, uint32]
}

func newRig(t *testing.T, timing Timing) *rig {
	r := &rig{t: t}
	r.s.Init(timing)
	return r
}

// cycle executes one clock cycle; a nil ev offers nothing.
func (r *rig) cycle(ev *event, take bool) (ready, valid bool, id uint32) {
	ready, valid = r.s.Ready(), r.s.Valid()
	if valid {
		id = *r.s.Response()
	}
	if e, rsp, ok := r.s.Issue(); ok {
		*rsp = *e
	}
	if ready && ev != nil {
		*r.s.Accept() = Entry[uint32]{ev.key, ev.class, ev.id}
	}
	if valid && take {
		r.s.Take()
	}
	r.s.Tick()
	return ready, valid, id
}

// responseCycle accepts the events back to back from cycle 0 and returns the cycle in which each response is at the
// port. The sink is always ready.
func responseCycle(t *testing.T, timing Timing, evs ...event) []int {
	r := newRig(t, timing)
	var at []int
	for c := 0; len(at) < len(evs); c++ {
		require.Less(t, c, 1000, "response missing")
		var ev *event
		if r.s.Ready() && len(evs) > 0 {
			if i := int(accepted(r)); i < len(evs) {
				evs[i].id = uint32(i)
				ev = &evs[i]
			}
		}
		if _, valid, id := r.cycle(ev, true); valid {
			require.Equal(t, uint32(len(at)), id, "order of responses")
			at = append(at, c)
		}
	}
	return at
}

func accepted(r *rig) uint { return r.s.in.wr }

var small = Timing{Latency: 5, Stall: 4, InDepth: 2, Credits: 8}

func TestLatencyIsOneMoreThanL(t *testing.T) {
	require.Equal(t, []int{6}, responseCycle(t, small, event{key: 1, class: Keyed}))
}

func TestDifferentKeysIssueEveryCycle(t *testing.T) {
	require.Equal(t, []int{6, 7, 8, 9}, responseCycle(t, small,
		event{key: 1, class: Keyed}, event{key: 2, class: Keyed}, event{key: 3, class: Keyed}, event{key: 4, class: Keyed}))
}

func TestOneKeyIssuesEveryStallCycles(t *testing.T) {
	k := event{key: 7, class: Keyed}
	require.Equal(t, []int{6, 10, 14}, responseCycle(t, small, k, k, k))
}

func TestStallEndsExactlyAtS(t *testing.T) {
	k, f := event{key: 7, class: Keyed}, event{class: Free}
	// With two events between, the third could issue 3 cycles after the first, and waits one more.
	require.Equal(t, []int{6, 7, 8, 10}, responseCycle(t, small, k, f, f, k))
	// With three between, they are exactly S apart: no wait.
	require.Equal(t, []int{6, 7, 8, 9, 10}, responseCycle(t, small, k, f, f, f, k))
}

func TestKeysWithOneHashDoNotBlock(t *testing.T) {
	a, b := uint32(5), uint32(5^1<<10^1)
	require.Equal(t, hash(a), hash(b))
	require.Equal(t, []int{6, 7, 10}, responseCycle(t, small,
		event{key: a, class: Keyed}, event{key: b, class: Keyed}, event{key: a, class: Keyed}))
}

func TestExclusiveWaitsForAll(t *testing.T) {
	k, f, x := event{key: 7, class: Keyed}, event{class: Free}, event{class: Exclusive}
	require.Equal(t, []int{6, 10, 11}, responseCycle(t, small, k, x, k), "key, exclusive, then the key is long free")
	require.Equal(t, []int{6, 10}, responseCycle(t, small, f, x), "an event without a key holds up an exclusive one")
	require.Equal(t, []int{6, 10, 14}, responseCycle(t, small, x, x, x))
	require.Equal(t, []int{6, 7}, responseCycle(t, small, x, f),
		"an exclusive event holds up nothing that is not exclusive")
	require.Equal(t, []int{6, 7}, responseCycle(t, small, x, k))
}

func TestFreeNeverWaits(t *testing.T) {
	f := event{class: Free}
	require.Equal(t, []int{6, 7, 8}, responseCycle(t, small, f, f, f))
}

func TestHeadBlocksYoungerEvents(t *testing.T) {
	k := event{key: 7, class: Keyed}
	require.Equal(t, []int{6, 10, 11}, responseCycle(t, small, k, k, event{key: 8, class: Keyed}))
}

func TestCreditsStopTheIssueOnly(t *testing.T) {
	r := newRig(t, small)
	n, c := uint32(0), 0
	for ; c < 40; c++ { // nothing is taken: D events issue and two wait in the input FIFO
		ev := event{class: Free, id: n}
		if ready, _, _ := r.cycle(&ev, false); ready {
			n++
		}
	}
	credits, queued := r.s.InUse()
	require.Equal(t, [3]int{8, 2, 10}, [3]int{credits, queued, int(n)})
	require.False(t, r.s.Ready())

	_, valid, id := r.cycle(nil, true) // the take frees a credit for the next cycle, not for this cycle
	require.True(t, valid)
	require.Zero(t, id)
	_, queued = r.s.InUse()
	require.Equal(t, 2, queued)
	r.cycle(nil, false)
	credits, queued = r.s.InUse()
	require.Equal(t, [2]int{8, 1}, [2]int{credits, queued})
}

func TestSustainsOneEventPerCycle(t *testing.T) {
	r := newRig(t, small)
	for c := range 1000 {
		ev := event{class: Free, id: uint32(c)}
		ready, valid, id := r.cycle(&ev, true)
		require.True(t, ready)
		require.Equal(t, c >= 6, valid)
		if valid {
			require.Equal(t, uint32(c-6), id)
		}
	}
}

func TestSweepHoldsReadyLow(t *testing.T) {
	timing := small
	timing.Sweep = 9
	r := newRig(t, timing)
	for range 3 {
		for range 9 {
			ready, _, _ := r.cycle(nil, true)
			require.False(t, ready)
		}
		require.True(t, r.s.Ready())
		r.s.TickReset()
	}
	for range 8 { // a reset in the last cycle but one restarts the sweep
		r.cycle(nil, true)
	}
	r.s.TickReset()
	for range 9 {
		require.False(t, r.s.Ready())
		r.cycle(nil, true)
	}
	require.True(t, r.s.Ready())
}

func TestResetDropsEverything(t *testing.T) {
	r := newRig(t, small)
	k := event{key: 3, class: Keyed}
	for range 20 {
		r.cycle(&k, false)
	}
	r.s.TickReset()
	require.True(t, r.s.Ready())
	require.False(t, r.s.Valid())
	k.id = 77
	for c := range 7 { // the key is free at once and the old responses are gone
		ev := &k
		if c > 0 {
			ev = nil
		}
		_, valid, id := r.cycle(ev, true)
		require.Equal(t, c == 6, valid)
		if valid {
			require.Equal(t, uint32(77), id)
		}
	}
}

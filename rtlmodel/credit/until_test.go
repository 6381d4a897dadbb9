package credit

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// asked is what Until answered before a cycle.
type asked struct {
	at, cycles, events int // events accepted before
	ok, sure           bool
}

// TestUntil asks before every cycle of random runs, and holds the answers against the next pull: it never comes before,
// comes just then if no event was under way or came and no sender was closed, and without an event not where none
// can.
func TestUntil(t *testing.T) {
	exact, never := 0, 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 11))
		b := newBench(t, 4)
		b.set(port.Event{Kind: port.KindCfgWrite, Addr: port.RegGap, Data: 1 + rng.Uint32N(9<<16)})
		var open []asked
		events, stale := 0, uint32(0)
		var ev *port.Event
		for range 20_000 {
			n, ok := b.m.Until()
			sure := b.m.ev.Len() == 0 && (b.m.left == 0 || b.m.job == ofPull)
			open = append(open, asked{b.now, n, events, ok, sure})
			if ev == nil && rng.IntN([]int{3, 200, 2000}[seed%3]) == 0 {
				ev = &port.Event{Kind: port.Kind(5 + rng.IntN(4)), Sender: uint16(rng.IntN(4)), Data: rng.Uint32N(2000)}
			}
			b.cycle(ev, takes)
			if ev != nil && b.out[0]&port.OutEvReady != 0 {
				ev, events = nil, events+1
			}
			if c := b.m.pacer.counters[port.WordStale]; c != stale {
				stale, open = c, nil
			}
			if b.out[0]&port.OutPullValid == 0 {
				continue
			}
			for _, a := range open {
				require.LessOrEqual(t, a.at+a.cycles, b.now-1)
				if a.events == events {
					require.True(t, a.ok)
					if a.sure {
						require.Equal(t, b.now-1, a.at+a.cycles)
						exact++
					}
				} else if !a.ok {
					never++
				}
			}
			open = nil
		}
	}
	require.Greater(t, exact, 1000)
	require.Greater(t, never, 1000)
}

// TestRests holds a model that sleeps while it rests against one that does not: their ports are alike.
func TestRests(t *testing.T) {
	slept := 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 12))
		b, sleeper := newBench(t, 4), newBench(t, 4)
		gap := port.Event{Kind: port.KindCfgWrite, Addr: port.RegGap, Data: 1 + rng.Uint32N(9<<16)}
		b.set(gap)
		sleeper.set(gap)
		var ev *port.Event
		for range 50_000 {
			if ev == nil && rng.IntN(700) == 0 {
				ev = &port.Event{Kind: port.Kind(5 + rng.IntN(4)), Sender: uint16(rng.IntN(4)), Data: rng.Uint32N(2000)}
			}
			b.cycle(ev, takes)
			if sleeper.m.Rests() && ev == nil {
				slept++
				require.Zero(t, b.out[0]&^port.OutEvReady)
				continue
			}
			sleeper.cycle(ev, takes)
			require.Equal(t, b.out, sleeper.out)
			if ev != nil && b.out[0]&port.OutEvReady != 0 {
				ev = nil
			}
		}
	}
	require.Greater(t, slept, 1000)
}

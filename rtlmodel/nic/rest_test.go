package nic

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	pg "github.com/goldwire/goldwire/vectors/event/ackgen"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// A model that skips its rests is the one that plays them, to the last bit of its state, and nothing comes of the other
// one meanwhile. A rest ends where the timer acts, not before.
func TestSkippedRestsAreRests(t *testing.T) {
	met := map[string]int{}
	seeds := uint64(4) // one for each size
	if os.Getenv("GOLDWIRE_LONG") != "" {
		seeds = 40
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 83))
		spec := Spec{Contexts: []int{2, 4}[seed%2], Receives: []int{4, 16}[seed/2%2]}
		played, err := New(spec)
		require.NoError(t, err)
		skipped, err := New(spec)
		require.NoError(t, err)
		d := &traffic{r: r, spec: spec}
		d.begin()
		d.commands = append(d.commands, register(port.TargetSource, ps.RegTick, uint64(1+r.IntN(5))),
			register(port.TargetDestination, pg.RegTick, uint64(1+r.IntN(5))),
			register(port.TargetSource, ps.RegTries, uint64(1+r.IntN(3))))
		var rec [port.InWords]uint64
		var want, got [port.OutWords]uint64
		for busy := 0; busy < 20000; {
			most := 1 + r.IntN(3000)
			n := skipped.Rests(most)
			require.LessOrEqual(t, n, most)
			if timer := n < most && n > 0; n > 0 && r.IntN(32) == 0 {
				if !timer || r.IntN(3) == 0 {
					n = 1 + r.IntN(n)
					timer = false
				}
				skipped.Skip(n)
				met["skipped"] += n
				for range n {
					rec = [port.InWords]uint64{takes &^ (uint64(r.IntN(2)) * port.InTxReady)}
					played.Cycle(rec[:], want[:])
					if want != [port.OutWords]uint64{port.OutRxReady | port.OutCmdReady} {
						require.Fail(t, "something comes of it in a rest", "seed %d: %x", seed, want)
					}
				}
				require.Equal(t, played, skipped, "seed %d: after %d cycles of a rest", seed, n)
				if timer {
					require.Zero(t, skipped.Rests(1), "the timer acts now")
					require.Panics(t, func() { skipped.Skip(1) })
					met["timer"]++
				}
			}
			in := plainIn{rstN: r.IntN(10000) > 0, txReady: true, indReady: true, noteReady: true, rspReady: true}
			if !in.rstN {
				d.begin()
			}
			if in.rstN && skipped.CmdReady() && r.IntN(20) == 0 && (len(d.commands) > 0 || r.IntN(20) == 0) {
				in.cmdValid, in.cmd = true, d.command()
				if len(d.commands) == 0 && r.IntN(2) == 0 {
					in.cmd = source(ps.KindClose, r.IntN(spec.Pdcs()), 0)
				}
			}
			if in.rstN && skipped.RxReady() {
				if x := d.beat(); x != nil {
					in.rxValid, in.rx = true, *x
				}
			}
			in.pack(rec[:])
			played.Cycle(rec[:], want[:])
			skipped.Cycle(rec[:], got[:])
			if want != got {
				require.Equal(t, want, got, "seed %d", seed)
			}
			busy++
			if got[0]&port.OutTxValid != 0 {
				var x port.Tx
				port.UnpackTx(got[:], &x)
				d.left(&x)
			}
			if got[0]&port.OutNoteValid != 0 {
				var x port.Note
				port.UnpackNote(got[:], &x)
				met[x.Kind.String()]++
			}
		}
	}
	t.Log(met)
	for _, name := range []string{"LOST", "STOPPED", "CLOSING", "timer"} {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
	require.Greater(t, met["skipped"], 100_000, "%v", met)
}

// A model with something in it does not rest.
func TestWorkIsNoRest(t *testing.T) {
	m := newBench(t, Spec{Contexts: 2, Receives: 4})
	require.Equal(t, 100, m.m.Rests(100))
	c := source(ps.KindOpen, 0, 0)
	m.cycle(nil, &c, takes)
	for len(m.rsps) == 0 {
		require.Zero(t, m.m.Rests(1))
		m.idle(1)
	}
	reset, err := New(Spec{Contexts: 2, Receives: 4})
	require.NoError(t, err)
	require.Zero(t, reset.Rests(1), "it is not up")
}

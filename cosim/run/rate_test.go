package run_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
)

// beatRate is what the ports of a stream of packets did from the first beat taken to the last.
type beatRate struct {
	in, out int
	stalls  int // cycles in which a beat was offered in vain
	bubbles int // cycles without a beat at tx behind its first
	late    int // of them, those behind the first stall
	cycles  int
}

// requireRate plays the directed cases whose name begins with full-rate on RTL and on its own counts what its ports do.
func requireRate(t *testing.T, name string, rxValid, rxReady, txValid, txReady uint64, check func(t *testing.T,
	r beatRate)) {
	t.Helper()
	cycle := stepped(t, name, nil)
	src, err := block.Open(name, "directed", stim.Options{Seed: 1})
	require.NoError(t, err)
	defer src.Close()
	l := layoutOf(t, name)
	d, in, out := drive.NewDriver(l), make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	played := 0
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		if !strings.HasPrefix(ep.Name, "directed/full-rate/") {
			continue
		}
		played++
		t.Run(ep.Name, func(t *testing.T) {
			var r, last beatRate
			for d.Begin(ep); d.Drive(in); {
				cycle(in, out)
				d.Observe(out)
				offered, ready := in[0]&rxValid != 0, out[0]&rxReady != 0
				if r.in == 0 && !(offered && ready) {
					continue
				}
				r.cycles++
				require.True(t, in[0]&txReady != 0, "tx is taken in every cycle")
				switch {
				case offered && ready:
					r.in++
				case offered:
					r.stalls++
				}
				switch {
				case out[0]&txValid != 0:
					r.out++
				case r.out > 0:
					r.bubbles++
					if r.stalls > 0 {
						r.late++
					}
				}
				if offered && ready {
					last = r // what comes behind the last beat is not counted, but for what is put out
				}
			}
			last.out = r.out
			t.Logf("%+v", last)
			check(t, last)
		})
	}
	require.NotZero(t, played)
}

// TestTrimmerRTLTakesABeatEveryCycle counts beats and cycles at the ports of the RTL: none is lost at rx, whatever is
// trimmed.
func TestTrimmerRTLTakesABeatEveryCycle(t *testing.T) {
	requireRate(t, trimmer.BlockName, trimmer.InRxValid, trimmer.OutRxReady, trimmer.OutTxValid, trimmer.InTxReady,
		func(t *testing.T, r beatRate) {
			require.Zero(t, r.stalls)
			require.Equal(t, r.in, r.cycles)
			// Cut beats leave a cycle each; up to three more while packets of less than four beats come first.
			require.LessOrEqual(t, r.bubbles, r.in-r.out+3)
		})
}

// TestIntmdRTLStopsOncePerAddedBeat does so for the inserter: the store takes the first added beats, each of the others
// stops rx once, and tx has a beat in every cycle then.
func TestIntmdRTLStopsOncePerAddedBeat(t *testing.T) {
	const absorbed = intmd.Store - 1 - intmd.Release
	requireRate(t, intmd.BlockName, intmd.InRxValid, intmd.OutRxReady, intmd.OutTxValid, intmd.InTxReady,
		func(t *testing.T, r beatRate) {
			added := r.out - r.in
			require.NotZero(t, added)
			require.Equal(t, r.in+r.stalls, r.cycles)
			require.Zero(t, r.late)
			require.LessOrEqual(t, r.stalls, added-absorbed+1)
			// What is still in the block when the last beat comes in stops nothing any more.
			require.Greater(t, r.stalls, added-absorbed-intmd.Store-intmd.Release)
		})
}

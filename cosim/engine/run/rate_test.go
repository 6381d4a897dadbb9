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

// beatRate is the activity at the ports of a stream of packets from the first accepted beat to the last.
type beatRate struct {
	in, out int
	stalls  int // cycles in which a beat was offered but not taken
	bubbles int // cycles without a beat at tx after its first
	late    int // bubbles after the first stall
	cycles  int
}

// requireRate plays the directed cases whose names begin with full-rate on RTL and counts the activity of its ports.
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
					last = r // nothing after the last beat counts except output
				}
			}
			last.out = r.out
			t.Logf("%+v", last)
			check(t, last)
		})
	}
	require.NotZero(t, played)
}

// TestTrimmerRTLTakesABeatEveryCycle counts beats and cycles at the ports of the RTL: rx loses no cycle, whatever is
// trimmed.
func TestTrimmerRTLTakesABeatEveryCycle(t *testing.T) {
	t.Parallel()
	requireRate(t, trimmer.BlockName, trimmer.InRxValid, trimmer.OutRxReady, trimmer.OutTxValid, trimmer.InTxReady,
		func(t *testing.T, r beatRate) {
			require.Zero(t, r.stalls)
			require.Equal(t, r.in, r.cycles)
			// Cut beats leave a cycle each, and up to three more go while packets of less than four beats come first.
			require.LessOrEqual(t, r.bubbles, r.in-r.out+3)
		})
}

// TestIntmdRTLStopsOncePerAddedBeat does so for the inserter: the store takes the first added beats, each further one
// stops rx once, and tx then has a beat in every cycle.
func TestIntmdRTLStopsOncePerAddedBeat(t *testing.T) {
	t.Parallel()
	const absorbed = intmd.Store - 1 - intmd.Release
	requireRate(t, intmd.BlockName, intmd.InRxValid, intmd.OutRxReady, intmd.OutTxValid, intmd.InTxReady,
		func(t *testing.T, r beatRate) {
			added := r.out - r.in
			require.NotZero(t, added)
			require.Equal(t, r.in+r.stalls, r.cycles)
			require.Zero(t, r.late)
			require.LessOrEqual(t, r.stalls, added-absorbed+1)
			// Beats still in the block when the last one comes in stop nothing.
			require.Greater(t, r.stalls, added-absorbed-intmd.Store-intmd.Release)
		})
}

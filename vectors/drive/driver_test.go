package drive

import (
	"testing"

	"github.com/stretchr/testify/require"

	cccmodel "github.com/goldwire/goldwire/rtlmodel/ccc"
	txmodel "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
	stimccc "github.com/goldwire/goldwire/vectors/stim/ccc"
	stimtxstate "github.com/goldwire/goldwire/vectors/stim/txstate"
)

// Control bits that ccc and txstate share.
const (
	inEvValid  = ccc.InEvValid
	outEvReady = ccc.OutEvReady
)

func newDriver(block string) *Driver {
	if block == ccc.BlockName {
		return NewDriver(event.NewLayout(ccc.Schema()))
	}
	return NewDriver(event.NewLayout(txstate.Schema()))
}

// cycler is a cycle-true model.
type cycler interface{ Cycle(in, out []uint64) }

func newCycler(t *testing.T, block string) (m cycler, outWords int) {
	t.Helper()
	if block == ccc.BlockName {
		m, err := cccmodel.New(cccmodel.Spec{NumContexts: 16, NumPdcs: ccc.DefaultNumPdcs,
			NumProfiles: ccc.DefaultNumProfiles})
		require.NoError(t, err)
		return m, 6
	}
	x, err := txmodel.New(txmodel.Spec{NumPdcs: 2, Depth: 8})
	require.NoError(t, err)
	return x, 3
}

var smallParams = map[string]map[string]int{ccc.BlockName: {"NumContexts": 16},
	txstate.BlockName: {"NumPdcs": 2, "Depth": 8}}

// TestDriverKeepsTheProtocol plays episodes on the models and checks what the
// driver owes to the ports: an offered event stays as it is until it is taken,
// events come in order and each once, and resets come where they are asked for.
func TestDriverKeepsTheProtocol(t *testing.T) {
	for block, suite := range map[string]*stim.Suite{ccc.BlockName: &stimccc.Suite,
		txstate.BlockName: &stimtxstate.Suite} {
		for _, source := range []string{"directed", "random"} {
			t.Run(block+"/"+source, func(t *testing.T) {
				src, err := suite.Open(source, stim.Options{Seed: 9, Events: 15000, Params: smallParams[block]})
				require.NoError(t, err)
				m, outWords := newCycler(t, block)
				words := event.NewLayout(suite.Schema).In.Words
				in, out, before := make([]uint64, words), make([]uint64, outWords), make([]uint64, words)
				d := newDriver(block)
				for ep, ok := src.Next(); ok; ep, ok = src.Next() {
					var want, got [][]uint64
					ep.Tap = func(it *stim.Item) { want = append(want, append([]uint64(nil), it.Words...)) }
					d.Begin(ep)
					offered := false
					resets, low := 0, 0
					for d.Drive(in) {
						m.Cycle(in, out)
						d.Observe(out)
						if offered {
							require.NotZero(t, in[0]&inEvValid, "%v: valid fell", d)
							require.Equal(t, before[0]&^7, in[0]&^7, "%v: payload moved", d)
							require.Equal(t, before[1:], in[1:], "%v: payload moved", d)
						}
						rst := in[0]&inRstN == 0
						if rst {
							low++
							require.Zero(t, out[0]&3)
						} else if low > 0 {
							require.GreaterOrEqual(t, low, 1)
							resets, low = resets+1, 0
						}
						accepted := !rst && in[0]&inEvValid != 0 && out[0]&outEvReady != 0
						if accepted {
							ev := append([]uint64(nil), in...)
							ev[0] &^= 7
							got = append(got, ev)
						}
						offered = in[0]&inEvValid != 0 && !accepted
						copy(before, in)
						require.Less(t, d.Cycles(), uint64(10_000_000), "%v: does not end", d)
					}
					require.Equal(t, want, got, ep.Name)
					require.Equal(t, ep.Len, len(got), ep.Name)
					require.Equal(t, ep.Len, d.Accepted(), ep.Name)
					want1 := 0
					for _, r := range ep.Drive.Resets {
						if r.After <= ep.Len {
							want1++
						}
					}
					if low > 0 {
						resets++
					}
					require.LessOrEqual(t, resets, want1, ep.Name)
					require.GreaterOrEqual(t, resets, 1, ep.Name)
				}
			})
		}
	}
}

func TestGapsHoldEventsBack(t *testing.T) {
	m, outWords := newCycler(t, txstate.BlockName)
	items := []stim.Item{{Words: []uint64{0, 0, 0}}, {Words: []uint64{0, 1, 0}}, {Words: []uint64{0, 2, 0}}}
	ep := stim.Recorded("gaps", txstate.BlockName, 1,
		stim.DriveSpec{Resets: []stim.Reset{{Low: 1}}, Gaps: []uint16{0, 50, 3}}, items)
	in, out := make([]uint64, 3), make([]uint64, outWords)
	d := newDriver(txstate.BlockName)
	d.Begin(ep)
	var at []uint64
	for d.Drive(in) {
		m.Cycle(in, out)
		if in[0]&inEvValid != 0 && out[0]&outEvReady != 0 {
			at = append(at, d.Cycles())
		}
		d.Observe(out)
	}
	require.Len(t, at, 3)
	require.EqualValues(t, 51, at[1]-at[0])
	require.EqualValues(t, 4, at[2]-at[1])
}

// A sweep may last longer than a block that has been ready may be silent; neither may last for ever.
func TestStalled(t *testing.T) {
	for _, ready := range []bool{false, true} {
		src, err := stimtxstate.Suite.Open("random", stim.Options{Seed: 1, Events: 100})
		require.NoError(t, err)
		ep, _ := src.Next()
		ep.Drive.Resets = nil
		d := newDriver(txstate.BlockName)
		d.Begin(ep)
		in, out, cycles := make([]uint64, txstate.InWords), make([]uint64, txstate.OutWords), 0
		for d.Drive(in) && !d.Stalled() {
			if clear(out); ready && cycles < 50 {
				out[0] = outEvReady
			}
			d.Observe(out)
			cycles++
		}
		require.True(t, d.Stalled())
		limit := map[bool]int{false: stallSweep, true: stallQuiet}[ready]
		require.InDelta(t, limit, cycles, 1000, "ready %v", ready)
	}
}

package packet

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
)

var reasons = []string{"", "TRUNCATED", "ETHERTYPE", "HEADER", "FRAGMENT", "EXTENSION", "PROTOCOL", "LENGTH", "IP_SUM",
	"UDP_SUM", "PORT"}

// The walk over the beats of random packets finds what the list of the contract does. The blocks' tests have each step
// by name.
func TestWalkMatchesPlainTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	met := map[string]int{}
	var f Frame
	for range 20000 {
		p := plain.Packet{V6: rng.IntN(2) == 0, Native: rng.IntN(3) == 0, Checksum: rng.IntN(2) == 0,
			Tags: []uint16{0x8100, 0x88A8, 0x8100}[:rng.IntN(4)], PDS: make([]byte, 2+rng.IntN(200)), Padding: rng.IntN(70)}
		if !p.V6 {
			p.Options = 4 * rng.IntN(11)
		}
		if rng.IntN(8) == 0 {
			p.Port = 4791
		}
		frame := p.Damage(rng)
		by := Filter{UDPPort: 4793, Native: []uint8{253, 17, 0}[rng.IntN(12)%3], Summed: rng.IntN(4) == 0}
		tag := rng.Uint32()
		for _, b := range plain.BeatsOf(rng, frame, tag) {
			f.Add(&b.Data, b.Keep, b.Last, b.Tag)
		}
		require.Equal(t, tag, f.Tag)
		require.Equal(t, len(frame), f.Len())
		require.Equal(t, string(frame), string(f.Bytes()))
		var w Walk
		reason := w.Decide(&by, f.Bytes(), f.Len())
		f.Clear()
		require.Zero(t, f.Len())

		want, x := plain.Walk([]uint32{4793, uint32(by.Native), map[bool]uint32{true: 1}[by.Summed]}, frame)
		require.Equal(t, want.Reason, reasons[reason], "%x", frame)
		met[want.Reason]++
		if reason == 0 {
			require.Equal(t, x, plain.Found{V6: w.V6, Native: w.Native, L2: w.L2, H: w.H, P: w.P, E: w.E})
		}
	}
	for _, name := range reasons {
		require.GreaterOrEqual(t, met[name], 50, "%s hardly met in %v", name, met)
	}
}

// A frame stops counting at MaxFrame, and keeps the bytes that the walk reads.
func TestLongFrame(t *testing.T) {
	var f Frame
	for range 3000 {
		f.Add(&[8]uint64{1}, 0, false, 5)
	}
	require.Equal(t, MaxFrame, f.Len())
	require.Len(t, f.Bytes(), maxEnd)
	f.Clear()
	f.Add(&[8]uint64{7}, 1, true, 6)
	require.Equal(t, []byte{7}, f.Bytes())
	require.Equal(t, uint32(6), f.Tag)
}

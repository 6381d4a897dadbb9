package event_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// Every bit that counts is compared, and no other: a bit is turned in turn, with each stream valid in the wanted record
// or not, and the part that differs is the one that has the bit.
func TestEveryBitThatCountsIsCompared(t *testing.T) {
	b := packets()
	b.Streams = append(b.Streams, event.Stream{Name: "log", Dir: event.Out, Fields: []event.Field{{Name: "x", Width: 7},
		{Name: "wide", Width: 130}}})
	l := event.NewLayout(b)
	r := rand.New(rand.NewPCG(1, 2))
	names := func(want, got []uint64) (out []string) {
		for p := range l.Differ(want, got) {
			out = append(out, p.Name())
		}
		return out
	}
	for valid := range 4 {
		for bit := range 64 * l.Out.Words {
			want := make([]uint64, l.Out.Words)
			for w := range want {
				want[w] = r.Uint64()
			}
			want[0] &^= l.Out.Control("tx_valid") | l.Out.Control("log_valid")
			if valid&1 != 0 {
				want[0] |= l.Out.Control("tx_valid")
			}
			if valid&2 != 0 {
				want[0] |= l.Out.Control("log_valid")
			}
			got := append([]uint64(nil), want...)
			require.True(t, l.Equal(want, got))
			require.Empty(t, names(want, got))
			got[bit/64] ^= 1 << (bit % 64)

			var owner []string // found without the code under test
			for _, c := range l.Out.Controls {
				if bit == c.Bit {
					owner = append(owner, c.Name)
				}
			}
			for _, s := range l.Out.Slots {
				from := 64*s.Word + s.Bit
				if bit >= from && bit < from+s.Field.Width && want[0]&l.Out.Control(s.Stream+"_valid") != 0 {
					owner = append(owner, s.Stream+"_"+s.Field.Name)
				}
			}
			require.Equal(t, owner, names(want, got), "bit %d", bit)
			require.Equal(t, owner == nil, l.Equal(want, got), "bit %d", bit)
			for i := range l.Outputs() {
				p := &l.Outputs()[i]
				mine := p.Mask[bit/64]>>(bit%64)&1 != 0
				require.Equal(t, mine, p.Differs(want, got, p.Mask), "valid or not")
				require.False(t, p.Differs(want, got, make([]uint64, l.Out.Words)), "nothing counts")
			}
		}
	}
}

// Who looks for the first difference stops there.
func TestDifferStops(t *testing.T) {
	l := event.NewLayout(packets())
	want, got := make([]uint64, l.Out.Words), make([]uint64, l.Out.Words)
	want[0] = l.Out.Control("tx_valid")
	for w := range got {
		got[w] = ^uint64(0)
	}
	got[0] = l.Out.ControlMask()
	n := 0
	for range l.Differ(want, got) {
		n++
		break
	}
	require.Equal(t, 1, n)
}

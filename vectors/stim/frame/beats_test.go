package frame

import (
	"encoding/binary"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/stim"
)

// The beats of a frame, put together again by their keep bits, are the frame.
func TestBeatsCarryTheFrame(t *testing.T) {
	r := stim.Seeded(1, "frame", "beats", 0)
	for n := range 400 {
		for _, empty := range []bool{false, true} {
			data := make([]byte, n)
			for i := range data {
				data[i] = byte(r.U64())
			}
			var b Beat
			var got []byte
			count, last := 0, 0
			Beats(&r, &b, data, empty, func(i int, b *Beat) {
				require.Equal(t, count, i)
				count++
				keep := 64
				if b.Last {
					last++
					keep = bits.TrailingZeros64(^b.Keep)
				}
				for k := range keep {
					got = append(got, byte(b.Data[k/8]>>(k%8*8)))
				}
			})
			require.Equal(t, data, append([]byte{}, got...), "%d bytes", n)
			require.Equal(t, 1, last)
			want := BeatCount(n)
			if empty && n > 0 && n%64 == 0 {
				want++
			}
			require.Equal(t, want, count)
		}
	}
}

// A good frame of every family and length has the right headers and checksums.
func TestGoodFrames(t *testing.T) {
	r := stim.Seeded(1, "frame", "good", 0)
	for _, fam := range Families {
		for n := 120; n < 300; n++ {
			f := Good(fam.Tags, fam.V6, fam.Options)
			f.Sized(n)
			b := f.Bytes(&r, nil)
			require.Len(t, b, n, fam.Name)
			require.Equal(t, n, f.Size())
			p := b[f.L2():]
			ip, proto := int(binary.BigEndian.Uint16(p[2:])), p[9]
			if fam.V6 {
				ip, proto = 40+int(binary.BigEndian.Uint16(p[4:])), p[6]
			} else {
				require.EqualValues(t, 0xffff, Fold(Sum16(0, p[:f.L3()])), "%s: IPv4 header checksum", fam.Name)
			}
			require.Equal(t, n-f.L2(), ip, fam.Name)
			require.EqualValues(t, 17, proto)
			u := b[f.UDP():]
			require.EqualValues(t, len(u), binary.BigEndian.Uint16(u[4:]))
			addr := p[12:20]
			if fam.V6 {
				addr = p[8:40]
			}
			sum := Fold(Sum16(Sum16(uint32(17+len(u)), addr), u))
			require.EqualValues(t, 0xffff, sum, "%s: UDP checksum", fam.Name)
		}
	}
}

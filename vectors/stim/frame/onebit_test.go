package frame

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/stim"
)

// Each frame differs from the good one in one bit between the Ethernet header and the payload, apart from checksums.
// Every bit of the protocol and of the lengths is covered.
func TestOneBit(t *testing.T) {
	for _, v6 := range []bool{false, true} {
		good := Good(0, v6, 0)
		good.NoSum = true
		r := stim.Seeded(1, "frame", "onebit", 0)
		base := append([]byte(nil), good.Bytes(&r, nil)...)
		seen := map[[2]int]bool{} // byte and bit
		for i := range OneBits {
			f := OneBit(&good, i)
			r := stim.Seeded(1, "frame", "onebit", 0)
			b := f.Bytes(&r, nil)
			require.Len(t, b, len(base))
			n := 0
			for k := good.L2(); k < good.UDP()+9; k++ {
				if !v6 && (k-good.L2())/2 == 5 { // the header's checksum
					continue
				}
				if x := base[k] ^ b[k]; x != 0 {
					n += bits.OnesCount8(x)
					seen[[2]int{k - good.L2(), bits.TrailingZeros8(x)}] = true
				}
			}
			if i%5 == 1 && v6 {
				require.Zero(t, n, "an IPv6 header has no fragment field")
				continue
			}
			require.Equal(t, 1, n, "frame %d, v6 %t", i, v6)
		}
		proto := map[bool]int{false: 9, true: 6}[v6]
		for bit := range 8 {
			require.True(t, seen[[2]int{proto, bit}], "protocol, bit %d, v6 %t", bit, v6)
		}
	}
}

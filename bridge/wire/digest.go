package wire

import "math/bits"

// Digest is a 64-bit running hash over output records, the same in Go and in the shell. Words are masked
// by the compare rule before they are added. It finds differences between runs; it does not protect against
// an adversary. The zero value is the digest of no cycles.
type Digest uint64

const (
	digestStep   = 0x9e3779b97f4a7c15
	digestStride = digestStep << 1 & (1<<64 - 1) // from the factor of a word to that of the next
	digestChain  = 0x94d049bb133111eb
)

// Add returns the digest with one more masked output record.
func (d Digest) Add(words []uint64) Digest {
	sum := uint64(0)
	for i, w := range words {
		sum += w * (uint64(2*i+1) * digestStep) // odd factors: no bit of w is lost
	}
	return d.chain(sum)
}

// chain returns the digest with one more record, whose words times their factors add up to sum.
func (d Digest) chain(sum uint64) Digest {
	return Digest((bits.RotateLeft64(uint64(d), 5)^sum)*digestChain + digestStep)
}

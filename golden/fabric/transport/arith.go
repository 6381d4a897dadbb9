package transport

// before reports whether packet sequence number a precedes b, modulo 2^32.
func before(a, b uint32) bool { return int32(a-b) < 0 }

// mix64 is the finaliser of SplitMix64: a bijection whose every output bit
// depends on every input bit.
func mix64(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

package fabric

import "fmt"

// Picos is a simulated time or duration in picoseconds.
type Picos int64

// Durations in picoseconds.
const (
	Nanosecond  Picos = 1000
	Microsecond Picos = 1000 * Nanosecond
	Millisecond Picos = 1000 * Microsecond
)

// String returns the duration in microseconds with picosecond precision.
func (p Picos) String() string {
	return fmt.Sprintf("%.6fus", float64(p)/float64(Microsecond))
}

// bitPicos is the number of picoseconds that one byte takes at 1 Gb/s.
const bitPicos = 8000

// psPerByte returns the serialisation time of one byte in picoseconds at a link
// rate in Gb/s; the rate must divide 8000.
func psPerByte(gbps int) int64 { return bitPicos / int64(gbps) }

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

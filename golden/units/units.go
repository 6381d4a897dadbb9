// Package units holds the quantities that the packages of golden share: times in picoseconds and
// the time that a byte takes on a link.
package units

import (
	"fmt"
	"math"
	"math/bits"
)

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
	return fmt.Sprintf("%.6fus", p.Micros())
}

// Micros returns the duration in microseconds.
func (p Picos) Micros() float64 { return float64(p) / float64(Microsecond) }

// BytePicos is the number of picoseconds that one byte takes at 1 Gb/s.
const BytePicos = 8000

// Gbps is the rate of a link in Gb/s: a whole number of kb/s, so that 106.25 and 3,200 are exact.
type Gbps float64

// Limits of a rate: those of the congestion controls.
const (
	MinGbps Gbps = 1
	MaxGbps Gbps = 100_000

	kbps = 1_000_000 // in a Gb/s
)

// RateWant describes the rates that a link can have.
const RateWant = "from 1 to 100000, the range of the congestion controls, in steps of 0.000001 (1 kb/s), " +
	"such as 106.25, 400 or 3200"

// Valid reports whether a link can have the rate.
func (g Gbps) Valid() bool {
	return g >= MinGbps && g <= MaxGbps && Gbps(math.Round(float64(g*kbps))/kbps) == g
}

// PerByte returns the time of one byte at the rate, which must be valid.
func (g Gbps) PerByte() PerByte {
	if whole := int64(g); Gbps(whole) == g && BytePicos%whole == 0 {
		return PerByte{BytePicos / whole, 1}
	}
	num, den := int64(BytePicos*kbps), int64(math.Round(float64(g*kbps)))
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	return PerByte{num / a, den / a}
}

// PerByte is the time that one byte takes on a link: Num/Den picoseconds in lowest terms, as 20/1 at 400 Gb/s, 5/2 at
// 3,200 and 320/17 at 425.
type PerByte struct{ Num, Den int64 }

// Float returns the picoseconds of a byte.
func (p PerByte) Float() float64 { return float64(p.Num) / float64(p.Den) }

// Time returns the time of that many bytes in picoseconds, rounded down.
func (p PerByte) Time(bytes int64) Picos { return Picos(scaled(bytes, p.Num, p.Den)) }

// Bytes returns how many whole bytes fit into a time.
func (p PerByte) Bytes(t Picos) int64 { return scaled(int64(t), p.Den, p.Num) }

// Spanning returns the least number of bytes that take at least a time.
func (p PerByte) Spanning(t Picos) int64 {
	n := p.Bytes(t)
	takeHi, take := bits.Mul64(uint64(n), uint64(p.Num)) // in units of 1/Den
	if hi, lo := bits.Mul64(uint64(t), uint64(p.Den)); takeHi != hi || take != lo {
		n++
	}
	return n
}

// scaled returns n * num / den, rounded down for n of 0 and above; the product may have more than 64 bits.
func scaled(n, num, den int64) int64 {
	switch {
	case den == 1:
		return n * num
	case num == 1:
		return n / den
	case n < 0:
		return -scaled(-n, num, den)
	}
	hi, lo := bits.Mul64(uint64(n), uint64(num))
	q, _ := bits.Div64(hi, lo, uint64(den))
	return int64(q)
}

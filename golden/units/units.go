// Package units holds the quantities that the packages of golden share: times in picoseconds and
// the time that a byte takes on a link.
package units

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
	return fmt.Sprintf("%.6fus", p.Micros())
}

// Micros returns the duration in microseconds.
func (p Picos) Micros() float64 { return float64(p) / float64(Microsecond) }

// BytePicos is the number of picoseconds that one byte takes at 1 Gb/s. A link rate in Gb/s must
// divide it, so that every byte takes a whole number of them.
const BytePicos = 8000

// PerByte returns the serialisation time of one byte in picoseconds at a link rate in Gb/s; the
// rate must divide BytePicos.
func PerByte(gbps int) int64 { return BytePicos / int64(gbps) }

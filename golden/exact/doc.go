// Package exact computes single arithmetic operations of congestion-control hardware without error: the value of a
// product, a quotient, an average or a decrease in real numbers, and the bits to which it rounds in a fixed-point
// format. It also computes a NIC's constant registers from SI units.
//
// Values are ratios of arbitrary-precision decimals, so nothing is rounded before the one named rounding at the end.
// The package is for checking, not for speed.
//
//	avg := exact.Fixed(4660<<16|0x8000, 16)        // 4660.5 ticks, UQ32.16
//	f, err := exact.DecreaseFactor(avg, exact.Int(4500), exact.MustParse("0.8"), exact.MustParse("0.5"))
//	w, err := exact.Quantise(f, exact.UQ(0, 16), exact.Floor)
//	fmt.Println(w.Raw, w.Inexact, w.Saturated)
package exact

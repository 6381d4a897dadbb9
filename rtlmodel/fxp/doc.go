// Package fxp represents fixed-point numbers as hardware does: an integer of at most 64 bits and a Q format that gives
// the position of the binary point.
//
// Numbers are plain values. A Context holds the format, rounding and overflow rule of a result, and each operation
// returns the number and Flags that report what was lost. Products are exact in 128 bits and quotients in 256 bits
// before the single rounding, so a Context operation is correctly rounded for every pair of formats.
//
//	gain := fxp.Context{Format: fxp.UQ(0, 24), Rounding: fxp.NearestEven}
//	g, fl, err := gain.Parse("0.0125")           // g.Raw = 209715, fl = Inexact
//	avg := fxp.Context{Format: fxp.UQ(32, 16)}   // Floor and Saturate are the zero values
//	step, fl := avg.Mul(g, sample)
//
// fast.go holds the same operations on bare integers, for code that runs once per cycle.
package fxp

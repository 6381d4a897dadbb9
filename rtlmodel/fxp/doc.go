// Package fxp holds fixed-point numbers the way hardware does: an integer of at most 64 bits and a
// Q format that says where the binary point lies.
//
// Numbers are plain values; a Context names the format, rounding and overflow rule of a result, and
// each operation returns, beside the number, the Flags that say what was lost. Products are exact in
// 128 bits and quotients in 256 before the one rounding, so that a Context operation is correctly
// rounded for every pair of formats.
//
//	gain := fxp.Context{Format: fxp.UQ(0, 24), Rounding: fxp.NearestEven}
//	g, fl, err := gain.Parse("0.0125")           // g.Raw = 209715, fl = Inexact
//	avg := fxp.Context{Format: fxp.UQ(32, 16)}   // Floor and Saturate are the zero values
//	step, fl := avg.Mul(g, sample)
//
// fast.go has the same operations on bare integers, for code that runs once a cycle.
package fxp

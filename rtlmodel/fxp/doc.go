// Package fxp does the arithmetic of the models on unsigned and two's complement integers of at most 64 bits, as
// hardware does: sums saturate or wrap, products are exact in 128 bits, and quotients are floored. The caller knows
// where the binary point is. No function allocates.
//
//	const gainFrac = 24
//	step := fxp.MulShiftSigned(gain, diff, gainFrac)   // floor(gain * diff / 2^24)
//	sum, fl := fxp.AddSat(inflight, size, 32)
//	if fl != 0 { ... }                                  // clamped to 2^32 - 1
package fxp

// Package fixed is fixed-point arithmetic at given formats: whole numbers of 128 bits with a place of the binary point,
// which sums and products keep exact, and the roundings and ends of a table of formats. It is written from the
// definitions in vectors/event and knows nothing of the hardware's model.
//
//	var c fixed.Context
//	x := c.Mul(fixed.Of(89478, 16), fixed.Of(4096, 0)) // UQ16.16 times bytes
//	y, flags := c.Quantise(x, formats.Format{Int: 32}, formats.Floor, formats.Saturate)
//	if err := c.Err(); err != nil { // some number needed more than 128 bits
//	}
package fixed

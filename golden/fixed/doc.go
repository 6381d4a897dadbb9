// Package fixed is fixed-point arithmetic at given formats: whole numbers of 128 bits with the position of their binary
// point, exact under sums and products, and the roundings and ranges of a table of formats. It is written from the
// definitions in vectors/event, independently of the hardware's model.
//
//	var c fixed.Context
//	x := c.Mul(fixed.Of(89478, 16), fixed.Of(4096, 0)) // UQ16.16 times bytes
//	y, flags := c.Quantise(x, formats.Format{Int: 32}, formats.Floor, formats.Saturate)
//	if err := c.Err(); err != nil { // some number needed more than 128 bits
//	}
package fixed

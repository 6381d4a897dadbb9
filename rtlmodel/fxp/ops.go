package fxp

import "math/bits"

// Flags report what an operation lost. They accumulate with |.
type Flags uint8

// Saturated is set when the value was outside its range and was clamped to the nearest end.
const Saturated Flags = 1

// A width is 1 to 64 bits.

// AddSat returns min(x + y, 2^width - 1), Saturated when it clamps.
func AddSat(x, y uint64, width uint) (uint64, Flags) {
	s, carry := bits.Add64(x, y, 0)
	if top := ^uint64(0) >> (64 - width); carry != 0 || s > top {
		return top, Saturated
	}
	return s, 0
}

// SubSat returns x - y, or 0 with Saturated when y > x.
func SubSat(x, y uint64) (uint64, Flags) {
	if y > x {
		return 0, Saturated
	}
	return x - y, 0
}

// Clamp returns x clamped to a two's complement number of width bits, Saturated when it clamps.
func Clamp(x int64, width uint) (int64, Flags) {
	top := int64(^uint64(0) >> (65 - width))
	if x > top {
		return top, Saturated
	}
	if x < ^top {
		return ^top, Saturated
	}
	return x, 0
}

// MulShift returns floor(x * y / 2^n) for n < 64. The product is exact in 128 bits; a quotient wider than 64 bits gives
// 2^64 - 1 with Saturated.
func MulShift(x, y uint64, n uint) (uint64, Flags) {
	hi, lo := bits.Mul64(x, y)
	if hi>>n != 0 {
		return ^uint64(0), Saturated
	}
	return lo>>n | hi<<(64-n), 0
}

// MulShiftSigned returns floor(x * y / 2^n) for n < 64 and signed y. The product is exact. The caller must ensure that
// the quotient fits 64 bits.
func MulShiftSigned(x uint64, y int64, n uint) int64 {
	if y >= 0 {
		hi, lo := bits.Mul64(x, uint64(y))
		return int64(lo>>n | hi<<(64-n))
	}
	// floor(-p / 2^n) = -ceil(p / 2^n)
	hi, lo := bits.Mul64(x, uint64(-y))
	lo, carry := bits.Add64(lo, 1<<n-1, 0)
	return -int64(lo>>n | (hi+carry)<<(64-n))
}

// Ratio returns floor(x * 2^n / y) for n < 64 and y not 0. A quotient wider than 64 bits gives 2^64 - 1 with Saturated.
func Ratio(x, y uint64, n uint) (uint64, Flags) {
	hi, lo := x>>(64-n), x<<n
	if hi >= y {
		return ^uint64(0), Saturated
	}
	q, _ := bits.Div64(hi, lo, y)
	return q, 0
}

// WrapAdd returns (x + y) mod 2^width.
func WrapAdd(x, y uint64, width uint) uint64 { return (x + y) & (^uint64(0) >> (64 - width)) }

// WrapSub returns (x - y) mod 2^width: the distance from y to x on a counter of that width.
func WrapSub(x, y uint64, width uint) uint64 { return (x - y) & (^uint64(0) >> (64 - width)) }

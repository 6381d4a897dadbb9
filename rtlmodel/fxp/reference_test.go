package fxp

import (
	"math/big"

	"pgregory.net/rapid"
)

// A plain implementation of fit: exact rationals, one rounding by its definition, one range check.

func refFloor(r *big.Rat) *big.Int {
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	_ = m // Euclidean division by a positive denominator is the floor
	return q
}

func refRound(r *big.Rat, mode Rounding) *big.Int {
	lo := refFloor(r)
	if r.IsInt() {
		return lo
	}
	hi := new(big.Int).Add(lo, big.NewInt(1))
	below := new(big.Rat).Sub(r, new(big.Rat).SetInt(lo)).Cmp(big.NewRat(1, 2))
	switch mode {
	case Floor:
		return lo
	case Ceiling:
		return hi
	}
	switch {
	case below < 0:
		return lo
	case below > 0:
		return hi
	case mode == NearestEven && lo.Bit(0) == 0, mode == NearestAway && r.Sign() < 0:
		return lo
	}
	return hi
}

func refFit(c Context, r *big.Rat) (Num, Flags) {
	var fl Flags
	one := big.NewInt(1)
	scaled := new(big.Rat).Mul(r, new(big.Rat).SetInt(new(big.Int).Lsh(one, uint(c.Format.Frac))))
	if !scaled.IsInt() {
		fl |= Inexact
	}
	v := refRound(scaled, c.Rounding)
	bits := uint(c.Format.Int) + uint(c.Format.Frac)
	top := new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)
	bottom := new(big.Int)
	if c.Format.Signed {
		bottom.Sub(bottom.Neg(top), one)
	}
	if v.Cmp(top) > 0 || v.Cmp(bottom) < 0 {
		if c.Overflow == Saturate {
			fl |= Saturated
			if v.Sign() > 0 {
				v = top
			} else {
				v = bottom
			}
		} else {
			fl |= Wrapped
			m := new(big.Int).Lsh(one, uint(c.Format.Width()))
			v.Mod(v, m)
			if v.Cmp(top) > 0 {
				v.Sub(v, m)
			}
		}
	}
	if v.Sign() < 0 {
		return Num{uint64(v.Int64()), c.Format}, fl
	}
	return Num{v.Uint64(), c.Format}, fl
}

func drawFormat(t *rapid.T, name string) Format {
	signed := rapid.Bool().Draw(t, name+" signed")
	top := 64
	if signed {
		top = 63
	}
	width := rapid.IntRange(1, top).Draw(t, name+" bits")
	frac := rapid.IntRange(0, width).Draw(t, name+" frac")
	return Format{Signed: signed, Int: uint8(width - frac), Frac: uint8(frac)}
}

func drawContext(t *rapid.T) Context {
	return Context{
		Format:   drawFormat(t, "result"),
		Rounding: Rounding(rapid.IntRange(0, 3).Draw(t, "rounding")),
		Overflow: Overflow(rapid.IntRange(0, 1).Draw(t, "overflow")),
	}
}

// drawNum draws a number of any format, often an end of its range or a small value.
func drawNum(t *rapid.T, name string) Num {
	f := drawFormat(t, name)
	switch rapid.IntRange(0, 3).Draw(t, name+" kind") {
	case 0:
		return Num{rapid.SampledFrom([]uint64{f.MinRaw(), f.MaxRaw()}).Draw(t, name), f}
	case 1:
		return FromRaw(f, uint64(int64(rapid.IntRange(-5, 5).Draw(t, name))))
	default:
		return FromRaw(f, rapid.Uint64().Draw(t, name))
	}
}

package exact

// EWMA returns avg + gain * (sample - avg), with the product rounded to the
// fraction bits of f before it is added and the sum saturated into f. When avg lies on f's grid, Floor and Ceiling give
// the same result as rounding the sum; the other roundings use the sign or the parity of the step instead of those of
// the sum.
func EWMA(avg, gain, sample Number, f Format, r Rounding) (Word, error) {
	if err := f.Validate(); err != nil {
		return Word{}, err
	}
	steps, inexact, err := round(Mul(Mul(gain, Sub(sample, avg)), Number{pow2(f.Frac), decOne}), r)
	if err != nil {
		return Word{}, err
	}
	w, err := Quantise(Add(avg, Number{steps, pow2(f.Frac)}), f, r)
	w.Inexact = w.Inexact || inexact
	return w, err
}

// DecreaseFactor returns max(1 - gamma * (avg - target) / avg, least), the factor
// of one multiplicative decrease (specification 3.6.13.6). At or below the target
// it is 1. It returns ErrDivideByZero when avg is 0 and target is below it.
func DecreaseFactor(avg, target, gamma, least Number) (Number, error) {
	over := Sub(avg, target)
	if over.Sign() <= 0 {
		return Int(1), nil
	}
	q, err := Quo(Mul(gamma, over), avg)
	if err != nil {
		return Number{}, err
	}
	return Max(Sub(Int(1), q), least), nil
}

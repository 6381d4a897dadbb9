package nscc

import (
	"fmt"
	"math"
)

// Params returns the Spec derived for a unit of time by the defaults of table
// 3-76, or an error when the Spec is impossible or the unit is not positive.
func (c Spec) Params(u Unit) (Params, error) {
	if err := c.Validate(); err != nil {
		return Params{}, err
	}
	if !(u.Ps > 0) || u.Ps > 1e9 {
		return Params{}, fmt.Errorf("%w: unit of time is %v ps: give above 0 and at most 1e9", ErrSpec, u.Ps)
	}
	bdp := c.bdp()
	a := bdp / refBDP
	targetPs := c.targetPs()
	b := targetPs / refRTTPs

	p := Params{
		MTU:           c.MTU,
		InitWnd:       1.5 * bdp,
		ConfigBaseRTT: u.span(c.ConfigBaseRTTPs),
		Target:        u.span(targetPs),
		Alpha:         or(c.Alpha, 4*a*b*c.MTU/targetPs) * u.Ps,
		Fi:            or(c.Fi, 5*c.MTU*a),
		Eta:           or(c.Eta, 0.15*c.MTU*a),
		FiScale:       or(c.FiScale, 0.25*a),
		Gamma:         c.Gamma,
		MaxMDJump:     c.MaxMDJump,
		QAGateDiv:     math.Exp2(float64(c.QAGate)),
		QAThreshold:   u.span(c.qaThresholdPs()),
		QADisabled:    c.DisableQuickAdapt,
		AdjustBytes:   or(c.AdjustBytes, 8*c.MTU),
		AdjustPeriod:  u.span(or(c.AdjustPeriodPs, c.ConfigBaseRTTPs)),
		EWMAGain:      c.EWMAGain,
		FastDelay:     u.span(c.FastDelayPs),
		WndRate:       1.5 * c.rate() * u.Ps,
		AckGenTrigger: c.AckGenTrigger,
		RCCC:          c.RCCC,

		AvgWithoutSample: c.AvgWithoutSample,

		ServiceUnit: serviceUnitPs / u.Ps,
		TimeMod:     math.Exp2(float64(c.TimeBits)),
		// A picosecond is too fine for the 31 bits a NIC gives to a sample in
		// ticks of a nanosecond and more.
		MaxSample: maxSampleTicks * max(psPerNs/u.Ps, 1),
		Real:      c.Real,
	}
	p.InitWnd = p.floorRate(ValCwnd, p.InitWnd)
	return p, nil
}

func (c Spec) targetPs() float64 {
	if c.TargetPs > 0 {
		return c.TargetPs
	}
	if c.Trimming {
		return 0.75 * c.ConfigBaseRTTPs
	}
	return c.ConfigBaseRTTPs
}

func (c Spec) qaThresholdPs() float64 {
	if c.QAThresholdPs > 0 {
		return c.QAThresholdPs
	}
	if c.Trimming {
		return math.Inf(1)
	}
	return (c.DropThresholdBDP - 1) * c.ConfigBaseRTTPs
}

func (u Unit) span(ps float64) float64 {
	v := ps / u.Ps
	if u.Whole {
		return math.RoundToEven(v)
	}
	return v
}

func or(v, derived float64) float64 {
	if v != 0 {
		return v
	}
	return derived
}

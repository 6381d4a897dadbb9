package nscc

import (
	"fmt"
	"math"
)

// Params is a Spec derived for one unit of time. All times are in that unit and
// all sizes in bytes. The fields may be set one by one, for example from a NIC's
// registers, as long as MTU is at least 1 and TimeMod a power of two.
type Params struct {
	MTU           float64
	InitWnd       float64 // MaxWnd: first cwnd and ceiling of max_wnd
	ConfigBaseRTT float64
	Target        float64
	Alpha         float64 // bytes per unit of time
	Fi            float64
	Eta           float64
	FiScale       float64
	Gamma         float64
	MaxMDJump     float64
	QAGateDiv     float64 // 2^qa_gate
	QAThreshold   float64 // +Inf never fires
	QADisabled    bool
	AdjustBytes   float64
	AdjustPeriod  float64
	EWMAGain      float64
	FastDelay     float64
	WndRate       float64 // bytes of max_wnd per unit of base_rtt: 1.5 * slower link
	AckGenTrigger float64
	RCCC          bool
	// AvgWithoutSample judges an acknowledgement without an RTT sample by the
	// average delay instead of leaving the window alone.
	AvgWithoutSample bool
	ServiceUnit      float64 // units of time in one unit of service_time, 128 ns
	TimeMod          float64 // time stamps are modulo this, at most 2^52
	MaxSample        float64 // RTT samples from here on are invalid
	Real             bool    // no roundings
}

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
	p.InitWnd = p.floorBytes(p.InitWnd)
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

// floor is a rounding that the settled rules contain and Real leaves out.
func (p *Params) floor(v float64) float64 {
	if p.Real {
		return v
	}
	return math.Floor(v)
}

// floorBytes is floor for a product of a rate and a time: a result that is whole
// in exact arithmetic must not fall to the byte below by its last bit.
func (p *Params) floorBytes(v float64) float64 {
	if p.Real {
		return v
	}
	return math.Floor(float64(v * (1 + 0x1p-44)))
}

// elapsed is the time from a to b on a clock that wraps.
func (p *Params) elapsed(a, b float64) float64 {
	d := b - a
	if d < 0 {
		d += p.TimeMod
	}
	return d
}

// since is elapsed as a signed distance: negative when b is before a.
func (p *Params) since(a, b float64) float64 {
	d := p.elapsed(a, b)
	if d >= p.TimeMod/2 {
		d -= p.TimeMod
	}
	return d
}

// after adds a duration to a time stamp.
func (p *Params) after(t, d float64) float64 { return math.Mod(t+d, p.TimeMod) }

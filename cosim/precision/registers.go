package precision

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// registers follow the configuration as the events write it, one set for each profile, with the constants that the
// float reference runs on.
type registers struct {
	raw    [][ccc.NumRegs]uint64
	params []nscc.Params
}

func newRegisters(profiles int) registers {
	r := registers{raw: make([][ccc.NumRegs]uint64, profiles), params: make([]nscc.Params, profiles)}
	r.reset()
	return r
}

func (r *registers) reset() {
	for p := range r.raw {
		for addr := range r.raw[p] {
			r.raw[p][addr] = ccc.RegInfo[addr].Reset
		}
		r.params[p] = paramsOf(&r.raw[p])
	}
}

// write takes a CFG_WRITE that was not refused. TIME_SHIFT belongs to all profiles.
func (r *registers) write(ev *ccc.Event) {
	v := ev.Data & (1<<ccc.RegInfo[ev.Addr].Width - 1)
	for p := range r.raw {
		if ev.Addr == ccc.RegTimeShift || p == int(ev.Profile) {
			r.raw[p][ev.Addr] = v
			r.params[p] = paramsOf(&r.raw[p])
		}
	}
}

// Bits of the CTRL register.
const (
	ctrlNoQuickAdapt     = 1 << 0
	ctrlRCCC             = 1 << 1
	ctrlAvgWithoutSample = 1 << 2
)

// paramsOf returns registers in real numbers: bytes, ticks, bytes per tick.
func paramsOf(raw *[ccc.NumRegs]uint64) nscc.Params {
	real := func(addr int, frac int) float64 { return math.Ldexp(float64(raw[addr]), -frac) }
	ctrl := raw[ccc.RegCtrl]
	return nscc.Params{
		MTU:              real(ccc.RegMTU, 0),
		InitWnd:          real(ccc.RegMaxWnd, 0),
		ConfigBaseRTT:    real(ccc.RegConfigBaseRTT, 0),
		Target:           real(ccc.RegTargetQDelay, 0),
		Alpha:            real(ccc.RegAlpha, 16),
		Fi:               real(ccc.RegFI, 8),
		Eta:              real(ccc.RegEta, 8),
		FiScale:          real(ccc.RegFIScale, 16),
		Gamma:            real(ccc.RegGamma, 16),
		MaxMDJump:        real(ccc.RegMaxMDJump, 16),
		QAGateDiv:        math.Exp2(real(ccc.RegQAGate, 0)),
		QAThreshold:      real(ccc.RegQAThreshold, 0),
		QADisabled:       ctrl&ctrlNoQuickAdapt != 0,
		AdjustBytes:      real(ccc.RegAdjustBytes, 0),
		AdjustPeriod:     real(ccc.RegAdjustPeriod, 0),
		EWMAGain:         real(ccc.RegEWMAGain, 24),
		FastDelay:        real(ccc.RegFastDelay, 0),
		WndRate:          real(ccc.RegMwndRate, 16),
		AckGenTrigger:    real(ccc.RegAckGenTrigger, 0),
		RCCC:             ctrl&ctrlRCCC != 0,
		AvgWithoutSample: ctrl&ctrlAvgWithoutSample != 0,
		ServiceUnit:      math.Exp2(real(ccc.RegTimeShift, 0)),
		TimeMod:          1 << ccc.TimeW,
		MaxSample:        1 << 31,
	}
}

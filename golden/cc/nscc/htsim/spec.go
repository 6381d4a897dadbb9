package htsim

import (
	"fmt"
	"math"
)

// Config holds the five values a run of the reference simulator is set by. All
// else derives from them.
type Config struct {
	// LinkGbps is the link rate in Gb/s.
	LinkGbps float64
	// NetworkRTT is the unloaded round trip of one MTU in picoseconds.
	NetworkRTT int64
	// Target is the target queueing delay in picoseconds.
	Target int64
	// MTU is the largest packet with its header, in bytes; also the least window.
	MTU int64
	// MSS is the largest payload in bytes. The simulator scales its gains by it.
	MSS int64
}

// Validate returns an error that names the first impossible knob and its range.
func (c Config) Validate() error {
	switch {
	case !(c.LinkGbps > 0) || c.LinkGbps > 1e5:
		return fmt.Errorf("link rate %v Gb/s: give a rate above 0 and at most 100000", c.LinkGbps)
	case c.NetworkRTT <= 0 || c.NetworkRTT > 1e12:
		return fmt.Errorf("network rtt %d ps: give 1 to 1000000000000 (one second)", c.NetworkRTT)
	case c.Target <= 0 || c.Target > 1e12:
		return fmt.Errorf("target delay %d ps: give 1 to 1000000000000 (one second)", c.Target)
	case c.MTU <= 0 || c.MTU > 65535:
		return fmt.Errorf("mtu %d bytes: give 1 to 65535", c.MTU)
	case c.MSS <= 0 || c.MSS > c.MTU:
		return fmt.Errorf("mss %d bytes: give 1 to the mtu, which is %d", c.MSS, c.MTU)
	}
	if bdp := c.bdp(float64(c.NetworkRTT)); bdp < 1 || bdp > 1<<40 {
		return fmt.Errorf("bandwidth-delay product %.3g bytes (link rate times network rtt): it must be 1 to 2^40", bdp)
	}
	return nil
}

// bdp is in bytes for a round trip in picoseconds, in the simulator's order of
// operations: microseconds times bits per second over 8e6.
func (c Config) bdp(rtt float64) float64 {
	us := rtt / 1e6
	return float64(us*(c.LinkGbps*1e9)) / 8e6
}

// Params is a Config with all derived constants. Times are picoseconds, sizes
// bytes. The fields may be changed before use to replay a run with other gains.
type Params struct {
	Config
	InitBDP      float64 // whole bytes
	Alpha        float64 // bytes per picosecond
	Fi           float64 // bytes
	Eta          float64 // bytes
	FiScale      float64
	Gamma        float64
	MaxMDJump    float64
	EWMAGain     float64
	QAGate       uint  // right shift of max_wnd
	QAThreshold  int64 // ps
	AdjustBytes  int64
	AdjustPeriod int64 // ps
	FastDelay    int64 // ps; a delay below it counts as none
}

// Params returns the derived constants, or Validate's error.
func (c Config) Params() (Params, error) {
	if err := c.Validate(); err != nil {
		return Params{}, err
	}
	bdp := math.Floor(c.bdp(float64(c.NetworkRTT)))
	a := bdp / 150000
	b := float64(c.Target) / 12e6
	mss := float64(c.MSS)
	return Params{
		Config:       c,
		InitBDP:      bdp,
		Alpha:        4 * mss * a * b / float64(c.Target),
		Fi:           5 * mss * a,
		Eta:          0.15 * mss * a,
		FiScale:      0.25 * a,
		Gamma:        0.8,
		MaxMDJump:    0.5,
		EWMAGain:     0.0125,
		QAGate:       3,
		QAThreshold:  4 * c.Target,
		AdjustBytes:  8 * c.MTU,
		AdjustPeriod: c.NetworkRTT,
		FastDelay:    1_000_000,
	}, nil
}

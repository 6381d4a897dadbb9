package replay

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc/nscc/htsim"
)

// ProfileHtsim is the only profile whose recorded traces are public.
const ProfileHtsim = "htsim"

// DefaultRealTolerance bounds the relative error of the window in real
// arithmetic; it is what the recorder's truncations were measured to cost.
const DefaultRealTolerance = 2e-4

// maxRealTolerance is the largest tolerance that still tells a right window from a wrong one.
const maxRealTolerance = 0.1

// Config is what a trace was recorded with. A trace does not carry these, and a
// wrong one shows as mismatches in the first rows.
type Config struct {
	// Profile names the rules; ProfileHtsim.
	Profile string `json:"profile"`
	// LinkGbps is the link rate in Gb/s.
	LinkGbps float64 `json:"link_gbps"`
	// NetworkRTTPs is the unloaded round trip in picoseconds.
	NetworkRTTPs int64 `json:"network_rtt_ps"`
	// TargetPs is the target queueing delay in picoseconds.
	TargetPs int64 `json:"target_ps"`
	// MTU is the largest packet with its header, in bytes.
	MTU int64 `json:"mtu"`
	// MSS is the largest payload, in bytes.
	MSS int64 `json:"mss"`
	// RealTolerance bounds the window's relative error in real arithmetic; 0
	// means DefaultRealTolerance.
	RealTolerance float64 `json:"real_tolerance"`
}

// Validate returns an error that names the first impossible knob.
func (c Config) Validate() error {
	_, err := c.params()
	return err
}

func (c Config) params() (htsim.Params, error) {
	if c.Profile != ProfileHtsim {
		return htsim.Params{}, fmt.Errorf("profile %q: only %q has recorded traces", c.Profile, ProfileHtsim)
	}
	if !(c.RealTolerance >= 0) || c.RealTolerance > maxRealTolerance {
		return htsim.Params{}, fmt.Errorf("real tolerance %v: give 0 (the default) to %v; a larger one compares nothing",
			c.RealTolerance, maxRealTolerance)
	}
	return htsim.Config{LinkGbps: c.LinkGbps, NetworkRTT: c.NetworkRTTPs,
		Target: c.TargetPs, MTU: c.MTU, MSS: c.MSS}.Params()
}

package nscc

import (
	"errors"
	"fmt"
	"math"
)

// The reference network that the specification scales its gains by.
const (
	refRTTPs = 12e6   // 12 us
	refBDP   = 150000 // bytes: 100 Gb/s * 12 us
)

const (
	psPerNs        = 1e3
	serviceUnitPs  = 128e3 // the wire's unit of service_time
	maxSampleTicks = 1 << 31
)

// ErrSpec is wrapped by every error of Spec.Validate.
var ErrSpec = errors.New("nscc spec")

// Spec is the configuration of table 3-76 in SI units. A field documented with
// "0 derives it" takes the table's default.
type Spec struct {
	SenderGbps   float64 // link rate of the source, Gb/s
	ReceiverGbps float64 // link rate of the destination, Gb/s; 0 takes the sender's

	ConfigBaseRTTPs float64 // longest unloaded round trip of one MTU, ps
	Trimming        bool    // switches trim instead of dropping
	TargetPs        float64 // target queueing delay, ps; 0 derives it
	MTU             float64 // largest nominal packet size, bytes, whole

	Alpha   float64 // bytes per ps; 0 derives it
	Fi      float64 // bytes; 0 derives it
	Eta     float64 // bytes; 0 derives it
	FiScale float64 // 0 derives it

	Gamma     float64 // gain of the decrease
	MaxMDJump float64 // least factor of one decrease

	QAGate            uint8   // right shift of max_wnd
	DropThresholdBDP  float64 // tail-drop threshold in Plane_BDP, for QAThresholdPs
	QAThresholdPs     float64 // ps; 0 derives it: never with trimming
	DisableQuickAdapt bool

	AdjustBytes    float64 // 0 derives it: 8 MTU
	AdjustPeriodPs float64 // ps; 0 derives it: ConfigBaseRTTPs
	EWMAGain       float64 // of the average delay
	FastDelayPs    float64 // a delay below it counts as none, ps

	AckGenTrigger float64 // bytes after which a destination acknowledges unasked
	RCCC          bool    // receiver credit runs in the same CCC

	// AvgWithoutSample judges an acknowledgement without an RTT sample by the
	// average delay, as the reference simulator does. The specification leaves
	// the window alone.
	AvgWithoutSample bool

	TimeBits uint // width of time stamps in units of time; they wrap
	// Real leaves out the roundings to whole bytes and whole units of time that
	// the settled rules contain; it shows what those roundings cost.
	Real bool
}

// DefaultSpec returns the reference network of table 3-76: 100 Gb/s, 12 us,
// trimming, an MTU of 4096 bytes.
func DefaultSpec() Spec {
	return Spec{
		SenderGbps:       100,
		ConfigBaseRTTPs:  refRTTPs,
		Trimming:         true,
		MTU:              4096,
		Gamma:            0.8,
		MaxMDJump:        0.5,
		QAGate:           3,
		DropThresholdBDP: 5,
		EWMAGain:         1.0 / 80,
		FastDelayPs:      1e6,
		AckGenTrigger:    16384,
		TimeBits:         48,
	}
}

// Validate returns an error wrapping ErrSpec that names the first impossible
// field, its value and its range.
func (c Spec) Validate() error {
	for _, f := range []struct {
		name   string
		v      float64
		lo, hi float64
		unit   string
	}{
		{"sender link rate", c.SenderGbps, 1e-3, 1e5, "Gb/s"},
		{"receiver link rate", c.ReceiverGbps, 0, 1e5, "Gb/s"},
		{"config_base_rtt", c.ConfigBaseRTTPs, 1, 1e12, "ps"},
		{"target_qdelay", c.TargetPs, 0, 1e12, "ps"},
		{"mtu", c.MTU, 1, 65535, "bytes"},
		{"alpha", c.Alpha, 0, 1e6, "bytes/ps"},
		{"fi", c.Fi, 0, 1e9, "bytes"},
		{"eta", c.Eta, 0, 1e9, "bytes"},
		{"fi_scale", c.FiScale, 0, 1e6, ""},
		{"gamma", c.Gamma, 0, 1, ""},
		{"max_md_jump", c.MaxMDJump, 0, 1, ""},
		{"qa_gate", float64(c.QAGate), 0, 31, ""},
		{"drop threshold", c.DropThresholdBDP, 1, 1e3, "Plane_BDP"},
		{"qa_threshold", c.QAThresholdPs, 0, math.MaxFloat64, "ps"},
		{"adjust_bytes_threshold", c.AdjustBytes, 0, math.MaxUint32, "bytes"},
		{"adjust_period_threshold", c.AdjustPeriodPs, 0, 1e12, "ps"},
		{"ewma gain", c.EWMAGain, 0, 1, ""},
		{"fast delay", c.FastDelayPs, 0, 1e12, "ps"},
		{"ack_gen_trigger", c.AckGenTrigger, 0, math.MaxUint32, "bytes"},
		{"time bits", float64(c.TimeBits), 33, 52, ""},
	} {
		if !(f.v >= f.lo && f.v <= f.hi) {
			return fmt.Errorf("%w: %s is %v %s: give %v to %v", ErrSpec, f.name, f.v, f.unit, f.lo, f.hi)
		}
	}
	if c.MTU != math.Trunc(c.MTU) {
		return fmt.Errorf("%w: mtu is %v bytes: give a whole number", ErrSpec, c.MTU)
	}
	if w := 1.5 * c.bdp(); w < 1 || w > math.MaxUint32 {
		return fmt.Errorf("%w: 1.5 * link rate * config_base_rtt is %.4g bytes: it must fit 32 bits", ErrSpec, w)
	}
	return nil
}

// rate is the rate of the slower end in bytes per picosecond.
func (c Spec) rate() float64 {
	g := c.SenderGbps
	if c.ReceiverGbps > 0 {
		g = min(g, c.ReceiverGbps)
	}
	return g / 8000
}

func (c Spec) bdp() float64 { return c.rate() * c.ConfigBaseRTTPs }

// Unit is a unit of time and how durations are converted to it.
type Unit struct {
	// Ps is its length in picoseconds.
	Ps float64
	// Whole rounds the configured durations (base_rtt, target, thresholds) to
	// whole units, half to even, as registers of a NIC hold them. Gains per time
	// are never rounded.
	Whole bool
}

// Picosecond is the unit of the fabric simulator.
var Picosecond = Unit{Ps: 1, Whole: true}

// Tick returns a NIC's unit of the given length in picoseconds, with whole
// durations, as its registers have them.
func Tick(ps float64) Unit { return Unit{Ps: ps, Whole: true} }

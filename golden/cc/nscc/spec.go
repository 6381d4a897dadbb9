package nscc

import (
	"errors"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
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
	SenderGbps   float64 `param:"sender link rate" unit:"Gb/s" in:"1e-3 1e5"` // of the source
	ReceiverGbps float64 `param:"receiver link rate" unit:"Gb/s" in:"0 1e5"`  // of the destination; 0 takes the sender's

	ConfigBaseRTTPs float64 `param:"config_base_rtt" unit:"ps" in:"1 1e12"` // longest unloaded round trip of one MTU
	Trimming        bool    // switches trim instead of dropping
	TargetPs        float64 `param:"target_qdelay" unit:"ps" in:"0 1e12"`        // target queueing delay; 0 derives it
	MTU             float64 `param:"mtu" unit:"bytes" in:"1 65535" whole:"true"` // largest nominal packet size

	Alpha   float64 `param:"alpha" unit:"bytes/ps" in:"0 1e6"` // 0 derives it
	Fi      float64 `param:"fi" unit:"bytes" in:"0 1e9"`       // 0 derives it
	Eta     float64 `param:"eta" unit:"bytes" in:"0 1e9"`      // 0 derives it
	FiScale float64 `param:"fi_scale" in:"0 1e6"`              // 0 derives it

	Gamma     float64 `param:"gamma" in:"0 1"`       // gain of the decrease
	MaxMDJump float64 `param:"max_md_jump" in:"0 1"` // least factor of one decrease

	QAGate            uint8   `param:"qa_gate" in:"0 31"`                          // right shift of max_wnd
	DropThresholdBDP  float64 `param:"drop threshold" unit:"Plane_BDP" in:"1 1e3"` // of tail drop
	QAThresholdPs     float64 `param:"qa_threshold" unit:"ps" in:"0 1e300"`        // 0: never with trimming, else derived
	DisableQuickAdapt bool

	AdjustBytes    float64 `param:"adjust_bytes_threshold" unit:"bytes" in:"0 4294967295"` // 0: 8 MTU
	AdjustPeriodPs float64 `param:"adjust_period_threshold" unit:"ps" in:"0 1e12"`         // 0: ConfigBaseRTTPs
	EWMAGain       float64 `param:"ewma gain" in:"0 1"`                                    // of the average delay
	FastDelayPs    float64 `param:"fast delay" unit:"ps" in:"0 1e12"`                      // delays below count as none

	// AckGenTrigger is the number of bytes after which a destination acknowledges unasked.
	AckGenTrigger float64 `param:"ack_gen_trigger" unit:"bytes" in:"0 4294967295"`
	RCCC          bool    // receiver credit runs in the same CCC

	// AvgWithoutSample judges an acknowledgement without an RTT sample by the
	// average delay, as the reference simulator does. The specification leaves
	// the window alone.
	AvgWithoutSample bool

	TimeBits uint `param:"time bits" in:"33 52"` // width of time stamps in units of time; they wrap
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
	if err := param.Check("table 3-76", param.Of(&c)); err != nil {
		return fmt.Errorf("%w: %w", ErrSpec, err)
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

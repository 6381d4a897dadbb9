package settings

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/units"
)

// Workload names the pattern of flows.
type Workload string

// Workloads.
const (
	// Permutation: every host sends to one other host and receives from one.
	Permutation Workload = "permutation"
	// Incast: Spec.Incast hosts send to host 0.
	Incast Workload = "incast"
)

// ECNMode names the marking rule of the low class.
type ECNMode string

// Marking rules.
const (
	ECNOff           ECNMode = "off"
	ECNProbabilistic ECNMode = "probabilistic"
	ECNDeterministic ECNMode = "deterministic"
)

// Spec describes one run. Sizes are bytes, thresholds multiples of the
// bandwidth-delay product (BDP) of the port they apply to.
type Spec struct {
	// Topology: a three-tier fat tree of K^3/4 hosts; a top-of-rack switch has
	// K/2 hosts and K/2/Oversub up-links.
	K           int         `json:"k"`
	Oversub     int         `json:"oversub"`
	LinkGbps    int         `json:"link_gbps"`
	LinkLatency units.Picos `json:"link_latency_ps"`
	// BaseRTT is config_base_rtt; 0 derives the round trip of one MTU and its
	// ACK over the longest path of the unloaded network.
	BaseRTT units.Picos `json:"base_rtt_ps"`

	// MTU is the largest nominal packet size (UDP length + 40), which is also
	// what a packet occupies on a link; HeaderBytes of it carry no payload.
	MTU         int `json:"mtu"`
	HeaderBytes int `json:"header_bytes"`
	CtlBytes    int `json:"ctl_bytes"`
	TrimBytes   int `json:"trim_bytes"`

	// Workload. Every PDC carries Rounds flows of FlowBytes, each begun when
	// the one before is acknowledged; Rounds 0 goes on until the tap or MaxTime
	// ends the run. A sending host has CCCsPerNIC contexts (a permutation gives
	// each its own destination) with PDCsPerCCC connections each.
	Workload    Workload    `json:"workload"`
	Incast      int         `json:"incast"`
	FlowBytes   int64       `json:"flow_bytes"`
	Rounds      int         `json:"rounds"`
	CCCsPerNIC  int         `json:"cccs_per_nic"`
	PDCsPerCCC  int         `json:"pdcs_per_ccc"`
	StartSpread units.Picos `json:"start_spread_ps"`

	// Paths is the number of entropies a flow is sprayed over, a power of two.
	Paths int `json:"paths"`

	// Switch queues.
	Trim          bool    `json:"trim"`
	TrimAt        float64 `json:"trim_at"`
	TrimAtLastHop float64 `json:"trim_at_last_hop"`
	DropAt        float64 `json:"drop_at"`
	CtlDropAt     float64 `json:"ctl_drop_at"`
	ECN           ECNMode `json:"ecn"`
	KMin          float64 `json:"k_min"`
	KMax          float64 `json:"k_max"`
	KDet          float64 `json:"k_det"`

	// Hosts. AckTrigger is the number of accepted bytes that forces an ACK;
	// ServiceTime and ServiceJitter delay ACKs and NACKs (the jitter uniformly);
	// RTO 0 derives a timeout from the queues a packet may meet (EffectiveRTO).
	AckTrigger    int64       `json:"ack_trigger"`
	ServiceTime   units.Picos `json:"service_time_ps"`
	ServiceJitter units.Picos `json:"service_jitter_ps"`
	RTO           units.Picos `json:"rto_ps"`

	// Disturbances, off by default. LossProb loses a packet of any kind on any
	// link. SlowHosts is the share of hosts whose memory drains at DrainShare of
	// the link rate, so that they ask their senders to slow down.
	LossProb   float64 `json:"loss_prob"`
	SlowHosts  float64 `json:"slow_hosts"`
	DrainShare float64 `json:"drain_share"`

	Seed    uint64      `json:"seed"`
	MaxTime units.Picos `json:"max_time_ps"`

	NetworkSpec
	SwitchSpec
	HostSpec
	TrafficSpec
}

// DefaultSpec returns the permutation of 128 hosts at 400 Gb/s whose longest
// round trip is 12 us, with 2 MB flows, trimming and probabilistic ECN.
func DefaultSpec() Spec {
	s := Spec{
		K: 8, Oversub: 1, LinkGbps: 400, LinkLatency: 957_860,
		MTU: 4096, HeaderBytes: 64, CtlBytes: 64, TrimBytes: 64,
		Workload: Permutation, Incast: 32, FlowBytes: 2_000_000, Rounds: 1,
		CCCsPerNIC: 1, PDCsPerCCC: 1, Paths: 64,
		Trim: true, TrimAt: 1, TrimAtLastHop: 1.5, DropAt: 5, CtlDropAt: 1,
		ECN: ECNProbabilistic, KMin: 0.2, KMax: 0.8, KDet: 0.5,
		AckTrigger: 16 << 10, DrainShare: 0.5,
		Seed: 1,
	}
	s.QAGate, s.AckMinAdd = -1, 1<<10
	return s
}

// Validate returns nil when the run can be built, or an error that names the first impossible setting: its path for
// Set, its value and the legal values; times are microseconds.
func (s Spec) Validate() error {
	if s.RTT > 0 && s.LinkLatency <= 0 {
		return fmt.Errorf("fabric spec: rtt.us = %v: the packets alone take longer "+
			"on the links; raise it or link.gbps", float64(s.RTT)/1e6)
	}
	for _, r := range rows() {
		if err := r.check(&s); err != nil {
			return fmt.Errorf("fabric spec: %w", err)
		}
	}
	if err := s.checkNetwork(); err != nil {
		return fmt.Errorf("fabric spec: %w", err)
	}
	if s.QueueBytes > 0 {
		return nil
	}
	low, field := s.DropAt, "queue.drop_at"
	if s.Trim {
		low, field = s.TrimAt, "queue.trim_at"
		if s.TrimAtLastHop < low {
			low, field = s.TrimAtLastHop, "queue.trim_at_last_hop"
		}
	}
	bdp := s.BDP()
	if Scaled(low, bdp) < int64(s.MTU) {
		return fmt.Errorf("fabric spec: %s = %v: a queue of that many BDP (of %d bytes) holds no packet of mtu = %d "+
			"bytes: raise it, or base_rtt.us", field, low, bdp, s.MTU)
	}
	if Scaled(s.CtlDropAt, bdp) < int64(s.CtlBytes) {
		return fmt.Errorf("fabric spec: queue.ctl_drop_at = %v: a queue of that many BDP (of %d bytes) holds no "+
			"control packet of %d bytes: raise it, or base_rtt.us", s.CtlDropAt, bdp, s.CtlBytes)
	}
	if bdp > 1<<30 {
		return fmt.Errorf("fabric spec: base_rtt.us and link.gbps give a BDP of %d bytes: want at most 2^30", bdp)
	}
	return nil
}

// RoundTrip returns the unloaded round trip of one MTU and its ACK over the
// longest path, store and forward, in picoseconds.
func (s Spec) RoundTrip() units.Picos {
	sum := units.Picos(0)
	for _, h := range s.longest() {
		sum += 2*h.latency + units.Picos(units.PerByte(h.gbps))*units.Picos(s.MTU+s.CtlBytes)
	}
	return sum
}

// EffectiveBaseRTT returns config_base_rtt: BaseRTT or, when that is 0, RoundTrip.
func (s Spec) EffectiveBaseRTT() units.Picos {
	if s.BaseRTT > 0 {
		return s.BaseRTT
	}
	return s.RoundTrip()
}

// BDP returns link rate times base RTT in bytes, rounded down.
func (s Spec) BDP() int64 { return int64(s.EffectiveBaseRTT()) / units.PerByte(s.LinkGbps) }

// EffectiveRTO returns RTO or, when that is 0, the base RTT and the time that
// full data queues on the whole path take to drain; with PFC, the time that the
// slowest link takes for what all lossless queues can hold, at most a second.
func (s Spec) EffectiveRTO() units.Picos {
	if s.RTO > 0 {
		return s.RTO
	}
	if s.PFC {
		if n, err := s.Layout(); err == nil {
			return s.losslessRTO(n)
		}
	}
	return s.PathRTO()
}

// PathRTO is the timeout of queues that drop or trim.
func (s Spec) PathRTO() units.Picos {
	links := float64(len(s.longest()))
	depth := s.DropAt * links
	if s.Trim {
		depth = float64(s.TrimAt*max(links-2, 0)) + s.TrimAtLastHop
	}
	base := s.EffectiveBaseRTT()
	if s.QueueBytes > 0 {
		depth = links * float64(s.QueueBytes) / float64(s.BDP())
	}
	return base + units.Picos(math.Ceil(depth))*base + s.ServiceTime + s.ServiceJitter
}

// Scaled returns f times n bytes, rounded down.
func Scaled(f float64, n int64) int64 { return int64(f * float64(n)) }

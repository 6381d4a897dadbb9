// Package settings describes a run: Spec is everything that it depends on, apart from a list of messages that a program
// may give. A setting is one value of a Spec with a path, such as link.gbps, under which --set and files know it. Each
// has one row (row.go), from which its parsing, help, default, limits and the cases in which it changes nothing follow.
//
//	s := settings.DefaultSpec()
//	err := s.Set("link.gbps", "800")
//	err = s.Validate()                                    // is the combination possible?
//	err = s.Ineffective([]string{"link.gbps"}, false)     // would it change nothing?
//	for _, d := range settings.All() { ... }              // paths, units, defaults, limits
package settings

import (
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/topo"
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
	// Converge: host i of the first Senders sends to the first host after them, Stagger after the one before.
	Converge Workload = "converge"
	// Mixture: a permutation whose hosts take the sizes in Sizes in rotation.
	Mixture Workload = "mixed"
	// Elephants: a permutation among Elephants random hosts whose flows take
	// ElephantLB and ElephantClass, beside a permutation among all others.
	Elephants Workload = "elephants"
	// AllToAll: every host sends to every other, Parallel at a time.
	AllToAll Workload = "alltoall"
	// AllGather and AllReduce: ring collectives over Ranks hosts in a random
	// order; FlowBytes is what one rank holds at the end.
	AllGather Workload = "allgather"
	AllReduce Workload = "allreduce"
	// HSDP: GPU i sends to GPU i + Ring modulo all, servers of Ring GPUs each placed at random.
	HSDP Workload = "hsdp"
	// Poisson: Poisson arrivals per host at Load of its link, sizes from CDF.
	Poisson Workload = "poisson"
	// Matrix: the connections of an htsim connection-matrix file.
	Matrix Workload = "matrix"
)

// Workloads returns the names that Spec.Workload can take.
func Workloads() []Workload {
	return []Workload{Permutation, Incast, Converge, Mixture, Elephants, AllToAll, AllGather, AllReduce, HSDP,
		Poisson, Matrix}
}

// ECNMode names the marking rule of the low class.
type ECNMode string

// Marking rules.
const (
	ECNOff           ECNMode = "off"
	ECNProbabilistic ECNMode = "probabilistic"
	ECNDeterministic ECNMode = "deterministic"
)

// Topology names the shape of the network.
type Topology string

// Topologies. The empty one is FatTree.
const (
	FatTree    Topology = "fattree"   // of K-port switches, Tiers 2 or 3
	LeafSpine  Topology = "leafspine" // Leaves of LeafHosts hosts, Spines
	Dumbbell   Topology = "dumbbell"  // a chain of Switches, Senders at its head, as many receivers at its tail
	FirstHop   Topology = "firsthop"  // two senders meet in the first of three switches
	MiddleHop  Topology = "middlehop" // ... in the second
	LastHop    Topology = "lasthop"   // ... in the third, in front of the receiver
	CustomFile Topology = "file"      // TopologyFile
	Custom     Topology = "graph"     // Graph
)

// Topologies returns the names that Spec.Topology can take.
func Topologies() []Topology {
	return []Topology{FatTree, LeafSpine, Dumbbell, FirstHop, MiddleHop, LastHop, CustomFile, Custom}
}

// Failure takes a link down, in both directions.
type Failure struct {
	Link string      `json:"link"` // names of its ends, as in "tor0-agg1"
	At   units.Picos `json:"at_ps"`
}

// TrimRule is which packet an overflowing queue trims.
type TrimRule string

// Rules of trimming. The empty one is TrimArriving.
const (
	TrimArriving TrimRule = "arriving" // the packet that comes
	TrimEither   TrimRule = "either"   // it or the one at the queue's tail, 50/50
)

// INTMode is where switches write telemetry.
type INTMode string

// Telemetry modes.
const (
	INTOff  INTMode = ""
	INTData INTMode = "data" // into data at egress; ACKs bring it back (HPCC)
	INTAck  INTMode = "ack"  // into ACKs by the port they came in on (FNCC)
)

// INTFormat is how telemetry is counted.
type INTFormat string

// Formats of telemetry. The empty one is INTWire.
const (
	INTWire  INTFormat = "wire"  // fields of 64 bits, whole packets, read as an ACK comes in
	INTExact INTFormat = "exact" // numbers, data bytes counted as they leave, read as the packet leaves
)

// QueueClasses is the number of queues of a port: high, medium and low.
const QueueClasses = 3

// Recovery is how a sender detects lost packets, in addition to NACKs.
type Recovery string

// Kinds of recovery. The empty one is RecoverRTO.
const (
	RecoverRTO   Recovery = "rto"
	RecoverSLEEK Recovery = "sleek" // out-of-order count and probes, and the timeout
)

// Spec describes one run. Sizes are bytes, thresholds multiples of the
// bandwidth-delay product (BDP) of the port they apply to.
type Spec struct {
	// Topology: a three-tier fat tree of K^3/4 hosts; a top-of-rack switch has K/2 hosts and K/2/Oversub up-links.
	K           int         `json:"k"`
	Oversub     int         `json:"oversub"`
	LinkGbps    units.Gbps  `json:"link_gbps"`
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

	// Workload. Every PDC carries Rounds flows of FlowBytes, each begun when the one before is acknowledged; Rounds 0
	// goes on until the tap or MaxTime ends the run. A sending host has CCCsPerNIC contexts (a permutation gives each
	// its own destination) with PDCsPerCCC connections each.
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
	ECNLastHop    bool    `json:"ecn_last_hop"` // queues in front of hosts mark, too

	// Hosts. AckTrigger is the number of accepted bytes that forces an ACK; ServiceTime and ServiceJitter delay ACKs
	// and NACKs (the jitter uniformly); RTO 0 derives a timeout from the queues a packet may meet (EffectiveRTO).
	AckTrigger    int64       `json:"ack_trigger"`
	ServiceTime   units.Picos `json:"service_time_ps"`
	ServiceJitter units.Picos `json:"service_jitter_ps"`
	RTO           units.Picos `json:"rto_ps"`

	// Disturbances, off by default. LossProb loses a packet of any kind on any link, CtlLossProb one that is not data.
	// DupProb has a packet arrive twice, ReorderProb up to ReorderBy later, behind others. SlowHosts is the share of
	// hosts whose memory drains at DrainShare of the link rate, so that they ask their senders to slow down.
	LossProb    float64     `json:"loss_prob"`
	CtlLossProb float64     `json:"ctl_loss_prob,omitempty"`
	DupProb     float64     `json:"dup_prob,omitempty"`
	ReorderProb float64     `json:"reorder_prob,omitempty"`
	ReorderBy   units.Picos `json:"reorder_ps,omitempty"`

	SlowHosts  float64 `json:"slow_hosts"`
	DrainShare float64 `json:"drain_share"`

	Seed    uint64      `json:"seed"`
	MaxTime units.Picos `json:"max_time_ps"`

	// The network beyond the size of its fat tree. Rates and latencies of 0 take those of the host links; index 0 is
	// the links above the first tier of switches, 1 above the second.
	Topology     Topology       `json:"topology,omitempty"`
	Tiers        int            `json:"tiers,omitempty"` // 0 is 3
	Leaves       int            `json:"leaves,omitempty"`
	LeafHosts    int            `json:"leaf_hosts,omitempty"`
	Spines       int            `json:"spines,omitempty"`
	Switches     int            `json:"switches,omitempty"`
	Senders      int            `json:"senders,omitempty"`
	TopologyFile string         `json:"topology_file,omitempty"`
	Graph        *topo.Graph    `json:"-"`
	TierGbps     [2]units.Gbps  `json:"tier_gbps,omitzero"`
	TierLatency  [2]units.Picos `json:"tier_latency_ps,omitzero"`

	// RTT, when not 0, is the longest round trip, to which Set adjusts the latencies.
	RTT units.Picos `json:"rtt_ps,omitempty"`

	// Links between switches fail by list or, each with FailProb, at FailAt.
	FailLinks []Failure   `json:"fail_links,omitempty"`
	FailProb  float64     `json:"fail_prob,omitempty"`
	FailAt    units.Picos `json:"fail_at_ps,omitempty"`

	// HostOrder renumbers the hosts: host i sits where HostOrder[i] would.
	HostOrder []int32 `json:"-"`

	// Pods simulates the pods of a tree as parts of their own, side by side, each with its own random numbers.
	Pods bool `json:"pods,omitempty"`

	// Switches. Sizes in bytes override the factors of the BDP when they are not 0.
	QueueBytes        int64 `json:"queue_bytes,omitempty"`
	LastHopQueueBytes int64 `json:"last_hop_queue_bytes,omitempty"` // 0 takes QueueBytes
	CtlQueueBytes     int64 `json:"ctl_queue_bytes,omitempty"`
	KMinBytes         int64 `json:"k_min_bytes,omitempty"`
	KMaxBytes         int64 `json:"k_max_bytes,omitempty"`
	// PMax is the probability of a mark at the upper threshold of probabilistic ECN, where RED
	// jumps to certainty; 0 is 1.
	PMax float64 `json:"p_max,omitempty"`

	// WholePackets rounds queue sizes and ECN thresholds that are factors of the
	// BDP up to whole packets, as the reference simulator does.
	WholePackets bool `json:"whole_packets,omitempty"`

	TrimRule TrimRule `json:"trim_rule,omitempty"`
	// DRR holds the quantum of each class (high, medium, low) in bytes. Classes are served in strict order, but
	// neighbours with quanta above 0 share what the classes above them leave by deficit round robin.
	DRR [QueueClasses]int `json:"drr,omitzero"`

	// PFC makes the low class lossless: a switch that holds more than XOff bytes
	// from one input pauses it until it holds no more than XOn.
	PFC  bool  `json:"pfc,omitempty"`
	XOff int64 `json:"xoff,omitempty"`
	XOn  int64 `json:"xon,omitempty"`
	// PFCHeadroom is what an input may bring beyond XOff before its packets are
	// lost; 0 derives it from the link's rate and latency and the MTU.
	PFCHeadroom int64 `json:"pfc_headroom,omitempty"`

	// ARLevels is the number of equal bands in which adaptive routing sees what a
	// queue can hold; 0 is 20. Among queues of the same band it draws at random.
	ARLevels  int       `json:"ar_levels,omitempty"`
	INT       INTMode   `json:"int,omitempty"`
	INTFormat INTFormat `json:"int_format,omitempty"`
	// FairRate makes switches compute a fair rate for each port and send it to the sources (RoCC).
	FairRate bool `json:"fair_rate,omitempty"`
	// Retrace sends ACKs and NACKs back by the way of the packet that they answer.
	Retrace bool `json:"retrace,omitempty"`

	// Hosts. LB and CC hold for flows that name none themselves.
	LB lb.Kind `json:"lb,omitempty"`
	CC string  `json:"cc,omitempty"`
	// CCHosts names the congestion control of every flow of some hosts, CCContexts that of single contexts, which count
	// through the run: in a list of messages, connections.
	CCHosts    map[int32]string `json:"cc_hosts,omitempty"`
	CCContexts map[int32]string `json:"cc_contexts,omitempty"`
	Recovery   Recovery         `json:"recovery,omitempty"`
	// MPR is the range of PSNs that a receiver accepts, counted from the first missing one; its ACKs hold it. 0 accepts
	// what the state of two windows holds, as senders keep it, so that no sender ever waits for it.
	MPR int `json:"mpr,omitempty"`
	// Entries is the number of packets that a connection can have outstanding, since its sender has so many entries of
	// transmit state: a power of two. 0 has as many as two windows need.
	Entries int `json:"entries,omitempty"`
	// Pipeline is the latency of congestion control in hosts that are a NIC's model in cycles, and the least distance
	// between two events of one context. 0 is that of the block.
	Pipeline int `json:"pipeline,omitempty"`
	// AckMinAdd is the least that an accepted packet adds to the count that AckTrigger is compared with (Min_Pkt_Add),
	// so that many small packets are acknowledged, too. It is not part of rcvd_bytes.
	AckMinAdd int64 `json:"ack_min_add"`
	// Target is the target queueing delay of congestion controls; 0 takes their default. QAGate below 0 does, too.
	Target units.Picos `json:"target_ps,omitempty"`
	QAGate int         `json:"qa_gate"`
	// AvgWithoutSample has NSCC judge an ACK without an RTT sample by the average
	// delay; the specification leaves the window alone.
	AvgWithoutSample bool `json:"avg_without_sample,omitempty"`
	// PerFlowRTT gives each flow the base RTT of its own path.
	PerFlowRTT bool `json:"per_flow_rtt,omitempty"`

	// Workloads beyond the simple ones.
	Sizes         []int64     `json:"sizes,omitempty"`
	Elephants     int         `json:"elephants,omitempty"`
	ElephantBytes int64       `json:"elephant_bytes,omitempty"` // 0 takes FlowBytes
	ElephantLB    lb.Kind     `json:"elephant_lb,omitempty"`
	ElephantClass string      `json:"elephant_class,omitempty"` // medium or low
	Stagger       units.Picos `json:"stagger_ps,omitempty"`
	Parallel      int         `json:"parallel,omitempty"`
	Ranks         int         `json:"ranks,omitempty"` // 0 is all hosts
	Ring          int         `json:"ring,omitempty"`
	CDF           string      `json:"cdf,omitempty"` // name of a table, or a file
	Load          float64     `json:"load,omitempty"`
	Flows         int         `json:"flow_count,omitempty"` // of Poisson, over all hosts
	MatrixFile    string      `json:"matrix_file,omitempty"`
	MatrixUnit    string      `json:"matrix_unit,omitempty"` // of its start: ps (default), ns or us
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
		ECN: ECNProbabilistic, KMin: 0.2, KMax: 0.8, KDet: 0.5, ECNLastHop: true,
		AckTrigger: 16 << 10, DrainShare: 0.5, ReorderBy: 5 * units.Microsecond,
		Seed: 1,
	}
	s.QAGate, s.AckMinAdd = -1, 1<<10
	return s
}

package settings

import (
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// Workloads besides Permutation and Incast.
const (
	// Converge: host i of the first Senders sends to the first host after them,
	// Stagger after the one before.
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
	// HSDP: GPU i sends to GPU i + Ring modulo all, servers of Ring GPUs each
	// placed at random.
	HSDP Workload = "hsdp"
	// Poisson: Poisson arrivals per host at Load of its link, sizes from CDF.
	Poisson Workload = "poisson"
	// Matrix: the connections of an htsim connection-matrix file.
	Matrix Workload = "matrix"
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

// Failure takes a link down, in both directions.
type Failure struct {
	Link string      `json:"link"` // names of its ends, as in "tor0-agg1"
	At   units.Picos `json:"at_ps"`
}

// NetworkSpec is the part of Spec about the network beyond
// the size of its fat tree. Rates and latencies of 0 take those of the host
// links; index 0 is the links above the first tier of switches, 1 above the
// second.
type NetworkSpec struct {
	Topology     Topology       `json:"topology,omitempty"`
	Tiers        int            `json:"tiers,omitempty"` // 0 is 3
	Leaves       int            `json:"leaves,omitempty"`
	LeafHosts    int            `json:"leaf_hosts,omitempty"`
	Spines       int            `json:"spines,omitempty"`
	Switches     int            `json:"switches,omitempty"`
	Senders      int            `json:"senders,omitempty"`
	TopologyFile string         `json:"topology_file,omitempty"`
	Graph        *topo.Graph    `json:"-"`
	TierGbps     [2]int         `json:"tier_gbps,omitzero"`
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

// SwitchSpec is the part of Spec about switches. Sizes in bytes override the
// factors of the BDP when they are not 0.
type SwitchSpec struct {
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
	// DRR holds the quantum of each class (high, medium, low) in bytes. Classes are
	// served in strict order, but neighbours with quanta above 0 share what the
	// classes above them leave by deficit round robin.
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
}

// Recovery is how a sender detects lost packets, in addition to NACKs.
type Recovery string

// Kinds of recovery. The empty one is RecoverRTO.
const (
	RecoverRTO   Recovery = "rto"
	RecoverSLEEK Recovery = "sleek" // out-of-order count and probes, and the timeout
)

// HostSpec is the part of Spec about hosts. LB and CC hold for flows that name
// none themselves.
type HostSpec struct {
	LB lb.Kind `json:"lb,omitempty"`
	CC string  `json:"cc,omitempty"`
	// CCHosts names the congestion control of every flow of some hosts,
	// CCContexts that of single contexts, which count through the run: in a list
	// of messages, connections.
	CCHosts    map[int32]string `json:"cc_hosts,omitempty"`
	CCContexts map[int32]string `json:"cc_contexts,omitempty"`
	Recovery   Recovery         `json:"recovery,omitempty"`
	// AckMinAdd is the least that an accepted packet adds to the count that
	// AckTrigger is compared with (Min_Pkt_Add), so that many small packets are
	// acknowledged, too. It is not part of rcvd_bytes.
	AckMinAdd int64 `json:"ack_min_add"`
	// Target is the target queueing delay of congestion controls; 0 takes their
	// default. QAGate below 0 does, too.
	Target units.Picos `json:"target_ps,omitempty"`
	QAGate int         `json:"qa_gate"`
	// AvgWithoutSample has NSCC judge an ACK without an RTT sample by the average
	// delay; the specification leaves the window alone.
	AvgWithoutSample bool `json:"avg_without_sample,omitempty"`
	// PerFlowRTT gives each flow the base RTT of its own path.
	PerFlowRTT bool `json:"per_flow_rtt,omitempty"`
}

// TrafficSpec is the part of Spec about workloads beyond the simple ones.
type TrafficSpec struct {
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

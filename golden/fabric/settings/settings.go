package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

func networkSettings() []Path {
	return []Path{
		text("topology", "shape of the network", func(s *Spec) *Topology { return &s.Topology }).of(fmt.Sprint("one of ", Topologies()[:len(Topologies())-1])),
		text("topology.file", "YAML file of a network", func(s *Spec) *string { return &s.TopologyFile }).of("a file"),
		number("k", "ports of a fat tree's switches", func(s *Spec) *int { return &s.K }),
		number("tiers", "tiers of a fat tree", func(s *Spec) *int { return &s.Tiers }),
		number("oversub", "oversubscription of the first tier", func(s *Spec) *int { return &s.Oversub }),
		number("leaves", "leaf switches", func(s *Spec) *int { return &s.Leaves }),
		number("leaf.hosts", "hosts of a leaf", func(s *Spec) *int { return &s.LeafHosts }),
		number("spines", "spine switches", func(s *Spec) *int { return &s.Spines }),
		number("switches", "switches of a dumbbell", func(s *Spec) *int { return &s.Switches }),
		number("senders", "senders of a dumbbell, or that converge", func(s *Spec) *int { return &s.Senders }),
		number("link.gbps", "rate of the host links, and of all others that have none of their own", func(s *Spec) *int { return &s.LinkGbps }).in("Gb/s"),
		latency("link.latency_us", "latency of the links", func(s *Spec) *units.Picos { return &s.LinkLatency }),
		number("tier1.gbps", "rate above the first tier of switches", func(s *Spec) *int { return &s.TierGbps[0] }).in("Gb/s"),
		number("tier2.gbps", "rate above the second tier", func(s *Spec) *int { return &s.TierGbps[1] }).in("Gb/s"),
		latency("tier1.latency_us", "latency above the first tier", func(s *Spec) *units.Picos { return &s.TierLatency[0] }),
		latency("tier2.latency_us", "latency above the second tier", func(s *Spec) *units.Picos { return &s.TierLatency[1] }),
		micros("rtt.us", "unloaded round trip of the longest path, from which the latency of the links follows", func(s *Spec) *units.Picos { return &s.RTT }),
		micros("base_rtt.us", "config_base_rtt of the senders", func(s *Spec) *units.Picos { return &s.BaseRTT }),
		{path: "fail.links", about: "links that fail, comma separated, each with @microseconds if not at 0", set: setFailures, List: true, values: "such as tor0-agg1,agg3-core0@20; s-t#2 is the second link of several between s and t"},
		decimal("fail.prob", "probability that a link between switches fails", func(s *Spec) *float64 { return &s.FailProb }),
		micros("fail.at_us", "when those of fail.prob fail", func(s *Spec) *units.Picos { return &s.FailAt }),
		decimal("loss_prob", "probability that a link loses a packet", func(s *Spec) *float64 { return &s.LossProb }),
	}
}

func setFailures(s *Spec, v string) error {
	s.FailLinks = nil
	for _, item := range strings.Split(v, ",") {
		if item == "" {
			continue
		}
		name, at, timed := strings.Cut(strings.TrimSpace(item), "@")
		f := Failure{Link: name}
		if timed {
			us, err := strconv.ParseFloat(at, 64)
			if err != nil || !(us >= 0) || us > 1e6 {
				return Wanted("names such as tor0-agg1@20, the time in microseconds")
			}
			f.At = units.Picos(math.Round(us * float64(units.Microsecond)))
		}
		s.FailLinks = append(s.FailLinks, f)
	}
	return nil
}

func hostSettings() []Path {
	return []Path{
		{path: "lb", about: "load balancer", values: fmt.Sprint("one of ", lb.Kinds()), set: func(s *Spec, v string) error {
			k, err := lb.Parse(v)
			if err == nil {
				s.LB = k
			}
			return err
		}},
		text("cc", "congestion control of the flows that name none", func(s *Spec) *string { return &s.CC }).of("a name of --cc"),
		byNumber("cc.hosts", "congestion control of all flows of single hosts", func(s *Spec) *map[int32]string { return &s.CCHosts }),
		byNumber("cc.contexts", "congestion control of single contexts, numbered through the run", func(s *Spec) *map[int32]string { return &s.CCContexts }),
		micros("target.us", "target queueing delay", func(s *Spec) *units.Picos { return &s.Target }),
		number("qa_gate", "shift of the window below which quick adapt fires", func(s *Spec) *int { return &s.QAGate }),
		flag("avg_without_sample", "judge an ACK without an RTT sample by the average delay", func(s *Spec) *bool { return &s.AvgWithoutSample }),
		number("mtu", "largest packet", func(s *Spec) *int { return &s.MTU }).in("bytes"),
		number("header_bytes", "bytes of a packet that carry no payload", func(s *Spec) *int { return &s.HeaderBytes }).in("bytes"),
		number("ctl_bytes", "size of ACK and NACK", func(s *Spec) *int { return &s.CtlBytes }).in("bytes"),
		text("recovery", "loss recovery", func(s *Spec) *Recovery { return &s.Recovery }),
		micros("rto.us", "retransmission timeout", func(s *Spec) *units.Picos { return &s.RTO }),
		number("paths", "entropies of a flow", func(s *Spec) *int { return &s.Paths }),
		bytesOf("ack_trigger", "bytes after which a receiver acknowledges unasked", func(s *Spec) *int64 { return &s.AckTrigger }),
		bytesOf("ack_min_add", "least that a packet counts for towards ack_trigger", func(s *Spec) *int64 { return &s.AckMinAdd }),
		micros("service.us", "delay of ACK and NACK at the receiver", func(s *Spec) *units.Picos { return &s.ServiceTime }),
		micros("service.jitter_us", "greatest further delay of ACK and NACK, uniform", func(s *Spec) *units.Picos { return &s.ServiceJitter }),
		decimal("slow_hosts", "share of hosts with slow memory", func(s *Spec) *float64 { return &s.SlowHosts }),
		decimal("drain_share", "rate of slow memory, as a share of the link's", func(s *Spec) *float64 { return &s.DrainShare }),
		flag("per_flow_rtt", "base RTT of each flow's own path", func(s *Spec) *bool { return &s.PerFlowRTT }),
		{path: "seed", about: "seed of all random numbers", values: "from 0 to 2^64 - 1", set: func(s *Spec, v string) error {
			n, err := strconv.ParseUint(v, 10, 64)
			if err != nil {
				return Wanted("a whole number, 0 or above")
			}
			s.Seed = n
			return nil
		}},
		micros("max_time.us", "when to end the run", func(s *Spec) *units.Picos { return &s.MaxTime }),
	}
}

func switchSettings() []Path {
	return []Path{
		flag("trim", "trim in place of dropping", func(s *Spec) *bool { return &s.Trim }),
		text("trim.rule", "which packet is trimmed: the arriving one, or either (it or the tail, 50/50)", func(s *Spec) *TrimRule { return &s.TrimRule }),
		number("trim.bytes", "size of a trimmed packet", func(s *Spec) *int { return &s.TrimBytes }).in("bytes"),
		bytesOf("queue.bytes", "data queue", func(s *Spec) *int64 { return &s.QueueBytes }),
		bytesOf("queue.last_hop_bytes", "data queue in front of hosts", func(s *Spec) *int64 { return &s.LastHopQueueBytes }),
		bytesOf("queue.ctl_bytes", "queues of control and trimmed packets", func(s *Spec) *int64 { return &s.CtlQueueBytes }),
		decimal("queue.trim_at", "data queue with trimming", func(s *Spec) *float64 { return &s.TrimAt }).in("BDP"),
		decimal("queue.trim_at_last_hop", "data queue in front of hosts with trimming", func(s *Spec) *float64 { return &s.TrimAtLastHop }).in("BDP"),
		decimal("queue.drop_at", "data queue without trimming", func(s *Spec) *float64 { return &s.DropAt }).in("BDP"),
		decimal("queue.ctl_drop_at", "queues of control and trimmed packets", func(s *Spec) *float64 { return &s.CtlDropAt }).in("BDP"),
		flag("queue.whole_packets", "queue sizes and ECN thresholds rounded up to whole packets", func(s *Spec) *bool { return &s.WholePackets }),
		text("ecn", "marking rule", func(s *Spec) *ECNMode { return &s.ECN }),
		decimal("ecn.kmin", "queue from which probabilistic ECN marks", func(s *Spec) *float64 { return &s.KMin }).in("BDP"),
		decimal("ecn.kmax", "queue from which probabilistic ECN marks all", func(s *Spec) *float64 { return &s.KMax }).in("BDP"),
		decimal("ecn.kdet", "queue from which deterministic ECN marks", func(s *Spec) *float64 { return &s.KDet }).in("BDP"),
		bytesOf("ecn.kmin_bytes", "queue from which ECN marks", func(s *Spec) *int64 { return &s.KMinBytes }),
		bytesOf("ecn.kmax_bytes", "queue from which probabilistic ECN marks all", func(s *Spec) *int64 { return &s.KMaxBytes }),
		decimal("ecn.pmax", "probability of a mark at the upper threshold of probabilistic ECN, which is certain above (RED)",
			func(s *Spec) *float64 { return &s.PMax }),
		{path: "drr", about: "quanta of the classes high, medium, low, comma separated; 0 is strict priority", unit: "bytes", List: true, set: func(s *Spec, v string) error {
			w := strings.Split(v, ",")
			if len(w) != QueueClasses {
				return Wanted("three numbers such as 0,4096,4096")
			}
			for i := range w {
				n, err := strconv.Atoi(strings.TrimSpace(w[i]))
				if err != nil {
					return Wanted("three numbers such as 0,4096,4096")
				}
				s.DRR[i] = n
			}
			return nil
		}},
		flag("pfc", "lossless data by pause frames", func(s *Spec) *bool { return &s.PFC }),
		bytesOf("pfc.xoff", "bytes from one input above which it is paused", func(s *Spec) *int64 { return &s.XOff }),
		bytesOf("pfc.xon", "bytes at which it goes on", func(s *Spec) *int64 { return &s.XOn }),
		bytesOf("pfc.headroom", "bytes from one input beyond pfc.xoff that find room", func(s *Spec) *int64 { return &s.PFCHeadroom }),
		number("ar.levels", "bands in which adaptive routing sees a queue; it draws at random among equals", func(s *Spec) *int { return &s.ARLevels }),
		{path: "int", about: "telemetry that switches write, into data (HPCC) or ACKs (FNCC); taps of a Go program see it with each ACK, no congestion control here reads it and captures leave it out", set: func(s *Spec, v string) error {
			if s.INT = INTMode(v); v == "off" {
				s.INT = INTOff
			}
			return nil
		}},
	}
}

func loadSettings() []Path {
	return []Path{
		text("workload", "pattern of flows", func(s *Spec) *Workload { return &s.Workload }),
		bytesOf("flow.bytes", "payload of a flow", func(s *Spec) *int64 { return &s.FlowBytes }),
		number("flow.rounds", "flows of each connection, one after another", func(s *Spec) *int { return &s.Rounds }),
		number("flow.count", "number of Poisson arrivals", func(s *Spec) *int { return &s.Flows }),
		micros("flow.start_spread_us", "flows start at random within it", func(s *Spec) *units.Picos { return &s.StartSpread }),
		micros("flow.stagger_us", "between the starts of converging flows", func(s *Spec) *units.Picos { return &s.Stagger }),
		{path: "flow.sizes", about: "payloads of a mixed permutation, comma separated", unit: "bytes", List: true, set: func(s *Spec, v string) error {
			s.Sizes = nil
			for _, w := range strings.Split(v, ",") {
				if err := IntInto(strings.TrimSpace(w), func(n int64) { s.Sizes = append(s.Sizes, n) }); err != nil {
					return err
				}
			}
			return nil
		}},
		number("nic.contexts", "contexts of a sending host", func(s *Spec) *int { return &s.CCCsPerNIC }),
		number("nic.pdcs", "connections of a context", func(s *Spec) *int { return &s.PDCsPerCCC }),
		number("incast", "senders of an incast", func(s *Spec) *int { return &s.Incast }),
		number("elephants", "number of elephant flows", func(s *Spec) *int { return &s.Elephants }),
		bytesOf("elephant.bytes", "payload of elephant flows", func(s *Spec) *int64 { return &s.ElephantBytes }),
		text("elephant.lb", "load balancer of elephant flows", func(s *Spec) *lb.Kind { return &s.ElephantLB }).of(fmt.Sprint("one of ", lb.Kinds())),
		text("elephant.class", "class of elephant flows", func(s *Spec) *string { return &s.ElephantClass }),
		number("alltoall.parallel", "messages of a host at a time", func(s *Spec) *int { return &s.Parallel }),
		number("ranks", "hosts of a collective", func(s *Spec) *int { return &s.Ranks }),
		number("hsdp.ring", "GPUs of a server", func(s *Spec) *int { return &s.Ring }),
		text("poisson.cdf", "flow-size table, by name or file", func(s *Spec) *string { return &s.CDF }).of(fmt.Sprint("one of ", traffic.TableNames(), " or a CSV file of size_bytes,cdf_percent")),
		decimal("poisson.load", "share of the host links that arrivals fill", func(s *Spec) *float64 { return &s.Load }),
		text("matrix.file", "htsim connection matrix", func(s *Spec) *string { return &s.MatrixFile }),
		text("matrix.unit", "unit of the start times in matrix.file", func(s *Spec) *string { return &s.MatrixUnit }),
	}
}

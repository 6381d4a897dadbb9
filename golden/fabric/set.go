package fabric

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/lb"
)

// setting is one path that Set knows.
type setting struct {
	path, about string
	set         func(*Spec, string) error
}

// wanted returns the error of a value that is something else.
func wanted(what string) error { return errors.New("want " + what) }

func intInto(v string, dst func(int64)) error {
	f, err := strconv.ParseFloat(strings.ReplaceAll(v, "_", ""), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1e15 {
		return wanted("a whole number")
	}
	dst(int64(f))
	return nil
}

func number(path, about string, field func(*Spec) *int) setting {
	return setting{path, about, func(s *Spec, v string) error {
		return intInto(v, func(n int64) { *field(s) = int(n) })
	}}
}

func bytesOf(path, about string, field func(*Spec) *int64) setting {
	return setting{path, about, func(s *Spec, v string) error {
		return intInto(v, func(n int64) { *field(s) = n })
	}}
}

func decimal(path, about string, field func(*Spec) *float64) setting {
	return setting{path, about, func(s *Spec, v string) error {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return wanted("a number")
		}
		*field(s) = f
		return nil
	}}
}

// micros reads a time in microseconds.
func micros(path, about string, field func(*Spec) *Picos) setting {
	return setting{path, about + ", microseconds", func(s *Spec, v string) error {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || !(f >= 0) || f > 1e9 {
			return wanted("microseconds, 0 or above")
		}
		*field(s) = Picos(math.Round(f * float64(Microsecond)))
		return nil
	}}
}

func flag(path, about string, field func(*Spec) *bool) setting {
	return setting{path, about, func(s *Spec, v string) error {
		switch v {
		case "true", "on", "1", "yes":
			*field(s) = true
		case "false", "off", "0", "no":
			*field(s) = false
		default:
			return wanted("on or off")
		}
		return nil
	}}
}

func text[T ~string](path, about string, field func(*Spec) *T) setting {
	return setting{path, about, func(s *Spec, v string) error {
		*field(s) = T(v)
		return nil
	}}
}

// byNumber reads names by number, as 3=x,7=y.
func byNumber(path, about string, field func(*Spec) *map[int32]string) setting {
	return setting{path, about, func(s *Spec, v string) error {
		m := map[int32]string{}
		for _, item := range strings.Split(v, ",") {
			if item == "" {
				continue
			}
			n, name, ok := strings.Cut(strings.TrimSpace(item), "=")
			i, err := strconv.ParseInt(n, 10, 32)
			if !ok || err != nil || i < 0 || name == "" {
				return wanted("numbers and names such as 3=nscc-htsim,7=fixed")
			}
			m[int32(i)] = name
		}
		*field(s) = m
		return nil
	}}
}

func settings() []setting {
	return slices.Concat(networkSettings(), hostSettings(), switchSettings(), loadSettings())
}

// Settable returns the paths of Set in alphabetical order, each with what it is.
func Settable() [][2]string {
	var out [][2]string
	for _, s := range settings() {
		out = append(out, [2]string{s.path, s.about})
	}
	slices.SortFunc(out, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return out
}

// Set changes one value of the spec by its path, such as "link.gbps". It errors,
// naming the path, when there is no such path or the value cannot be read; that
// the whole is possible, Validate says. With rtt.us set, the latency of the
// links follows the other settings.
func (s *Spec) Set(path, value string) error {
	for _, k := range settings() {
		if k.path != path {
			continue
		}
		if err := k.set(s, strings.TrimSpace(value)); err != nil {
			return fmt.Errorf("%s = %s: %w", path, value, err)
		}
		s.solveLatency()
		return nil
	}
	near := ""
	for _, k := range settings() {
		if strings.Contains(k.path, path) || strings.HasSuffix(path, "."+k.path) || strings.HasPrefix(k.path, strings.SplitN(path, ".", 2)[0]+".") {
			near = "; did you mean " + k.path + "?"
			break
		}
	}
	return fmt.Errorf("%s: no such setting%s", path, near)
}

// solveLatency sets the latency of every link so that the unloaded round trip of
// the longest path is RTT, when that is set and the links have none of their own.
func (s *Spec) solveLatency() {
	if t := s.topology(); s.RTT == 0 || t == CustomFile || t == Custom {
		return // a graph has latencies of its own
	}
	s.TierLatency = [2]Picos{}
	path := s.longest()
	wire := Picos(0)
	for _, h := range path {
		if h.gbps <= 0 {
			return // Validate says what is wrong
		}
		wire += Picos(psPerByte(h.gbps)) * Picos(s.MTU+s.CtlBytes)
	}
	s.LinkLatency = (s.RTT - wire) / Picos(2*len(path))
}

func networkSettings() []setting {
	return []setting{
		text("topology", "shape of the network: fattree, leafspine, dumbbell, firsthop, middlehop, lasthop or file", func(s *Spec) *Topology { return &s.Topology }),
		text("topology.file", "YAML file of a network", func(s *Spec) *string { return &s.TopologyFile }),
		number("k", "ports of a fat tree's switches", func(s *Spec) *int { return &s.K }),
		number("tiers", "tiers of a fat tree, 2 or 3", func(s *Spec) *int { return &s.Tiers }),
		number("oversub", "oversubscription of the first tier", func(s *Spec) *int { return &s.Oversub }),
		number("leaves", "leaf switches", func(s *Spec) *int { return &s.Leaves }),
		number("leaf.hosts", "hosts of a leaf", func(s *Spec) *int { return &s.LeafHosts }),
		number("spines", "spine switches", func(s *Spec) *int { return &s.Spines }),
		number("switches", "switches of a dumbbell", func(s *Spec) *int { return &s.Switches }),
		number("senders", "senders of a dumbbell, or that converge", func(s *Spec) *int { return &s.Senders }),
		number("link.gbps", "rate of the host links, and of all others that have none of their own", func(s *Spec) *int { return &s.LinkGbps }),
		micros("link.latency_us", "latency of the links", func(s *Spec) *Picos { return &s.LinkLatency }),
		number("tier1.gbps", "rate above the first tier of switches", func(s *Spec) *int { return &s.TierGbps[0] }),
		number("tier2.gbps", "rate above the second tier", func(s *Spec) *int { return &s.TierGbps[1] }),
		micros("tier1.latency_us", "latency above the first tier", func(s *Spec) *Picos { return &s.TierLatency[0] }),
		micros("tier2.latency_us", "latency above the second tier", func(s *Spec) *Picos { return &s.TierLatency[1] }),
		micros("rtt.us", "unloaded round trip of the longest path, from which the latency of the links follows", func(s *Spec) *Picos { return &s.RTT }),
		micros("base_rtt.us", "config_base_rtt of the senders; 0 takes the network's", func(s *Spec) *Picos { return &s.BaseRTT }),
		{"fail.links", "links that fail: names such as tor0-agg1, comma separated, each with @microseconds if not at 0", setFailures},
		decimal("fail.prob", "probability that a link between switches fails", func(s *Spec) *float64 { return &s.FailProb }),
		micros("fail.at_us", "when they fail", func(s *Spec) *Picos { return &s.FailAt }),
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
				return wanted("names such as tor0-agg1@20, the time in microseconds")
			}
			f.At = Picos(math.Round(us * float64(Microsecond)))
		}
		s.FailLinks = append(s.FailLinks, f)
	}
	return nil
}

func hostSettings() []setting {
	return []setting{
		{"lb", "load balancer: " + fmt.Sprint(lb.Kinds()), func(s *Spec, v string) error {
			k, err := lb.Parse(v)
			if err == nil {
				s.LB = k
			}
			return err
		}},
		text("cc", "congestion control, such as nscc, nscc-htsim, fixed", func(s *Spec) *string { return &s.CC }),
		byNumber("cc.hosts", "congestion control of all flows of a host, as 3=nscc-htsim,7=fixed", func(s *Spec) *map[int32]string { return &s.CCHosts }),
		byNumber("cc.contexts", "... of one context, numbered through the run", func(s *Spec) *map[int32]string { return &s.CCContexts }),
		micros("target.us", "target queueing delay; 0 takes the default", func(s *Spec) *Picos { return &s.Target }),
		number("qa_gate", "shift of the window below which quick adapt fires; -1 takes the default", func(s *Spec) *int { return &s.QAGate }),
		number("mtu", "largest packet, bytes", func(s *Spec) *int { return &s.MTU }),
		number("header_bytes", "bytes of a packet that carry no payload", func(s *Spec) *int { return &s.HeaderBytes }),
		number("ctl_bytes", "size of ACK and NACK", func(s *Spec) *int { return &s.CtlBytes }),
		text("recovery", "loss recovery: rto or sleek", func(s *Spec) *Recovery { return &s.Recovery }),
		micros("rto.us", "retransmission timeout; 0 derives it", func(s *Spec) *Picos { return &s.RTO }),
		number("paths", "entropies of a flow, a power of two", func(s *Spec) *int { return &s.Paths }),
		bytesOf("ack_trigger", "bytes after which a receiver acknowledges unasked", func(s *Spec) *int64 { return &s.AckTrigger }),
		bytesOf("ack_min_add", "least that a packet counts for towards ack_trigger", func(s *Spec) *int64 { return &s.AckMinAdd }),
		micros("service.us", "delay of ACK and NACK at the receiver", func(s *Spec) *Picos { return &s.ServiceTime }),
		micros("service.jitter_us", "greatest further delay, uniform", func(s *Spec) *Picos { return &s.ServiceJitter }),
		decimal("slow_hosts", "share of hosts with slow memory", func(s *Spec) *float64 { return &s.SlowHosts }),
		decimal("drain_share", "rate of slow memory, as a share of the link's", func(s *Spec) *float64 { return &s.DrainShare }),
		flag("per_flow_rtt", "base RTT of each flow's own path", func(s *Spec) *bool { return &s.PerFlowRTT }),
		{"seed", "seed of all random numbers", func(s *Spec, v string) error {
			n, err := strconv.ParseUint(v, 10, 64)
			if err != nil {
				return wanted("a whole number, 0 or above")
			}
			s.Seed = n
			return nil
		}},
		micros("max_time.us", "when to end the run; 0 for never", func(s *Spec) *Picos { return &s.MaxTime }),
	}
}

func switchSettings() []setting {
	return []setting{
		flag("trim", "trim in place of dropping", func(s *Spec) *bool { return &s.Trim }),
		text("trim.rule", "which packet is trimmed: arriving, or either (it or the tail, 50/50)", func(s *Spec) *TrimRule { return &s.TrimRule }),
		number("trim.bytes", "size of a trimmed packet", func(s *Spec) *int { return &s.TrimBytes }),
		bytesOf("queue.bytes", "data queue; 0 takes factors of the BDP", func(s *Spec) *int64 { return &s.QueueBytes }),
		bytesOf("queue.last_hop_bytes", "data queue in front of hosts", func(s *Spec) *int64 { return &s.LastHopQueueBytes }),
		bytesOf("queue.ctl_bytes", "queues of control and trimmed packets", func(s *Spec) *int64 { return &s.CtlQueueBytes }),
		decimal("queue.trim_at", "data queue with trimming, in BDP", func(s *Spec) *float64 { return &s.TrimAt }),
		decimal("queue.trim_at_last_hop", "... in front of hosts", func(s *Spec) *float64 { return &s.TrimAtLastHop }),
		decimal("queue.drop_at", "data queue without trimming, in BDP", func(s *Spec) *float64 { return &s.DropAt }),
		flag("queue.whole_packets", "queue sizes and ECN thresholds rounded up to whole packets", func(s *Spec) *bool { return &s.WholePackets }),
		text("ecn", "marking rule: off, probabilistic or deterministic", func(s *Spec) *ECNMode { return &s.ECN }),
		bytesOf("ecn.kmin_bytes", "queue from which ECN marks", func(s *Spec) *int64 { return &s.KMinBytes }),
		bytesOf("ecn.kmax_bytes", "queue from which ECN marks all", func(s *Spec) *int64 { return &s.KMaxBytes }),
		{"drr", "quanta of the classes high, medium, low in bytes, comma separated; 0 is strict priority", func(s *Spec, v string) error {
			w := strings.Split(v, ",")
			if len(w) != classes {
				return wanted("three numbers such as 0,4096,4096")
			}
			for i := range w {
				n, err := strconv.Atoi(strings.TrimSpace(w[i]))
				if err != nil {
					return wanted("three numbers such as 0,4096,4096")
				}
				s.DRR[i] = n
			}
			return nil
		}},
		flag("pfc", "lossless data by pause frames", func(s *Spec) *bool { return &s.PFC }),
		bytesOf("pfc.xoff", "bytes from one input above which it is paused", func(s *Spec) *int64 { return &s.XOff }),
		bytesOf("pfc.xon", "bytes at which it goes on", func(s *Spec) *int64 { return &s.XOn }),
		bytesOf("pfc.headroom", "bytes from one input beyond xoff that find room; 0 derives them from rate, latency and mtu", func(s *Spec) *int64 { return &s.PFCHeadroom }),
		number("ar.levels", "steps in which adaptive routing sees a queue", func(s *Spec) *int { return &s.ARLevels }),
		text("int", "telemetry: data (HPCC), ack (FNCC) or nothing", func(s *Spec) *INTMode { return &s.INT }),
	}
}

func loadSettings() []setting {
	return []setting{
		text("workload", "pattern of flows: "+fmt.Sprint(Workloads()), func(s *Spec) *Workload { return &s.Workload }),
		bytesOf("flow.bytes", "payload of a flow", func(s *Spec) *int64 { return &s.FlowBytes }),
		number("flow.rounds", "flows of each connection, one after another", func(s *Spec) *int { return &s.Rounds }),
		number("flow.count", "number of Poisson arrivals", func(s *Spec) *int { return &s.Flows }),
		micros("flow.start_spread_us", "flows start at random within it", func(s *Spec) *Picos { return &s.StartSpread }),
		micros("flow.stagger_us", "between the starts of converging flows", func(s *Spec) *Picos { return &s.Stagger }),
		{"flow.sizes", "payloads of a mixed permutation, comma separated", func(s *Spec, v string) error {
			s.Sizes = nil
			for _, w := range strings.Split(v, ",") {
				if err := intInto(strings.TrimSpace(w), func(n int64) { s.Sizes = append(s.Sizes, n) }); err != nil {
					return err
				}
			}
			return nil
		}},
		number("nic.contexts", "contexts of a sending host", func(s *Spec) *int { return &s.CCCsPerNIC }),
		number("nic.pdcs", "connections of a context", func(s *Spec) *int { return &s.PDCsPerCCC }),
		number("incast", "senders of an incast", func(s *Spec) *int { return &s.Incast }),
		number("elephants", "elephant flows", func(s *Spec) *int { return &s.Elephants }),
		bytesOf("elephant.bytes", "their payload; 0 takes flow.bytes", func(s *Spec) *int64 { return &s.ElephantBytes }),
		text("elephant.lb", "their load balancer", func(s *Spec) *lb.Kind { return &s.ElephantLB }),
		text("elephant.class", "their class, medium or low", func(s *Spec) *string { return &s.ElephantClass }),
		number("alltoall.parallel", "messages of a host at a time", func(s *Spec) *int { return &s.Parallel }),
		number("ranks", "hosts of a collective; 0 for all", func(s *Spec) *int { return &s.Ranks }),
		number("hsdp.ring", "GPUs of a server", func(s *Spec) *int { return &s.Ring }),
		text("poisson.cdf", "flow-size table, by name or file", func(s *Spec) *string { return &s.CDF }),
		decimal("poisson.load", "share of the host links that arrivals fill", func(s *Spec) *float64 { return &s.Load }),
		text("matrix.file", "htsim connection matrix", func(s *Spec) *string { return &s.MatrixFile }),
		text("matrix.unit", "unit of its start times: ps, ns or us", func(s *Spec) *string { return &s.MatrixUnit }),
	}
}

package settings

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// Workloads returns the names that Spec.Workload can take.
func Workloads() []Workload {
	return []Workload{Permutation, Incast, Converge, Mixture, Elephants, AllToAll, AllGather, AllReduce, HSDP, Poisson, Matrix}
}

// validateParts checks the embedded parts; its errors name the setting.
func (s Spec) validateParts() error {
	for _, c := range s.partChecks() {
		if !c.ok {
			return fmt.Errorf("%s = %v: want %s", c.field, c.got, c.want)
		}
	}
	for _, k := range []struct {
		field string
		kind  lb.Kind
	}{{"lb", s.LB}, {"elephant.lb", s.ElephantLB}} {
		if k.kind == "" {
			continue
		}
		if _, err := lb.Parse(string(k.kind)); err != nil {
			return fmt.Errorf("%s = %s: %w", k.field, k.kind, err)
		}
	}
	if err := s.checkHostNames(); err != nil {
		return err
	}
	if s.Shape() != Custom || s.Graph != nil {
		g, err := s.Network()
		if err != nil {
			return err
		}
		if _, err = g.Net(); err != nil {
			return err
		}
		first := map[int32]int{}
		for i, f := range s.FailLinks {
			l, err := g.FindLink(f.Link)
			if err != nil {
				return fmt.Errorf("fail.links[%d]: %w", i, err)
			}
			if at, ok := first[l]; ok {
				return fmt.Errorf("fail.links[%d]: %s is the link of fail.links[%d], and fails once; keep one", i, f.Link, at)
			}
			first[l] = i
		}
	}
	return nil
}

// checkHostNames refuses a congestion control for a host that there is not.
func (s Spec) checkHostNames() error {
	hosts := s.Hosts()
	for _, h := range slices.Sorted(maps.Keys(s.CCHosts)) {
		if hosts > 0 && int(h) >= hosts || h < 0 {
			return fmt.Errorf("cc.hosts = %d=%s: want a host from 0 to %d", h, s.CCHosts[h], hosts-1)
		}
	}
	return nil
}

func (s Spec) partChecks() []check {
	hosts := s.Hosts()
	if s.Shape() == CustomFile && s.Graph == nil {
		hosts = 1 << 16
	}
	const second = units.Picos(1e12)
	rate := func(g int) bool { return g == 0 || g > 0 && units.BytePicos%g == 0 }
	lat := func(p units.Picos) bool { return p >= 0 && p <= second }
	ranks := s.Ranks
	if ranks == 0 {
		ranks = hosts
	}
	ring := s.Workload == AllGather || s.Workload == AllReduce
	marked := s.ECN == ECNDeterministic || s.KMaxBytes == 0 && s.KMinBytes == 0 || s.KMaxBytes > s.KMinBytes
	drr := true
	for _, q := range s.DRR {
		drr = drr && q >= 0 && q <= 1<<20
	}
	sizes := true
	for _, b := range s.Sizes {
		sizes = sizes && b >= 1 && b <= 1<<31
	}
	return []check{
		{s.RTT == 0 || s.LinkLatency > 0, "rtt.us", s.RTT.Micros(), "0 (link.latency_us decides) or more than the packets' own time on the links"},
		{s.tiers() == 2 || s.tiers() == 3, "tiers", s.Tiers, "2 or 3"},
		{s.Shape() != LeafSpine || s.Leaves >= 1 && s.Leaves <= 4096, "leaves", s.Leaves, "from 1 to 4096"},
		{s.Shape() != LeafSpine || s.LeafHosts >= 1 && s.LeafHosts <= 4096, "leaf.hosts", s.LeafHosts, "from 1 to 4096"},
		{s.Shape() != LeafSpine || s.Leaves*s.LeafHosts >= 2 && s.Leaves*s.LeafHosts <= topo.MaxHosts, "leaf.hosts", s.LeafHosts, fmt.Sprintf("2 to %d hosts over all leaves", topo.MaxHosts)},
		{s.Shape() != LeafSpine || s.Spines >= 1 && s.Spines <= 4096, "spines", s.Spines, "from 1 to 4096"},
		{s.Shape() != LeafSpine || s.Leaves*(s.LeafHosts+s.Spines) <= topo.MaxLinks, "spines", s.Spines, fmt.Sprintf("no more than %d links in all, and leaves * (leaf.hosts + spines) = %d", topo.MaxLinks, s.Leaves*(s.LeafHosts+s.Spines))},
		{s.Shape() != Dumbbell || s.Switches >= 1 && s.Switches <= 1024, "switches", s.Switches, "from 1 to 1024"},
		{s.Shape() != Dumbbell || s.Senders >= 1 && s.Senders <= 4096, "senders", s.Senders, "from 1 to 4096"},
		{hosts >= 2 || s.Shape() == Custom || s.Shape() == CustomFile, "hosts", hosts, "at least 2"},
		{rate(s.TierGbps[0]), "tier1.gbps", s.TierGbps[0], "0 (that of the host links) or a divisor of 8000"},
		{rate(s.TierGbps[1]), "tier2.gbps", s.TierGbps[1], "0 (that of the host links) or a divisor of 8000"},
		{lat(s.TierLatency[0]), "tier1.latency_us", s.TierLatency[0].Micros(), "from 0 (that of the host links) to 10^6"},
		{lat(s.TierLatency[1]), "tier2.latency_us", s.TierLatency[1].Micros(), "from 0 (that of the host links) to 10^6"},
		{s.FailProb >= 0 && s.FailProb < 1, "fail.prob", s.FailProb, "from 0 to below 1"},
		{lat(s.FailAt), "fail.at_us", s.FailAt.Micros(), "from 0 to 10^6"},
		{s.HostOrder == nil || len(s.HostOrder) == hosts, "host_order", len(s.HostOrder), "a number for each host"},

		{s.QueueBytes == 0 || s.QueueBytes >= int64(s.MTU), "queue.bytes", s.QueueBytes, "0 (by BDP) or at least mtu"},
		{s.LastHopQueueBytes == 0 || s.LastHopQueueBytes >= int64(s.MTU), "queue.last_hop_bytes", s.LastHopQueueBytes, "0 (queue.bytes) or at least mtu"},
		{s.CtlQueueBytes == 0 || s.CtlQueueBytes >= int64(s.CtlBytes), "queue.ctl_bytes", s.CtlQueueBytes, "0 (by BDP) or at least ctl_bytes"},
		{s.KMinBytes >= 0 && marked, "ecn.kmin_bytes", s.KMinBytes, "0 (by BDP) or above, below ecn.kmax_bytes"},
		{s.PMax == 0 || s.PMax >= 1e-6 && s.PMax <= 1, "ecn.pmax", s.PMax, "0 (1) or from 0.000001 to 1"},
		{slices.Contains([]TrimRule{"", TrimArriving, TrimEither}, s.TrimRule), "trim.rule", s.TrimRule, "arriving or either"},
		{drr, "drr", s.DRR, "quanta from 0 to 2^20 bytes"},
		{!s.PFC || s.XOff >= int64(s.MTU), "pfc.xoff", s.XOff, "at least mtu"},
		{!s.PFC || s.XOn >= 0 && s.XOn < s.XOff, "pfc.xon", s.XOn, "from 0 to below pfc.xoff"},
		{!s.PFC || !s.Trim || s.MediumElephants(), "trim", "on", "off with pfc = on: lossless queues trim nothing"},
		{s.PFCHeadroom >= 0 && s.PFCHeadroom <= 1<<40, "pfc.headroom", s.PFCHeadroom, "from 0 (derived) to 2^40"},
		{s.ARLevels >= 0 && s.ARLevels <= 1<<16, "ar.levels", s.ARLevels, "from 0 (20) to 65536"},
		{slices.Contains([]INTMode{INTOff, INTData, INTAck}, s.INT), "int", s.INT, "data, ack or off"},

		{slices.Contains([]Recovery{"", RecoverRTO, RecoverSLEEK}, s.Recovery), "recovery", s.Recovery, "rto or sleek"},
		{s.AckMinAdd >= 0 && s.AckMinAdd <= 1<<24, "ack_min_add", s.AckMinAdd, "from 0 to 2^24"},
		{lat(s.Target), "target.us", s.Target.Micros(), "from 0 (default) to 10^6"},
		{s.QAGate >= -1 && s.QAGate <= 31, "qa_gate", s.QAGate, "from -1 (default) to 31"},

		{s.Workload != Mixture || len(s.Sizes) > 0 && sizes, "flow.sizes", s.Sizes, "numbers from 1 to 2^31"},
		{s.Workload != Elephants || s.Elephants >= 2 && s.Elephants <= hosts-2, "elephants", s.Elephants, fmt.Sprintf("from 2 to %d, the hosts but two", hosts-2)},
		{s.ElephantBytes >= 0 && s.ElephantBytes <= 1<<31, "elephant.bytes", s.ElephantBytes, "from 0 (flow.bytes) to 2^31"},
		{slices.Contains([]string{"", "low", "medium"}, s.ElephantClass), "elephant.class", s.ElephantClass, "low or medium"},
		{s.Workload != Converge || s.SenderCount() >= 1 && s.SenderCount() < hosts, "senders", s.Senders, fmt.Sprintf("from 1 to %d, the hosts but one", hosts-1)},
		{lat(s.Stagger), "flow.stagger_us", s.Stagger.Micros(), "from 0 to 10^6"},
		{s.Parallel >= 0, "alltoall.parallel", s.Parallel, "0 (8) or above"},
		{!ring || ranks >= 2 && ranks <= hosts, "ranks", s.Ranks, fmt.Sprintf("0 (all) or from 2 to %d, the hosts", hosts)},
		{s.Workload != HSDP || s.Ring >= 1 && hosts%max(s.Ring, 1) == 0 && hosts/max(s.Ring, 1) >= 2, "hsdp.ring", s.Ring, "a divisor of the hosts that leaves two servers"},
		{s.Workload != Poisson || s.Load > 0 && s.Load <= 1, "poisson.load", s.Load, "above 0, at most 1"},
		{s.Workload != Poisson || s.Flows >= 1 && s.Flows <= 1<<24, "flow.count", s.Flows, "from 1 to 2^24"},
		{slices.Contains([]string{"", "ps", "ns", "us"}, s.MatrixUnit), "matrix.unit", s.MatrixUnit, "ps, ns or us"},
		{s.KMaxBytes >= 0, "ecn.kmax_bytes", s.KMaxBytes, "0 or above ecn.kmin_bytes"},
		{s.Workload != Matrix || s.MatrixFile != "", "matrix.file", s.MatrixFile, "a file"},
	}
}

// MediumElephants reports whether some data has queues of its own, in the medium
// class.
func (s Spec) MediumElephants() bool {
	return s.Workload == Elephants && s.ElephantClass == "medium"
}

// SenderCount is the number of hosts that converge.
func (s Spec) SenderCount() int {
	if s.Senders == 0 && s.Shape() != Dumbbell {
		return s.Hosts() - 1
	}
	return s.Senders
}

package settings

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

func (u *use) networkRows() []Row {
	s, shape := u.Spec, u.Shape()
	// only limits a value to a topology that reads it.
	only := func(t Topology, ok bool) bool { return shape != t || ok }
	some := func(n int) bool { return n >= 1 && n <= 4096 }
	links := s.Leaves * (s.LeafHosts + s.Spines)
	latencyOfOwn := when(slices.Contains(u.given, "rtt.us") && s.RTT > 0,
		"rtt.us is given too and decides the latency of the links; keep one")
	aboveLeaves := when(shape == LeafSpine && s.Leaves <= 1, "leaves = 1, and no link lies above the first tier")
	aboveSecond := when(shape != FatTree || s.tiers() != 3,
		"only topology fattree with tiers = 3 has links above a second tier")
	ownLinks := when(u.graph(), "the links of the topology's file have rates and latencies of their own")
	given := slices.ContainsFunc(u.given, func(p string) bool { return strings.HasSuffix(p, ".latency_us") })
	return []Row{
		text("topology", "shape of the network", &s.Topology).or(string(FatTree)).
			of(fmt.Sprint("one of ", Topologies()[:len(Topologies())-1])).
			must(fmt.Sprint("one of ", Topologies()), slices.Contains(Topologies(), shape)),
		text("topology.file", "YAML file of a network", &s.TopologyFile).of("a file").unless(u.notIn(CustomFile)),
		number("k", "ports of a fat tree's switches", &s.K).unless(u.notIn(FatTree)).
			must("an even number from 4 to 64", only(FatTree, s.K >= 4 && s.K <= 64 && s.K%2 == 0)),
		number("tiers", "tiers of a fat tree", &s.Tiers).or("3").unless(u.notIn(FatTree)).
			must("2 or 3", s.tiers() == 2 || s.tiers() == 3),
		number("oversub", "oversubscription of the first tier", &s.Oversub).unless(u.notIn(FatTree)).
			must("a divisor of k/2", only(FatTree, s.Oversub > 0 && s.K/2 >= s.Oversub && s.K/2%s.Oversub == 0)),
		number("leaves", "leaf switches", &s.Leaves).unless(u.notIn(LeafSpine)).
			must("from 1 to 4096", only(LeafSpine, some(s.Leaves))),
		number("leaf.hosts", "hosts of a leaf", &s.LeafHosts).unless(u.notIn(LeafSpine)).
			must("from 1 to 4096", only(LeafSpine, some(s.LeafHosts))).
			must(fmt.Sprintf("2 to %d hosts over all leaves", topo.MaxHosts),
				only(LeafSpine, s.Leaves*s.LeafHosts >= 2 && s.Leaves*s.LeafHosts <= topo.MaxHosts)),
		number("spines", "spine switches", &s.Spines).unless(u.notIn(LeafSpine)).
			must("from 1 to 4096", only(LeafSpine, some(s.Spines))).
			must(fmt.Sprintf("no more than %d links in all, and leaves * (leaf.hosts + spines) = %d", topo.MaxLinks, links),
				only(LeafSpine, links <= topo.MaxLinks)),
		number("switches", "switches of a dumbbell", &s.Switches).unless(u.notIn(Dumbbell)).
			must("from 1 to 1024", only(Dumbbell, s.Switches >= 1 && s.Switches <= 1024)),
		number("senders", "senders of a dumbbell, or that converge", &s.Senders).
			must("from 1 to 4096", only(Dumbbell, some(s.Senders))).
			must(fmt.Sprintf("from 1 to %d, the hosts but one", s.hostLimit()-1),
				s.Workload != Converge || s.SenderCount() >= 1 && s.SenderCount() < s.hostLimit()).
			unless(when(shape != Dumbbell && s.Workload != Converge, fmt.Sprintf(
				"topology = %s and workload = %s, and only topology dumbbell or workload converge takes it", shape, s.Workload))),
		rate("link.gbps", "rate of the host links, and of all others that have none of their own", &s.LinkGbps).
			must(units.RateWant, s.LinkGbps.Valid()),
		s.latency("link.latency_us", "latency of the links", &s.LinkLatency).unless(latencyOfOwn).
			must("above 0 to 10^6", s.LinkLatency > 0 && s.LinkLatency <= longest),
		rate("tier1.gbps", "rate above the first tier of switches", &s.TierGbps[0]).rateOr0().
			unless(ownLinks, aboveLeaves),
		rate("tier2.gbps", "rate above the second tier", &s.TierGbps[1]).rateOr0().unless(ownLinks, aboveSecond),
		s.latency("tier1.latency_us", "latency above the first tier", &s.TierLatency[0]).
			upToASecond("from 0 (that of the host links) to 10^6").unless(latencyOfOwn, ownLinks, aboveLeaves),
		s.latency("tier2.latency_us", "latency above the second tier", &s.TierLatency[1]).
			upToASecond("from 0 (that of the host links) to 10^6").unless(latencyOfOwn, ownLinks, aboveSecond),
		micros("rtt.us", "unloaded round trip of the longest path, from which the latency of the links follows", &s.RTT).
			must("0 (link.latency_us decides) or more than the packets' own time on the links",
				s.RTT == 0 || s.LinkLatency > 0).
			unless(when(u.graph(), "the links of the topology's file have latencies of their own"),
				when(s.RTT == 0 && given, "the latency of the links is given too; keep one")),
		micros("base_rtt.us", "config_base_rtt of the senders", &s.BaseRTT).upToASecond("0 (derived) to 10^6").
			unless(u.twoBaseRTTs()),
		{Path: "fail.links", About: "links that fail, comma separated, each with @microseconds if not at 0",
			set: s.setFailures, List: true,
			Values: "such as tor0-agg1,agg3-core0@20; s-t#2 is the second link of several between s and t"},
		decimal("fail.prob", "probability that a link between switches fails", &s.FailProb).probability(),
		micros("fail.at_us", "when those of fail.prob fail", &s.FailAt).upToASecond("from 0 to 10^6").
			unless(when(s.FailProb <= 0, "fail.prob = 0; in fail.links each link has its own time, as tor0-agg1@20")),
		flag("pods", "simulate the pods of a tree side by side, each with random numbers of its own", &s.Pods),
		decimal("loss_prob", "probability that a link loses a packet", &s.LossProb).probability(),
		decimal("ctl_loss_prob", "probability that a link loses an ACK or another control packet, beside loss_prob",
			&s.CtlLossProb).probability(),
		decimal("dup_prob", "probability that a packet on a link arrives twice", &s.DupProb).probability().
			must(onceEach, !s.PFC || s.DupProb == 0),
		decimal("reorder_prob", "probability that a packet on a link is late, so that others overtake it", &s.ReorderProb).
			probability().must(onceEach, !s.PFC || s.ReorderProb == 0).
			unless(when(s.ReorderProb > 0 && s.ReorderBy == 0, "reorder.us = 0")),
		micros("reorder.us", "greatest delay of those, uniform", &s.ReorderBy).upToASecond("from 0 to 10^6").
			unless(when(s.ReorderProb <= 0, "reorder_prob = 0")),
	}
}

// onceEach is a limit of what a link does to packets where lossless queues have room for those that are under way.
const onceEach = "0 with pfc = on: its headroom is for packets that arrive once and in time"

func (s *Spec) setFailures(v string) error {
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

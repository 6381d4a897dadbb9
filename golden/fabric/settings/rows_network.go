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

func networkRows() []Row {
	leafSpine := func(ok func(*Spec) bool) func(*Spec) bool {
		return func(s *Spec) bool { return s.Shape() != LeafSpine || ok(s) }
	}
	dumbbell := func(ok func(*Spec) bool) func(*Spec) bool {
		return func(s *Spec) bool { return s.Shape() != Dumbbell || ok(s) }
	}
	some := func(n int) bool { return n >= 1 && n <= 4096 }
	latencyOfOwn := func(u *use) string {
		return when(slices.Contains(u.given, "rtt.us") && u.RTT > 0,
			"rtt.us is given too and decides the latency of the links; keep one")
	}
	aboveLeaves := func(u *use) string {
		return when(u.Shape() == LeafSpine && u.Leaves <= 1, "leaves = 1, and no link lies above the first tier")
	}
	aboveSecond := func(u *use) string {
		return when(u.Shape() != FatTree || u.tiers() != 3,
			"only topology fattree with tiers = 3 has links above a second tier")
	}
	gbps := func(i int) func(*Spec) *int { return func(s *Spec) *int { return &s.TierGbps[i] } }
	tier := func(i int) func(*Spec) *units.Picos { return func(s *Spec) *units.Picos { return &s.TierLatency[i] } }
	latencyOf := func(s *Spec) *units.Picos { return &s.LinkLatency }
	failAt := func(s *Spec) *units.Picos { return &s.FailAt }
	return []Row{
		text("topology", "shape of the network", func(s *Spec) *Topology { return &s.Topology }).or(string(FatTree)).
			of(fmt.Sprint("one of ", Topologies()[:len(Topologies())-1])).
			must(fmt.Sprint("one of ", Topologies()), func(s *Spec) bool { return slices.Contains(Topologies(), s.Shape()) }),
		text("topology.file", "YAML file of a network", func(s *Spec) *string { return &s.TopologyFile }).
			of("a file").unless(notIn(CustomFile)),
		number("k", "ports of a fat tree's switches", func(s *Spec) *int { return &s.K }).unless(notIn(FatTree)).
			must("an even number from 4 to 64", func(s *Spec) bool {
				return s.Shape() != FatTree || s.K >= 4 && s.K <= 64 && s.K%2 == 0
			}),
		number("tiers", "tiers of a fat tree", func(s *Spec) *int { return &s.Tiers }).or("3").unless(notIn(FatTree)).
			must("2 or 3", func(s *Spec) bool { return s.tiers() == 2 || s.tiers() == 3 }),
		number("oversub", "oversubscription of the first tier", func(s *Spec) *int { return &s.Oversub }).
			unless(notIn(FatTree)).
			must("a divisor of k/2", func(s *Spec) bool {
				return s.Shape() != FatTree || s.Oversub > 0 && s.K/2/s.Oversub > 0 && s.K/2%s.Oversub == 0
			}),
		number("leaves", "leaf switches", func(s *Spec) *int { return &s.Leaves }).unless(notIn(LeafSpine)).
			must("from 1 to 4096", leafSpine(func(s *Spec) bool { return some(s.Leaves) })),
		number("leaf.hosts", "hosts of a leaf", func(s *Spec) *int { return &s.LeafHosts }).unless(notIn(LeafSpine)).
			must("from 1 to 4096", leafSpine(func(s *Spec) bool { return some(s.LeafHosts) })).
			must(fmt.Sprintf("2 to %d hosts over all leaves", topo.MaxHosts), leafSpine(func(s *Spec) bool {
				return s.Leaves*s.LeafHosts >= 2 && s.Leaves*s.LeafHosts <= topo.MaxHosts
			})),
		number("spines", "spine switches", func(s *Spec) *int { return &s.Spines }).unless(notIn(LeafSpine)).
			must("from 1 to 4096", leafSpine(func(s *Spec) bool { return some(s.Spines) })).
			mustBy(func(s *Spec) string {
				return fmt.Sprintf("no more than %d links in all, and leaves * (leaf.hosts + spines) = %d", topo.MaxLinks,
					s.Leaves*(s.LeafHosts+s.Spines))
			}, leafSpine(func(s *Spec) bool { return s.Leaves*(s.LeafHosts+s.Spines) <= topo.MaxLinks })),
		number("switches", "switches of a dumbbell", func(s *Spec) *int { return &s.Switches }).unless(notIn(Dumbbell)).
			must("from 1 to 1024", dumbbell(func(s *Spec) bool { return s.Switches >= 1 && s.Switches <= 1024 })),
		number("senders", "senders of a dumbbell, or that converge", func(s *Spec) *int { return &s.Senders }).
			must("from 1 to 4096", dumbbell(func(s *Spec) bool { return some(s.Senders) })).
			mustBy(func(s *Spec) string { return fmt.Sprintf("from 1 to %d, the hosts but one", s.hostLimit()-1) },
				func(s *Spec) bool {
					return s.Workload != Converge || s.SenderCount() >= 1 && s.SenderCount() < s.hostLimit()
				}).
			unless(func(u *use) string {
				return when(u.Shape() != Dumbbell && u.Workload != Converge, fmt.Sprintf(
					"topology = %s and workload = %s, and only topology dumbbell or workload converge takes it",
					u.Shape(), u.Workload))
			}),
		number("link.gbps", "rate of the host links, and of all others that have none of their own",
			func(s *Spec) *int { return &s.LinkGbps }).in("Gb/s").
			must("a divisor of 8000 such as 100, 400 or 800", func(s *Spec) bool {
				return s.LinkGbps > 0 &&
					units.BytePicos%s.LinkGbps == 0
			}),
		latency("link.latency_us", "latency of the links", latencyOf).unless(latencyOfOwn).
			must("above 0 to 10^6", func(s *Spec) bool { return s.LinkLatency > 0 && s.LinkLatency <= longest }),
		number("tier1.gbps", "rate above the first tier of switches", gbps(0)).rateOr0(gbps(0)).unless(ownLinks).
			unless(aboveLeaves),
		number("tier2.gbps", "rate above the second tier", gbps(1)).rateOr0(gbps(1)).unless(ownLinks).unless(aboveSecond),
		latency("tier1.latency_us", "latency above the first tier", tier(0)).
			upToASecond("from 0 (that of the host links) to 10^6", tier(0)).
			unless(latencyOfOwn).unless(ownLinks).unless(aboveLeaves),
		latency("tier2.latency_us", "latency above the second tier", tier(1)).
			upToASecond("from 0 (that of the host links) to 10^6", tier(1)).
			unless(latencyOfOwn).unless(ownLinks).unless(aboveSecond),
		micros("rtt.us", "unloaded round trip of the longest path, from which the latency of the links follows",
			func(s *Spec) *units.Picos { return &s.RTT }).
			must("0 (link.latency_us decides) or more than the packets' own time on the links",
				func(s *Spec) bool { return s.RTT == 0 || s.LinkLatency > 0 }).
			unless(func(u *use) string {
				return when(u.graph(), "the links of the topology's file have latencies of their own")
			}).
			unless(func(u *use) string {
				given := slices.ContainsFunc(u.given, func(p string) bool { return strings.HasSuffix(p, ".latency_us") })
				return when(u.RTT == 0 && given, "the latency of the links is given too; keep one")
			}),
		micros("base_rtt.us", "config_base_rtt of the senders", func(s *Spec) *units.Picos { return &s.BaseRTT }).
			upToASecond("0 (derived) to 10^6", func(s *Spec) *units.Picos { return &s.BaseRTT }).unless(twoBaseRTTs),
		{Path: "fail.links", About: "links that fail, comma separated, each with @microseconds if not at 0",
			set: setFailures, List: true,
			values: "such as tor0-agg1,agg3-core0@20; s-t#2 is the second link of several between s and t"},
		decimal("fail.prob", "probability that a link between switches fails", func(s *Spec) *float64 { return &s.FailProb }).
			share(func(s *Spec) *float64 { return &s.FailProb }),
		micros("fail.at_us", "when those of fail.prob fail", failAt).upToASecond("from 0 to 10^6", failAt).
			unless(func(u *use) string {
				return when(u.FailProb <= 0, "fail.prob = 0; in fail.links each link has its own time, as tor0-agg1@20")
			}),
		flag("pods", "simulate the pods of a tree side by side, each with random numbers of its own",
			func(s *Spec) *bool { return &s.Pods }),
		decimal("loss_prob", "probability that a link loses a packet", func(s *Spec) *float64 { return &s.LossProb }).
			share(func(s *Spec) *float64 { return &s.LossProb }),
	}
}

// twoBaseRTTs is a reason: two settings decide the base RTT.
func twoBaseRTTs(u *use) string {
	return when(u.PerFlowRTT && u.BaseRTT != 0,
		"base_rtt.us and per_flow_rtt = on both set the base RTT of the senders; keep one (queue.bytes sizes queues)")
}

// hostLimit is the number of hosts, or a bound of it while the network's file is not read.
func (s *Spec) hostLimit() int {
	if s.Shape() == CustomFile && s.Graph == nil {
		return 1 << 16
	}
	return s.Hosts()
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

package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// Ineffective returns an error that names the first of the given paths whose
// setting changes nothing in a run of this spec, and why: the chosen topology,
// workload or another setting leaves it unread. Order does not matter. listed
// says that the flows are those of a list, which takes the place of the workload.
func (s *Spec) Ineffective(paths []string, listed bool) error {
	for _, p := range paths {
		why := s.unused(p, paths, listed)
		if why != "" {
			return fmt.Errorf("%s: has no effect: %s", p, why)
		}
	}
	return nil
}

func (s *Spec) unused(path string, paths []string, listed bool) string {
	if why := s.unusedNetwork(path, paths); why != "" {
		return why
	}
	if why := s.unusedSwitch(path); why != "" {
		return why
	}
	if why := s.unusedHost(path, listed); why != "" {
		return why
	}
	return s.unusedLoad(path, listed)
}

// needs returns "" when the value is one of those that read a setting.
func needs[T ~string](what string, is T, want ...T) string {
	if slices.Contains(want, is) {
		return ""
	}
	var names []string
	for _, w := range want {
		names = append(names, string(w))
	}
	return fmt.Sprintf("%s = %s, and only %s takes it", what, is, strings.Join(names, ", "))
}

// unless returns why when ok is false.
func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

func (s *Spec) unusedNetwork(path string, paths []string) string {
	t := s.Shape()
	shape := func(want ...Topology) string { return needs("topology", t, want...) }
	graph := t == CustomFile || t == Custom
	switch path {
	case "k", "tiers", "oversub":
		return shape(FatTree)
	case "leaves", "leaf.hosts", "spines":
		return shape(LeafSpine)
	case "switches":
		return shape(Dumbbell)
	case "senders":
		return unless(t == Dumbbell || s.Workload == Converge, fmt.Sprintf("topology = %s and workload = %s, and only topology dumbbell or workload converge takes it", t, s.Workload))
	case "topology.file":
		return shape(CustomFile)
	case "link.latency_us", "tier1.latency_us", "tier2.latency_us":
		if slices.Contains(paths, "rtt.us") && s.RTT > 0 {
			return "rtt.us is given too and decides the latency of the links; keep one"
		}
	case "rtt.us":
		if graph {
			return "the links of the topology's file have latencies of their own"
		}
		if s.RTT == 0 && slices.ContainsFunc(paths, func(p string) bool { return strings.HasSuffix(p, ".latency_us") }) {
			return "the latency of the links is given too; keep one"
		}
	case "fail.at_us":
		return unless(s.FailProb > 0, "fail.prob = 0; in fail.links each link has its own time, as tor0-agg1@20")
	}
	if graph && strings.HasPrefix(path, "tier") {
		return "the links of the topology's file have rates and latencies of their own"
	}
	switch path {
	case "tier1.gbps", "tier1.latency_us":
		return unless(t != LeafSpine || s.Leaves > 1, "leaves = 1, and no link lies above the first tier")
	case "tier2.gbps", "tier2.latency_us":
		return unless(t == FatTree && s.tiers() == 3, "only topology fattree with tiers = 3 has links above a second tier")
	}
	return ""
}

func (s *Spec) unusedSwitch(path string) string {
	sized := "queue.bytes gives the size in bytes"
	byBDP := s.QueueBytes == 0
	// With lossless low queues the only others that hold data are those of elephants.
	if s.PFC && !s.MediumElephants() {
		switch path {
		case "queue.bytes", "queue.last_hop_bytes", "queue.trim_at", "queue.trim_at_last_hop", "queue.drop_at":
			return "pfc = on; pfc.xoff and pfc.headroom say what lossless queues hold"
		case "trim.rule":
			return "pfc = on, and lossless queues trim nothing"
		}
	}
	switch path {
	case "trim.rule", "trim.bytes":
		return unless(s.Trim, "trim = off")
	case "queue.trim_at":
		return unless(s.Trim, "trim = off; queue.drop_at is the size without trimming") + unless(!s.Trim || byBDP, sized)
	case "queue.trim_at_last_hop":
		return unless(s.Trim, "trim = off; queue.drop_at is the size without trimming") +
			unless(!s.Trim || byBDP && s.LastHopQueueBytes == 0, "queue.bytes or queue.last_hop_bytes gives the size in bytes")
	case "queue.drop_at":
		return unless(!s.Trim, "trim = on; queue.trim_at is the size with trimming") + unless(s.Trim || byBDP, sized)
	case "queue.ctl_drop_at":
		return unless(s.CtlQueueBytes == 0, "queue.ctl_bytes gives the size in bytes")
	case "ecn.kmin", "ecn.kmax":
		return needs("ecn", s.ECN, ECNProbabilistic) + unless(s.ECN != ECNProbabilistic || s.KMaxBytes == 0, "ecn.kmax_bytes gives the thresholds in bytes")
	case "ecn.kdet":
		return needs("ecn", s.ECN, ECNDeterministic) + unless(s.ECN != ECNDeterministic || s.KMinBytes == 0 && s.KMaxBytes == 0, "ecn.kmin_bytes gives the threshold in bytes")
	case "ecn.kmin_bytes":
		return needs("ecn", s.ECN, ECNProbabilistic, ECNDeterministic)
	case "ecn.kmax_bytes", "ecn.pmax":
		return needs("ecn", s.ECN, ECNProbabilistic)
	case "pfc.xoff", "pfc.xon", "pfc.headroom":
		return unless(s.PFC, "pfc = off")
	}
	return ""
}

// unusedHost knows the flows' own balancers and congestion controls only as far as
// the spec names them; those of a list may differ.
func (s *Spec) unusedHost(path string, listed bool) string {
	elephants := s.Workload == Elephants && !listed
	marked := s.ElephantLB
	if marked == "" {
		marked = lb.ECMP
	}
	switch path {
	case "drain_share":
		return unless(s.SlowHosts > 0, "slow_hosts = 0")
	case "base_rtt.us", "per_flow_rtt":
		return unless(!s.PerFlowRTT || s.BaseRTT == 0, "base_rtt.us and per_flow_rtt = on both say the base RTT of the senders; keep one (queue.bytes sizes queues)")
	case "lb", "paths", "elephant.lb":
		if s.OnePath() {
			return fmt.Sprintf("topology = %s has one path between any two hosts", s.Shape())
		}
	}
	switch path {
	case "ar.levels":
		return unless(s.LB == lb.AR || listed || elephants && marked == lb.AR, "no flow has lb = ar")
	case "paths":
		return unless(s.LB != lb.ECMP || listed || elephants && marked != lb.ECMP, "lb = ecmp takes one entropy for each connection")
	case "target.us", "qa_gate":
		return unless(listed || path == "target.us" && s.Recovery == RecoverSLEEK || s.reads(path), s.deaf())
	case "avg_without_sample":
		return unless(listed || !s.AvgWithoutSample || s.reads(path), s.deaf())
	}
	return ""
}

// OnePath reports whether there is but one way between any two hosts.
func (s *Spec) OnePath() bool {
	switch s.Shape() {
	case Dumbbell, FirstHop, MiddleHop, LastHop:
		return true
	case LeafSpine:
		return s.Spines == 1 || s.Leaves == 1
	case FatTree:
		return s.tiers() == 2 && s.K/2 == s.Oversub
	}
	// Of a graph: as many links as make a tree, which Net has found connected or not.
	return s.Graph != nil && len(s.Graph.Links) < len(s.Graph.Names)
}

// IneffectiveFlows returns an error that names the first of the given paths whose
// value every flow of a list says for itself.
func IneffectiveFlows(paths []string, list []traffic.Message) error {
	each := func(name func(*traffic.Message) string) bool {
		for i := range list {
			if name(&list[i]) == "" {
				return false
			}
		}
		return len(list) > 0
	}
	cc := each(func(m *traffic.Message) string { return m.CC })
	balanced := each(func(m *traffic.Message) string { return m.LB })
	for _, p := range paths {
		switch {
		case cc && (p == "cc" || p == "cc.hosts" || p == "cc.contexts"):
			return fmt.Errorf("%s: has no effect: every flow of the file names its cc", p)
		case balanced && p == "lb":
			return fmt.Errorf("%s: has no effect: every flow of the file names its lb", p)
		}
	}
	return nil
}

func (s *Spec) unusedLoad(path string, listed bool) string {
	rules := map[string][]Workload{
		"flow.bytes":           {Permutation, Incast, Converge, Elephants, AllToAll, AllGather, AllReduce, HSDP},
		"flow.rounds":          {Permutation, Incast},
		"flow.start_spread_us": {Permutation, Incast},
		"nic.contexts":         {Permutation, Incast},
		"nic.pdcs":             {Permutation, Incast},
		"flow.count":           {Poisson},
		"flow.stagger_us":      {Converge},
		"flow.sizes":           {Mixture},
		"incast":               {Incast},
		"elephants":            {Elephants},
		"elephant.bytes":       {Elephants},
		"elephant.lb":          {Elephants},
		"elephant.class":       {Elephants},
		"alltoall.parallel":    {AllToAll},
		"ranks":                {AllGather, AllReduce},
		"hsdp.ring":            {HSDP},
		"poisson.cdf":          {Poisson},
		"poisson.load":         {Poisson},
		"matrix.file":          {Matrix},
		"matrix.unit":          {Matrix},
	}
	want, ok := rules[path]
	switch {
	case listed && (ok || path == "workload"):
		return "the file lists its flows, which take the place of the workload"
	case !ok:
		return ""
	}
	return needs("workload", s.Workload, want...)
}

// reads reports whether the congestion control of a flow reads a setting. Those that come from
// outside are not known here and may read any.
func (s *Spec) reads(path string) bool {
	rows := cc.Rows()
	return slices.ContainsFunc(s.controls(), func(name string) bool {
		row, err := cc.Find(name, rows)
		return err != nil || slices.Contains(row.Reads, path)
	})
}

// deaf says that no congestion control reads a setting.
func (s *Spec) deaf() string {
	names := s.controls()
	if names[0] == "" {
		names[0] = cc.Default
	}
	return fmt.Sprintf("cc = %s does not read it", strings.Join(names, ", "))
}

// controls returns the congestion controls that the spec names, each once, that of the flows that
// name none first.
func (s *Spec) controls() []string {
	names := []string{s.CC}
	for _, m := range []map[int32]string{s.CCHosts, s.CCContexts} {
		for _, n := range slices.Sorted(maps.Keys(m)) {
			if !slices.Contains(names, m[n]) {
				names = append(names, m[n])
			}
		}
	}
	return names
}

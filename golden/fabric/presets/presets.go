package presets

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// Preset is a named run.
type Preset struct {
	Name  string
	About string
	Spec  settings.Spec
}

// Catalogue returns the presets in the order in which they are best read.
func Catalogue() []Preset {
	var out []Preset
	add := func(name, about string, edit func(*settings.Spec)) {
		s := settings.DefaultSpec()
		// The conditions of the reference simulator's rows: its packets and its
		// switch, which trims at one BDP at the last hop as elsewhere, holds two of
		// control, and knows no fair queueing. Trimming cuts the arriving packet, and the congestion control is the
		// specification's own.
		s.MTU, s.LB, s.RTT = 4150, lb.Mixed, 12*units.Microsecond
		s.WholePackets, s.TrimAtLastHop, s.CtlDropAt = true, 1, 2
		edit(&s)
		s.SolveLatency()
		out = append(out, Preset{name, about, s})
	}
	add("fattree128/permutation", "128 hosts, 400G, 12 us: every host sends 2 MB to another", func(*settings.Spec) {})
	add("fattree128/incast32", "32 of 128 hosts send 2 MB to one", func(s *settings.Spec) { s.Workload = settings.Incast })
	add("fattree128/mixed", "permutation of 16 KB, 256 KB and 4 MB flows", func(s *settings.Spec) {
		s.Workload, s.Sizes = settings.Mixture, []int64{16 << 10, 256 << 10, 4 << 20}
	})
	add("fattree128/alltoall", "every host sends 16 KB to every other, eight at a time", func(s *settings.Spec) {
		s.Workload, s.FlowBytes, s.Parallel = settings.AllToAll, 16<<10, 8
	})
	add("fattree128/allgather", "ring all-gather of 16 MB over 128 ranks in random order", func(s *settings.Spec) {
		s.Workload, s.FlowBytes = settings.AllGather, 16<<20
	})
	add("fattree128/allreduce", "ring all-reduce of 16 MB over 128 ranks in random order", func(s *settings.Spec) {
		s.Workload, s.FlowBytes = settings.AllReduce, 16<<20
	})
	add("fattree128/balancers", "permutation of 8 MB, to compare load balancers",
		func(s *settings.Spec) { s.FlowBytes = 8_000_000 })
	add("fattree128/failures", "permutation with 4 % of the links between switches failing at 20 us, loss "+
		"recovery by SLEEK", func(s *settings.Spec) {
		s.FailProb, s.FailAt, s.LB, s.Recovery = 0.04, 20*units.Microsecond, lb.REPS, settings.RecoverSLEEK
	})
	add("fattree128/lossless", "incast with PFC in place of trimming", func(s *settings.Spec) {
		s.Workload, s.Trim, s.PFC, s.XOff, s.XOn = settings.Incast, false, true, 200_000, 150_000
	})
	add("fattree1024/permutation", "1,024 hosts, 800G, 12 us: every host sends 2 MB to another", large(16))
	add("fattree8192/permutation", "8,192 hosts, 800G, 12 us: every host sends 2 MB to another", large(32))
	add("leafspine64/permutation", "8 leaves of 8 hosts, 8 spines, 400G", func(s *settings.Spec) {
		s.Topology, s.Leaves, s.LeafHosts, s.Spines = settings.LeafSpine, 8, 8, 8
	})
	add("fattree32-2tier/permutation", "two tiers of 8-port switches, 2:1 oversubscribed", func(s *settings.Spec) {
		s.Tiers, s.Oversub = 2, 2
	})
	out = append(out, specified()...)
	out = append(out, reference()...)
	out = append(out, seed001()...)
	out = append(out, seed002()...)
	return append(out, stimuli()...)
}

// large returns an edit that makes a fat tree of k-port switches at 800 Gb/s
// with a round trip of 12 us.
func large(k int) func(*settings.Spec) {
	return func(s *settings.Spec) { s.K, s.LinkGbps = k, 800 }
}

// specified returns runs on the switch that the specification describes: trimming at
// one BDP and at one and a half at the last hop, medium and high queues of one BDP,
// and a quarter of the link for the medium queue while the low one waits, too (seed
// 003).
func specified() []Preset {
	perm := settings.DefaultSpec()
	perm.LB = lb.Mixed
	perm.TrimAt, perm.TrimAtLastHop, perm.CtlDropAt = 1, 1.5, 1
	perm.DRR = [settings.QueueClasses]int{0, perm.MTU, 3 * perm.MTU}
	incast := perm
	incast.Workload = settings.Incast
	return []Preset{
		{"spec128/permutation", "128 hosts, 400G, 12 us: the specification's thresholds, a quarter of the link for " +
			"trimmed packets", perm},
		{"spec128/incast32", "32 of 128 hosts send 2 MB to one: the switches of spec128/permutation", incast},
	}
}

// reference returns the conditions of the reference simulator's published rows.
func reference() []Preset {
	base := func(gbps int) settings.Spec {
		s := settings.DefaultSpec()
		s.LinkGbps, s.MTU, s.LB, s.CC, s.TrimRule = gbps, 4150, lb.Mixed, "nscc-htsim", settings.TrimEither
		s.LinkLatency, s.QueueBytes, s.RTO = 957_860, 601_750, 87_210*units.Nanosecond
		s.KMinBytes, s.KMaxBytes = 120_350, 481_400
		if gbps == 100 {
			s.LinkLatency, s.QueueBytes, s.RTO = 831_440, 153_550, 88_704*units.Nanosecond
			s.KMinBytes, s.KMaxBytes = 33_200, 124_500
		}
		s.CtlQueueBytes = 2 * s.QueueBytes
		return s
	}
	incast := func(gbps, senders int) settings.Spec {
		s := base(gbps)
		s.Workload, s.Incast = settings.Incast, senders
		return s
	}
	return []Preset{
		{
			"htsim/permutation-400g",
			"the reference simulator's permutation at 400G: mixed balancer, its own arithmetic",
			base(400),
		},
		{"htsim/permutation-100g", "the reference simulator's permutation at 100G", base(100)},
		{"htsim/incast32-400g", "the reference simulator's incast", incast(400, 32)},
		{"htsim/incast64-400g", "the reference simulator's incast with 64 senders", incast(400, 64)},
		{"htsim/incast32-100g", "the reference simulator's incast at 100G", incast(100, 32)},
	}
}

// lossless001 is the network of the paper on fast notification: 100G, 1.5 us links, 1518-byte packets, PFC, ACKs with
// room for telemetry.
func lossless001() settings.Spec {
	s := settings.DefaultSpec()
	s.LinkGbps, s.LinkLatency, s.MTU, s.CtlBytes = 100, 1500*units.Nanosecond, 1518, 106
	s.Trim, s.PFC, s.XOff, s.XOn = false, true, 500_000, 400_000
	s.Paths = 1
	return s
}

// seed001 returns the topologies of section 5 of the paper on fast notification.
func seed001() []Preset {
	var out []Preset
	add := func(name, about string, edit func(*settings.Spec)) {
		s := lossless001()
		s.Workload, s.FlowBytes, s.Senders = settings.Converge, 10_000_000, 2
		s.Stagger, s.INT = 300*units.Microsecond, settings.INTAck
		edit(&s)
		out = append(out, Preset{name, about, s})
	}
	add("dumbbell/2", "two elephants over three switches in a chain, the second 300 us later", func(s *settings.Spec) {
		s.Topology, s.Switches = settings.Dumbbell, 3
	})
	add("dumbbell/4", "four elephants over three switches in a chain", func(s *settings.Spec) {
		s.Topology, s.Switches, s.Senders = settings.Dumbbell, 3, 4
	})
	add("congestion/firsthop", "two senders meet in the first of three switches",
		func(s *settings.Spec) { s.Topology = settings.FirstHop })
	add("congestion/middlehop", "two senders meet in the second of three switches",
		func(s *settings.Spec) { s.Topology = settings.MiddleHop })
	add("congestion/lasthop", "two senders meet in front of the receiver",
		func(s *settings.Spec) { s.Topology = settings.LastHop })
	about := "two senders meet in front of the receiver, with DCQCN and RED of up to 1 % at 200 KB"
	add("congestion/dcqcn", about, func(s *settings.Spec) {
		s.Topology, s.CC, s.INT, s.Stagger = settings.LastHop, "dcqcn", settings.INTOff, 0
		s.KMinBytes, s.KMaxBytes, s.PMax = 5000, 200_000, 0.01
	})
	for _, cdf := range []string{"websearch", "fb_hadoop"} {
		add("fattree128/"+cdf, "Poisson arrivals at half load, sizes from "+cdf, func(s *settings.Spec) {
			s.Workload, s.CDF, s.Load, s.Flows, s.LB = settings.Poisson, cdf, 0.5, 1000, lb.ECMP
			s.Stagger, s.Senders = 0, 0
		})
	}
	return out
}

// seed002 returns the workloads of section IV of the paper on medians: 128 hosts,
// 800G, 0.5 us links, 800 KB of drop-tail buffer per port, ECN at 40 KB.
func seed002() []Preset {
	var out []Preset
	add := func(name, about string, edit func(*settings.Spec)) {
		s := settings.DefaultSpec()
		s.LinkGbps, s.LinkLatency, s.Trim, s.QueueBytes = 800, 500*units.Nanosecond, false, 800_000
		s.ECN, s.KMinBytes, s.Target, s.FlowBytes = settings.ECNDeterministic, 40_000, units.Microsecond, 8_000_000
		s.Recovery = settings.RecoverSLEEK
		edit(&s)
		out = append(out, Preset{name, about, s})
	}
	elephants := func(s *settings.Spec) {
		s.Workload, s.Elephants, s.ElephantBytes, s.LB, s.ElephantLB = settings.Elephants, 4, 16_000_000, lb.REPS, lb.ECMP
	}
	add("spray128/elephants", "124 sprayed flows of 8 MB beside 4 elephants on one path each", elephants)
	add("spray128/elephants-drr", "spray128/elephants with a queue for each kind, served by deficit round robin",
		func(s *settings.Spec) {
			elephants(s)
			s.ElephantClass, s.DRR = "medium", [settings.QueueClasses]int{0, 4096, 4096}
		})
	add("spray128/permutation", "permutation of 8 MB without elephants, adaptive routing",
		func(s *settings.Spec) { s.LB = lb.AR })
	add("spray128/incast32", "32 random hosts send 8 MB to one, OPS",
		func(s *settings.Spec) { s.Workload, s.LB = settings.Incast, lb.OPS })
	add("spray128/hsdp", "one step of the HSDP ring: 16 servers of 8 GPUs, 3,344 packets per flow",
		func(s *settings.Spec) {
			s.Workload, s.Ring, s.LB = settings.HSDP, 8, lb.REPS
			s.FlowBytes = 3344 * int64(s.MTU-s.HeaderBytes)
		})
	return out
}

// Lookup returns the preset of that name; it errors with the nearest names, or all of them.
func Lookup(name string) (Preset, error) {
	var names, ends []string
	for _, p := range Catalogue() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
		if strings.HasSuffix(p.Name, "/"+name) {
			ends = append(ends, p.Name)
		}
	}
	if len(ends) > 0 {
		return Preset{}, fmt.Errorf("preset %q: unknown; did you mean %s?", name, strings.Join(ends, " or "))
	}
	if n := near.Name(name, names); n != "" {
		return Preset{}, fmt.Errorf("preset %q: unknown; did you mean %s?", name, n)
	}
	return Preset{}, fmt.Errorf("preset %q: unknown; there are %s", name, strings.Join(names, ", "))
}

// Package presets is the catalogue of named runs, and reads files that hold settings over one of them.
//
//	p, err := presets.Lookup("fattree128/permutation")
//	s, err := presets.LoadScenario("run.yaml")      // s.Spec, and s.Messages when the file lists flows
package presets

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// Preset is a named run.
type Preset struct {
	Name  string
	About string
	Spec  settings.Spec
}

// group is presets that have settings in common.
type group struct {
	common string // settings, as in "mtu=4150 lb=mixed"
	about  string // what all of them are, before the rest of the name, "" for nothing
	rows   []row
}

// row is a preset, with the settings that it adds to those of its group.
type row struct{ name, about, settings string }

// lossless001 is the network of the paper on fast notification: 100G, 1.5 us links, 1518-byte packets, PFC, ACKs with
// room for telemetry.
const lossless001 = "link.gbps=100 link.latency_us=1.5 mtu=1518 ctl_bytes=106 trim=off pfc=on pfc.xoff=500000 " +
	"pfc.xon=400000 paths=1 "

// groups are the presets in the order in which they are best read.
var groups = []group{
	// The conditions of the reference simulator's rows: its packets and its switch, which trims at one BDP at the last
	// hop as elsewhere, holds two of control, and knows no fair queueing. Trimming cuts the arriving packet, and the
	// congestion control is the specification's own.
	{"mtu=4150 lb=mixed rtt.us=12 queue.whole_packets=on queue.trim_at_last_hop=1 queue.ctl_drop_at=2", "", []row{
		{"fattree128/permutation", "128 hosts, 400G, 12 us: every host sends 2 MB to another", ""},
		{"fattree128/incast32", "32 of 128 hosts send 2 MB to one", "workload=incast"},
		{"fattree128/mixed", "permutation of 16 KB, 256 KB and 4 MB flows",
			"workload=mixed flow.sizes=16384,262144,4194304"},
		{"fattree128/alltoall", "every host sends 16 KB to every other, eight at a time",
			"workload=alltoall flow.bytes=16384 alltoall.parallel=8"},
		{"fattree128/allgather", "ring all-gather of 16 MB over 128 ranks in random order",
			"workload=allgather flow.bytes=16777216"},
		{"fattree128/allreduce", "ring all-reduce of 16 MB over 128 ranks in random order",
			"workload=allreduce flow.bytes=16777216"},
		{"fattree128/balancers", "permutation of 8 MB, to compare load balancers", "flow.bytes=8e6"},
		{"fattree128/failures", "permutation with 4 % of the links between switches failing at 20 us, loss recovery by SLEEK",
			"fail.prob=0.04 fail.at_us=20 lb=reps recovery=sleek"},
		{"fattree128/lossless", "incast with PFC in place of trimming",
			"workload=incast trim=off pfc=on pfc.xoff=200000 pfc.xon=150000"},
		{"fattree1024/permutation", "1,024 hosts, 800G, 12 us: every host sends 2 MB to another", "k=16 link.gbps=800"},
		{"fattree8192/permutation", "8,192 hosts, 800G, 12 us: every host sends 2 MB to another", "k=32 link.gbps=800"},
		{"leafspine64/permutation", "8 leaves of 8 hosts, 8 spines, 400G",
			"topology=leafspine leaves=8 leaf.hosts=8 spines=8"},
		{"fattree32-2tier/permutation", "two tiers of 8-port switches, 2:1 oversubscribed", "tiers=2 oversub=2"},
	}},
	// The switch that the specification describes: trimming at one BDP and at one and a half at the last hop, medium
	// and high queues of one BDP, and a quarter of the link for the medium queue while the low one waits, too (seed
	// 003).
	{"lb=mixed queue.trim_at=1 queue.trim_at_last_hop=1.5 queue.ctl_drop_at=1 drr=0,4096,12288", "", []row{
		{"spec128/permutation", "128 hosts, 400G, 12 us: the specification's thresholds, a quarter of the link for " +
			"trimmed packets", ""},
		{"spec128/incast32", "32 of 128 hosts send 2 MB to one: the switches of spec128/permutation", "workload=incast"},
	}},
	// The conditions of the reference simulator's published rows.
	{"link.gbps=400 mtu=4150 lb=mixed cc=nscc-htsim trim.rule=either link.latency_us=0.95786 queue.bytes=601750 " +
		"queue.ctl_bytes=1203500 rto.us=87.21 ecn.kmin_bytes=120350 ecn.kmax_bytes=481400", "", []row{
		{"htsim/permutation-400g", "the reference simulator's permutation at 400G: mixed balancer, its own arithmetic", ""},
		{"htsim/permutation-100g", "the reference simulator's permutation at 100G", htsim100},
		{"htsim/incast32-400g", "the reference simulator's incast", "workload=incast"},
		{"htsim/incast64-400g", "the reference simulator's incast with 64 senders", "workload=incast incast=64"},
		{"htsim/incast32-100g", "the reference simulator's incast at 100G", "workload=incast " + htsim100},
	}},
	// The topologies of section 5 of the paper on fast notification.
	{lossless001 + "workload=converge flow.bytes=1e7 senders=2 flow.stagger_us=300 int=ack", "", []row{
		{"dumbbell/2", "two elephants over three switches in a chain, the second 300 us later",
			"topology=dumbbell switches=3"},
		{"dumbbell/4", "four elephants over three switches in a chain", "topology=dumbbell switches=3 senders=4"},
		{"congestion/firsthop", "two senders meet in the first of three switches", "topology=firsthop"},
		{"congestion/middlehop", "two senders meet in the second of three switches", "topology=middlehop"},
		{"congestion/lasthop", "two senders meet in front of the receiver", "topology=lasthop"},
		{"congestion/dcqcn", "two senders meet in front of the receiver, with DCQCN and RED of up to 1 % at 200 KB",
			"topology=lasthop cc=dcqcn int=off flow.stagger_us=0 ecn.kmin_bytes=5000 ecn.kmax_bytes=200000 ecn.pmax=0.01"},
		{"fattree128/websearch", "Poisson arrivals at half load, sizes from websearch", poisson001 + "websearch"},
		{"fattree128/fb_hadoop", "Poisson arrivals at half load, sizes from fb_hadoop", poisson001 + "fb_hadoop"},
	}},
	// The workloads of section IV of the paper on medians: 128 hosts,
	// 800G, 0.5 us links, 800 KB of drop-tail buffer per port, ECN at 40 KB.
	{"link.gbps=800 link.latency_us=0.5 trim=off queue.bytes=800000 ecn=deterministic ecn.kmin_bytes=40000 target.us=1 " +
		"flow.bytes=8e6 recovery=sleek", "", []row{
		{"spray128/elephants", "124 sprayed flows of 8 MB beside 4 elephants on one path each", elephants002},
		{"spray128/elephants-drr", "spray128/elephants with a queue for each kind, served by deficit round robin",
			elephants002 + " elephant.class=medium drr=0,4096,4096"},
		{"spray128/permutation", "permutation of 8 MB without elephants, adaptive routing", "lb=ar"},
		{"spray128/incast32", "32 random hosts send 8 MB to one, OPS", "workload=incast lb=ops"},
		{"spray128/hsdp", "one step of the HSDP ring: 16 servers of 8 GPUs, 3,344 packets per flow",
			"workload=hsdp hsdp.ring=8 lb=reps flow.bytes=13483008"},
	}},
	// What sources of stimulus run: the default network with what a NIC meets in service, receivers that ask for a slower
	// pace, jitter and now and then a lost packet.
	{"flow.start_spread_us=20 service.jitter_us=1 slow_hosts=0.125 loss_prob=1e-6",
		", slow hosts, jitter and loss: the network of the source fabric:", []row{
			{"stimulus/incast32", "32 of 128 hosts send to one", "workload=incast loss_prob=1e-5"},
			{"stimulus/permutation", "every host sends to another", ""},
			{"stimulus/mixed", "flows of three sizes", "workload=mixed flow.sizes=16384,262144,4194304"},
			{"stimulus/websearch", "Poisson arrivals at a load of 0.8",
				"workload=poisson poisson.cdf=websearch poisson.load=0.8 flow.count=2000"},
			{"stimulus/turnover", "32 of 128 hosts send small flows to one and recover by SLEEK",
				"workload=incast loss_prob=1e-5 flow.bytes=98304 recovery=sleek"},
		}},
	// The lossless networks of senders that live by telemetry, which is what intmd writes: HPCC's in
	// data packets, FNCC's in ACKs. Nothing is lost or late, since both controls need order and PFC.
	{lossless001 + "workload=poisson poisson.cdf=websearch poisson.load=0.5 flow.count=2000 lb=ecmp",
		", lossless: the network of the source fabric:", []row{
			{"stimulus/hpcc", "Poisson arrivals at half load under hpcc", "cc=hpcc int=data"},
			{"stimulus/fncc", "Poisson arrivals at half load under fncc", "cc=fncc int=ack retrace=on"},
		}},
}

// Settings that some presets of a group share.
const (
	htsim100 = "link.gbps=100 link.latency_us=0.83144 queue.bytes=153550 queue.ctl_bytes=307100 rto.us=88.704 " +
		"ecn.kmin_bytes=33200 ecn.kmax_bytes=124500"
	poisson001 = "workload=poisson poisson.load=0.5 flow.count=1000 lb=ecmp flow.stagger_us=0 senders=0 poisson.cdf="

	elephants002 = "workload=elephants elephants=4 elephant.bytes=16e6 lb=reps elephant.lb=ecmp"
)

// preset makes a row of a group; a setting that cannot be set is an error of the table.
func (g *group) preset(r row) Preset {
	p := Preset{r.name, r.about, settings.DefaultSpec()}
	if g.about != "" {
		p.About += g.about + strings.TrimPrefix(r.name, stimulus)
	}
	if err := p.Spec.SetAll(strings.Fields(g.common + " " + r.settings)...); err != nil {
		panic(fmt.Sprintf("preset %s: %v", r.name, err))
	}
	return p
}

// Catalogue returns the presets in the order in which they are best read.
func Catalogue() (out []Preset) {
	for _, g := range groups {
		for _, r := range g.rows {
			out = append(out, g.preset(r))
		}
	}
	return out
}

// Lookup returns the preset of that name; it errors with the nearest names, or all of them.
func Lookup(name string) (Preset, error) {
	var names, ends []string
	for _, g := range groups {
		for _, r := range g.rows {
			if r.name == name {
				return g.preset(r), nil
			}
			names = append(names, r.name)
			if strings.HasSuffix(r.name, "/"+name) {
				ends = append(ends, r.name)
			}
		}
	}
	if n := near.Name(name, names); len(ends) == 0 && n != "" {
		ends = []string{n}
	}
	if len(ends) > 0 {
		return Preset{}, fmt.Errorf("preset %q: unknown; did you mean %s?", name, strings.Join(ends, " or "))
	}
	return Preset{}, fmt.Errorf("preset %q: unknown; there are %s", name, strings.Join(names, ", "))
}

// stimulus is the folder of the presets that sources of stimulus run.
const stimulus = "stimulus/"

// Stimulus returns the network that the source fabric:NAME of a testbench runs, which is the preset
// stimulus/NAME. The source makes it endless. It differs from fattree128/NAME, which has the conditions of
// the reference simulator and no disturbances. It returns false when there is none of that name.
func Stimulus(name string) (settings.Spec, bool) {
	p, err := Lookup(stimulus + name)
	return p.Spec, err == nil
}

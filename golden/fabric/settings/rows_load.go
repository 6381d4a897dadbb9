package settings

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

func (u *use) loadRows() []Row {
	s := u.Spec
	bounded := func(n int64) bool { return n >= 1 && n <= traffic.MaxBytes }
	// only limits a value to a workload that reads it.
	only := func(w Workload, ok bool) bool { return s.Workload != w || ok }
	hosts, ranks := s.hostLimit(), s.Ranks
	if ranks == 0 {
		ranks = hosts
	}
	collective := s.Workload == AllGather || s.Workload == AllReduce
	return []Row{
		choice("workload", "pattern of flows", fmt.Sprint("one of ", Workloads()), &s.Workload, Workloads()...).
			unless(u.ofTheList()),
		number("flow.bytes", "payload of a flow", &s.FlowBytes).in("bytes").
			between(1, traffic.MaxBytes, "from 1 to "+traffic.MaxWant).
			unless(u.notOf(Permutation, Incast, Converge, Elephants, AllToAll, AllGather, AllReduce, HSDP)),
		number("flow.rounds", "flows of each connection, one after another", &s.Rounds).
			between(0, 1<<20, "from 0 to 2^20").unless(u.notOf(Permutation, Incast)),
		micros("flow.start_spread_us", "flows start at random within it", &s.StartSpread).
			upToASecond("from 0 to 10^6").unless(u.notOf(Permutation, Incast)),
		micros("flow.stagger_us", "between the starts of converging flows", &s.Stagger).
			upToASecond("from 0 to 10^6").unless(u.notOf(Converge)),
		list("flow.sizes", "payloads of a mixed permutation, comma separated", s.Sizes, func(items []string) error {
			s.Sizes = nil
			for _, w := range items {
				if err := IntInto(w, func(n int64) { s.Sizes = append(s.Sizes, n) }); err != nil {
					return err
				}
			}
			return nil
		}).must("numbers from 1 to "+traffic.MaxWant, only(Mixture, len(s.Sizes) > 0 &&
			!slices.ContainsFunc(s.Sizes, func(b int64) bool { return !bounded(b) }))).unless(u.notOf(Mixture)),
		number("nic.contexts", "contexts of a sending host", &s.CCCsPerNIC).between(1, 256, "").
			unless(u.notOf(Permutation, Incast)),
		number("nic.pdcs", "connections of a context", &s.PDCsPerCCC).between(1, cc.MaxPDCs, "").
			unless(u.notOf(Permutation, Incast)),
		number("incast", "senders of an incast", &s.Incast).unless(u.notOf(Incast)).
			must(fmt.Sprintf("from 1 to %d, the hosts but one", s.Hosts()-1),
				only(Incast, s.Incast >= 1 && s.Incast < s.Hosts())),
		number("elephants", "number of elephant flows", &s.Elephants).unless(u.notOf(Elephants)).
			must(fmt.Sprintf("from 2 to %d, the hosts but two", hosts-2),
				only(Elephants, s.Elephants >= 2 && s.Elephants <= hosts-2)),
		number("elephant.bytes", "payload of elephant flows", &s.ElephantBytes).in("bytes").unless(u.notOf(Elephants)).
			between(0, traffic.MaxBytes, "from 0 (flow.bytes) to "+traffic.MaxWant),
		choice("elephant.class", "class of elephant flows", "low or medium", &s.ElephantClass, "", "low", "medium").
			or("low").unless(u.notOf(Elephants)),
		number("alltoall.parallel", "messages of a host at a time", &s.Parallel).or("8").unless(u.notOf(AllToAll)).
			must("0 (8) or above", s.Parallel >= 0),
		number("ranks", "hosts of a collective", &s.Ranks).unless(u.notOf(AllGather, AllReduce)).
			must(fmt.Sprintf("0 (all) or from 2 to %d, the hosts", hosts), !collective || ranks >= 2 && ranks <= hosts),
		number("hsdp.ring", "GPUs of a server", &s.Ring).unless(u.notOf(HSDP)).
			must("a divisor of the hosts that leaves two servers",
				only(HSDP, s.Ring >= 1 && hosts%max(s.Ring, 1) == 0 && hosts/max(s.Ring, 1) >= 2)),
		text("poisson.cdf", "flow-size table, by name or file", &s.CDF).unless(u.notOf(Poisson)).
			of(fmt.Sprint("one of ", traffic.TableNames(), " or a CSV file of size_bytes,cdf_percent")),
		decimal("poisson.load", "share of the host links that arrivals fill", &s.Load).unless(u.notOf(Poisson)).
			must("above 0, at most 1", only(Poisson, s.Load > 0 && s.Load <= 1)),
		number("flow.count", "number of Poisson arrivals", &s.Flows).unless(u.notOf(Poisson)).
			must("from 1 to 2^24", only(Poisson, s.Flows >= 1 && s.Flows <= 1<<24)),
		text("matrix.file", "htsim connection matrix", &s.MatrixFile).unless(u.notOf(Matrix)).
			must("a file", only(Matrix, s.MatrixFile != "")),
		choice("matrix.unit", "unit of the start times in matrix.file", "ps, ns or us", &s.MatrixUnit, "", "ps", "ns", "us").
			or("ps").unless(u.notOf(Matrix)),
	}
}

package settings

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// fmtInts writes whole numbers as in "[1 2]".
func fmtInts[T int | int64](v []T) string { return fmt.Sprint(v) }

func loadRows() []Row {
	spread := func(s *Spec) *units.Picos { return &s.StartSpread }
	stagger := func(s *Spec) *units.Picos { return &s.Stagger }
	bounded := func(n int64) bool { return n >= 1 && n <= 1<<31 }
	return []Row{
		text("workload", "pattern of flows", func(s *Spec) *Workload { return &s.Workload }).unless(ofTheList).
			must(fmt.Sprint("one of ", Workloads()), func(s *Spec) bool { return slices.Contains(Workloads(), s.Workload) }),
		bytesOf("flow.bytes", "payload of a flow", func(s *Spec) *int64 { return &s.FlowBytes }).
			must("from 1 to 2^31", func(s *Spec) bool { return bounded(s.FlowBytes) }).
			unless(notOf(Permutation, Incast, Converge, Elephants, AllToAll, AllGather, AllReduce, HSDP)),
		number("flow.rounds", "flows of each connection, one after another", func(s *Spec) *int { return &s.Rounds }).
			between(0, 1<<20, "from 0 to 2^20", func(s *Spec) int64 { return int64(s.Rounds) }).
			unless(notOf(Permutation, Incast)),
		micros("flow.start_spread_us", "flows start at random within it", spread).
			upToASecond("from 0 to 10^6", spread).unless(notOf(Permutation, Incast)),
		micros("flow.stagger_us", "between the starts of converging flows", stagger).
			upToASecond("from 0 to 10^6", stagger).unless(notOf(Converge)),
		list("flow.sizes", "payloads of a mixed permutation, comma separated", "bytes",
			func(s *Spec) string {
				if s.Sizes == nil {
					return ""
				}
				return fmtInts(s.Sizes)
			},
			func(s *Spec, items []string) error {
				s.Sizes = nil
				for _, w := range items {
					if err := IntInto(w, func(n int64) { s.Sizes = append(s.Sizes, n) }); err != nil {
						return err
					}
				}
				return nil
			}).
			must("numbers from 1 to 2^31", func(s *Spec) bool {
				return s.Workload != Mixture || len(s.Sizes) > 0 && !slices.ContainsFunc(s.Sizes,
					func(b int64) bool { return !bounded(b) })
			}).unless(notOf(Mixture)),
		number("nic.contexts", "contexts of a sending host", func(s *Spec) *int { return &s.CCCsPerNIC }).
			unless(notOf(Permutation, Incast)).
			between(1, 256, "from 1 to 256", func(s *Spec) int64 { return int64(s.CCCsPerNIC) }),
		number("nic.pdcs", "connections of a context", func(s *Spec) *int { return &s.PDCsPerCCC }).
			unless(notOf(Permutation, Incast)).
			between(1, cc.MaxPDCs, fmt.Sprintf("from 1 to %d", cc.MaxPDCs), func(s *Spec) int64 { return int64(s.PDCsPerCCC) }),
		number("incast", "senders of an incast", func(s *Spec) *int { return &s.Incast }).unless(notOf(Incast)).
			mustBy(func(s *Spec) string { return fmt.Sprintf("from 1 to %d, the hosts but one", s.Hosts()-1) },
				func(s *Spec) bool { return s.Workload != Incast || s.Incast >= 1 && s.Incast < s.Hosts() }),
		number("elephants", "number of elephant flows", func(s *Spec) *int { return &s.Elephants }).unless(notOf(Elephants)).
			mustBy(func(s *Spec) string { return fmt.Sprintf("from 2 to %d, the hosts but two", s.hostLimit()-2) },
				func(s *Spec) bool {
					return s.Workload != Elephants || s.Elephants >= 2 && s.Elephants <= s.hostLimit()-2
				}),
		bytesOf("elephant.bytes", "payload of elephant flows", func(s *Spec) *int64 { return &s.ElephantBytes }).
			unless(notOf(Elephants)).
			between(0, 1<<31, "from 0 (flow.bytes) to 2^31", func(s *Spec) int64 { return s.ElephantBytes }),
		text("elephant.class", "class of elephant flows", func(s *Spec) *string { return &s.ElephantClass }).
			or("low").unless(notOf(Elephants)).
			must("low or medium", func(s *Spec) bool { return slices.Contains([]string{"", "low", "medium"}, s.ElephantClass) }),
		number("alltoall.parallel", "messages of a host at a time", func(s *Spec) *int { return &s.Parallel }).
			or("8").unless(notOf(AllToAll)).
			must("0 (8) or above", func(s *Spec) bool { return s.Parallel >= 0 }),
		number("ranks", "hosts of a collective", func(s *Spec) *int { return &s.Ranks }).unless(notOf(AllGather, AllReduce)).
			mustBy(func(s *Spec) string { return fmt.Sprintf("0 (all) or from 2 to %d, the hosts", s.hostLimit()) },
				func(s *Spec) bool {
					n := s.Ranks
					if n == 0 {
						n = s.hostLimit()
					}
					return s.Workload != AllGather && s.Workload != AllReduce || n >= 2 && n <= s.hostLimit()
				}),
		number("hsdp.ring", "GPUs of a server", func(s *Spec) *int { return &s.Ring }).unless(notOf(HSDP)).
			must("a divisor of the hosts that leaves two servers", func(s *Spec) bool {
				return s.Workload != HSDP || s.Ring >= 1 && s.hostLimit()%s.Ring == 0 && s.hostLimit()/s.Ring >= 2
			}),
		text("poisson.cdf", "flow-size table, by name or file", func(s *Spec) *string { return &s.CDF }).
			unless(notOf(Poisson)).
			of(fmt.Sprint("one of ", traffic.TableNames(), " or a CSV file of size_bytes,cdf_percent")),
		decimal("poisson.load", "share of the host links that arrivals fill",
			func(s *Spec) *float64 { return &s.Load }).unless(notOf(Poisson)).
			must("above 0, at most 1", func(s *Spec) bool { return s.Workload != Poisson || s.Load > 0 && s.Load <= 1 }),
		number("flow.count", "number of Poisson arrivals", func(s *Spec) *int { return &s.Flows }).unless(notOf(Poisson)).
			must("from 1 to 2^24", func(s *Spec) bool { return s.Workload != Poisson || s.Flows >= 1 && s.Flows <= 1<<24 }),
		text("matrix.file", "htsim connection matrix", func(s *Spec) *string { return &s.MatrixFile }).unless(notOf(Matrix)).
			must("a file", func(s *Spec) bool { return s.Workload != Matrix || s.MatrixFile != "" }),
		text("matrix.unit", "unit of the start times in matrix.file", func(s *Spec) *string { return &s.MatrixUnit }).
			or("ps").unless(notOf(Matrix)).
			must("ps, ns or us", func(s *Spec) bool { return slices.Contains([]string{"", "ps", "ns", "us"}, s.MatrixUnit) }),
	}
}

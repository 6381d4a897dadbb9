package settings

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/units"
)

func hostRows() []Row {
	oneOf := func(k lb.Kind) bool { return k == "" || slices.Contains(lb.Kinds(), k) }
	time := func(path, about, want string, field func(*Spec) *units.Picos) Row {
		return micros(path, about, field).upToASecond(want, field)
	}
	return []Row{
		{Path: "lb", About: "load balancer", get: func(s *Spec) string { return string(s.LB) }, standin: string(lb.Oblivious),
			set: func(s *Spec, v string) error {
				k, err := lb.Parse(v)
				if err == nil {
					s.LB = k
				}
				return err
			},
			limits: []limit{{func(*Spec) string { return fmt.Sprint("one of ", lb.Kinds()) },
				func(s *Spec) bool { return oneOf(s.LB) }}},
			idle: []reason{oneWay},
		},
		text("cc", "congestion control of the flows that name none", func(s *Spec) *string { return &s.CC }).
			or("nscc").of("a name of --cc"),
		byNumber("cc.hosts", "congestion control of all flows of single hosts",
			func(s *Spec) *map[int32]string { return &s.CCHosts }),
		byNumber("cc.contexts", "congestion control of single contexts, numbered through the run",
			func(s *Spec) *map[int32]string { return &s.CCContexts }),
		time("target.us", "target queueing delay", "from 0 (default) to 10^6",
			func(s *Spec) *units.Picos { return &s.Target }).unless(func(u *use) string {
			return when(u.Recovery != RecoverSLEEK || ownLosses(u) != "", unread("target.us")(u))
		}),
		number("qa_gate", "shift of the window below which quick adapt fires",
			func(s *Spec) *int { return &s.QAGate }).unless(unread("qa_gate")).
			between(-1, 31, "from -1 (default) to 31", func(s *Spec) int64 { return int64(s.QAGate) }),
		flag("avg_without_sample", "judge an ACK without an RTT sample by the average delay",
			func(s *Spec) *bool { return &s.AvgWithoutSample }).
			unless(func(u *use) string { return when(u.AvgWithoutSample, unread("avg_without_sample")(u)) }),
		number("header_bytes", "bytes of a packet that carry no payload",
			func(s *Spec) *int { return &s.HeaderBytes }).in("bytes").
			between(48, 1024, "from 48 to 1024", func(s *Spec) int64 { return int64(s.HeaderBytes) }),
		number("mtu", "largest packet", func(s *Spec) *int { return &s.MTU }).in("bytes").
			must("from header_bytes + 64 to 65535", func(s *Spec) bool { return s.MTU >= s.HeaderBytes+64 && s.MTU <= 65535 }),
		number("ctl_bytes", "size of ACK and NACK", func(s *Spec) *int { return &s.CtlBytes }).in("bytes").
			between(64, 512, "from 64 to 512", func(s *Spec) int64 { return int64(s.CtlBytes) }),
		text("recovery", "loss recovery", func(s *Spec) *Recovery { return &s.Recovery }).or(string(RecoverRTO)).
			must("rto or sleek", func(s *Spec) bool {
				return slices.Contains([]Recovery{"", RecoverRTO, RecoverSLEEK},
					s.Recovery)
			}).unless(func(u *use) string { return when(u.Recovery == RecoverSLEEK, ownLosses(u)) }),
		time("rto.us", "retransmission timeout", "0 (derived) to 10^6",
			func(s *Spec) *units.Picos { return &s.RTO }).
			unless(func(u *use) string { return when(u.LB != lb.REPS, ownLosses(u)) }),
		number("paths", "entropies of a flow", func(s *Spec) *int { return &s.Paths }).
			must("a power of two up to 32768", func(s *Spec) bool {
				return s.Paths >= 1 && s.Paths <= 1<<15 &&
					s.Paths&(s.Paths-1) == 0
			}).
			unless(oneWay).
			unless(func(u *use) string {
				elephants := u.Workload == Elephants && u.marked() != lb.ECMP
				return when(u.LB == lb.ECMP && !u.listed && !elephants, "lb = ecmp takes one entropy for each connection")
			}),
		bytesOf("ack_trigger", "bytes after which a receiver acknowledges unasked",
			func(s *Spec) *int64 { return &s.AckTrigger }).
			unless(everyAck("ack_trigger")).
			between(1, 1<<24, "from 1 to 2^24", func(s *Spec) int64 { return s.AckTrigger }),
		bytesOf("ack_min_add", "least that a packet counts for towards ack_trigger",
			func(s *Spec) *int64 { return &s.AckMinAdd }).
			unless(everyAck("ack_min_add")).
			between(0, 1<<24, "from 0 to 2^24", func(s *Spec) int64 { return s.AckMinAdd }),
		time("service.us", "delay of ACK and NACK at the receiver", "from 0 to 10^6",
			func(s *Spec) *units.Picos { return &s.ServiceTime }),
		time("service.jitter_us", "greatest further delay of ACK and NACK, uniform", "from 0 to 10^6",
			func(s *Spec) *units.Picos { return &s.ServiceJitter }),
		decimal("slow_hosts", "share of hosts with slow memory", func(s *Spec) *float64 { return &s.SlowHosts }).
			must("from 0 to 1", func(s *Spec) bool { return s.SlowHosts >= 0 && s.SlowHosts <= 1 }),
		decimal("drain_share", "rate of slow memory, as a share of the link's",
			func(s *Spec) *float64 { return &s.DrainShare }).
			must("above 0, at most 1", func(s *Spec) bool { return s.DrainShare > 0 && s.DrainShare <= 1 }).
			unless(func(u *use) string { return when(u.SlowHosts <= 0, "slow_hosts = 0") }),
		flag("per_flow_rtt", "base RTT of each flow's own path", func(s *Spec) *bool { return &s.PerFlowRTT }).
			unless(twoBaseRTTs),
		{Path: "seed", About: "seed of all random numbers", values: "from 0 to 2^64 - 1",
			get: func(s *Spec) string { return fmt.Sprint(s.Seed) },
			set: func(s *Spec, v string) error {
				n, err := strconv.ParseUint(v, 10, 64)
				if err != nil {
					return Wanted("a whole number, 0 or above")
				}
				s.Seed = n
				return nil
			}},
		micros("max_time.us", "when to end the run", func(s *Spec) *units.Picos { return &s.MaxTime }).
			must("0 (none) or above", func(s *Spec) bool { return s.MaxTime >= 0 }),
		number("ar.levels", "bands in which adaptive routing sees a queue; it draws at random among equals",
			func(s *Spec) *int { return &s.ARLevels }).or("20").
			between(0, 1<<16, "from 0 (20) to 65536", func(s *Spec) int64 { return int64(s.ARLevels) }).
			unless(func(u *use) string {
				elephants := u.Workload == Elephants && u.marked() == lb.AR
				return when(u.LB != lb.AR && !u.listed && !elephants, "no flow has lb = ar")
			}),
		text("elephant.lb", "load balancer of elephant flows", func(s *Spec) *lb.Kind { return &s.ElephantLB }).
			or(string(lb.ECMP)).
			must(fmt.Sprint("one of ", lb.Kinds()), func(s *Spec) bool { return oneOf(s.ElephantLB) }).unless(oneWay).
			unless(notOf(Elephants)),
	}
}

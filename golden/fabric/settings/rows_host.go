package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/goldwire/goldwire/golden/fabric/lb"
)

func (u *use) hostRows() []Row {
	s := u.Spec
	kinds := fmt.Sprint("one of ", lb.Kinds())
	known := func(k lb.Kind) bool { return k == "" || slices.Contains(lb.Kinds(), k) }
	balancer := text("lb", "load balancer", &s.LB).or(string(lb.Oblivious)).must(kinds, known(s.LB)).unless(u.oneWay())
	balancer.set = func(v string) error {
		k, err := lb.Parse(v)
		if err == nil {
			s.LB = k
		}
		return err
	}
	sleek := s.Recovery == RecoverSLEEK
	elephants := lb.ECMP // their balancer
	if s.Workload == Elephants {
		elephants = cmp.Or(s.ElephantLB, lb.ECMP)
	}
	return []Row{
		balancer,
		text("cc", "congestion control of the flows that name none", &s.CC).or("nscc").of("a name of --cc"),
		byNumber("cc.hosts", "congestion control of all flows of single hosts", &s.CCHosts),
		byNumber("cc.contexts", "congestion control of single contexts, numbered through the run", &s.CCContexts),
		micros("target.us", "target queueing delay", &s.Target).upToASecond("from 0 (default) to 10^6").
			unless(when(!sleek || u.ownLosses() != "", u.unread("target.us"))),
		number("qa_gate", "shift of the window below which quick adapt fires", &s.QAGate).
			unless(u.unread("qa_gate")).between(-1, 31, "from -1 (default) to 31"),
		flag("avg_without_sample", "judge an ACK without an RTT sample by the average delay", &s.AvgWithoutSample).
			unless(when(s.AvgWithoutSample, u.unread("avg_without_sample"))),
		number("header_bytes", "bytes of a packet that carry no payload", &s.HeaderBytes).in("bytes").between(48, 1024, ""),
		number("mtu", "largest packet", &s.MTU).in("bytes").
			must("from header_bytes + 64 to 65535", s.MTU >= s.HeaderBytes+64 && s.MTU <= 65535),
		number("ctl_bytes", "size of ACK and NACK", &s.CtlBytes).in("bytes").between(64, 512, ""),
		choice("recovery", "loss recovery", "rto or sleek", &s.Recovery, "", RecoverRTO, RecoverSLEEK).
			or(string(RecoverRTO)).unless(when(sleek, u.ownLosses())),
		micros("rto.us", "retransmission timeout", &s.RTO).upToASecond("0 (derived) to 10^6").
			unless(when(s.LB != lb.REPS, u.ownLosses())),
		number("paths", "entropies of a flow", &s.Paths).
			must("a power of two up to 32768", s.Paths >= 1 && s.Paths <= 1<<15 && s.Paths&(s.Paths-1) == 0).
			unless(u.oneWay(), when(s.LB == lb.ECMP && !u.listed && elephants == lb.ECMP,
				"lb = ecmp takes one entropy for each connection")),
		number("mpr", "packet sequence numbers from the first missing one on that a receiver accepts; a sender whose window "+
			"is larger waits, and without a limit ACKs carry 255 for 255 and more", &s.MPR).
			between(0, 255, "from 0 (as many as two windows have) to 255"),
		number("nic.entries", "entries of txstate for each connection: the packets that it can have outstanding",
			&s.Entries).must("0 (as many as two windows need) or a power of two from 128 to 4096",
			s.Entries == 0 || s.Entries >= 128 && s.Entries <= 4096 && s.Entries&(s.Entries-1) == 0),
		number("nic.pipeline", "latency of congestion control in nscc-nicmodel, and the least distance between two "+
			"events of one context", &s.Pipeline).in("cycles").between(0, 255, "from 0 (that of block ccc) to 255").
			unless(when(s.Pipeline > 0, u.unread("nic.pipeline"))),
		number("ack_trigger", "bytes after which a receiver acknowledges unasked", &s.AckTrigger).in("bytes").
			unless(u.everyAck("ack_trigger")).between(1, 1<<24, "from 1 to 2^24"),
		number("ack_min_add", "least that a packet counts for towards ack_trigger", &s.AckMinAdd).in("bytes").
			unless(u.everyAck("ack_min_add")).between(0, 1<<24, "from 0 to 2^24"),
		micros("service.us", "delay of ACK and NACK at the receiver", &s.ServiceTime).upToASecond("from 0 to 10^6"),
		micros("service.jitter_us", "greatest further delay of ACK and NACK, uniform", &s.ServiceJitter).
			upToASecond("from 0 to 10^6"),
		decimal("slow_hosts", "share of hosts with slow memory", &s.SlowHosts).between(0, 1, ""),
		decimal("drain_share", "rate of slow memory, as a share of the link's", &s.DrainShare).
			must("above 0, at most 1", s.DrainShare > 0 && s.DrainShare <= 1).unless(when(s.SlowHosts <= 0, "slow_hosts = 0")),
		flag("per_flow_rtt", "base RTT of each flow's own path", &s.PerFlowRTT).unless(u.twoBaseRTTs()),
		{Path: "seed", About: "seed of all random numbers", Values: "from 0 to 2^64 - 1", value: fmt.Sprint(s.Seed),
			set: func(v string) error {
				n, err := strconv.ParseUint(v, 10, 64)
				if err != nil {
					return Wanted("a whole number, 0 or above")
				}
				s.Seed = n
				return nil
			}},
		micros("max_time.us", "when to end the run", &s.MaxTime).must("0 (none) or above", s.MaxTime >= 0),
		number("ar.levels", "bands in which adaptive routing sees a queue; it draws at random among equals", &s.ARLevels).
			or("20").between(0, 1<<16, "from 0 (20) to 65536").
			unless(when(s.LB != lb.AR && !u.listed && elephants != lb.AR, "no flow has lb = ar")),
		text("elephant.lb", "load balancer of elephant flows", &s.ElephantLB).or(string(lb.ECMP)).
			must(kinds, known(s.ElephantLB)).unless(u.oneWay(), u.notOf(Elephants)),
	}
}

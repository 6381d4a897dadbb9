package settings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/golden/cc"
)

func (u *use) switchRows() []Row {
	s := u.Spec
	holds := func(queue int64, packet int) bool { return queue == 0 || queue >= int64(packet) }
	pauses := u.lossless("pfc = on; pfc.xoff and pfc.headroom decide what lossless queues hold")
	noTrim := func(more string) string { return when(!s.Trim, "trim = off"+more) }
	sized := when(s.QueueBytes != 0, "queue.bytes gives the size in bytes")
	lossy := when(!s.PFC, "pfc = off")
	dropping := noTrim("; queue.drop_at is the size without trimming")
	drr := list("drr", "quanta of the classes high, medium, low, comma separated; 0 is strict priority", s.DRR[:],
		func(items []string) error {
			for i := range items {
				n, err := strconv.Atoi(items[i])
				if err != nil || len(items) != QueueClasses {
					return Wanted("three numbers such as 0,4096,4096")
				}
				s.DRR[i] = n
			}
			return nil
		})
	drr.value = strings.Trim(strings.ReplaceAll(drr.value, " ", ","), "[]")
	telemetry := choice("int", "telemetry that switches write, into data (HPCC) or ACKs (FNCC); controls read it, and "+
		"captures show it unless int.format = exact", "data, ack or off", &s.INT, INTOff, INTData, INTAck).or("off")
	telemetry.set = func(v string) error {
		if s.INT = INTMode(v); v == "off" {
			s.INT = INTOff
		}
		return nil
	}
	return []Row{
		choice("trim.rule", "which packet is trimmed: the arriving one, or either (it or the tail, 50/50)",
			"arriving or either", &s.TrimRule, "", TrimArriving, TrimEither).or(string(TrimArriving)).
			unless(u.lossless("pfc = on, and lossless queues trim nothing"), noTrim("")),
		number("trim.bytes", "size of a trimmed packet", &s.TrimBytes).in("bytes").unless(noTrim("")).
			must("from 48 to header_bytes", s.TrimBytes >= 48 && s.TrimBytes <= s.HeaderBytes),
		number("queue.bytes", "data queue", &s.QueueBytes).in("bytes").unless(pauses).
			must("0 (by BDP) or at least mtu", holds(s.QueueBytes, s.MTU)),
		number("queue.last_hop_bytes", "data queue in front of hosts", &s.LastHopQueueBytes).in("bytes").unless(pauses).
			must("0 (queue.bytes) or at least mtu", holds(s.LastHopQueueBytes, s.MTU)),
		number("queue.ctl_bytes", "queues of control and trimmed packets", &s.CtlQueueBytes).in("bytes").
			must("0 (by BDP) or at least ctl_bytes", holds(s.CtlQueueBytes, s.CtlBytes)),
		decimal("queue.trim_at", "data queue with trimming", &s.TrimAt).factor().unless(pauses, dropping, sized),
		decimal("queue.trim_at_last_hop", "data queue in front of hosts with trimming", &s.TrimAtLastHop).factor().
			unless(pauses, dropping, when(s.QueueBytes != 0 || s.LastHopQueueBytes != 0,
				"queue.bytes or queue.last_hop_bytes gives the size in bytes")),
		decimal("queue.drop_at", "data queue without trimming", &s.DropAt).factor().
			unless(pauses, when(s.Trim, "trim = on; queue.trim_at is the size with trimming"), sized),
		decimal("queue.ctl_drop_at", "queues of control and trimmed packets", &s.CtlDropAt).factor().
			unless(when(s.CtlQueueBytes != 0, "queue.ctl_bytes gives the size in bytes")),
		flag("queue.whole_packets", "queue sizes and ECN thresholds rounded up to whole packets", &s.WholePackets),
		drr.must("quanta from 0 to 2^20 bytes", slices.Min(s.DRR[:]) >= 0 && slices.Max(s.DRR[:]) <= 1<<20),
		flag("pfc", "lossless data by pause frames", &s.PFC),
		number("pfc.xoff", "bytes from one input above which it is paused", &s.XOff).in("bytes").unless(lossy).
			must("at least mtu", !s.PFC || s.XOff >= int64(s.MTU)),
		number("pfc.xon", "bytes at which it goes on", &s.XOn).in("bytes").unless(lossy).
			must("from 0 to below pfc.xoff", !s.PFC || s.XOn >= 0 && s.XOn < s.XOff),
		number("pfc.headroom", "bytes from one input beyond pfc.xoff that find room", &s.PFCHeadroom).in("bytes").
			unless(lossy).between(0, 1<<40, "from 0 (derived) to 2^40"),
		flag("trim", "trim in place of dropping", &s.Trim).
			must("off with pfc = on: lossless queues trim nothing", !s.PFC || !s.Trim || s.MediumElephants()),
		telemetry,
		choice("int.format", "how telemetry is counted: wire, fields of 64 bits that count whole packets, or exact, "+
			"numbers that count data bytes as they leave, read as the packet leaves", "wire or exact", &s.INTFormat, "",
			INTWire, INTExact).or(string(INTWire)).unless(when(s.INT == INTOff, "int = off")),
		flag("fair_rate", "switches compute a fair rate for each port and send it to the sources (RoCC)", &s.FairRate).
			unless(when(u.none(func(r *cc.Row) bool { return r.Needs.SwitchRate }), u.named()+" does not read it")),
		flag("retrace", "ACKs go back by the way of the packet that they answer (FNCC)", &s.Retrace).unless(u.oneWay()),
	}
}

func (u *use) markRows() []Row {
	s := u.Spec
	notProbabilistic := needs("ecn", s.ECN, ECNProbabilistic)
	threshold := s.KMinBytes >= 0 && (s.ECN == ECNDeterministic || s.KMaxBytes == 0 && s.KMinBytes == 0 ||
		s.KMaxBytes > s.KMinBytes)
	inBytes := when(s.KMaxBytes != 0, "ecn.kmax_bytes gives the thresholds in bytes")
	return []Row{
		choice("ecn", "marking rule", "off, probabilistic or deterministic", &s.ECN, ECNOff, ECNProbabilistic,
			ECNDeterministic),
		decimal("ecn.kmin", "queue from which probabilistic ECN marks", &s.KMin).in("BDP").between(0, 1000, "").
			unless(notProbabilistic, inBytes),
		decimal("ecn.kmax", "queue from which probabilistic ECN marks all", &s.KMax).in("BDP").
			must("above ecn.kmin", s.KMax > s.KMin && s.KMax <= 1000).unless(notProbabilistic, inBytes),
		decimal("ecn.kdet", "queue from which deterministic ECN marks", &s.KDet).in("BDP").between(0, 1000, "").
			unless(needs("ecn", s.ECN, ECNDeterministic),
				when(s.KMinBytes != 0 || s.KMaxBytes != 0, "ecn.kmin_bytes gives the threshold in bytes")),
		number("ecn.kmin_bytes", "queue from which ECN marks", &s.KMinBytes).in("bytes").
			must("0 (by BDP) or above, below ecn.kmax_bytes", threshold).
			unless(needs("ecn", s.ECN, ECNProbabilistic, ECNDeterministic)),
		number("ecn.kmax_bytes", "queue from which probabilistic ECN marks all", &s.KMaxBytes).in("bytes").
			must("0 or above ecn.kmin_bytes", s.KMaxBytes >= 0).unless(notProbabilistic),
		flag("ecn.last_hop", "queues in front of hosts mark, too", &s.ECNLastHop).unless(when(s.ECN == ECNOff, "ecn = off")),
		decimal("ecn.pmax", "probability of a mark at the upper threshold of probabilistic ECN, which is certain above (RED)",
			&s.PMax).or("1").must("0 (1) or from 0.000001 to 1", s.PMax == 0 || s.PMax >= 1e-6 && s.PMax <= 1).
			unless(notProbabilistic),
	}
}

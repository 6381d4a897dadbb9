package settings

import (
	"slices"
	"strconv"
	"strings"
)

func switchRows() []Row {
	packet := func(field func(*Spec) *int64) func(*Spec) bool {
		return func(s *Spec) bool { return *field(s) == 0 || *field(s) >= int64(s.MTU) }
	}
	pauses := lossless("pfc = on; pfc.xoff and pfc.headroom decide what lossless queues hold")
	noTrim := func(why string) reason { return func(u *use) string { return when(!u.Trim, "trim = off"+why) } }
	sized := func(u *use) string { return when(u.QueueBytes != 0, "queue.bytes gives the size in bytes") }
	lossy := func(u *use) string { return when(!u.PFC, "pfc = off") }
	queue, last := func(s *Spec) *int64 { return &s.QueueBytes }, func(s *Spec) *int64 { return &s.LastHopQueueBytes }
	trimAt, trimLast := func(s *Spec) *float64 { return &s.TrimAt }, func(s *Spec) *float64 { return &s.TrimAtLastHop }
	dropAt, ctlAt := func(s *Spec) *float64 { return &s.DropAt }, func(s *Spec) *float64 { return &s.CtlDropAt }
	dropping := "; queue.drop_at is the size without trimming"
	return []Row{
		text("trim.rule", "which packet is trimmed: the arriving one, or either (it or the tail, 50/50)",
			func(s *Spec) *TrimRule { return &s.TrimRule }).
			or(string(TrimArriving)).
			must("arriving or either", func(s *Spec) bool {
				return slices.Contains([]TrimRule{"", TrimArriving,
					TrimEither}, s.TrimRule)
			}).
			unless(lossless("pfc = on, and lossless queues trim nothing")).unless(noTrim("")),
		number("trim.bytes", "size of a trimmed packet", func(s *Spec) *int { return &s.TrimBytes }).in("bytes").
			unless(noTrim("")).
			must("from 48 to header_bytes", func(s *Spec) bool { return s.TrimBytes >= 48 && s.TrimBytes <= s.HeaderBytes }),
		bytesOf("queue.bytes", "data queue", queue).must("0 (by BDP) or at least mtu", packet(queue)).unless(pauses),
		bytesOf("queue.last_hop_bytes", "data queue in front of hosts", last).
			must("0 (queue.bytes) or at least mtu", packet(last)).unless(pauses),
		bytesOf("queue.ctl_bytes", "queues of control and trimmed packets", func(s *Spec) *int64 { return &s.CtlQueueBytes }).
			must("0 (by BDP) or at least ctl_bytes", func(s *Spec) bool {
				return s.CtlQueueBytes == 0 ||
					s.CtlQueueBytes >= int64(s.CtlBytes)
			}),
		decimal("queue.trim_at", "data queue with trimming", trimAt).factor(trimAt).unless(pauses).
			unless(noTrim(dropping)).unless(sized),
		decimal("queue.trim_at_last_hop", "data queue in front of hosts with trimming", trimLast).factor(trimLast).
			unless(pauses).unless(noTrim(dropping)).
			unless(func(u *use) string {
				return when(u.QueueBytes != 0 || u.LastHopQueueBytes != 0,
					"queue.bytes or queue.last_hop_bytes gives the size in bytes")
			}),
		decimal("queue.drop_at", "data queue without trimming", dropAt).factor(dropAt).unless(pauses).
			unless(func(u *use) string { return when(u.Trim, "trim = on; queue.trim_at is the size with trimming") }).
			unless(sized),
		decimal("queue.ctl_drop_at", "queues of control and trimmed packets", ctlAt).factor(ctlAt).
			unless(func(u *use) string { return when(u.CtlQueueBytes != 0, "queue.ctl_bytes gives the size in bytes") }),
		flag("queue.whole_packets", "queue sizes and ECN thresholds rounded up to whole packets",
			func(s *Spec) *bool { return &s.WholePackets }),
		list("drr", "quanta of the classes high, medium, low, comma separated; 0 is strict priority", "bytes",
			func(s *Spec) string { return strings.Trim(strings.ReplaceAll(fmtInts(s.DRR[:]), " ", ","), "[]") },
			func(s *Spec, items []string) error {
				if len(items) != QueueClasses {
					return Wanted("three numbers such as 0,4096,4096")
				}
				for i := range items {
					n, err := strconv.Atoi(items[i])
					if err != nil {
						return Wanted("three numbers such as 0,4096,4096")
					}
					s.DRR[i] = n
				}
				return nil
			}).
			must("quanta from 0 to 2^20 bytes", func(s *Spec) bool {
				return !slices.ContainsFunc(s.DRR[:], func(q int) bool { return q < 0 || q > 1<<20 })
			}),
		flag("pfc", "lossless data by pause frames", func(s *Spec) *bool { return &s.PFC }),
		bytesOf("pfc.xoff", "bytes from one input above which it is paused", func(s *Spec) *int64 { return &s.XOff }).
			unless(lossy).
			must("at least mtu", func(s *Spec) bool { return !s.PFC || s.XOff >= int64(s.MTU) }),
		bytesOf("pfc.xon", "bytes at which it goes on", func(s *Spec) *int64 { return &s.XOn }).unless(lossy).
			must("from 0 to below pfc.xoff", func(s *Spec) bool { return !s.PFC || s.XOn >= 0 && s.XOn < s.XOff }),
		bytesOf("pfc.headroom", "bytes from one input beyond pfc.xoff that find room",
			func(s *Spec) *int64 { return &s.PFCHeadroom }).unless(lossy).
			between(0, 1<<40, "from 0 (derived) to 2^40", func(s *Spec) int64 { return s.PFCHeadroom }),
		flag("trim", "trim in place of dropping", func(s *Spec) *bool { return &s.Trim }).
			must("off with pfc = on: lossless queues trim nothing", func(s *Spec) bool {
				return !s.PFC || !s.Trim ||
					s.MediumElephants()
			}),
		{Path: "int", About: "telemetry that switches write, into data (HPCC) or ACKs (FNCC); controls " +
			"read it, and captures show it unless int.format = exact",
			get: func(s *Spec) string { return string(s.INT) }, standin: "off",
			set: func(s *Spec, v string) error {
				if s.INT = INTMode(v); v == "off" {
					s.INT = INTOff
				}
				return nil
			},
			limits: []limit{{func(*Spec) string { return "data, ack or off" }, func(s *Spec) bool {
				return slices.Contains([]INTMode{INTOff, INTData, INTAck}, s.INT)
			}}},
		},
		text("int.format", "how telemetry is counted: wire, fields of 64 bits that count whole packets, or exact, numbers "+
			"that count data bytes as they leave, read as the packet leaves", func(s *Spec) *INTFormat { return &s.INTFormat }).
			or(string(INTWire)).
			must("wire or exact", func(s *Spec) bool {
				return slices.Contains([]INTFormat{"", INTWire, INTExact}, s.INTFormat)
			}).
			unless(func(u *use) string { return when(u.INT == INTOff, "int = off") }),
		flag("fair_rate", "switches compute a fair rate for each port and send it to the sources (RoCC)",
			func(s *Spec) *bool { return &s.FairRate }).unless(unfollowed),
		flag("retrace", "ACKs go back by the way of the packet that they answer (FNCC)",
			func(s *Spec) *bool { return &s.Retrace }).unless(oneWay),
	}
}

func markRows() []Row {
	notBy := func(rules ...ECNMode) reason { return func(u *use) string { return needs("ecn", u.ECN, rules...) } }
	threshold := func(s *Spec) bool {
		return s.KMinBytes >= 0 && (s.ECN == ECNDeterministic || s.KMaxBytes == 0 && s.KMinBytes == 0 ||
			s.KMaxBytes > s.KMinBytes)
	}
	inBytes := func(u *use) string { return when(u.KMaxBytes != 0, "ecn.kmax_bytes gives the thresholds in bytes") }
	return []Row{
		text("ecn", "marking rule", func(s *Spec) *ECNMode { return &s.ECN }).
			must("off, probabilistic or deterministic", func(s *Spec) bool {
				return slices.Contains([]ECNMode{ECNOff, ECNProbabilistic, ECNDeterministic}, s.ECN)
			}),
		decimal("ecn.kmin", "queue from which probabilistic ECN marks", func(s *Spec) *float64 { return &s.KMin }).in("BDP").
			must("from 0 to 1000", func(s *Spec) bool { return s.KMin >= 0 && s.KMin <= 1000 }).
			unless(notBy(ECNProbabilistic)).unless(inBytes),
		decimal("ecn.kmax", "queue from which probabilistic ECN marks all",
			func(s *Spec) *float64 { return &s.KMax }).in("BDP").
			must("above ecn.kmin", func(s *Spec) bool { return s.KMax > s.KMin && s.KMax <= 1000 }).
			unless(notBy(ECNProbabilistic)).unless(inBytes),
		decimal("ecn.kdet", "queue from which deterministic ECN marks", func(s *Spec) *float64 { return &s.KDet }).in("BDP").
			must("from 0 to 1000", func(s *Spec) bool { return s.KDet >= 0 && s.KDet <= 1000 }).unless(notBy(ECNDeterministic)).
			unless(func(u *use) string {
				return when(u.KMinBytes != 0 || u.KMaxBytes != 0, "ecn.kmin_bytes gives the threshold in bytes")
			}),
		bytesOf("ecn.kmin_bytes", "queue from which ECN marks", func(s *Spec) *int64 { return &s.KMinBytes }).
			must("0 (by BDP) or above, below ecn.kmax_bytes", threshold).unless(notBy(ECNProbabilistic, ECNDeterministic)),
		bytesOf("ecn.kmax_bytes", "queue from which probabilistic ECN marks all",
			func(s *Spec) *int64 { return &s.KMaxBytes }).
			must("0 or above ecn.kmin_bytes", func(s *Spec) bool { return s.KMaxBytes >= 0 }).unless(notBy(ECNProbabilistic)),
		decimal("ecn.pmax", "probability of a mark at the upper threshold of probabilistic ECN, which is certain above (RED)",
			func(s *Spec) *float64 { return &s.PMax }).or("1").
			must("0 (1) or from 0.000001 to 1", func(s *Spec) bool {
				return s.PMax == 0 || s.PMax >= 1e-6 &&
					s.PMax <= 1
			}).unless(notBy(ECNProbabilistic)),
	}
}

package cover

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/egress"
)

// Why an event at the head of a FIFO waits, or does not.
const (
	waitHold        = iota // grant: an exclusive event stands at the other head
	waitGap                // grant: the port's last grant was in the cycle before
	waitGrantCredit        // grant: no credit
	waitPast               // grant: issues although an exclusive event waits, which has no credit
	waitExclCredit         // exclusive event: no credit
	waitEnqCredit          // other enq event: no credit
	waitNone               // exclusive event: issues at once or after its wait
)

var waitNames = words("grant_held_by_exclusive grant_after_grant_of_its_port grant_without_credit grant_past_exclusive_without_credit exclusive_without_credit enq_without_credit exclusive_issues")

// Why an event is refused.
const (
	refuseKind = iota
	refusePort
	refuseClass
	refuseReg
	refuseWord
	refuseReadOnly
	refusePointer
	refuseGrant
)

var refuseNames = words("kind port class register word read_only pointer_3 grant_port")

var (
	occupied     = words("none low medium low+medium high low+high medium+high all")
	counterNames = words("enq_pkts enq_bytes deq_pkts deq_bytes trims drops marks")
)

// egressBins are the bins of egress beyond those of its ports.
type egressBins struct {
	wait, quiet, issues, fifo, resetUse, resetQueue cross

	kind, refused, regs               cross
	trimSide, trimWhat                cross
	trimLen, trimSize                 cross
	dropSide, sharedSide, fullSide    cross
	xoffSide, xonSide, xoffMove, len  cross
	pair                              cross
	empty, spent, stays, keeps        cross
	detSide, minSide, maxSide         cross
	lastPort, quanta, saturated, lfsr cross
	high, passed, byEmpty, product    cross

	words, verdict, served, drr, mark, draw, wrap sparse
}

func (b *egressBins) define(p *plan, ports, depth int) {
	yes := yesNo
	b.wait = p.add("head_waits", waitNames)
	b.quiet = p.add("exclusive_waits_after_issue_cycles", numbers(1, 3))
	b.issues = p.add("issues_in_one_cycle_enq_deq", yes, yes)
	b.fifo = p.add("input_fifos_enq_deq", numbers(0, 2), numbers(0, 2))
	b.resetUse = p.add("reset_in_stream_credits", words("enq deq"), words("none some all"))
	b.resetQueue = p.add("reset_in_stream_fifos", numbers(0, 2), numbers(0, 2))

	b.kind = p.add("kind", words("ENQ LOAD READ CFG_WRITE CFG_READ unknown"))
	b.refused = p.add("refused", refuseNames)
	b.regs = p.add("register", words("CFG_WRITE CFG_READ"), numbers(0, egress.NumRegs-1))
	b.words = p.addSome("word", func(k, a, c, _ int) bool {
		readOnly := a < 2 || a == 10 || a == 12
		return egressWordClass(a, c) == c && !(k == 0 && readOnly)
	}, words("LOAD READ"), numbers(0, 13), egressClasses)
	b.trimWhat = p.add("trim_enabled_trimmable_class", yes, yes, egressClasses)
	b.trimSide = p.add("threshold_trim_last_hop", sides, yes)
	b.trimLen = p.add("length_of_trimmed_against_trim_size", words("below equal above"))
	b.trimSize = p.add("trim_due_with_trim_size", words("0 1 64 other 65535"))
	b.dropSide = p.add("threshold_drop_class", sides, egressClasses)
	b.sharedSide = p.add("threshold_shared_class", sides, egressClasses)
	b.fullSide = p.add("packets_before_enqueue_class", capacity, egressClasses)
	b.verdict = p.addSome("verdict_class", verdictCan, verdictNames, egressClasses)
	b.xoffSide = p.add("threshold_xoff_before", sides, yes)
	b.xonSide = p.add("threshold_xon_before", sides, yes)
	b.xoffMove = p.add("xoff_by_event", words("enq grant empty_grant"), words("stays_off goes_on goes_off stays_on"))
	b.len = p.add("length_class", words("0 1 usual 65535"), egressClasses)
	b.pair = p.add("enq_and_grant_in_one_cycle", words("same_queue same_port other_port"), capacity)
	p.exclude(b.pair.at2(0, 4), &Proof{"the grant has just taken a packet from that queue", func() error {
		for n := 1; n <= depth; n++ {
			if level(n-1, depth) == 4 {
				return fmt.Errorf("%d packets before the grant", n)
			}
		}
		return nil
	}})

	b.empty = p.add("grant", words("empty refused served last_port"))
	b.served = p.addSome("busy_mode_served", func(set, mode, c, _ int) bool { return egressCanServe(set, mode, c) }, occupied, egressModes, egressClasses)
	b.drr = p.addSome("drr_from_pointer_to", func(ptr, to, mode, _ int) bool { return egressDRRCan(mode+1, ptr, to) },
		words("low medium high"), words("stays +1 +2 comes_round"), words("drr high_drr"))
	b.spent = p.add("drr_deficit_against_length_moving", sides)
	b.stays = p.add("drr_deficit_against_length_staying", words("equal one_above far_above"))
	b.keeps = p.add("drr_after_service", words("busy empty empty_with_arrival"))
	b.saturated = p.add("drr_deficit_saturates", egressClasses)
	b.quanta = p.add("drr_quantum_against_length", words("0 below equal above"))
	b.detSide = p.add("threshold_k_det", sides)
	b.minSide = p.add("threshold_k_min", sides)
	b.maxSide = p.add("threshold_k_max", sides)
	b.mark = p.addSome("mark_mode_capable_class", func(ce, mode, ect, c int) bool { return ce == 0 || (mode == 1 || mode == 2) && ect == 1 && c == 0 },
		yes, egressModes, yes, egressClasses)
	b.draw = p.addSome("draw_ce_probability", func(ce, pmax, _, _ int) bool { return ce == 0 || pmax > 0 }, yes, words("P_MAX_0 below_1 from_1"))
	b.wrap = p.addSome("counter_wraps_class", func(n, c, _, _ int) bool { return c == 0 || n != cntTrims && n != cntMarks }, counterNames, egressClasses)
	b.lfsr = p.add("seed_and_lfsr", words("seed_0 seed_other load_0 load_other"))
	b.lastPort = p.add("enqueue_at_port", words("first last"))
	b.high = p.add("limit_from_2^24_above_content_that_is_above_its_low_bits", words("TRIM TRIM_LASTHOP DROP_LOW DROP_MED DROP_HIGH SHARED K_DET K_MIN K_MAX XOFF XON"))
	b.passed = p.add("bytes_passed_through_queue", words("2^31 2^32"))
	b.byEmpty = p.add("pause_moved_by_empty_port", words("on off"), words("read kept_by_enqueue"))
	b.product = p.add("draw_times_span", words("below_2^38 from_2^38"))
	if depth == 2 {
		// With two places there is nothing between one and all but one.
		for c := range 3 {
			for _, bin := range []int{b.fullSide.at2(2, c), b.fullSide.at2(3, c)} {
				p.exclude(bin, &Proof{"a queue of two places holds 0, 1 or 2 packets", noBetween(2)})
			}
		}
		for k := range 3 {
			p.exclude(b.pair.at2(k, 2), &Proof{"a queue of two places holds 0, 1 or 2 packets", noBetween(2)})
			p.exclude(b.pair.at2(k, 3), &Proof{"a queue of two places holds 0, 1 or 2 packets", noBetween(2)})
		}
	}
	if ports == 1 {
		for k := range 5 {
			p.exclude(b.pair.at2(2, k), &Proof{"there is one port", onePort(ports)})
		}
		p.exclude(b.lastPort.at1(1), &Proof{"there is one port, the first", onePort(ports)})
	}
}

func egressWordClass(addr, cls int) int {
	if addr > 9 {
		return 0
	}
	return cls
}

func egressCanServe(set, mode, c int) bool {
	for ptr := range 3 {
		for enough := range 2 {
			if egressServes(set, mode, ptr, enough == 1) == c {
				return true
			}
		}
	}
	return false
}

func egressDRRCan(mode, ptr, to int) bool {
	for set := 1; set < 8; set++ {
		if mode == 2 && set&4 != 0 {
			continue // the high class goes first
		}
		for enough := range 2 {
			if got, how := egressDRR(set, mode, ptr, enough == 1); got >= 0 && how == to {
				return true
			}
		}
	}
	return false
}

// egressServes returns the class that is served when the classes of set are busy, -1 for none; enough says
// that the pointer's deficit covers its first packet.
func egressServes(set, mode, ptr int, enough bool) int {
	if set == 0 {
		return -1
	}
	if mode == 0 || mode == 3 || mode == 2 && set&4 != 0 {
		for c := 2; c >= 0; c-- {
			if set>>c&1 != 0 {
				return c
			}
		}
	}
	c, _ := egressDRR(set, mode, ptr, enough)
	return c
}

// egressDRR is one step of DRR over the classes of set; mode 2 leaves the high class out. how is 0 when the
// pointer stays, else by how many classes it moves, 3 for all the way round.
func egressDRR(set, mode, ptr int, enough bool) (c, how int) {
	if mode == 2 {
		set &= 3
	}
	if set>>ptr&1 != 0 && enough {
		return ptr, 0
	}
	for i := 1; i <= 3; i++ {
		if c := (ptr + i) % 3; set>>c&1 != 0 {
			return c, i
		}
	}
	return -1, 0
}

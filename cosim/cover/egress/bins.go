package egress

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/queue"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

var (
	occupied     = cover.Labels("none low medium low+medium high low+high medium+high all")
	counterNames = cover.Labels("enq_pkts enq_bytes deq_pkts deq_bytes trims drops marks")
)

// bins are the bins of egress beyond those of its ports.
type bins struct {
	// Why the event at the head of a FIFO waits, or does not: of a grant, then of an exclusive and of another enq event.
	wait    struct{ Hold, Gap, GrantCredit, Past, ExclCredit, EnqCredit, None int }
	refused struct{ Kind, Port, Class, Reg, Word, ReadOnly, Pointer, Grant int }

	quiet, issues, fifo, resetUse, resetQueue cover.Cross

	kind, regs                        cover.Cross
	trimSide, trimWhat                cover.Cross
	trimLen, trimSize                 cover.Cross
	dropSide, sharedSide, fullSide    cover.Cross
	xoffSide, xonSide, xoffMove, len  cover.Cross
	pair                              cover.Cross
	empty, spent, stays, keeps        cover.Cross
	detSide, minSide, maxSide         cover.Cross
	lastPort, quanta, saturated, lfsr cover.Cross
	passed, byEmpty, product          cover.Cross
	queue.High
	charged cover.Cross

	words, verdict, served, drr, mark, draw, wrap cover.Sparse
}

func (b *bins) define(p *cover.Plan, ports, depth int) {
	yes := cover.YesNo
	p.Places("head_waits", cover.Labels(`grant_held_by_exclusive grant_after_grant_of_its_port grant_without_credit
		grant_past_exclusive_without_credit exclusive_without_credit enq_without_credit exclusive_issues`), &b.wait)
	b.quiet = p.Add("exclusive_waits_after_issue_cycles", cover.Numbers(1, 3))
	b.issues = p.Add("issues_in_one_cycle_enq_deq", yes, yes)
	b.fifo = p.Add("input_fifos_enq_deq", cover.Numbers(0, 2), cover.Numbers(0, 2))
	b.resetUse = p.Add("reset_in_stream_credits", cover.Labels("enq deq"), cover.Labels("none some all"))
	b.resetQueue = p.Add("reset_in_stream_fifos", cover.Numbers(0, 2), cover.Numbers(0, 2))

	b.kind = p.Add("kind", cover.Labels("ENQ LOAD READ CFG_WRITE CFG_READ unknown"))
	p.Places("refused", cover.Labels("kind port class register word read_only pointer_3 grant_port"), &b.refused)
	b.regs = p.Add("register", cover.Labels("CFG_WRITE CFG_READ"), cover.Numbers(0, egress.NumRegs-1))
	b.words = p.AddSome("word", func(k, a, c, _ int) bool {
		readOnly := a < 2 || a == 10 || a == 12
		return wordClass(a, c) == c && !(k == 0 && readOnly)
	}, cover.Labels("LOAD READ"), cover.Numbers(0, 13), queue.Classes)
	b.trimWhat = p.Add("trim_enabled_trimmable_class", yes, yes, queue.Classes)
	b.trimSide = p.Add("threshold_trim_last_hop", cover.Sides, yes)
	b.trimLen = p.Add("length_of_trimmed_against_trim_size", cover.Labels("below equal above"))
	b.trimSize = p.Add("trim_due_with_trim_size", cover.Labels("0 1 64 other 65535"))
	b.dropSide = p.Add("threshold_drop_class", cover.Sides, queue.Classes)
	b.sharedSide = p.Add("threshold_shared_class", cover.Sides, queue.Classes)
	b.fullSide = p.Add("packets_before_enqueue_class", queue.Levels, queue.Classes)
	b.verdict = p.AddSome("verdict_class", queue.VerdictCan, queue.Verdicts, queue.Classes)
	b.xoffSide = p.Add("threshold_xoff_before", cover.Sides, yes)
	b.xonSide = p.Add("threshold_xon_before", cover.Sides, yes)
	b.xoffMove = p.Add("xoff_by_event", cover.Labels("enq grant empty_grant"),
		cover.Labels("stays_off goes_on goes_off stays_on"))
	b.len = p.Add("length_class", cover.Labels("0 1 usual 65535"), queue.Classes)
	b.pair = p.Add("enq_and_grant_in_one_cycle", cover.Labels("same_queue same_port other_port"), queue.Levels)
	p.Exclude(b.pair.At2(0, 4), "the grant has just taken a packet from that queue",
		cover.None(depth, "packets after the grant:", func(n int) bool { return queue.Level(n, depth) == 4 }))

	b.empty = p.Add("grant", cover.Labels("empty refused served last_port"))
	b.served = p.AddSome("busy_mode_served", func(set, mode, c, _ int) bool { return canServe(set, mode, c) }, occupied,
		queue.Modes, queue.Classes)
	b.drr = p.AddSome("drr_from_pointer_to", func(ptr, to, mode, _ int) bool { return drrCan(mode+1, ptr, to) },
		cover.Labels("low medium high"), cover.Labels("stays +1 +2 comes_round"), cover.Labels("drr high_drr"))
	b.spent = p.Add("drr_deficit_against_length_moving", cover.Sides)
	b.stays = p.Add("drr_deficit_against_length_staying", cover.Labels("equal one_above far_above"))
	b.keeps = p.Add("drr_after_service", cover.Labels("busy empty empty_with_arrival"))
	b.saturated = p.Add("drr_deficit_saturates", queue.Classes)
	b.charged = p.Add("drr_bit_of_length_charged_and_seen", cover.Numbers(0, 15), queue.Classes)
	b.quanta = p.Add("drr_quantum_against_length", cover.Labels("0 below equal above"))
	b.detSide = p.Add("threshold_k_det", cover.Sides)
	b.minSide = p.Add("threshold_k_min", cover.Sides)
	b.maxSide = p.Add("threshold_k_max", cover.Sides)
	b.mark = p.AddSome("mark_mode_capable_class",
		func(ce, mode, ect, c int) bool { return ce == 0 || (mode == 1 || mode == 2) && ect == 1 && c == 0 },
		yes, queue.Modes, yes, queue.Classes)
	b.draw = p.AddSome("draw_ce_probability", func(ce, pmax, _, _ int) bool { return ce == 0 || pmax > 0 }, yes,
		cover.Labels("P_MAX_0 below_1 from_1"))
	b.wrap = p.AddSome("counter_wraps_class",
		func(n, c, _, _ int) bool { return c == 0 || n != cntTrims && n != cntMarks }, counterNames, queue.Classes)
	b.lfsr = p.Add("seed_and_lfsr", cover.Labels("seed_0 seed_other load_0 load_other"))
	b.lastPort = p.Add("enqueue_at_port", cover.Labels("first last"))
	b.High.Define(p)
	b.passed = p.Add("bytes_passed_through_queue", cover.Labels("2^31 2^32"))
	b.byEmpty = p.Add("pause_moved_by_empty_port", cover.Labels("on off"), cover.Labels("read kept_by_enqueue"))
	b.product = p.Add("draw_times_span", cover.Labels("below_2^38 from_2^38"))
	if depth == 2 {
		// With two places there is nothing between one and all but one.
		for k := range 3 {
			for _, bin := range []int{b.fullSide.At2(2, k), b.fullSide.At2(3, k), b.pair.At2(k, 2), b.pair.At2(k, 3)} {
				p.Exclude(bin, "a queue of two places holds 0, 1 or 2 packets", queue.NoBetween(2))
			}
		}
	}
	if ports == 1 {
		for k := range 5 {
			p.Exclude(b.pair.At2(2, k), "there is one port", cover.OnePort(ports))
		}
		p.Exclude(b.lastPort.At1(1), "there is one port, the first", cover.OnePort(ports))
	}
}

func wordClass(addr, cls int) int { return cls * cover.Bit(addr <= 9) }

func canServe(set, mode, c int) bool {
	for ptr := range 3 {
		for enough := range 2 {
			if serves(set, mode, ptr, enough == 1) == c {
				return true
			}
		}
	}
	return false
}

func drrCan(mode, ptr, to int) bool {
	for set := 1; set < 8; set++ {
		if mode == 2 && set&4 != 0 {
			continue // the high class goes first
		}
		for enough := range 2 {
			if got, how := drrStep(set, mode, ptr, enough == 1); got >= 0 && how == to {
				return true
			}
		}
	}
	return false
}

// serves returns the class that is served when the classes of set are busy, -1 for none; enough is
// whether the pointer's deficit covers its first packet.
func serves(set, mode, ptr int, enough bool) int {
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
	c, _ := drrStep(set, mode, ptr, enough)
	return c
}

// drrStep is one step of DRR over the classes of set; mode 2 leaves the high class out. how is 0 when the
// pointer stays, else by how many classes it moves, 3 for all the way round.
func drrStep(set, mode, ptr int, enough bool) (c, how int) {
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

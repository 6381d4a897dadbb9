package switchport

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/queue"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// stalls are the bins of which beat stops the writer: one that is first and last, or the first, without a slot or room
// for its request; the last without room for the request.
type stalls struct{ Single, First, Last, Middle int }

// bins are the bins of switchport beyond those of its ports.
type bins struct {
	refused struct{ TooLong, Port, Class int }
	fact    struct{ NotesHeldByCfg, CfgBehindNotes, TwoNotesInARow, NoGap, CutThrough int }

	bookedBins
	stall                                                 stalls
	lastBytes, held, awaitNote, awaitGr, grantStall       cover.Cross
	before, lens, trimSide, dropSide, sharedSide          cover.Cross
	xoffMove, grant, modeClass, detSide, minSide, maxSide cover.Cross
	rows, follows, hops, finds, cfgKind                   cover.Cross
	coincide, answerWaits, answerComes, noteOrder         cover.Cross
	inPort, freed                                         cover.Cross

	beats, verdict, xoffSide, xonSide, mark, sent, change, cfgAnswer, access cover.Sparse
}

var beatNames = cover.Labels("1 2 3 4 5_to_15 16_to_143 144 145 146_or_more")

func beatClass(n int) int {
	return cover.Band(n, 2, 3, 4, 5, 16, switchport.SlotBeats, switchport.SlotBeats+1, switchport.SlotBeats+2)
}

// waiting sorts a number of packets or grants without an answer: up to four wait at the output, up to eight
// more hold the credits of egress, the others hold the way in.
func waiting(n int) int { return cover.Band(n, 1, 2, 3, 4, 5, 13) }

func (b *bins) define(p *cover.Plan, ports, depth, slots int) {
	yes := cover.YesNo
	bands := cover.Labels("0 1 2 3 4 5_to_12 13_or_more")
	b.beats = p.AddSome("beats_of_packet_verdict", func(n, v, _, _ int) bool { return n < 7 || v == 3 }, beatNames,
		cover.Labels("admit trim drop refused"))
	b.lastBytes = p.Add("bytes_of_last_beat", cover.Numbers(0, 64))
	p.Places("rx_stopped_by_beat", cover.Labels("only first last middle"), &b.stall)
	p.Exclude(b.stall.Middle,
		"a beat between first and last waits for nothing, so that rx never holds two of them", middleNeverWaits)
	b.held = p.Add("packets_queued_of_slots", queue.Levels[1:])
	b.awaitNote = p.Add("packets_without_note", bands)
	b.awaitGr = p.Add("grants_without_answer", bands)
	b.grantStall = p.Add("grant_stopped_while", cover.Labels("gr_waits tx_waits packet_is_read"))
	p.Places("refused", cover.Labels("too_long port class"), &b.refused)
	b.verdict = p.AddSome("verdict_class", queue.VerdictCan, queue.Verdicts, queue.Classes)
	if slots <= depth {
		for _, at := range [][2]int{{4, 0}, {4, 1}, {4, 2}, {7, 1}} {
			p.Exclude(b.verdict.At(at[0], at[1], 0, 0),
				"a packet that asks has a slot of its own, so that a queue holds fewer packets than there are "+
					"slots, and never Depth",
				cover.None(slots, "packets queued:", func(n int) bool { return n+1 <= slots && n == depth }))
		}
	}
	if slots == 2 {
		for _, l := range []int{2, 3} {
			p.Exclude(b.held.At1(l-1), "two slots hold 0, 1 or 2 packets", queue.NoBetween(2))
		}
	}
	b.before = p.Add("packets_of_queue_before_class", cover.Labels("0 1 2_to_7 8_or_more"), queue.Classes)
	b.small(p, depth, slots)
	b.bookedBins.define(p)
	b.lens = p.Add("length_noted", cover.Labels("0 1 below_64 64 usual 9216"))
	b.trimSide = p.Add("threshold_trim_last_hop", cover.Sides, yes)
	b.dropSide = p.Add("threshold_drop_class", cover.Sides, queue.Classes)
	b.sharedSide = p.Add("threshold_shared_class", cover.Sides, queue.Classes)
	b.xoffSide = p.AddSome("threshold_xoff_pause", func(s, x, _, _ int) bool { return s < 2 || x == 1 }, cover.Sides, yes)
	b.xonSide = p.AddSome("threshold_xon_pause", func(s, x, _, _ int) bool { return s > 2 || x == 0 }, cover.Sides, yes)
	b.xoffMove = p.Add("pause_by", cover.Labels("packet grant"), cover.Labels("stays_off goes_on goes_off stays_on"))
	b.coincide = p.Add("verdict_and_answer_in_one_cycle", cover.Labels("queued not_queued"), cover.Labels("packet none"))
	p.Exclude(b.coincide.At2(0, 0), "both report to intmd, which takes one report a cycle: the verdict waits", oneReport)
	b.grant = p.Add("grant", cover.Labels("empty refused served last_port"))
	b.modeClass = p.Add("served_mode_class", queue.Modes, queue.Classes)
	b.mark = p.AddSome("mark_mode_capable_class",
		func(ce, mode, ect, c int) bool { return ce == 0 || (mode == 1 || mode == 2) && ect == 1 && c == 0 },
		yes, queue.Modes, yes, queue.Classes)
	b.detSide = p.Add("threshold_k_det", cover.Sides)
	b.minSide = p.Add("threshold_k_min", cover.Sides)
	b.maxSide = p.Add("threshold_k_max", cover.Sides)
	b.sent = p.AddSome("sent_class_trimmed_inserted", func(c, trimmed, _, _ int) bool { return trimmed == 0 || c == 1 },
		queue.Classes, yes, yes)
	b.change = p.AddSome("beats_out_against_in", func(ch, trimmed, inserted, _ int) bool {
		return (ch != 0 || trimmed == 1) && (ch != 2 || inserted == 1)
	}, cover.Labels("fewer same one_more"), yes, yes)
	b.hops = p.Add("hops", cover.Labels("none 1 2 3_or_more"))
	b.follows = p.Add("packet_after_packet_at_tx", cover.Labels("of_one_beat of_more"), cover.Labels("at_once later"))
	p.Places("rule", cover.Labels(`cfg_answer_holds_notes full_notes_hold_cfg_answer notes_in_consecutive_cycles
		packets_without_gap_at_tx first_beat_out_while_next_packet_comes_in`), &b.fact)
	b.finds = p.Add("reset_finds", cover.Labels(`packet_half_in packets_queued packet_half_out note answer
		cfg_without_answer rx_stopped`))
	b.answerWaits = p.Add("answer_waits_for_verdict", cover.Labels("behind_full_notes behind_cfg_answer"))
	b.answerComes = p.Add("answer_comes_to_reader",
		cover.Labels("before_verdict_is_taken in_that_cycle in_the_next later"))
	b.noteOrder = p.Add("answer_taken_at_port", cover.Labels("before_note with_note after_note"))
	b.inPort = p.Add("in_port_of_packet_sent", cover.Labels("inside beyond_below_128 from_128"))
	b.freed = p.Add("slots_freed_by_drop_and_by_packet_in_one_cycle", cover.Labels("none_taken one_taken"))
	if slots == 2 {
		p.Exclude(b.freed.At1(1), "of two slots that are freed none is free in that cycle, to be taken",
			cover.None(slots, "slots free beside two:", func(free int) bool { return free > 0 && free <= slots-2 }))
	}
	b.rows = p.Add("port", cover.Labels("first last"))
	if ports == 1 {
		p.Exclude(b.rows.At1(1), "there is one port, the first", cover.OnePort(ports))
	}
	targets := cover.Labels("egress trimmer intmd none")
	b.cfgKind = p.Add("cfg_target_kind", targets, cover.Numbers(0, 15))
	b.cfgAnswer = p.AddSome("cfg_target_refused", func(t, r, _, _ int) bool { return t < 3 || r == 1 }, targets, yes)
	regs := [3]int{egress.NumRegs, trimmer.NumRegs, intmd.NumRegs}
	b.access = p.AddSome("cfg_register", func(t, k, a, _ int) bool { return a < regs[t] }, targets[:3],
		cover.Labels("CFG_WRITE CFG_READ"), cover.Numbers(0, egress.NumRegs-1))
}

// small excludes what needs more slots than there are, or longer queues. A packet that asks or waits at the writer has
// a slot, and its end is in the slot or in the rx FIFO.
func (b *bins) small(p *cover.Plan, depth, slots int) {
	for k, least := range []int{0, 1, 2, 8} {
		if most := min(slots-1, depth); most < least {
			for c := range egress.Classes {
				p.Exclude(b.before.At2(k, c),
					"a queue holds no more than Depth packets, nor than there are slots beside the one of the packet that asks",
					cover.None(slots, "packets:", func(n int) bool { return n <= depth && beforeClass(n) == k }))
			}
		}
	}
	if most := switchport.Notes + slots + switchport.InFIFODepth; waiting(most) < 6 {
		p.Exclude(b.awaitNote.At1(6),
			"a packet without its note taken has a note at the output, a slot, or a beat in the rx FIFO",
			cover.None(most+1, "packets:", func(n int) bool { return waiting(n) == 6 }))
	}
	if slots-1 < switchport.Requests {
		p.Exclude(b.stall.Last,
			"every request that stands before egress has a slot, and the packet whose last beat waits has one more",
			cover.None(slots, "requests:", func(n int) bool { return n == switchport.Requests }))
	}
}

// beforeClass sorts the packets that a queue held before another.
func beforeClass(n int) int { return cover.Band(n, 1, 2, 8) }

// middleNeverWaits plays every sequence of six beats with every pattern of blocked first and last beats
// through a FIFO of two and looks for a full one with a middle beat at its head.
func middleNeverWaits() error {
	const beats = 6
	for ends := range 1 << beats {
		for open := range 1 << (2 * beats) {
			var q, issued, accepted int
			for t := range 2 * beats {
				first := issued == 0 || ends>>(issued-1)&1 != 0
				last := ends>>issued&1 != 0
				if q == 2 && !first && !last {
					return fmt.Errorf("packets end at %06b, cycle %d", ends, t)
				}
				free := open>>t&1 != 0
				ready := q < 2
				if q > 0 && (!first && !last || free) {
					q--
					issued++
				}
				if ready && accepted < beats {
					q++
					accepted++
				}
				if issued == beats {
					break
				}
			}
		}
	}
	return nil
}

// oneReport is the rule of the contract over its cases.
func oneReport() error {
	return cover.None(8, "room, packet, queued as bits of", func(n int) bool {
		room, packet, queued := n&1 != 0, n&2 != 0, n&4 != 0
		taken := room && !(packet && queued)
		return taken && packet && queued
	})()
}

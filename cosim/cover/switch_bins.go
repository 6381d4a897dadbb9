package cover

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// Which beat stops the writer.
const (
	stallSingle = iota // first and last: no slot, or no room for its request
	stallFirst         // no slot
	stallLast          // no room for the request
	stallMiddle
)

// Why a packet is refused.
const (
	switchTooLong = iota
	switchPort
	switchClass
)

// Single facts of the switch port.
const (
	switchNotesHeldByCfg = iota
	switchCfgBehindNotes
	switchTwoNotesInARow
	switchNoGap
	switchCutThrough
)

var switchFacts = words("cfg_answer_holds_notes full_notes_hold_cfg_answer notes_in_consecutive_cycles packets_without_gap_at_tx first_beat_out_while_next_packet_comes_in")

// What a reset finds.
const (
	findsInPacket = iota
	findsQueued
	findsSending
	findsNote
	findsGr
	findsCfg
	findsStalled
)

// switchBins are the bins of switchport beyond those of its ports.
type switchBins struct {
	bookedBins
	lastBytes, stall, held, awaitNote, awaitGr, grantStall cross
	refused, before, lens, trimSide, dropSide, sharedSide  cross
	xoffMove, grant, modeClass, detSide, minSide, maxSide  cross
	rows, follows, hops, fact, finds, cfgKind              cross
	coincide, answerWaits, answerComes, noteOrder          cross
	inPort, freed                                          cross

	beats, verdict, xoffSide, xonSide, mark, sent, change, cfgAnswer, access sparse
}

var switchBeats = words("1 2 3 4 5_to_15 16_to_143 144 145 146_or_more")

// switchBeatClass sorts a packet by its beats.
func switchBeatClass(n int) int {
	switch {
	case n <= 4:
		return n - 1
	case n <= 15:
		return 4
	case n < switchport.SlotBeats:
		return 5
	case n <= switchport.SlotBeats+1:
		return 6 + n - switchport.SlotBeats
	}
	return 8
}

// waiting sorts a number of packets or grants without an answer: up to four wait at the output, up to eight
// more hold the credits of egress, the others hold the way in.
func waiting(n int) int {
	switch {
	case n <= 4:
		return n
	case n <= 12:
		return 5
	}
	return 6
}

func (b *switchBins) define(p *plan, ports, depth, slots int) {
	yes := yesNo
	bands := words("0 1 2 3 4 5_to_12 13_or_more")
	b.beats = p.addSome("beats_of_packet_verdict", func(n, v, _, _ int) bool { return n < 7 || v == 3 }, switchBeats, words("admit trim drop refused"))
	b.lastBytes = p.add("bytes_of_last_beat", numbers(0, 64))
	b.stall = p.add("rx_stopped_by_beat", words("only first last middle"))
	p.exclude(b.stall.at1(stallMiddle), &Proof{"a beat between first and last waits for nothing, so that rx never holds two of them", middleNeverWaits})
	b.held = p.add("packets_queued_of_slots", capacity[1:])
	b.awaitNote = p.add("packets_without_note", bands)
	b.awaitGr = p.add("grants_without_answer", bands)
	b.grantStall = p.add("grant_stopped_while", words("gr_waits tx_waits packet_is_read"))
	b.refused = p.add("refused", words("too_long port class"))
	b.verdict = p.addSome("verdict_class", verdictCan, verdictNames, egressClasses)
	if slots <= depth {
		for _, at := range [][2]int{{4, 0}, {4, 1}, {4, 2}, {7, 1}} {
			p.exclude(b.verdict.at(at[0], at[1], 0, 0), &Proof{"a packet that asks has a slot of its own, so that a queue holds fewer packets than there are slots, and never Depth", func() error {
				for queued := range slots {
					if queued+1 <= slots && queued == depth {
						return fmt.Errorf("%d packets in %d slots", queued, slots)
					}
				}
				return nil
			}})
		}
	}
	if slots == 2 {
		for _, l := range []int{2, 3} {
			p.exclude(b.held.at1(l-1), &Proof{"two slots hold 0, 1 or 2 packets", noBetween(2)})
		}
	}
	b.before = p.add("packets_of_queue_before_class", words("0 1 2_to_7 8_or_more"), egressClasses)
	b.small(p, depth, slots)
	b.bookedBins.define(p)
	b.lens = p.add("length_noted", words("0 1 below_64 64 usual 9216"))
	b.trimSide = p.add("threshold_trim_last_hop", sides, yes)
	b.dropSide = p.add("threshold_drop_class", sides, egressClasses)
	b.sharedSide = p.add("threshold_shared_class", sides, egressClasses)
	b.xoffSide = p.addSome("threshold_xoff_pause", func(s, x, _, _ int) bool { return s < 2 || x == 1 }, sides, yes)
	b.xonSide = p.addSome("threshold_xon_pause", func(s, x, _, _ int) bool { return s > 2 || x == 0 }, sides, yes)
	b.xoffMove = p.add("pause_by", words("packet grant"), words("stays_off goes_on goes_off stays_on"))
	b.coincide = p.add("verdict_and_answer_in_one_cycle", words("queued not_queued"), words("packet none"))
	p.exclude(b.coincide.at2(0, 0), &Proof{"both report to intmd, which takes one report a cycle: the verdict waits", oneReport})
	b.grant = p.add("grant", words("empty refused served last_port"))
	b.modeClass = p.add("served_mode_class", egressModes, egressClasses)
	b.mark = p.addSome("mark_mode_capable_class", func(ce, mode, ect, c int) bool { return ce == 0 || (mode == 1 || mode == 2) && ect == 1 && c == 0 },
		yes, egressModes, yes, egressClasses)
	b.detSide = p.add("threshold_k_det", sides)
	b.minSide = p.add("threshold_k_min", sides)
	b.maxSide = p.add("threshold_k_max", sides)
	b.sent = p.addSome("sent_class_trimmed_inserted", func(c, trimmed, _, _ int) bool { return trimmed == 0 || c == 1 }, egressClasses, yes, yes)
	b.change = p.addSome("beats_out_against_in", func(ch, trimmed, inserted, _ int) bool {
		return (ch != 0 || trimmed == 1) && (ch != 2 || inserted == 1)
	}, words("fewer same one_more"), yes, yes)
	b.hops = p.add("hops", words("none 1 2 3_or_more"))
	b.follows = p.add("packet_after_packet_at_tx", words("of_one_beat of_more"), words("at_once later"))
	b.fact = p.add("rule", switchFacts)
	b.finds = p.add("reset_finds", words("packet_half_in packets_queued packet_half_out note answer cfg_without_answer rx_stopped"))
	b.answerWaits = p.add("answer_waits_for_verdict", words("behind_full_notes behind_cfg_answer"))
	b.answerComes = p.add("answer_comes_to_reader", words("before_verdict_is_taken in_that_cycle in_the_next later"))
	b.noteOrder = p.add("answer_taken_at_port", words("before_note with_note after_note"))
	b.inPort = p.add("in_port_of_packet_sent", words("inside beyond_below_128 from_128"))
	b.freed = p.add("slots_freed_by_drop_and_by_packet_in_one_cycle", words("none_taken one_taken"))
	if slots == 2 {
		p.exclude(b.freed.at1(1), &Proof{"of two slots that are freed none is free in that cycle, to be taken", func() error {
			if free := slots - 2; free > 0 {
				return fmt.Errorf("%d slots are free", free)
			}
			return nil
		}})
	}
	b.rows = p.add("port", words("first last"))
	if ports == 1 {
		p.exclude(b.rows.at1(1), &Proof{"there is one port, the first", onePort(ports)})
	}
	targets := words("egress trimmer intmd none")
	b.cfgKind = p.add("cfg_target_kind", targets, numbers(0, 15))
	b.cfgAnswer = p.addSome("cfg_target_refused", func(t, r, _, _ int) bool { return t < 3 || r == 1 }, targets, yes)
	regs := [3]int{egress.NumRegs, trimmer.NumRegs, intmd.NumRegs}
	b.access = p.addSome("cfg_register", func(t, k, a, _ int) bool { return a < regs[t] }, targets[:3], words("CFG_WRITE CFG_READ"), numbers(0, egress.NumRegs-1))
}

// small excludes what needs more slots than there are, or longer queues. A packet that asks or waits at the writer has a
// slot, and its end is in the slot or in the rx FIFO.
func (b *switchBins) small(p *plan, depth, slots int) {
	for k, least := range []int{0, 1, 2, 8} {
		if most := min(slots-1, depth); most < least {
			for c := range egress.Classes {
				p.exclude(b.before.at2(k, c), &Proof{"a queue holds no more than Depth packets, nor than there are slots beside the one of the packet that asks", func() error {
					for n := range slots {
						if n <= depth && beforeClass(n) == k {
							return fmt.Errorf("%d packets", n)
						}
					}
					return nil
				}})
			}
		}
	}
	if most := switchport.Notes + slots + switchport.InFIFODepth; waiting(most) < 6 {
		p.exclude(b.awaitNote.at1(6), &Proof{"a packet without its note taken has a note at the output, a slot, or a beat in the rx FIFO", func() error {
			for n := range switchport.Notes + slots + switchport.InFIFODepth + 1 {
				if waiting(n) == 6 {
					return fmt.Errorf("%d packets", n)
				}
			}
			return nil
		}})
	}
	if slots-1 < switchport.Requests {
		p.exclude(b.stall.at1(stallLast), &Proof{"every request that stands before egress has a slot, and the packet whose last beat waits has one more", func() error {
			for requests := range slots {
				if requests == switchport.Requests {
					return fmt.Errorf("%d requests in %d slots", requests, slots)
				}
			}
			return nil
		}})
	}
}

// beforeClass sorts the packets that a queue held before another.
func beforeClass(n int) int {
	switch {
	case n < 2:
		return n
	case n < 8:
		return 2
	}
	return 3
}

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
	for n := range 8 {
		room, packet, queued := n&1 != 0, n&2 != 0, n&4 != 0
		if taken := room && !(packet && queued); taken && packet && queued {
			return fmt.Errorf("two reports in one cycle")
		}
	}
	return nil
}

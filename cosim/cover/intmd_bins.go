package cover

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/intmd"
)

// Single facts of intmd.
const (
	intAddedWaits = iota
	intTimeWraps
	intBytesWrap
	intPadding
	intLastBeat
	intBeyondHead
)

var intFactNames = words("added_beat_waits_for_output time_wraps_between_lookups bytes_wrap_between_lookups padding_moves entry_in_last_beat entry_behind_second_beat")

// intmdBins are the bins of intmd beyond those of its ports and beats.
type intmdBins struct {
	reason, mode, prologue, form, entries, room, frame  cross
	index, place, hops, options, rates, staleness       cross
	queue, checksum, ends, fact                         cross
	kinds, refused, wrap, loadOnCount, reports, periods cross
	saturates, frameBits, periodBits, rateInTick, carry cross

	causes, late, into, access, types sparse
}

func (b *intmdBins) define(p *plan, ports int) {
	yes := yesNo
	sorts := words("ack data")
	b.causes = p.addSome("cause_family_tags", func(c, f, tags, _ int) bool {
		if c == 0 || c > codePort {
			return f != famNone
		}
		return causeOfFamily(c, f) && (f != famNone || c == codeEthertype || tags < 2)
	}, words("NONE TRUNCATED ETHERTYPE HEADER FRAGMENT EXTENSION PROTOCOL LENGTH PORT TYPE OFF ABSENT NO_ROOM RANGE MALFORMED"), familyNames, numbers(0, 2))
	b.late = p.addSome("cause_sort", func(int, int, int, int) bool { return true }, words("OFF ABSENT NO_ROOM RANGE MALFORMED"), sorts)
	b.reason = p.add("reason", failureNames)
	b.into = p.addSome("inserted_sort_family_tags", func(_, f, _, _ int) bool { return f != famNone }, sorts, familyNames, numbers(0, 2))
	b.types = p.addSome("uet_type_inserted", func(k, in, _, _ int) bool {
		return in == 0 || k == 2 || k == 3 || k == 7 || k == 8 || k == 13 || k == 14
	}, numbers(0, 31), yes)
	b.mode = p.add("mode_sort", numbers(0, 3), sorts)
	b.prologue = p.add("threshold_int_header", sides)
	b.form = p.add("int_header", words("sound form_by_one_bit form complement_by_one_bit complement both hops_beyond_room"))
	b.entries = p.add("threshold_entries_claimed", sides)
	b.room = p.add("threshold_hops_against_room", sides)
	b.frame = p.add("threshold_max_frame", sides)
	b.frameBits = p.add("max_frame_decides_by", words("bit_16_of_the_end bit_15_of_the_limit"))
	b.index = p.add("index_sort", words("first last beyond 255 other"), sorts)
	if ports < 3 {
		for s := range 2 {
			p.exclude(b.index.at2(4, s), &Proof{"every port is the first or the last, or none", func() error {
				for i := range ports {
					if portClass(i, ports) == 4 {
						return fmt.Errorf("port %d", i)
					}
				}
				return nil
			}})
		}
	}
	if ports == 1 {
		for s := range 2 {
			p.exclude(b.index.at2(1, s), &Proof{"the only port is the first", onePort(ports)})
		}
	}
	b.place = p.add("place_of_entry_in_beat", words("2 6 10 14 18 22 26 30 34 38 42 46 50 54 58 62"))
	b.hops = p.add("hops_after", words("1 2 3_to_8 9_to_30 31_to_254 255"))
	b.options = p.add("option_words_inserted", numbers(0, 10))
	b.rates = p.add("rate_code_inserted", numbers(0, 15))
	b.staleness = p.add("table_age_at_lookup_cycles", words("0 1_to_7 8_or_more"))
	b.queue = p.add("queue_at_lookup", words("0 below_80 multiple one_below_multiple one_above_multiple other last_exact saturated saturated_by_bit_31"))
	b.checksum = p.add("udp_checksum", words("stays_0 computed comes_out_0"))
	b.ends = p.add("frame_end_against_place", sides, words("same_beats grows"))
	for s := range 2 {
		p.exclude(b.ends.at2(s, 1), &Proof{"a frame that ends before the place keeps its length", func() error {
			for size := range 200 {
				for at := range 200 {
					if grows := size >= at; grows && side(int64(size), int64(at)) < 2 {
						return fmt.Errorf("%d bytes, place %d", size, at)
					}
				}
			}
			return nil
		}})
	}
	b.fact = p.add("rule", intFactNames)
	b.kinds = p.add("cfg_kind", numbers(0, 15))
	b.access = p.addSome("cfg_address", func(k, a, _, _ int) bool { return k < 2 || a < intmd.NumRegs },
		words("LOAD READ CFG_WRITE CFG_READ"), numbers(0, intmd.NumWords-1))
	b.refused = p.add("cfg_refused", words("kind register counter port"))
	b.wrap = p.add("counter_wraps", numbers(0, intmd.NumWords-1))
	b.loadOnCount = p.add("counter_load_in_cycle_of_count", yes)
	b.reports = p.add("report", words("SET ADD"), words("first last beyond 255 other"))
	if ports < 3 {
		for op := range 2 {
			p.exclude(b.reports.at2(op, 4), &Proof{"every port is the first or the last, or none", func() error {
				for i := range ports {
					if portClass(i, ports) == 4 {
						return fmt.Errorf("port %d", i)
					}
				}
				return nil
			}})
			if ports == 1 {
				p.exclude(b.reports.at2(op, 1), &Proof{"the only port is the first", onePort(ports)})
			}
		}
	}
	b.periods = p.add("period", words("0 1 2 more"))
	b.periodBits = p.add("period_from_2^16", words("goes_on_past_its_low_bits ends"))
	b.rateInTick = p.add("rate_write_in_tick", words("of_every_cycle of_a_period_with_another_rate_new"))
	if ports == 1 {
		p.exclude(b.rateInTick.at1(1), &Proof{"there is one port, and no other's rate", onePort(ports)})
	}
	b.carry = p.add("udp_sum", carrySums)
	b.saturates = p.add("counter_add", words("tx_plain tx_wraps queue_plain queue_wraps"))
}

// portClass sorts a port number: first, last, beyond, 255, other.
func portClass(i, ports int) int {
	switch {
	case i == 0:
		return 0
	case i == ports-1:
		return 1
	case i == 255:
		return 3
	case i >= ports:
		return 2
	}
	return 4
}

// hopClass sorts a hop count after insertion.
func hopClass(h int) int {
	switch {
	case h <= 2:
		return h - 1
	case h <= 8:
		return 2
	case h <= 30:
		return 3
	case h < 255:
		return 4
	}
	return 5
}

// queueClass sorts a queue length by the quantum of 80 bytes.
func queueClass(q uint32) int {
	switch {
	case q == 0:
		return 0
	case q>>31 != 0 && q&(1<<31-1) < 5242880:
		return 8
	case q >= 5242880:
		return 7
	case q >= 5242800:
		return 6
	case q < 80:
		return 1
	case q%80 == 0:
		return 2
	case q%80 == 79:
		return 3
	case q%80 == 1:
		return 4
	}
	return 5
}

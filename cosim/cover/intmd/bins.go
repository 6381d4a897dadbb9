package intmd

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
)

// bins are the bins of intmd beyond those of its ports and beats.
type bins struct {
	fact struct{ AddedWaits, TimeWraps, BytesWrap, Padding, LastBeat, BeyondHead int }

	reason, mode, prologue, form, entries, room, frame  cover.Cross
	index, place, hops, options, rates, staleness       cover.Cross
	queue, checksum, ends                               cover.Cross
	reports, periods                                    cover.Cross
	saturates, frameBits, periodBits, rateInTick, carry cover.Cross
	highBit                                             cover.Cross
	lowestHigh                                          int // of the bits of a port number that no port has

	causes, into, types cover.Sparse
	late                cover.Cross
}

// define adds the bins; cfg adds those of accesses.
func (b *bins) define(p *cover.Plan, ports int, cfg func()) {
	yes := cover.YesNo
	sorts := cover.Labels("ack data")
	b.causes = p.AddSome("cause_family_tags", func(c, f, tags, _ int) bool {
		if c == 0 || c > frame.CausePort {
			return f != frame.NoFamily
		}
		return frame.CauseOfFamily(c, f) && (f != frame.NoFamily || c == frame.CauseEthertype || tags < 2)
	}, cover.Labels(`NONE TRUNCATED ETHERTYPE HEADER FRAGMENT EXTENSION PROTOCOL LENGTH PORT TYPE OFF ABSENT NO_ROOM
		RANGE MALFORMED`), frame.Families, cover.Numbers(0, 2))
	b.late = p.Add("cause_sort", cover.Labels("OFF ABSENT NO_ROOM RANGE MALFORMED"), sorts)
	b.reason = p.Add("reason", frame.Failures)
	b.into = p.AddSome("inserted_sort_family_tags", func(_, f, _, _ int) bool { return f != frame.NoFamily }, sorts,
		frame.Families, cover.Numbers(0, 2))
	b.types = p.AddSome("uet_type_inserted", func(k, in, _, _ int) bool {
		return in == 0 || k == 2 || k == 3 || k == 7 || k == 8 || k == 13 || k == 14
	}, cover.Numbers(0, 31), yes)
	b.mode = p.Add("mode_sort", cover.Numbers(0, 3), sorts)
	b.prologue = p.Add("threshold_int_header", cover.Sides)
	b.form = p.Add("int_header", cover.Labels(`sound form_by_one_bit form complement_by_one_bit complement both
		hops_beyond_room`))
	b.entries = p.Add("threshold_entries_claimed", cover.Sides)
	b.room = p.Add("threshold_hops_against_room", cover.Sides)
	b.frame = p.Add("threshold_max_frame", cover.Sides)
	b.frameBits = p.Add("max_frame_decides_by", cover.Labels("bit_16_of_the_end bit_15_of_the_limit"))
	for 1<<b.lowestHigh < ports {
		b.lowestHigh++
	}
	b.highBit = p.Add("port_refused_by_one_bit", cover.Numbers(b.lowestHigh, 7), sorts)
	b.index = p.Add("index_sort", cover.Labels("first last beyond 255 other"), sorts)
	excludePorts(p, b.index.At2, ports)
	b.place = p.Add("place_of_entry_in_beat", cover.Labels("2 6 10 14 18 22 26 30 34 38 42 46 50 54 58 62"))
	b.hops = p.Add("hops_after", cover.Labels("1 2 3_to_8 9_to_30 31_to_254 255"))
	b.options = p.Add("option_words_inserted", cover.Numbers(0, 10))
	b.rates = p.Add("rate_code_inserted", cover.Numbers(0, 15))
	b.staleness = p.Add("table_age_at_lookup_cycles", cover.Labels("0 1_to_7 8_or_more"))
	b.queue = p.Add("queue_at_lookup", cover.Labels(`0 below_80 multiple one_below_multiple one_above_multiple other
		last_exact saturated saturated_by_bit_31`))
	b.checksum = p.Add("udp_checksum", cover.Labels("stays_0 computed comes_out_0"))
	b.ends = p.Add("frame_end_against_place", cover.Sides, cover.Labels("same_beats grows"))
	for s := range 2 {
		p.Exclude(b.ends.At2(s, 1), "a frame that ends before the place keeps its length",
			cover.None(200*200, "bytes + 200 * place:", func(i int) bool {
				size, at := i%200, i/200
				return size >= at && cover.Side(int64(size), int64(at)) < 2 // it grows
			}))
	}
	p.Places("rule", cover.Labels(`added_beat_waits_for_output time_wraps_between_lookups bytes_wrap_between_lookups
		padding_moves entry_in_last_beat entry_behind_second_beat`), &b.fact)
	cfg()
	b.reports = p.Add("report", cover.Labels("SET ADD"), cover.Labels("first last beyond 255 other"))
	excludePorts(p, func(class, op int) int { return b.reports.At2(op, class) }, ports)
	b.periods = p.Add("period", cover.Labels("0 1 2 more"))
	b.periodBits = p.Add("period_from_2^16", cover.Labels("goes_on_past_its_low_bits ends"))
	b.rateInTick = p.Add("rate_write_in_tick", cover.Labels("of_every_cycle of_a_period_with_another_rate_new"))
	if ports == 1 {
		p.Exclude(b.rateInTick.At1(1), "there is one port, and no other's rate", cover.OnePort(ports))
	}
	b.carry = p.Add("udp_sum", frame.CarrySums)
	b.saturates = p.Add("counter_add", cover.Labels("tx_plain tx_wraps queue_plain queue_wraps"))
}

// excludePorts excludes the bins that a block of few ports cannot hit, of a cross of portClass and one of two.
func excludePorts(p *cover.Plan, by func(class, k int) int, ports int) {
	for k := range 2 {
		if ports < 3 {
			p.Exclude(by(4, k), "every port is the first or the last, or none",
				cover.None(ports, "port", func(i int) bool { return portClass(i, ports) == 4 }))
		}
		if ports == 1 {
			p.Exclude(by(1, k), "the only port is the first", cover.OnePort(ports))
		}
	}
}

// portClass sorts a port number: first, last, beyond, 255, other.
func portClass(i, ports int) int {
	return [...]int{0, 1, 3, 2, 4}[cover.First(i == 0, i == ports-1, i == 255, i >= ports)]
}

// queueClass sorts a queue length by the quantum of 80 bytes.
func queueClass(q uint32) int {
	return [...]int{0, 8, 7, 6, 1, 2, 3, 4, 5}[cover.First(q == 0, q>>31 != 0 && q&(1<<31-1) < 5242880, q >= 5242880,
		q >= 5242800, q < 80, q%80 == 0, q%80 == 79, q%80 == 1)]
}

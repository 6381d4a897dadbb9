package nic

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/nic"
)

// Labels.
var (
	targets   = cover.Labels("SOURCE WINDOW TIMES DESTINATION PARSER WRITER none_6 none_7")
	kinds     = cover.Labels("OPENED MESSAGE SENT ACKED NACKED LOST CLOSING FREED STOPPED")
	families  = cover.Labels("ipv4 ipv6 ipv4_native ipv6_native")
	waits     = cover.Labels("none 1_to_7 8_to_63 64_or_more")
	beatNames = cover.Labels("1 2 3 4_to_11 12 13_or_more")
	turns     = cover.Labels("answer packet")
)

// bins are the bins of nic beyond those of its ports.
type bins struct {
	outcome, access, sent cover.Sparse
	took                  cover.Sparse // cycles until a command's answer
	behind                cover.Cross  // what else is due then
	noteWaits, follows    cover.Cross
	asks, closing         cover.Cross
	acked, rtt, nacked    cover.Cross
	missing, canSend      cover.Sparse
	lastBytes             cover.Cross
	formSize, beats       cover.Sparse
	payload               cover.Cross
	carry, spray          cover.Cross
	versions, context     cover.Cross
	turn, midPacket       cover.Cross
	verdict               cover.Sparse
	owed                  cover.Cross
	finds                 cover.Cross
	fact                  struct {
		Unaddressed, AddressedAgain, PeerFollowed, StartFollowed, PacketBeforeNote, AnswerBeforeInd, CounterWrapped,
		HeaderOver, NoGap, BothInOneCycle, Emptied int
	}
}

func (b *bins) define(p *cover.Plan) {
	yes := cover.YesNo
	b.outcome = p.AddSome("command_target_kind_outcome", canEnd, targets, cover.Numbers(0, 15), outcomes)
	b.access = p.AddSome("writer_access", func(k, a, _, _ int) bool { return k < 2 || a < nic.NumRegs },
		cover.Labels("LOAD READ CFG_WRITE CFG_READ"), cover.Numbers(0, nic.NumWords-1))
	// The destination refuses nothing at once.
	b.took = p.AddSome("command_answered_after_cycles", func(t, n, _, _ int) bool { return t != 3 || n > 0 }, targets[:7],
		cover.Labels("1_to_3 4_to_15 16_to_63 64_or_more"))
	b.behind = p.Add("command_answered_while", targets[:6],
		cover.Labels("note_waits packet_leaves answer_leaves rx_waits"))
	b.noteWaits = p.Add("note_kind_waits", kinds, waits)
	b.follows = p.Add("note_after_note", kinds, kinds[2:7])
	b.sent = p.AddSome("sent_again_opening_last", func(again, _, last, _ int) bool { return again+last < 2 },
		yes, yes, yes)
	b.asks = p.Add("packet_asks_for_ack", cover.Labels("no by_source by_window_or_limit_alone"))
	b.closing = p.Add("closing_again", yes)
	b.acked = p.Add("acked_packets_unmarked", cover.Labels("0 1 2_to_63 64_or_more"), yes)
	b.rtt = p.Add("acked_tx_found_sample", cover.Labels("no_event not_found found_without found_with"))
	b.nacked = p.Add("nacked_found_marked", yes, yes)
	b.canSend = p.AddSome("note_kind_can_send", func(k, _, _, _ int) bool { return k < 6 }, kinds, yes)
	b.missing = p.AddSome("note_kind_without_context", func(k, _, _, _ int) bool { return k < 6 }, kinds)
	b.lastBytes = p.Add("packet_family_bytes_of_last_beat", families, cover.Numbers(1, 64))
	b.formSize = p.AddSome("packet_family_size_of_template", func(f, n, _, _ int) bool { return f%2 == 0 || n >= 20 },
		families, cover.Numbers(34, 62))
	b.beats = p.AddSome("packet_beats_kind", func(n, closing, _, _ int) bool { return n < 2 || closing == 0 }, beatNames,
		cover.Labels("SENT CLOSING"))
	b.payload = p.Add("packet_size_against_header", cover.NearSides)
	b.carry = p.Add("packet_ipv4_sum", cover.Labels("without_carry with_carry zero ones"))
	b.spray = p.Add("packet_spray_mask_count", cover.Labels("no_mask low_byte high_byte both"),
		cover.Labels("0 1 2_to_255 256_or_more"))
	b.versions = p.Add("packet_of_templates_registers", cover.Labels("one several"), cover.Labels("one several"))
	b.context = p.Add("packet_context_slot", cover.Labels("first last other"), cover.Numbers(0, nic.Slots-1))
	b.turn = p.Add("tx_turn_after", turns, turns, cover.Labels("at_once later"))
	b.midPacket = p.Add("ind_answered_while_packet_leaves_beats_left", cover.Labels("1 2_or_3 4_or_more"))
	b.verdict = p.AddSome("ind_verdict_answered", func(v, a, _, _ int) bool { return v == 0 || (v == 6) == (a == 0) },
		cover.Labels("ACCEPTED DUPLICATE ASKED PROBED CLOSED REFUSED EARLY"), yes)
	b.owed = p.Add("packets_owed_to_notes", cover.Labels("0 1 2_to_4 5_or_more"))
	b.finds = p.Add("reset_finds", cover.Labels(`packet_half_in packet_half_out answer_half_out note_waits ind_waits
		rsp_waits command_without_answer packet_owed rx_stopped cmd_stopped`))
	p.Places("rule", cover.Labels(`unaddressed_packet addressed_after_unaddressed peer_follows start_follows
		packet_before_its_note answer_before_its_ind counter_wraps header_beyond_size no_gap_at_tx
		note_and_rsp_in_one_cycle emptied`), &b.fact)
}

// canEnd are the outcomes that a command of a target and kind can have.
func canEnd(t, k, o, _ int) bool {
	const done, refused, busy, missing = 0, 1, 2, 3
	switch t {
	case 0:
		switch {
		case k == 0 || k > 7:
			return o == refused
		case k >= 5:
			return o < missing
		}
		return o < busy
	case 1:
		switch {
		case k < 4:
			return o != busy
		case k == 9, k == 10:
			return o == done || o == refused
		}
		return o == refused
	case 2:
		switch k {
		case 3, 4:
			return o == done || o == missing
		case 5:
			return o == done
		}
		return o == refused
	case 3, 4, 5:
		if k == 0 || k > 4 {
			return o == refused
		}
		return o < busy
	}
	return o == refused
}

package txpdc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// bins are what is counted of jobs.
type bins struct {
	kinds, opens, queue, wraps, resets             cover.Cross
	access, refusals, busy, begins                 cover.Sparse
	messages, payloads                             cover.Cross
	viewKinds, viewDoes                            cover.Cross
	turns, sentAt, limits, asks, offsets           cover.Cross
	strays, outcomes, sizes, bases, joins, held    cover.Sparse
	reach, covers, acked, unmarked, shifts         cover.Cross
	samples, received, ends, dones, ranges, tries  cover.Cross
	nacks, codes, closed                           cover.Cross
	timers, lateBy, stretched, lowest, triesAtLoss cover.Cross
	first                                          cover.Sparse
	at                                             struct {
		ShorterTick, SkipsFresh, NotEligible, UnaWraps, BitsBeyond, AgainBeyondLimit, HolesLeft int
	}
	long cover.Long
	all  int // contexts
}

var (
	commands = cover.Labels("LOAD READ CFG_WRITE CFG_READ OPEN MESSAGE CLOSE")
	jobs     = cover.Labels("record command turn view timer")
	widths   = cover.Labels("0 1 2_to_63 64_to_127 128")
)

// width places a number of PSNs among widths.
func width(n int) int { return cover.Band(n, 1, 2, 64, 128) }

func (b *bins) define(p *cover.Plan, contexts int) {
	yes := cover.YesNo
	b.all = contexts
	b.kinds = p.Add("kind", cover.Numbers(0, 15))
	b.access = p.AddSome("access", func(k, a, _, _ int) bool {
		return k < 2 && !(k == 0 && a == txpdc.WordCanSend) || k >= 2 && a < txpdc.NumRegs
	}, commands[:4], cover.Numbers(0, txpdc.NumWords-1))
	b.refusals = p.AddSome("refused", func(k, why, _, _ int) bool {
		switch why + 1 {
		case badPDC:
			return k < 2 || k > 3
		case badAddr:
			return k < 4
		case badWord:
			return k == 0
		case badLow:
			return k == 2
		case badHigh:
			return k == 0 || k == 2
		case badZero:
			return k == 2 || k == 5
		}
		return k == 5
	}, commands, cover.Labels("pdc address word below above zero top_bit"))
	b.busy = p.AddSome("busy", func(k, state, _, _ int) bool {
		return k == 0 && state == isValid || k > 0 && state < isValid && !(k == 1 && state == hasMore)
	}, commands[4:], cover.Labels("free closing stopped left outstanding valid"))
	b.opens = p.Add("open_puts_back", cover.Labels("0 1_to_254 255 256 more negative"))
	b.messages = p.Add("message", cover.Labels("1_byte less_than_a_packet a_packet packets_and_rest packets"))
	b.payloads = p.Add("message_with_payload", cover.Numbers(7, 13))
	b.begins = p.AddSome("close", func(int, int, int, int) bool { return true }, cover.Labels("stopped opening used"))
	b.viewKinds = p.Add("view_kind", cover.Numbers(0, 15))
	b.viewDoes = p.Add("view", cover.Labels(`refused no_context cfg no_kind lets_send stops_send ends_wait
		ends_no_wait leaves_wait`))
	b.joins = p.AddSome("context_listed_by", func(j, _, _, _ int) bool { return j != jobTurn }, jobs) // which waits then
	b.queue = p.Add("contexts_listed", cover.Labels("1 2 3_or_more all"))
	if contexts < 3 {
		p.Exclude(b.queue.At1(2), "there are fewer contexts", cover.None(contexts+1, "listed",
			func(n int) bool { return n > 2 }))
	}
	b.turns = p.Add("turn", cover.Labels("fresh again"), cover.Labels("next next+1 next+2 next+3"))
	b.sentAt = p.Add("sent_psn_from_una", cover.Labels("fresh again"),
		cover.Labels("0 1_to_31 32_to_63 64_to_95 96_to_126 127"))
	b.limits = p.Add("limit_of_turn", cover.Labels("fresh again"), cover.Labels("mpr_0 1 2_to_127 128 more"))
	b.asks = p.Add("asks_for_ack", cover.Labels("resend last limit none"))
	b.offsets = p.Add("psn_offset", cover.Labels("0 less_than_2^12 2^12_or_more"))
	b.sizes = p.AddSome("sent_size", func(full, last, _, _ int) bool { return full+last > 0 },
		cover.Labels("less full"), cover.Labels("more last"))
	b.strays = p.AddSome("stray", func(k, why, _, _ int) bool {
		return k == 2 && why <= ofType || k < 2 && why != ofType && !(k == 1 && why == ofPeer)
	}, cover.Labels("ACK NACK other"), cover.Labels("to_0 to_none to_free to_stopped type peer"))
	b.outcomes = p.AddSome("record", func(k, what, _, _ int) bool {
		return k < 3 && what < 4 || k >= 3 && what >= 3
	}, cover.Labels("ACK ACK_CC ACK_CCX NACK NACK_CCX"),
		cover.Labels("acks frees ends_opening stale nacks stops frees_too"))
	b.reach = p.Add("ack_psn_reaches", cover.Labels("half_range_below below none first some all one_more more"))
	b.covers = p.Add("covered_by", cover.Labels("psn bitmap both nothing"))
	b.bases = p.AddSome("bitmap_begins", func(at, acks, _, _ int) bool { return acks == 0 || at > 0 && at < 4 },
		cover.Labels("64_or_more_below below at_una above at_end_or_beyond"), yes)
	b.acked = p.Add("acked_in_flight", widths)
	b.unmarked = p.Add("acked_to_be_sent_again", widths)
	b.shifts = p.Add("una_moves_by", widths)
	b.samples = p.Add("sample", cover.Labels("yes probe below beyond acked_before"))
	b.received = p.Add("rcvd_bytes", cover.Labels("equal more most half_range behind other_cc_type ACK ACK_CCX"))
	b.dones = p.Add("done", cover.Labels("yes left outstanding both"))
	b.ranges = p.Add("limit_becomes", cover.Labels("0 above_window window equal_to_outstanding below_outstanding other"))
	b.ends = p.Add("tries_after_ack", cover.Labels("cleared kept"))
	b.tries = p.Add("nack_in_opening", yes)
	b.nacks = p.Add("nack", cover.Labels("closing below beyond acked marked of_first of_resend fits_first fits_resend"))
	b.codes = p.Add("nack_stops", cover.Labels("0x0e 0x0f 0x10 0x11 0x15 0x16 0x17"))
	b.closed = p.Add("nack_of_close", cover.Labels("0x0e 0x0f fatal other"))
	b.timers = p.Add("timer", cover.Labels(`free stopped rest_of_stopped close_early close_again close_ends none_in_flight
		early lost lost_resend resends_end`))
	b.lateBy = p.Add("timeout_over_by", cover.Labels("packet close"), cover.Labels("-1 0 1 more less"))
	b.stretched = p.Add("timeout_doubled", cover.Labels("packet close"),
		cover.Labels("0 1 2 3 4 5 6 7_or_more"))
	b.lowest = p.Add("timer_looks_at_psn_from_una", cover.Labels("0 1_to_63 64_to_126 127"))
	b.triesAtLoss = p.Add("tries_after_timeout", cover.Labels("1 more"), cover.Labels("packet close"))
	b.first = p.AddSome("job_with_others", func(j, other, next, _ int) bool {
		switch {
		case j == other || j == jobTimer && other == jobView:
			return false
		case j >= jobView:
			return next == 0
		case other >= jobView:
			return false
		}
		return (j-next+3)%3 < (other-next+3)%3
	}, jobs, jobs, cover.Labels("record_first command_first turn_first"))
	b.held = p.AddSome("held_by", func(by, j, _, _ int) bool { return j != jobView && by == 0 || j == jobCmd },
		cover.Labels("act rsp"), jobs)
	b.resets = p.Add("reset_in", append(jobs[:numJobs:numJobs], "no_job", "list"))
	b.wraps = p.Add("counter_wraps", cover.Labels("sent resends acks nacks losses stray stale turns"))
	p.Places("also", cover.Labels(`tick_shorter_than_its_part resend_before_fresh turn_of_none una_wraps
		bitmap_beyond_outstanding resend_beyond_limit holes_left`), &b.at)
	b.long.Define(p, "commands_and_records_of_episode")
}

// reset counts what a reset finds.
func (b *bins) reset(hits cover.Hits, job, listed int) {
	if job == noJob {
		job = numJobs
	}
	hits[b.resets.At1(job)]++
	hits.If(listed > 0, b.resets.At1(numJobs+1))
}

// start counts which job starts, of those that wait.
func (b *bins) start(hits cover.Hits, job, next int, wants, may *[numJobs]bool, room bool) {
	for j := range numJobs {
		if wants[j] && !may[j] {
			b.held.Hit(hits, cover.Bit(room), j, 0, 0)
		}
		if job != noJob && j != job && may[j] {
			if job >= jobView {
				next = 0
			}
			b.first.Hit(hits, job, j, next, 0)
		}
	}
}

// command counts a command with what it did.
func (b *bins) command(hits cover.Hits, e *txpdc.Cmd, f *effect, bits uint64) {
	hits[b.kinds.At1(int(e.Kind))]++
	k := int(e.Kind) - 1
	switch {
	case k < 0 || k >= len(commands):
		return
	case f.rsp.Refused:
		b.refusals.Hit(hits, k, f.why-1, 0, 0)
		return
	case k < 4:
		b.access.Hit(hits, k, int(e.Addr), 0, 0)
		return
	case f.rsp.Busy:
		b.busy.Hit(hits, k-4, f.why, 0, 0)
		return
	}
	switch e.Kind {
	case txpdc.KindOpen:
		hits[b.opens.At1(cover.Band(f.rest, 1, 255, 256, 257, 1<<31))]++
	case txpdc.KindMessage:
		full := uint32(1) << bits
		hits[b.messages.At1(cover.First(e.Data == 1, e.Data < full, e.Data == full, e.Data%full > 0))]++
		hits[b.payloads.At1(int(bits)-7)]++
	default:
		b.begins.Hit(hits, cover.First(f.before.stopped, f.act.Kind == txpdc.ActionFreed), 0, 0, 0)
	}
}

// view counts a view with what it did; was is its context before.
func (b *bins) view(hits cover.Hits, v *txpdc.View, was *context, f *effect, applies bool) {
	hits[b.viewKinds.At1(int(v.Kind))]++
	if !applies {
		cfg := v.Kind == viewCfg || v.Kind == viewCfgTo
		hits[b.viewDoes.At1(cover.First(v.Refused, !cfg && v.Kind < viewFree, cfg))]++
		return
	}
	send := v.Kind == viewSend
	hits.Each(b.viewDoes.At1(4), v.CanSend && !was.can, !v.CanSend && was.can, send && was.waits, send && !was.waits,
		!send && was.waits)
}

// listed counts the contexts that are listed when one has its turn.
func (b *bins) listed(hits cover.Hits, n int) {
	hits[b.queue.At1(min(n, 3)-1)]++
	hits.If(n == b.all, b.queue.At1(3))
}

// timer counts a job of the timer.
func (b *bins) timer(hits cover.Hits, f *effect) {
	hits[b.timers.At1(f.why)]++
	p := &f.before
	kind := 0
	switch f.why {
	case findsFree, findsStopped, findsRest, findsNone:
		return
	case findsEarlyClose, findsLateClose, findsEndOfCloses:
		kind = 1
	default:
		hits[b.lowest.At1(cover.Band(f.at, 1, 64, 127))]++
	}
	hits[b.lateBy.At2(kind, [...]int{4, 0, 1, 2, 3}[cover.Band(f.over, -1, 0, 1, 2)])]++
	if f.why == findsEarly || f.why == findsEarlyClose {
		return
	}
	hits[b.stretched.At2(kind, min(int(p.tries), 7))]++
	if f.why == findsLateResend || f.why == findsLateClose {
		hits[b.triesAtLoss.At2(cover.Bit(p.tries > 0), kind)]++
	}
}

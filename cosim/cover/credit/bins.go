package credit

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/credit"
)

// bins are what is counted of events and pulls.
type bins struct {
	kinds, wraps, lates, opens, lists     cover.Cross
	refused, none, access, pulls, targets cover.Sparse
	most                                  cover.Sparse
	window, senderOf, joins               cover.Cross
	at                                    struct {
		ResetInPull, ResetInEvent, ResetWithLists, HeldByPull, HeldByRsp, PullFirst, EventFirst, FasterThanJobs int
	}
	long cover.Long
	size int // of the block, in senders
}

var (
	ofSender = cover.Labels("OPEN CLOSE TARGET WANT")
	accesses = cover.Labels("LOAD READ CFG_WRITE CFG_READ")
)

func (b *bins) define(p *cover.Plan, senders int) {
	yes := cover.YesNo
	b.size = senders
	b.kinds = p.Add("kind", cover.Numbers(0, 15))
	b.access = p.AddSome("access", func(k, a, _, _ int) bool {
		switch {
		case k >= 2:
			return a < credit.NumRegs
		case k == 0:
			return a != credit.WordOpen && a != credit.WordActives
		}
		return true
	}, accesses, cover.Numbers(0, credit.NumWords-1))
	b.refused = p.AddSome("refused", func(k, why, _, _ int) bool {
		switch why {
		case 0: // address
			return k < 4
		case 1: // sender
			return k < 2 || k >= 4
		case 2: // value
			return k == 2
		}
		return k == 4 // open already
	}, append(accesses[:4:4], ofSender...), cover.Labels("address sender value open"))
	b.none = p.AddSome("no_sender", func(k, _, _, _ int) bool { return k > 0 }, ofSender)
	b.targets = p.AddSome("target", func(rise, joined, _, _ int) bool { return rise > 2 || joined == 0 },
		cover.Labels("half_range below equal 1_more more most"), yes)
	b.joins = p.Add("want_joins", yes)
	b.opens = p.Add("open_finds_in_lists", yes, yes)
	b.pulls = p.AddSome("pull", func(slow, stale, next, _ int) bool {
		switch {
		case stale == 1:
			return next == 0
		case slow == 1:
			return next != 1 && next != 3
		}
		return next != 0
	}, yes, yes, cover.Labels("in_no_list in_active_list in_idle_list in_idle_list_before"))
	b.most = p.AddSome("grants", func(n, slow, _, _ int) bool { return slow == 0 || n == 3 },
		cover.Labels("0 1 more QUANTA"), yes)
	b.window = p.Add("excess", cover.Labels("below_0 0 less_than_window window more"))
	b.senderOf = p.Add("pull_for", cover.Labels("first last other"), yes)
	b.lists = p.Add("senders_in_list", cover.Labels("active idle"), cover.Labels("0 1 2 more all"))
	b.lates = p.Add("pull_late_by", cover.Labels("0 1 2_to_62 63 64_or_more"))
	b.wraps = p.Add("counter_wraps", cover.Labels("events pulls slow_pulls empty_pulls quanta stale"))
	p.Places("jobs", cover.Labels(`reset_in_pull reset_in_event reset_with_lists held_by_pull held_by_rsp pull_before_event
		event_before_pull faster_than_jobs`), &b.at)
	b.long.Define(p, "events_of_episode")
}

// event counts an event with what it did.
func (b *bins) event(hits cover.Hits, e *credit.Event, f *effect, x *pacer) {
	bit := cover.Bit
	b.long.Count(hits)
	hits[b.kinds.At1(int(e.Kind))]++
	k := int(e.Kind) - 1
	switch {
	case k < 0 || k >= 8:
		return
	case f.Refused:
		why := 0
		switch {
		case int(e.Sender) >= b.size && (k >= 4 || k < 2 && e.Addr <= credit.WordGranted):
			why = 1
		case k == 2 && e.Addr < credit.NumRegs:
			why = 2
		case k == 4:
			why = 3
		}
		b.refused.Hit(hits, k, why, 0, 0)
		return
	case k < 4:
		b.access.Hit(hits, k, int(e.Addr), 0, 0)
	case f.NoSender:
		b.none.Hit(hits, k-4, 0, 0, 0)
		return
	case e.Kind == credit.KindOpen:
		s := &x.senders[e.Sender]
		hits[b.opens.At2(bit(s.active), bit(s.idle))]++
	case e.Kind == credit.KindWant:
		hits[b.joins.At1(bit(f.Joined))]++
	case e.Kind == credit.KindTarget:
		rise := f.rise
		b.targets.Hit(hits, cover.Band(rise, -1<<23+1, 0, 1, 2, 1<<23-1), bit(f.Joined), 0, 0)
	}
	for i, n := range []int{len(x.active), len(x.idle)} {
		at := cover.Band(n, 1, 2, 3)
		hits[b.lists.At2(i, at)]++
		hits.If(n == b.size, b.lists.At2(i, 4))
	}
}

// grant counts a pull.
func (b *bins) grant(hits cover.Hits, g *grant, regs []uint64) {
	bit := cover.Bit
	next := 2
	switch {
	case g.stale || g.left:
		next = 0
	case g.twice:
		next = 3
	case !g.Slow && g.demand > int(g.Quanta):
		next = 1
	}
	b.pulls.Hit(hits, bit(g.Slow), bit(g.stale), next, 0)
	if g.stale {
		return
	}
	hits[b.senderOf.At2(cover.First(g.Sender == 0, int(g.Sender) == b.size-1), bit(g.Slow))]++
	n := uint64(g.Quanta)
	b.most.Hit(hits, [...]int{3, 0, 1, 2}[cover.First(n == regs[credit.RegQuanta], n == 0, n == 1)], bit(g.Slow), 0, 0)
	if g.Slow {
		w := int(regs[credit.RegWindow])
		hits[b.window.At1([...]int{0, 3, 1, 2, 4}[cover.First(g.excess < 0, g.excess == w, g.excess == 0, g.excess < w)])]++
	}
}

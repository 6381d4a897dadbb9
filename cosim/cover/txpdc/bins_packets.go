package txpdc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// turn counts a turn.
func (b *bins) turn(hits cover.Hits, f *effect, bits uint64) {
	a, p := &f.act, &f.before
	if hits.If(a.Kind == 0, b.at.NotEligible); a.Kind == 0 {
		return
	}
	kind := cover.Bit(a.IsRtx)
	hits.If(f.skipped, b.at.SkipsFresh)
	hits[b.turns.At2(kind, f.distance)]++
	hits[b.sentAt.At2(kind, cover.Band(f.at, 1, 32, 64, 96, 127))]++
	hits[b.limits.At2(kind, cover.Band(p.mpr, 1, 2, 128, 129))]++
	beyond := false
	for i := p.limit(); i < p.n; i++ {
		beyond = beyond || p.marked[i] && !p.acked[i]
	}
	hits.If(beyond, b.at.AgainBeyondLimit)
	hits[b.asks.At1(cover.First(a.IsRtx, a.Eom, a.Ar))]++
	if a.Syn {
		hits[b.offsets.At1(cover.Band(a.PSN-p.start, 1, 1<<12))]++
	}
	if !a.IsRtx {
		b.sizes.Hit(hits, cover.Bit(p.left >= 1<<bits), cover.Bit(a.Eom), 0, 0)
	}
}

// record counts a record with what it did.
func (b *bins) record(hits cover.Hits, r *txpdc.Rec, f *effect) {
	if f.count == txpdc.WordStray {
		kind := 2
		if isAck(r) {
			kind = 0
		} else if r.PdsType == txpdc.PdsTypeNack || r.PdsType == txpdc.PdsTypeNackCcx {
			kind = 1
		}
		b.strays.Hit(hits, kind, f.why, 0, 0)
		return
	}
	kind := cover.Among(r.PdsType, txpdc.PdsTypeAck, txpdc.PdsTypeAckCc, txpdc.PdsTypeAckCcx, txpdc.PdsTypeNack)
	what := 3
	switch f.act.Kind {
	case txpdc.ActionAcked:
		what = 0
		if f.before.syn {
			what = 2
		}
	case txpdc.ActionFreed:
		what = 1
		if kind >= 3 {
			what = 6
		}
	case txpdc.ActionNacked:
		what = 4
	case txpdc.ActionStopped:
		what = 5
	}
	b.outcomes.Hit(hits, kind, what, 0, 0)
	if kind >= 3 {
		b.nack(hits, r, f)
		return
	}
	p := &f.before
	d := int64(int32(r.PSN + 1 - p.una))
	if !p.closing {
		n := int64(p.n)
		hits[b.reach.At1(cover.First(d < -1<<30, d < 0, d == 0, d > n+1, d > n, d == n, d == 1))]++
	}
	if f.act.Kind == txpdc.ActionAcked {
		b.ack(hits, r, f)
	}
}

// ack counts an ACK that is in range.
func (b *bins) ack(hits cover.Hits, r *txpdc.Rec, f *effect) {
	p, a := &f.before, &f.act
	hits.Each(b.covers.At1(0), f.covered[0] > 0, f.covered[1] > 0, f.covered[2] > 0, f.covered == [3]int{})
	if hasSack(r) {
		at := int64(int32(r.SackBase - p.una))
		n := max(int64(p.n), 1)
		b.bases.Hit(hits, cover.Band(at, -63, 0, 1, n), cover.Bit(f.covered[1] > 0), 0, 0)
		limit := p.limit()
		q := pdc{mpr: r.Mpr}
		if now := q.limit(); now != limit || r.Mpr != p.mpr {
			hits[b.ranges.At1(cover.First(r.Mpr == 0, r.Mpr > txpdc.Window, now == txpdc.Window, now == p.n, now < p.n))]++
		}
	}
	hits.If(f.beyond, b.at.BitsBeyond)
	hits[b.acked.At1(width(int(a.AckedPkts)))]++
	hits[b.unmarked.At1(width(int(a.UnmarkPkts)))]++
	hits[b.shifts.At1(width(f.shift))]++
	hits.If(p.una+uint32(f.shift) < p.una, b.at.UnaWraps)
	i := r.AckPSN - p.una
	hits[b.samples.At1([...]int{0, 1, 2, 3, 4}[cover.First(a.Tx, r.Probe, int32(i) < 0, i >= uint32(p.n))])]++
	more := (r.RcvdBytes - p.rcvd) & 0xffffff
	hits[b.received.At1(cover.First(r.PdsType == txpdc.PdsTypeAckCc && r.CcType == 0 && more == 0,
		r.PdsType == txpdc.PdsTypeAckCc && r.CcType == 0 && more < 1<<23-1,
		r.PdsType == txpdc.PdsTypeAckCc && r.CcType == 0 && more == 1<<23-1,
		r.PdsType == txpdc.PdsTypeAckCc && r.CcType == 0 && more == 1<<23,
		r.PdsType == txpdc.PdsTypeAckCc && r.CcType == 0, r.PdsType == txpdc.PdsTypeAckCc,
		r.PdsType == txpdc.PdsTypeAck))]++
	n := p.n - f.shift
	hits[b.dones.At1(cover.First(a.Done, n == 0, p.left == 0))]++
	if p.tries > 0 {
		hits[b.ends.At1(cover.Bit(f.covered == [3]int{}))]++
	}
	left := 0
	for i := f.shift; i < p.n; i++ {
		left += cover.Bit(!p.acked[i])
	}
	hits.If(f.shift > 0 && left > 0 && left < n, b.at.HolesLeft)
}

// nack counts a NACK.
func (b *bins) nack(hits cover.Hits, r *txpdc.Rec, f *effect) {
	p := &f.before
	hits[b.tries.At1(cover.Bit(p.syn))]++
	at := fatalAt(r.NackCode)
	switch {
	case p.closing:
		hits[b.closed.At1([...]int{3, 0, 1, 2}[cover.Band(at, 0, 1, 2)])]++
	case f.act.Kind == txpdc.ActionStopped:
		hits[b.codes.At1(at)]++
		return
	}
	hits[b.nacks.At1(f.why+cover.Bit(f.why == nackFits && p.resent[f.at]))]++
}

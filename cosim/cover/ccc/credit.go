package ccc

import (
	"cmp"
	"fmt"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// credit holds the groups of the sender's half of receiver credit.
type credit struct {
	mode                                             cover.Sparse
	holds, asks, pull, pullMost, pullZero, spendZero cover.Cross
	specEnd, lossRtx, spend, wanted, thWindow, thMTU cover.Cross
	targetRounds, targetAround, openNumber, openMost cover.Cross
	shareNegative                                    cover.Cross
}

// Modes of CTRL, in the order of modeNames.
const (
	creditOff = iota
	creditBit3
	creditOn
	creditAlone
)

var (
	modeNames = cover.Labels("off bit_3_only credit credit_alone")
	enders    = cover.Labels("ACK NACK LOSS CREDIT")
	quanta    = cover.Labels("0 1 usual 2^23-1 2^23 older 2^24-1")
	shares    = cover.Labels("0 1 below_half half above_half 2^16-1")
	bounds    = cover.Labels("backlog most window mtu")
)

func (c *credit) define(p *cover.Plan) {
	pull := len(viewKinds) - 1
	c.mode = p.AddSome("credit_mode", func(k, mode, _, _ int) bool { return k != pull || mode >= creditOn }, viewKinds,
		modeNames)
	c.holds = p.Add("credit_fits_mode_credit", cover.YesNo, modeNames, signs)
	c.asks = p.Add("credit_asks_backlog_credit", cover.YesNo, signs)
	c.pull = p.Add("pull_number_speculating", quanta, cover.YesNo)
	c.pullMost = p.Add("threshold_pull_most", cover.Sides)
	c.pullZero = p.Add("threshold_pull_credit_0", cover.Sides)
	c.spendZero = p.Add("threshold_send_credit_0", cover.Sides)
	c.specEnd = p.Add("speculation_ends_credit", enders, signs)
	c.lossRtx = p.Add("loss_rtx_backlog_speculating", cover.Labels("0 1 above"), cover.YesNo)
	c.spend = p.Add("send_request_share", cover.YesNo, shares)
	c.wanted = p.Add("target_bound_sign", bounds, signs)
	c.thWindow = p.Add("threshold_want_window", cover.Sides)
	c.thMTU = p.Add("threshold_want_mtu", cover.Sides)
	c.targetRounds = p.Add("target_bytes_beyond_quantum", cover.Labels("0 1 2_to_254 255"))
	c.targetAround = p.Add("target_wraps", cover.YesNo)
	c.shareNegative = p.Add("target_share_of_negative", cover.Labels("exact floored"))
	c.openNumber = p.Add("open_number", cover.Labels("0 usual 2^24-1"))
	c.openMost = p.Add("open_credit", cover.Labels("MTU MAX_WND 2^31-1"))
	for sign := range 2 { // negative, zero
		p.Exclude(c.wanted.At2(3, sign), "an MTU is above 0", wantedMTU)
	}
}

// wantedMTU proves that a want of at least one MTU is above 0.
func wantedMTU() error {
	for mtu := int64(1); mtu < 1<<16; mtu++ {
		for _, w := range []int64{-1 << 31, -1, 0, 1, 1<<32 - 1} {
			if max(w, mtu) <= 0 {
				return fmt.Errorf("MTU %d, want %d", mtu, w)
			}
		}
	}
	return nil
}

// creditMode returns what CTRL makes of credit.
func (c *regFile) creditMode() int {
	ctrl := c[ccc.RegCtrl]
	return int(ctrl&2 | ctrl>>3&1)
}

// mostCredit is the largest credit.
func (c *regFile) mostCredit() int64 {
	return int64(min(max(c[ccc.RegMTU], c[ccc.RegMaxWnd]), 1<<31-1))
}

// opened follows an OPEN.
func (c *credit) opened(s *watch, hits cover.Hits, t *track) {
	most := s.cfg.mostCredit()
	t.w.Credit, t.w.LastPull, t.w.Speculating = int32(most), s.ev.Credit, true
	hits[c.openNumber.At1(cover.Band(s.ev.Credit, 1, top24))]++
	hits[c.openMost.At1(cover.First(s.cfg[ccc.RegMaxWnd] < s.cfg[ccc.RegMTU], most < 1<<31-1))]++
}

// stop follows an event, by its place among enders, that ends speculation.
func (c *credit) stop(s *watch, hits cover.Hits, t *track, k int) {
	if s.cfg.creditMode() < creditOn || !t.w.Speculating {
		return
	}
	hits[c.specEnd.At2(k, 1+cmp.Compare(t.w.Credit, 0))]++
	hits.If(s.rsp.SpecEnded, s.flag.SpecEnded[k])
	t.w.Speculating, t.w.Credit = false, min(t.w.Credit, 0)
}

// lost follows a LOSS; the retransmission backlog is still that before it.
func (c *credit) lost(s *watch, hits cover.Hits, t *track) {
	if s.cfg.creditMode() < creditOn {
		return
	}
	hits[c.lossRtx.At2(int(min(t.w.RtxBacklog, 2)), cover.Bit(t.w.Speculating))]++
	if t.w.RtxBacklog > 0 {
		c.stop(s, hits, t, 2)
	}
}

// pulled follows a CREDIT.
func (c *credit) pulled(s *watch, hits cover.Hits, t *track) {
	n := (s.ev.Credit - t.w.LastPull) & top24
	hits[c.pull.At2(cover.Band(n, 1, 2, 1<<23-1, 1<<23, 1<<23+1, top24), cover.Bit(t.w.Speculating))]++
	c.stop(s, hits, t, 3)
	if n == 0 || n >= 1<<23 {
		return
	}
	hits.If(s.rsp.Granted, s.flag.Granted)
	all, most := int64(t.w.Credit)+int64(n)<<8, s.cfg.mostCredit()
	hits[c.pullMost.At1(cover.Side(all, most))]++
	t.w.Credit, t.w.LastPull = int32(min(all, most)), s.ev.Credit
	hits[c.pullZero.At1(cover.Side(int64(t.w.Credit), 0))]++
}

// spent follows a SEND; the backlogs are those after it.
func (c *credit) spent(s *watch, hits cover.Hits, t *track) {
	mode := s.cfg.creditMode()
	if mode < creditOn {
		return
	}
	ev := &s.ev
	if !ev.NoCredit {
		left := int64(t.w.Credit) - int64(ev.Size)
		if left < -1<<31 {
			s.saturate(hits, s.sat.CreditSend)
		}
		t.w.Credit = int32(max(left, -1<<31))
		hits[c.spendZero.At1(cover.Side(int64(t.w.Credit), 0))]++
	}
	hits[c.spend.At2(cover.Bit(ev.NoCredit), cover.Band(ev.Share, 1, 2, 1<<15, 1<<15+1, 1<<16-1))]++
	waits := int64(t.w.Backlog) + int64(t.w.RtxBacklog)
	want, bound := waits, 0
	if most := s.cfg.mostCredit(); want > most {
		want, bound = most, 1
	}
	if mode == creditOn {
		window := int64(s.rsp.Cwnd) + int64(s.cfg[ccc.RegMTU])
		hits[c.thWindow.At1(cover.Side(want, window))]++
		if want > window {
			want, bound = window, 2
		}
	}
	want -= int64(t.w.Credit)
	if mtu := int64(s.cfg[ccc.RegMTU]); t.w.Speculating && t.w.Backlog > 0 {
		hits[c.thMTU.At1(cover.Side(want, mtu))]++
		if want < mtu {
			want, bound = mtu, 3
		}
	}
	hits[c.wanted.At2(bound, 1+cmp.Compare(want, 0))]++
	if ev.Share > 0 {
		product := want * int64(ev.Share)
		hits.If(product < 0, c.shareNegative.At1(cover.Bit(product&(1<<16-1) != 0)))
		want = product >> 16
	}
	hits[c.targetRounds.At1(cover.Band(want&255, 1, 2, 255))]++
	after := int64(t.w.LastPull) + (want+255)>>8
	hits[c.targetAround.At1(cover.Bit(after != after&top24))]++
}

// view sorts what a view shows of credit; k is the place of the kind among viewKinds.
func (c *credit) view(s *watch, hits cover.Hits, t *track, k int) {
	mode, r := s.cfg.creditMode(), &s.rsp
	c.mode.Hit(hits, k, mode, 0, 0)
	sign := 1 + cmp.Compare(t.w.Credit, 0)
	fits := int64(r.Inflight)+int64(s.cfg[ccc.RegMTU]) <= int64(r.Cwnd)
	hits[c.holds.At3(cover.Bit(fits), mode, sign)]++
	hits.If(mode >= creditOn, c.asks.At2(cover.Bit(t.w.Backlog == 0), sign))
}

package ccc

import (
	"cmp"
	"math/bits"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

const (
	top24 = 1<<24 - 1
	top32 = 1<<32 - 1
	top48 = 1<<48 - 1
)

// watch sorts ccc events into bins. It follows each context from the responses: it copies what a response shows and
// works out from the flags what stays hidden, so that it knows on which side of a threshold a value was. READ
// responses are compared with its account; those that disagree are counted, as they would make the bins unsound.
type watch struct {
	cover.Timing
	cover.Disagreement // READ responses that are not what was followed
	bins
	wide
	ctx   []track
	slots int // NumPdcs
	file  [ccc.MaxNumProfiles]regFile
	cfg   *regFile // of the context being sampled
	fresh uint16   // profiles that were written since the last event of a context that has them
	last  uint8    // profile of the event before

	ev  ccc.Event
	rsp ccc.Response
}

// regFile holds the registers of a profile by address.
type regFile [ccc.NumRegs]uint64

// track is a context as followed.
type track struct {
	w       ccc.Words // without the slots of last_rcvd
	rcvd    [ccc.MaxNumPdcs]uint32
	before  [ccc.MaxNumPdcs]uint32 // of a slot just bound: what it held until then
	bound   uint16                 // slots bound since their last ACK
	lastPDC uint8
	valid   bool
}

func (s *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	n := params["NumContexts"]
	s.ctx, s.slots = make([]track, n), params["NumPdcs"]
	s.bins.define(p, n, s.slots, params["NumProfiles"])
	s.wide.define(p)
	s.Timing.Define(p, b, cover.Shape{Sweep: n, Kinds: append(ctxKinds[:len(ctxKinds):len(ctxKinds)], "refused"),
		HasFree: true, KeyBits: 16, Words: ccc.EventWords, Classify: s.classify, Sample: s.Sample, Forget: s.forget})
}

// forget is what rst_n low does to registers and contexts.
func (s *watch) forget() {
	for i := range s.file {
		for a, r := range ccc.RegInfo {
			s.file[i][a] = r.Reset
		}
	}
	s.fresh, s.last = 0, 0
	s.long.Clear()
	for i := range s.ctx {
		s.ctx[i].valid = false
	}
}

// classify sets key, class and kind of an event.
func (s *watch) classify(e *cover.Pending) {
	kind := ccc.Kind(e.Words[0] >> 3 & 0xf)
	e.Key = uint32(e.Words[0] >> 7 & 0xffff)
	e.Class, e.Kind = cover.Keyed, uint8(kind)
	switch kind {
	case ccc.KindCfgWrite:
		e.Class = cover.Exclusive
	case ccc.KindCfgRead:
		e.Class = cover.Free
	}
	switch {
	case kind >= ccc.KindBind && kind <= ccc.KindCredit:
		e.Kind = uint8(ctxIndex(kind))
	case kind > ccc.KindLoss:
		e.Kind = uint8(len(ctxKinds))
	}
}

// ctxIndex is the place of a kind among ctxKinds: configuration stands between.
func ctxIndex(k ccc.Kind) int {
	if k > ccc.KindLoss {
		k -= ccc.KindBind - ccc.KindCfgWrite
	}
	return int(k)
}

// viewIndex is the place of a kind among viewKinds.
func viewIndex(k ccc.Kind) int { return ctxIndex(k) - int(ccc.KindLoad) }

// Sample sorts an event with its response.
func (s *watch) Sample(hits cover.Hits, in, out []uint64) {
	ev, r := &s.ev, &s.rsp
	ccc.UnpackEvent(in, ev)
	ccc.UnpackResponse(out, r)
	s.long.Count(hits)
	hits[s.kind.At1(int(ev.Kind))]++
	switch {
	case ev.Kind == ccc.KindCfgWrite:
		s.write(hits)
		return
	case ev.Kind == ccc.KindCfgRead:
		if r.Refused {
			hits[s.refused.CfgReadAddr+cover.Bit(ev.Addr < ccc.NumRegs)]++
		} else if ev.Addr < ccc.NumRegs {
			hits[s.cfgRead.At1(int(ev.Addr))]++
			hits[s.profileRead.At1(min(int(ev.Profile), s.profiles))]++
		}
		return
	case ev.Kind > ccc.KindCredit:
		return
	case int(ev.Ctx) >= len(s.ctx):
		hits[s.noRange.At1(ctxIndex(ev.Kind))]++
		return
	}
	t := &s.ctx[ev.Ctx]
	hits[s.stateBefore.At2(ctxIndex(ev.Kind), (1+int(t.w.CccState))*cover.Bit(t.valid))]++
	if r.NoContext {
		return
	}
	if r.Refused {
		s.refusal(hits)
		return
	}
	switch ev.Kind {
	case ccc.KindOpen:
		s.open(hits, t)
		return
	case ccc.KindClose:
		t.valid = false
		return
	case ccc.KindLoad:
		s.load(hits, t)
	}
	s.profile(hits, t)
	s.raise(hits, t)
	switch ev.Kind {
	case ccc.KindRead:
		hits[s.readWord.At1(int(ev.Addr))]++
		hits.If(ev.Addr == ccc.WordLastRcvd, s.readSlot.At1(int(ev.PDC)))
		s.DisagreeIf(s.word(t, int(ev.Addr), ev.PDC) != r.Data)
	case ccc.KindNewData:
		if t.w.Backlog += uint64(ev.Size); t.w.Backlog > top48 {
			s.saturate(hits, s.sat.Backlog)
			t.w.Backlog = top48
		}
		hits.If(r.Saturated, s.flag.NewSaturated)
	case ccc.KindSend:
		s.send(hits, t)
	case ccc.KindAck:
		s.ack(hits, t)
	case ccc.KindNack:
		s.nack(hits, t)
	case ccc.KindLoss:
		s.loss(hits, t)
	case ccc.KindBind:
		s.bind(hits, t)
	case ccc.KindSample:
		s.rtt(hits, t)
	case ccc.KindCredit:
		s.credit.pulled(s, hits, t)
	}
	s.together(hits)
	s.view(hits, t)
}

// word is the state word that READ should give.
func (s *watch) word(t *track, addr int, pdc uint8) uint64 {
	if addr == ccc.WordLastRcvd {
		return uint64(t.rcvd[pdc])
	}
	return t.w.Word(addr)
}

// view samples what every response with a view shows, and copies it.
func (s *watch) view(hits cover.Hits, t *track) {
	ev, r := &s.ev, &s.rsp
	k := viewIndex(ev.Kind)
	hits[s.stateAfter.At2(k, int(r.State))]++
	hits[s.canSend.At2(k, cover.Bit(r.CanSend))]++
	hits[s.ackReq.At2(k, cover.Bit(r.AckRequest))]++
	hits[s.both.At2(cover.Bit(r.CanSend), cover.Bit(r.AckRequest))]++
	room := int64(r.Cwnd) - int64(r.Inflight) - int64(s.cfg[ccc.RegMTU])
	hits[s.thRoom.At1(cover.Side(room, 0))]++
	hits.If(room >= 0, s.thTrigger.At1(cover.Side(int64(r.Cwnd), int64(s.cfg[ccc.RegAckGenTrigger]))))
	hits.If(r.Cwnd == 1, s.fact.CwndOne)
	hits.If(r.Cwnd == top32, s.fact.CwndMax)
	s.credit.view(s, hits, t, k)
	if k >= viewIndex(ccc.KindSend) {
		hits[s.sign.At2(k-viewIndex(ccc.KindSend), 1+cmp.Compare(r.Inflight, 0))]++
	}
	t.w.CccState, t.w.Cwnd, t.w.Inflight, t.w.BaseRTT, t.w.AvgDelay = r.State, r.Cwnd, r.Inflight, r.BaseRTT, r.AvgDelay
}

// add32 adds to a counter that stops at 2^32 - 1 and counts a hit of the saturation point when it does.
func (s *watch) add32(hits cover.Hits, c *uint32, n uint64, point int) {
	v := uint64(*c) + n
	if v > top32 {
		s.saturate(hits, point)
		v = top32
	}
	*c = uint32(v)
}

// sub32 subtracts from a counter that stops at 0.
func (s *watch) sub32(hits cover.Hits, c *uint32, n uint32, point int) {
	if n > *c {
		hits[point]++
		*c = 0
		return
	}
	*c -= n
}

func (s *watch) send(hits cover.Hits, t *track) {
	ev, r := &s.ev, &s.rsp
	hits[s.action.At1(0)]++
	if ev.IsRtx {
		s.sub32(hits, &t.w.WaitingRtx, 1, s.und.SendWaiting)
		s.sub32(hits, &t.w.RtxBacklog, ev.Size, s.und.SendRtx)
	} else if uint64(ev.Size) > t.w.Backlog {
		hits[s.und.Backlog]++
		t.w.Backlog = 0
	} else {
		t.w.Backlog -= uint64(ev.Size)
	}
	if int64(t.w.Inflight)+int64(ev.Size) > 1<<31-1 {
		s.saturate(hits, s.sat.InflightSend)
	}
	s.add32(hits, &t.w.InflightPkts, 1, s.sat.Pkts)
	s.credit.spent(s, hits, t)
	hits.If(r.Saturated, s.flag.SendSaturated)
	hits.If(r.Underflow, s.flag.SendUnderflow)
}

func (s *watch) loss(hits cover.Hits, t *track) {
	ev, r := &s.ev, &s.rsp
	hits[s.action.At1(len(actionPairs)-1)]++
	hits.If(r.LB == ccc.LBTimeout, s.lb.At1(5))
	s.credit.lost(s, hits, t)
	s.floor(hits, t, 1)
	s.atFloor(hits, 2)
	if int64(t.w.Inflight)-int64(ev.Size) < -1<<31 {
		s.saturate(hits, s.sat.InflightLoss)
	}
	s.add32(hits, &t.w.BytesIgnored, uint64(ev.Size), s.sat.IgnoredLoss)
	s.add32(hits, &t.w.WaitingRtx, 1, s.sat.WaitingLoss)
	s.add32(hits, &t.w.RtxBacklog, uint64(ev.Size), s.sat.RtxLoss)
	s.sub32(hits, &t.w.InflightPkts, 1, s.und.PktsLoss)
	hits.If(r.Saturated, s.flag.LossSaturated)
	hits.If(r.Underflow, s.flag.LossUnderflow)
}

// floor samples how a window less a packet compares with one MTU.
func (s *watch) floor(hits cover.Hits, t *track, which int) {
	hits.Near(s.thFloor.At2(which, 0), int64(t.w.Cwnd)-int64(s.ev.Size)-int64(s.cfg[ccc.RegMTU]))
}

// atFloor samples whether a window is one MTU after a change, by its place among those of atMTU.
func (s *watch) atFloor(hits cover.Hits, after int) {
	hits[s.atMTU.At2(after, cover.Bit(uint64(s.rsp.Cwnd) == s.cfg[ccc.RegMTU]))]++
}

// scaled returns a*b >> sh, at most 2^48.
func scaled(a, b uint64, sh uint) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi>>sh != 0 {
		return 1 << 48
	}
	return min(hi<<(64-sh)|lo>>sh, 1<<48)
}

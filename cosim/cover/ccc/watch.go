package ccc

import (
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

// watch sorts ccc events into bins. It follows each context from the
// responses: it copies what a response shows and works out from the flags what stays hidden, so that it knows on which
// side of a threshold a value was. READ responses are compared with its account; those that disagree are counted, as
// they would make the bins unsound.
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
	used    bool // an event other than configuration has touched it
}

func (s *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	n := params["NumContexts"]
	s.ctx, s.slots = make([]track, n), params["NumPdcs"]
	s.bins.define(p, n, s.slots, params["NumProfiles"])
	s.wide.define(p)
	s.forget()
	kinds := append(append([]string{}, ctxKinds...), "refused")
	s.Timing.Define(p, b, cover.Shape{Sweep: n, Kinds: kinds, HasFree: true, KeyBits: 16, Words: ccc.EventWords})
}

func (s *watch) Cycle(hits, in, out []uint64) {
	if e := s.Timing.Accept(in, out); e != nil {
		s.classify(e)
	}
	if e := s.Timing.Cycle(hits, in[0], out[0]); e != nil {
		s.Sample(hits, e.Words[:ccc.EventWords], out)
	}
}

func (s *watch) Reset(hits, in []uint64) {
	s.Timing.Reset(hits, in)
	s.forget()
}

// forget is what rst_n low does to registers and contexts.
func (s *watch) forget() {
	for i := range s.file {
		for a, r := range ccc.RegInfo {
			s.file[i][a] = r.Reset
		}
	}
	s.fresh, s.last, s.events = 0, 0, 0
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
	case kind >= ccc.KindBind && kind <= ccc.KindSample:
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
func (s *watch) Sample(hits []uint64, in, out []uint64) {
	ev, r := &s.ev, &s.rsp
	ccc.UnpackEvent(in, ev)
	ccc.UnpackResponse(out, r)
	s.count(hits)
	hits[s.kind.At1(int(ev.Kind))]++
	switch {
	case ev.Kind == ccc.KindCfgWrite:
		s.write(hits)
		return
	case ev.Kind == ccc.KindCfgRead:
		if r.Refused {
			hits[s.refused.At1(refCfgReadAddr+cover.Bit(ev.Addr < ccc.NumRegs))]++
		} else if ev.Addr < ccc.NumRegs {
			hits[s.cfgRead.At1(int(ev.Addr))]++
			hits[s.profileRead.At1(min(int(ev.Profile), s.profiles))]++
		}
		return
	case ev.Kind > ccc.KindSample:
		return
	case int(ev.Ctx) >= len(s.ctx):
		hits[s.noRange.At1(ctxIndex(ev.Kind))]++
		return
	}
	t := &s.ctx[ev.Ctx]
	if !t.valid {
		hits[s.stateBefore.At2(ctxIndex(ev.Kind), 0)]++
	} else {
		hits[s.stateBefore.At2(ctxIndex(ev.Kind), 1+int(t.w.CccState))]++
	}
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
		if ev.Addr == ccc.NumWords-1 {
			hits[s.readSlot.At1(int(ev.PDC))]++
		}
		if s.word(t, int(ev.Addr), ev.PDC) != r.Data {
			s.Disagree()
		}
	case ccc.KindNewData:
		if b := t.w.Backlog + uint64(ev.Size); b > top48 {
			s.saturate(hits, satBacklog)
			t.w.Backlog = top48
		} else {
			t.w.Backlog = b
		}
		hits[s.flag.At1(0)] += uint64(cover.Bit(r.Saturated))
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
	}
	s.together(hits)
	s.view(hits, t)
}

// word is the state word that READ should give.
func (s *watch) word(t *track, addr int, pdc uint8) uint64 {
	if addr == ccc.NumWords-1 {
		return uint64(t.rcvd[pdc])
	}
	return t.w.Word(addr)
}

// view samples what every response with a view shows, and copies it.
func (s *watch) view(hits []uint64, t *track) {
	ev, r := &s.ev, &s.rsp
	k := viewIndex(ev.Kind)
	hits[s.stateAfter.At2(k, int(r.State))]++
	hits[s.canSend.At2(k, cover.Bit(r.CanSend))]++
	hits[s.ackReq.At2(k, cover.Bit(r.AckRequest))]++
	hits[s.both.At2(cover.Bit(r.CanSend), cover.Bit(r.AckRequest))]++
	room := int64(r.Cwnd) - int64(r.Inflight) - int64(s.cfg[ccc.RegMTU])
	hits[s.thRoom.At1(cover.Side(room, 0))]++
	if room >= 0 {
		hits[s.thTrigger.At1(cover.Side(int64(r.Cwnd), int64(s.cfg[ccc.RegAckGenTrigger])))]++
	}
	if r.Cwnd == 1 {
		hits[s.fact.At1(factCwndOne)]++
	}
	if r.Cwnd == top32 {
		hits[s.fact.At1(factCwndMax)]++
	}
	if k >= viewIndex(ccc.KindSend) {
		sign := 1
		if r.Inflight < 0 {
			sign = 0
		} else if r.Inflight > 0 {
			sign = 2
		}
		hits[s.sign.At2(k-viewIndex(ccc.KindSend), sign)]++
	}
	t.w.CccState, t.w.Cwnd, t.w.Inflight, t.w.BaseRTT, t.w.AvgDelay = r.State, r.Cwnd, r.Inflight, r.BaseRTT, r.AvgDelay
}

// add32 adds to a counter that stops at 2^32 - 1 and counts a hit of the
// saturation point when it does.
func (s *watch) add32(hits []uint64, c *uint32, n uint64, point int) {
	v := uint64(*c) + n
	if v > top32 {
		s.saturate(hits, point)
		v = top32
	}
	*c = uint32(v)
}

// sub32 subtracts from a counter that stops at 0.
func (s *watch) sub32(hits []uint64, c *uint32, n uint32, point int) {
	if n > *c {
		hits[s.und.At1(point)]++
		*c = 0
		return
	}
	*c -= n
}

func (s *watch) send(hits []uint64, t *track) {
	ev, r := &s.ev, &s.rsp
	hits[s.action.At1(0)]++
	if ev.IsRtx {
		s.sub32(hits, &t.w.WaitingRtx, 1, undSendWaiting)
		s.sub32(hits, &t.w.RtxBacklog, ev.Size, undSendRtx)
	} else if uint64(ev.Size) > t.w.Backlog {
		hits[s.und.At1(undBacklog)]++
		t.w.Backlog = 0
	} else {
		t.w.Backlog -= uint64(ev.Size)
	}
	if int64(t.w.Inflight)+int64(ev.Size) > 1<<31-1 {
		s.saturate(hits, satInflightSend)
	}
	s.add32(hits, &t.w.InflightPkts, 1, satPkts)
	hits[s.flag.At1(1)] += uint64(cover.Bit(r.Saturated))
	hits[s.flag.At1(5)] += uint64(cover.Bit(r.Underflow))
}

func (s *watch) loss(hits []uint64, t *track) {
	ev, r := &s.ev, &s.rsp
	hits[s.action.At1(len(actionPairs)-1)]++
	hits[s.lb.At1(5)] += uint64(cover.Bit(r.LB == ccc.LBTimeout))
	s.floor(hits, t, 1)
	hits[s.atMTU.At2(2, cover.Bit(uint64(r.Cwnd) == s.cfg[ccc.RegMTU]))]++
	if int64(t.w.Inflight)-int64(ev.Size) < -1<<31 {
		s.saturate(hits, satInflightLoss)
	}
	s.add32(hits, &t.w.BytesIgnored, uint64(ev.Size), satIgnoredLoss)
	s.add32(hits, &t.w.WaitingRtx, 1, satWaitingLoss)
	s.add32(hits, &t.w.RtxBacklog, uint64(ev.Size), satRtxLoss)
	s.sub32(hits, &t.w.InflightPkts, 1, undPktsLoss)
	hits[s.flag.At1(4)] += uint64(cover.Bit(r.Saturated))
	hits[s.flag.At1(8)] += uint64(cover.Bit(r.Underflow))
}

// floor samples how a window less a packet compares with one MTU.
func (s *watch) floor(hits []uint64, t *track, which int) {
	if d := int64(t.w.Cwnd) - int64(s.ev.Size) - int64(s.cfg[ccc.RegMTU]); d >= -1 && d <= 1 {
		hits[s.thFloor.At2(which, int(d)+1)]++
	}
}

// scaled returns a*b >> sh, at most 2^48.
func scaled(a, b uint64, sh uint) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi>>sh != 0 {
		return 1 << 48
	}
	return min(hi<<(64-sh)|lo>>sh, 1<<48)
}

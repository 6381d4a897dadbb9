package ccc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

func (s *watch) refusal(hits cover.Hits) {
	ev := &s.ev
	why := s.refused.Open
	switch ev.Kind {
	case ccc.KindLoad:
		why = [...]int{s.refused.LoadAddr, s.refused.LoadProfile, s.refused.LoadPdc}[cover.First(ev.Addr >= ccc.NumWords,
			ev.Addr == 0)]
	case ccc.KindRead:
		why = s.refused.ReadAddr + cover.Bit(ev.Addr < ccc.NumWords)
	case ccc.KindAck:
		why = s.refused.Ack
	case ccc.KindBind:
		why = s.refused.Bind
	case ccc.KindCredit:
		why = s.refused.Credit
	}
	hits[why]++
}

func (s *watch) write(hits cover.Hits) {
	ev, r := &s.ev, &s.rsp
	if ev.Addr >= ccc.NumRegs {
		hits[s.refused.CfgWriteAddr]++
		return
	}
	shift := ev.Addr == ccc.RegTimeShift
	if int(ev.Profile) >= s.profiles && !shift {
		hits[s.refused.CfgWriteProfile]++
		return
	}
	top := uint64(1)<<ccc.RegInfo[ev.Addr].Width - 1
	v := ev.Data & top
	hits[s.cfgWrite.At2(int(ev.Addr), cover.Among(v, 0, top))]++
	if r.Refused {
		hits[s.refused.MTU]++
		return
	}
	if shift {
		hits[s.profileShift.At1(min(int(ev.Profile), s.profiles))]++
		for i := range s.file {
			s.file[i][ev.Addr] = v
		}
		return
	}
	hits[s.profileReg.At2(int(ev.Addr)-cover.Bit(ev.Addr > ccc.RegTimeShift), cover.Bit(ev.Profile > 0))]++
	hits[s.profileWrite.At1(int(ev.Profile))]++
	if old := &s.file[ev.Profile][ev.Addr]; *old != v {
		s.fresh |= 1 << ev.Profile
		*old = v
	}
}

func (s *watch) open(hits cover.Hits, t *track) {
	ev, r := &s.ev, &s.rsp
	hits.If(t.valid, s.fact.Reopen)
	s.cfg = &s.file[ev.Profile]
	hits.If(s.cfg[ccc.RegMaxWnd] < s.cfg[ccc.RegMTU], s.fact.OpenSmall)
	hits[s.profileOpen.At1(int(ev.Profile))]++
	*t = track{valid: true}
	t.w.Cwnd, t.w.MaxWnd, t.w.BaseRTT, t.w.Profile = r.Cwnd, r.Cwnd, r.BaseRTT, ev.Profile
	t.w.LastAdjustTime, t.w.LastDecTime = ev.Now, ev.Now
	s.credit.opened(s, hits, t)
}

func (s *watch) load(hits cover.Hits, t *track) {
	ev := &s.ev
	hits[s.loadWord.At1(int(ev.Addr))]++
	hits.If(ev.Data&^ccc.WordMask[ev.Addr] != 0, s.fact.LoadNoise)
	before := t.w.Profile
	t.w.SetWord(int(ev.Addr), ev.Data)
	switch ev.Addr {
	case 0:
		hits[s.profileLoad.At1(int(t.w.Profile))]++
		hits.If(t.w.Profile != before, s.fact.LoadProfile)
	case 1:
		hits.If(uint64(t.w.Cwnd) < s.file[t.w.Profile][ccc.RegMTU], s.fact.LoadRaised)
	case ccc.WordLastRcvd:
		hits[s.loadSlot.At1(int(ev.PDC))]++
		t.rcvd[ev.PDC] = uint32(ev.Data & top24)
		t.bound &^= 1 << ev.PDC
		t.w.LastRcvd = 0
	}
}

func (s *watch) profile(hits cover.Hits, t *track) {
	p := t.w.Profile
	s.cfg = &s.file[p]
	hits.If(p != s.last, s.fact.OtherProfile)
	s.last = p
	if s.fresh == 0 || ctxIndex(s.ev.Kind) < ctxIndex(ccc.KindSend) {
		return
	}
	hits[s.fact.CfgAfterEvent+cover.Bit(s.fresh>>p&1 == 0)]++
	s.fresh &^= 1 << p
}

// raise applies the floor of the windows and sorts what it found.
func (s *watch) raise(hits cover.Hits, t *track) {
	mtu := uint32(s.cfg[ccc.RegMTU])
	k := viewIndex(s.ev.Kind)
	for i, w := range [...]*uint32{&t.w.Cwnd, &t.w.MaxWnd, &t.w.SavedCwnd} {
		if i == 2 && *w == 0 {
			continue
		}
		hits[s.thFloored.At2(i, cover.Side(int64(*w), int64(mtu)))]++
		if *w < mtu {
			hits[s.floored.At2(k, i)]++
			*w = mtu
		}
	}
}

func (s *watch) bind(hits cover.Hits, t *track) {
	ev, r := &s.ev, &s.rsp
	hits[s.bindSlot.At3(int(ev.PDC), cover.Bit(t.rcvd[ev.PDC] != 0), cover.Bit(ev.RcvdBytes != 0))]++
	hits[s.bindSize.At1(cover.Band(ev.Size, 1, 256, 1<<31))]++
	if int64(t.w.Inflight)+int64(ev.Size) > 1<<31-1 {
		s.saturate(hits, s.sat.InflightBind)
	}
	hits.If(r.Saturated, s.flag.BindSaturated)
	if t.bound>>ev.PDC&1 == 0 {
		t.before[ev.PDC] = t.rcvd[ev.PDC]
	}
	t.bound |= 1 << ev.PDC
	t.rcvd[ev.PDC] = ev.RcvdBytes
}

func (s *watch) rtt(hits cover.Hits, t *track) {
	ev, r := &s.ev, &s.rsp
	low := ev.Data & top32
	class := cover.Band(ev.Data, 1, 2, 1<<31-1, 1<<31, 1<<31+1, top32+1)
	hits[s.sampleData.At1(class+cover.Bit(ev.Data > top32 && low >= 1 && low < 1<<31))]++
	if !r.RTTValid {
		return
	}
	hits[s.flag.SampleValid]++
	hits[s.thSample.At1(cover.Side(int64(ev.Data), int64(t.w.BaseRTT)))]++
	if r.BaseFell {
		hits[s.flag.SampleFell]++
		s.maxWnd(hits, t)
	}
	hits.If(t.w.QAValid && r.BaseFell && (t.w.QAEndtime-ev.Now)&top48 <= s.bound(uint64(r.BaseRTT)),
		s.fact.SampleInWindow)
}

// bound is how far ahead the end of a running quick-adapt window can lie.
func (s *watch) bound(base uint64) uint64 {
	return max(base, s.cfg[ccc.RegConfigBaseRTT]) + s.cfg[ccc.RegTargetQDelay]
}

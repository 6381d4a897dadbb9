package ccc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Refusals, in the order of refusedNames.
const (
	refMTU = iota
	refCfgWriteAddr
	refCfgWriteProfile
	refCfgReadAddr
	refCfgReadProfile
	refOpen
	refLoadAddr
	refLoadPdc
	refLoadProfile
	refReadAddr
	refReadPdc
	refAck
	refBind
)

var refusedNames = cover.Labels(`MTU_0 CFG_WRITE_addr CFG_WRITE_profile CFG_READ_addr CFG_READ_profile OPEN_profile
	LOAD_addr LOAD_pdc LOAD_profile READ_addr READ_pdc ACK_pdc BIND_pdc`)

// refusal sorts a refused event of a context.
func (s *watch) refusal(hits []uint64) {
	ev := &s.ev
	why := refOpen
	switch ev.Kind {
	case ccc.KindLoad:
		switch {
		case ev.Addr >= ccc.NumWords:
			why = refLoadAddr
		case ev.Addr == 0:
			why = refLoadProfile
		default:
			why = refLoadPdc
		}
	case ccc.KindRead:
		why = refReadAddr
		if ev.Addr < ccc.NumWords {
			why = refReadPdc
		}
	case ccc.KindAck:
		why = refAck
	case ccc.KindBind:
		why = refBind
	}
	hits[s.refused.At1(why)]++
}

func (s *watch) write(hits []uint64) {
	ev, r := &s.ev, &s.rsp
	if ev.Addr >= ccc.NumRegs {
		hits[s.refused.At1(refCfgWriteAddr)]++
		return
	}
	shift := ev.Addr == ccc.RegTimeShift
	if int(ev.Profile) >= s.profiles && !shift {
		hits[s.refused.At1(refCfgWriteProfile)]++
		return
	}
	top := uint64(1)<<ccc.RegInfo[ev.Addr].Width - 1
	v := ev.Data & top
	which := 2
	switch v {
	case 0:
		which = 0
	case top:
		which = 1
	}
	hits[s.cfgWrite.At2(int(ev.Addr), which)]++
	if r.Refused {
		hits[s.refused.At1(refMTU)]++
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

func (s *watch) open(hits []uint64, t *track) {
	ev, r := &s.ev, &s.rsp
	if t.valid {
		hits[s.fact.At1(factReopen)]++
	}
	s.cfg = &s.file[ev.Profile]
	if s.cfg[ccc.RegMaxWnd] < s.cfg[ccc.RegMTU] {
		hits[s.fact.At1(factOpenSmall)]++
	}
	hits[s.profileOpen.At1(int(ev.Profile))]++
	*t = track{valid: true}
	t.w.Cwnd, t.w.MaxWnd, t.w.BaseRTT, t.w.Profile = r.Cwnd, r.Cwnd, r.BaseRTT, ev.Profile
	t.w.LastAdjustTime, t.w.LastDecTime = ev.Now, ev.Now
}

func (s *watch) load(hits []uint64, t *track) {
	ev := &s.ev
	hits[s.loadWord.At1(int(ev.Addr))]++
	if ev.Data&^ccc.WordMask[ev.Addr] != 0 {
		hits[s.fact.At1(factLoadNoise)]++
	}
	before := t.w.Profile
	t.w.SetWord(int(ev.Addr), ev.Data)
	switch ev.Addr {
	case 0:
		hits[s.profileLoad.At1(int(t.w.Profile))]++
		hits[s.fact.At1(factLoadProfile)] += uint64(cover.Bit(t.w.Profile != before))
	case 1:
		hits[s.fact.At1(factLoadRaised)] += uint64(cover.Bit(uint64(t.w.Cwnd) < s.file[t.w.Profile][ccc.RegMTU]))
	case ccc.NumWords - 1:
		hits[s.loadSlot.At1(int(ev.PDC))]++
		t.rcvd[ev.PDC] = uint32(ev.Data & top24)
		t.bound &^= 1 << ev.PDC
		t.w.LastRcvd = 0
	}
}

// profile looks up the registers of the context.
func (s *watch) profile(hits []uint64, t *track) {
	p := t.w.Profile
	s.cfg = &s.file[p]
	hits[s.fact.At1(factOtherProfile)] += uint64(cover.Bit(p != s.last))
	s.last = p
	if s.fresh == 0 || ctxIndex(s.ev.Kind) < ctxIndex(ccc.KindSend) {
		return
	}
	if s.fresh>>p&1 != 0 {
		hits[s.fact.At1(factCfgAfterEvent)]++
		s.fresh &^= 1 << p
	} else {
		hits[s.fact.At1(factCfgOther)]++
	}
}

// raise applies the floor of the windows and sorts what it found.
func (s *watch) raise(hits []uint64, t *track) {
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

// bind follows a BIND.
func (s *watch) bind(hits []uint64, t *track) {
	ev, r := &s.ev, &s.rsp
	hits[s.bindSlot.At3(int(ev.PDC), cover.Bit(t.rcvd[ev.PDC] != 0), cover.Bit(ev.RcvdBytes != 0))]++
	class := 3
	switch {
	case ev.Size == 0:
		class = 0
	case ev.Size < 256:
		class = 1
	case ev.Size < 1<<31:
		class = 2
	}
	hits[s.bindSize.At1(class)]++
	if int64(t.w.Inflight)+int64(ev.Size) > 1<<31-1 {
		s.saturate(hits, satInflightBind)
	}
	hits[s.flag.At1(flagBindSaturated)] += uint64(cover.Bit(r.Saturated))
	if t.bound>>ev.PDC&1 == 0 {
		t.before[ev.PDC] = t.rcvd[ev.PDC]
	}
	t.bound |= 1 << ev.PDC
	t.rcvd[ev.PDC] = ev.RcvdBytes
}

// rtt follows a SAMPLE.
func (s *watch) rtt(hits []uint64, t *track) {
	ev, r := &s.ev, &s.rsp
	class := 6
	switch low := ev.Data & top32; {
	case ev.Data > top32 && low >= 1 && low < 1<<31:
		class = 7
	case ev.Data > top32:
		class = 6
	case ev.Data == 0:
		class = 0
	case ev.Data == 1:
		class = 1
	case ev.Data < 1<<31-1:
		class = 2
	case ev.Data == 1<<31-1:
		class = 3
	case ev.Data == 1<<31:
		class = 4
	default:
		class = 5
	}
	hits[s.sampleData.At1(class)]++
	if !r.RTTValid {
		return
	}
	hits[s.flag.At1(flagSampleValid)]++
	hits[s.thSample.At1(cover.Side(int64(ev.Data), int64(t.w.BaseRTT)))]++
	if r.BaseFell {
		hits[s.flag.At1(flagSampleFell)]++
		s.maxWnd(hits, t)
	}
	if t.w.QAValid && r.BaseFell && (t.w.QAEndtime-ev.Now)&top48 <= s.bound(uint64(r.BaseRTT)) {
		hits[s.fact.At1(factSampleInWindow)]++
	}
}

// bound is how far ahead the end of a running quick-adapt window can lie.
func (s *watch) bound(base uint64) uint64 {
	return max(base, s.cfg[ccc.RegConfigBaseRTT]) + s.cfg[ccc.RegTargetQDelay]
}

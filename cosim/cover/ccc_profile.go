package cover

import "github.com/goldwire/goldwire/vectors/event/ccc"

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

var refusedNames = words(`MTU_0 CFG_WRITE_addr CFG_WRITE_profile CFG_READ_addr CFG_READ_profile OPEN_profile LOAD_addr LOAD_pdc
	LOAD_profile READ_addr READ_pdc ACK_pdc BIND_pdc`)

// refusal sorts a refused event of a context.
func (s *cccWatch) refusal(hits []uint64) {
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
	hits[s.refused.at1(why)]++
}

func (s *cccWatch) write(hits []uint64) {
	ev, r := &s.ev, &s.rsp
	if ev.Addr >= ccc.NumRegs {
		hits[s.refused.at1(refCfgWriteAddr)]++
		return
	}
	shift := ev.Addr == ccc.RegTimeShift
	if int(ev.Profile) >= s.profiles && !shift {
		hits[s.refused.at1(refCfgWriteProfile)]++
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
	hits[s.cfgWrite.at2(int(ev.Addr), which)]++
	if r.Refused {
		hits[s.refused.at1(refMTU)]++
		return
	}
	if shift {
		hits[s.profileShift.at1(min(int(ev.Profile), s.profiles))]++
		for i := range s.file {
			s.file[i][ev.Addr] = v
		}
		return
	}
	hits[s.profileReg.at2(int(ev.Addr)-b2i(ev.Addr > ccc.RegTimeShift), b2i(ev.Profile > 0))]++
	hits[s.profileWrite.at1(int(ev.Profile))]++
	if old := &s.file[ev.Profile][ev.Addr]; *old != v {
		s.fresh |= 1 << ev.Profile
		*old = v
	}
}

func (s *cccWatch) open(hits []uint64, t *track) {
	ev, r := &s.ev, &s.rsp
	if t.valid {
		hits[s.fact.at1(factReopen)]++
	}
	s.cfg = &s.file[ev.Profile]
	if s.cfg[ccc.RegMaxWnd] < s.cfg[ccc.RegMTU] {
		hits[s.fact.at1(factOpenSmall)]++
	}
	hits[s.profileOpen.at1(int(ev.Profile))]++
	*t = track{valid: true}
	t.w.Cwnd, t.w.MaxWnd, t.w.BaseRTT, t.w.Profile = r.Cwnd, r.Cwnd, r.BaseRTT, ev.Profile
	t.w.LastAdjustTime, t.w.LastDecTime = ev.Now, ev.Now
}

func (s *cccWatch) load(hits []uint64, t *track) {
	ev := &s.ev
	hits[s.loadWord.at1(int(ev.Addr))]++
	if ev.Data&^ccc.WordMask[ev.Addr] != 0 {
		hits[s.fact.at1(factLoadNoise)]++
	}
	before := t.w.Profile
	t.w.SetWord(int(ev.Addr), ev.Data)
	switch ev.Addr {
	case 0:
		hits[s.profileLoad.at1(int(t.w.Profile))]++
		hits[s.fact.at1(factLoadProfile)] += uint64(b2i(t.w.Profile != before))
	case 1:
		hits[s.fact.at1(factLoadRaised)] += uint64(b2i(uint64(t.w.Cwnd) < s.file[t.w.Profile][ccc.RegMTU]))
	case ccc.NumWords - 1:
		hits[s.loadSlot.at1(int(ev.PDC))]++
		t.rcvd[ev.PDC] = uint32(ev.Data & top24)
		t.bound &^= 1 << ev.PDC
		t.w.LastRcvd = 0
	}
}

// profile looks up the registers of the context.
func (s *cccWatch) profile(hits []uint64, t *track) {
	p := t.w.Profile
	s.cfg = &s.file[p]
	hits[s.fact.at1(factOtherProfile)] += uint64(b2i(p != s.last))
	s.last = p
	if s.fresh == 0 || ctxIndex(s.ev.Kind) < ctxIndex(ccc.KindSend) {
		return
	}
	if s.fresh>>p&1 != 0 {
		hits[s.fact.at1(factCfgAfterEvent)]++
		s.fresh &^= 1 << p
	} else {
		hits[s.fact.at1(factCfgOther)]++
	}
}

// raise does what the floor of the windows does and sorts what it found.
func (s *cccWatch) raise(hits []uint64, t *track) {
	mtu := uint32(s.cfg[ccc.RegMTU])
	k := viewIndex(s.ev.Kind)
	for i, w := range [...]*uint32{&t.w.Cwnd, &t.w.MaxWnd, &t.w.SavedCwnd} {
		if i == 2 && *w == 0 {
			continue
		}
		hits[s.thFloored.at2(i, side(int64(*w), int64(mtu)))]++
		if *w < mtu {
			hits[s.floored.at2(k, i)]++
			*w = mtu
		}
	}
}

// bind follows a BIND.
func (s *cccWatch) bind(hits []uint64, t *track) {
	ev, r := &s.ev, &s.rsp
	hits[s.bindSlot.at3(int(ev.PDC), b2i(t.rcvd[ev.PDC] != 0), b2i(ev.RcvdBytes != 0))]++
	class := 3
	switch {
	case ev.Size == 0:
		class = 0
	case ev.Size < 256:
		class = 1
	case ev.Size < 1<<31:
		class = 2
	}
	hits[s.bindSize.at1(class)]++
	if int64(t.w.Inflight)+int64(ev.Size) > 1<<31-1 {
		hits[s.sat.at1(satInflightBind)]++
	}
	hits[s.flag.at1(flagBindSaturated)] += uint64(b2i(r.Saturated))
	if t.bound>>ev.PDC&1 == 0 {
		t.before[ev.PDC] = t.rcvd[ev.PDC]
	}
	t.bound |= 1 << ev.PDC
	t.rcvd[ev.PDC] = ev.RcvdBytes
}

// rtt follows a SAMPLE.
func (s *cccWatch) rtt(hits []uint64, t *track) {
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
	hits[s.sampleData.at1(class)]++
	if !r.RTTValid {
		return
	}
	hits[s.flag.at1(flagSampleValid)]++
	hits[s.thSample.at1(side(int64(ev.Data), int64(t.w.BaseRTT)))]++
	if r.BaseFell {
		hits[s.flag.at1(flagSampleFell)]++
		s.maxWnd(hits, t)
	}
	if t.w.QAValid && r.BaseFell && (t.w.QAEndtime-ev.Now)&top48 <= s.bound(uint64(r.BaseRTT)) {
		hits[s.fact.at1(factSampleInWindow)]++
	}
}

// bound is how far ahead the end of a running quick-adapt window can lie.
func (s *cccWatch) bound(base uint64) uint64 {
	return max(base, s.cfg[ccc.RegConfigBaseRTT]) + s.cfg[ccc.RegTargetQDelay]
}

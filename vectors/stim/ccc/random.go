package ccc

import (
	"math/bits"

	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// random writes an episode of constrained random ccc events. It draws a configuration, contexts, a clock and an event
// mix, opens and preloads the contexts in biased states, and aims the fields of each event at the thresholds that the
// shadow model's state and configuration put before it.
type random struct {
	*stim.Script
	contexts int
	slots    int // NumPdcs
	profiles int // NumProfiles

	sh    *shadow
	mix   mix
	ctx   []uint16
	used  int     // contexts of this episode, a prefix of ctx
	profs []uint8 // profiles of this episode
	now   uint64
	stepW int // width of the clock's random steps
	jump  int // one step in jump is a jump
	noise bool

	queue []ccc.Event // events to give, from head on, before new ones are drawn
	head  int
	loads []loads // by context: state words still to load
	turn  int     // next context in rotation
	sweep int
	ev    ccc.Event
	rsp   ccc.Response
}

// loads are the state words that a context has yet to be given. They are spread over its turns, so that a preload does
// not stall the pipeline. The mask has a bit for each word, in the order of ccc.StateAt.
type loads struct {
	mask uint32
	w    ccc.Words
	rcvd [ccc.MaxNumPdcs]uint64
}

// mix holds the weights of an episode's events and field choices.
type mix struct {
	kind    [numKinds + 1]int // the last: unknown kinds
	pend    int               // 1 in
	mark    int               // of 256
	aim     int               // of 256: event times aimed at a threshold
	reload  int               // one event in
	hot     int               // of 256: the same context again
	rotate  int               // of 256: the next context in rotation, not any
	regs    [ccc.MaxNumProfiles]regs
	txFresh int // of 256: a usable rtx_count, retx and tx_valid
}

// newRandom returns what writes the episodes of a run one after the other.
func newRandom() func(sc *stim.Script) {
	s := &random{}
	return func(sc *stim.Script) {
		s.Script, s.contexts, s.slots = sc, sc.Params["NumContexts"], sc.Params["NumPdcs"]
		s.profiles = sc.Params["NumProfiles"]
		if s.sh == nil {
			s.ctx = make([]uint16, s.contexts)
			s.sh = newShadow(sc.Params)
			s.profs = make([]uint8, ccc.MaxNumProfiles)
			s.queue = make([]ccc.Event, 0, s.contexts+64)
			s.loads = make([]loads, s.contexts)
		}
		s.write()
	}
}

func (s *random) write() {
	r := &s.Rand
	s.sh.reset()
	s.used = min(stim.Pick(r, 1, 2, 3, 5, 12, 20, 34, 36, 37, 40, 64, 64, 100, 100, 160, 256), s.contexts)
	for i := range s.ctx {
		s.ctx[i] = uint16(i)
	}
	for i := range s.used {
		j := i + r.N(s.contexts-i)
		s.ctx[i], s.ctx[j] = s.ctx[j], s.ctx[i]
	}
	s.drawProfiles()
	s.now = stim.Pick(r, 0, r.LogN(40), r.Bits(48), mask48-r.LogN(16), mask48-r.LogN(24), 1<<47-r.LogN(16))
	s.stepW = r.N(16)
	s.jump = 4 << r.N(8)
	s.noise = !r.One(4)

	// Few contexts mean long stalls: keep such episodes short.
	d := &s.Drive
	d.Resets = stim.DrawDrive(r, d, s.contexts, ccc.Credits)
	length := d.Paced(120+r.N(160)+(10+s.wordCount())*min(s.used, 160)+10*len(s.profs), 200)
	s.drawMix()
	stim.AimResets(r, d.Resets, length)
	s.sweep, s.turn = 0, 0
	body := max(length-s.wordCount()*min(s.used, readBackMax), length/2)
	clear(s.loads)
	s.setup()
	restart := s.Restart()
	for s.Used < length && !s.Full() {
		if s.Used == restart {
			// The block is empty and its contexts are gone: start over.
			s.sh.reset()
			clear(s.loads)
			if !r.One(4) {
				s.setup()
			}
		}
		ev := &s.ev // Apply keeps no pointer, which the compiler does not see
		switch {
		case s.head < len(s.queue):
			*ev = s.queue[s.head]
			if s.head++; s.head == len(s.queue) {
				s.queue, s.head = s.queue[:0], 0
			}
		case s.Used >= body:
			*ev = s.readBack()
		default:
			*ev = s.draw()
		}
		s.sh.apply(ev, &s.rsp)
		ccc.PackEvent(ev, s.Put(0, 0))
	}
}

// wordCount is the number of state words of a context, slots included.
func (s *random) wordCount() int { return ccc.StateLen(s.slots) }

// drawProfiles draws the profiles that the contexts of the episode have.
func (s *random) drawProfiles() {
	r := &s.Rand
	all := s.profs[:s.profiles]
	for i := range all {
		all[i] = uint8(i)
	}
	n := min(stim.Pick(r, 1, 1, 2, 2, 3, 4, s.profiles), s.profiles)
	for i := range n {
		j := i + r.N(s.profiles-i)
		all[i], all[j] = all[j], all[i]
	}
	s.profs = all[:n]
}

// anyProfile returns a profile of the episode, now and then another or one that the block does not have.
func (s *random) anyProfile() uint8 {
	r := &s.Rand
	if r.One(16) {
		return uint8(stim.Pick(r, r.N(16), s.profiles, s.profiles-1, 15) & 15)
	}
	return s.profs[r.N(len(s.profs))]
}

// anySlot returns a slot, now and then one that the block does not have.
func (s *random) anySlot() uint8 {
	r := &s.Rand
	if r.One(24) {
		return uint8(stim.Pick(r, r.N(16), s.slots, s.slots-1, 15) & 15)
	}
	return uint8(r.N(s.slots))
}

func (s *random) drawMix() {
	r := &s.Rand
	m := &s.mix
	*m = mix{}
	total := 0
	base := [numKinds + 1]int{
		ccc.KindOpen: 1, ccc.KindClose: 1, ccc.KindLoad: 6, ccc.KindRead: 8, ccc.KindNewData: 8, ccc.KindSend: 20,
		ccc.KindAck: 50, ccc.KindNack: 15, ccc.KindLoss: 6, ccc.KindCfgWrite: 2, ccc.KindCfgRead: 2,
		ccc.KindBind: 4, ccc.KindSample: 6, ccc.KindCredit: 10, numKinds: 1,
	}
	for k, w := range base {
		w = w * 8 >> r.N(4)
		if r.One(10) {
			w = 0
		}
		m.kind[k] = w
		total += w
	}
	if r.One(10) {
		// Every kind as often as every other.
		for k := range m.kind {
			m.kind[k] = 1
		}
		total = len(m.kind)
	}
	if m.kind[ccc.KindAck] == 0 && r.One(2) {
		m.kind[ccc.KindAck] = total + 1
	} else if total == 0 {
		m.kind[ccc.KindAck] = 1
	}
	m.pend = stim.Pick(r, 2, 3, 8, 1000)
	m.mark = r.N(257)
	m.aim = stim.Pick(r, 0, 40, 100, 200)
	m.reload = stim.Pick(r, 4, 8, 16, 64, 400)
	m.hot = stim.Pick(r, 0, 0, 0, 4, 20)
	if s.used < 12 {
		m.hot = stim.Pick(r, 0, 40, 200)
	}
	m.rotate = stim.Pick(r, 0, 200, 256, 256)
	m.txFresh = stim.Pick(r, 100, 200, 240, 256)
	like := r.One(3) // the profiles differ in few registers
	for i, p := range s.profs {
		c := &m.regs[p]
		switch {
		case i > 0 && like:
			*c = m.regs[s.profs[0]]
			for range 1 + r.N(4) {
				a := r.N(ccc.NumRegs)
				c.write(a, drawReg(r, a, c))
			}
		case r.One(2):
			*c = realisticRegs(r, s.TickNs)
		default:
			*c = cornerRegs(r, s.TickNs)
		}
		c[ccc.RegTimeShift] = m.regs[s.profs[0]][ccc.RegTimeShift]
	}
}

// setup queues configuration, opening and preload of every context.
func (s *random) setup() {
	r := &s.Rand
	s.queue, s.head = s.queue[:0], 0
	for k, p := range s.profs {
		from := r.N(ccc.NumRegs)
		for i := range ccc.NumRegs {
			a := (from + i) % ccc.NumRegs
			v := s.mix.regs[p][a]
			if v == s.sh.regs(p)[a] && r.One(2) || k > 0 && r.One(2) || k > 0 && a == ccc.RegTimeShift {
				continue
			}
			s.cfgWrite(p, a, v)
		}
	}
	opens := len(s.queue)
	for _, c := range s.ctx[:s.used] {
		ev := s.fresh(ccc.KindOpen, c)
		ev.Profile = s.profs[r.N(len(s.profs))]
		aimOpen(r, &ev)
		s.queue = append(s.queue, ev)
	}
	if r.One(4) {
		return
	}
	for i, c := range s.ctx[:s.used] {
		s.preload(c, s.queue[opens+i].Profile, ^uint32(0))
	}
}

// cfgWrite queues a register write.
func (s *random) cfgWrite(profile uint8, addr int, v uint64) {
	ev := s.fresh(ccc.KindCfgWrite, uint16(s.Rand.Bits(16)))
	ev.Addr, ev.Data = uint8(addr), v
	if addr != ccc.RegTimeShift {
		ev.Profile = profile
	}
	if s.noise && addr < ccc.NumRegs && ccc.RegInfo[addr].Width < 64 {
		ev.Data |= s.Rand.U64() << ccc.RegInfo[addr].Width
	}
	s.queue = append(s.queue, ev)
}

// preload has the state words in the mask loaded from a fresh state: of the
// context's profile p, or of another when word 0, which holds it, is loaded.
func (s *random) preload(c uint16, p uint8, mask uint32) {
	r := &s.Rand
	if mask&1 != 0 && r.One(4) {
		p = s.profs[r.N(len(s.profs))]
	}
	st := drawState(r, s.sh.regs(p), p, s.now)
	s.loads[c] = loads{mask & (1<<s.wordCount() - 1), st.words(), st.rcvd}
}

// nextLoad takes the next word of the loads of a context with so many slots.
func (l *loads) nextLoad(ev *ccc.Event, slots int) {
	a, slot := ccc.StateAt(bits.TrailingZeros32(l.mask), slots)
	l.mask &= l.mask - 1
	ev.Addr, ev.Data = uint8(a), l.w.Word(a)
	if a == ccc.WordLastRcvd {
		ev.PDC, ev.Data = uint8(slot), l.rcvd[slot]
	}
}

// readBackMax bounds the contexts that are read back; it is more than the stall, so that reading runs at full rate.
const readBackMax = 40

// readBack reads the state words of the episode's contexts in rotation.
func (s *random) readBack() ccc.Event {
	n := min(s.used, readBackMax)
	ev := s.fresh(ccc.KindRead, s.ctx[s.sweep%n])
	a, slot := ccc.StateAt(s.sweep/n%s.wordCount(), s.slots)
	ev.Addr = uint8(a)
	if a == ccc.WordLastRcvd {
		ev.PDC = uint8(slot)
	}
	s.sweep++
	return ev
}

// fresh returns an event of a kind with noise on every other field, or with zeros in the episodes that go without.
func (s *random) fresh(k ccc.Kind, c uint16) ccc.Event {
	ev := ccc.Event{Kind: k, Ctx: c, Now: s.now}
	if s.noise {
		a, b, d, e, f := s.Rand.U64(), s.Rand.U64(), s.Rand.U64(), s.Rand.U64(), s.Rand.U64()
		ev.PDC = uint8(a) & 15
		ev.Profile = uint8(a>>4) & 15
		ev.Size = uint32(a >> 8)
		ev.IsRtx = a>>40&1 != 0
		ev.M = a>>41&1 != 0
		ev.TxValid = a>>42&1 != 0
		ev.Retx = a>>43&1 != 0
		ev.RC = a>>44&1 != 0
		ev.RtxCount = uint8(a>>45) & 3
		ev.Entropy = uint16(a >> 47)
		ev.TxTime = b & mask48
		ev.AckedPkts = uint16(b >> 48)
		ev.RcvdBytes = uint32(d) & mask24
		ev.Addr = uint8(d>>24) & 31
		ev.UnmarkBytes = uint32(d >> 29)
		ev.Reason = ccc.Reason(d >> 56)
		ev.UnmarkPkts = uint16(e)
		ev.ServiceTime = uint16(e >> 16)
		ev.Pend = uint8(e>>32) & 127
		ev.Data = e ^ b<<17
		ev.NoCredit, ev.Share, ev.Credit = f&1 != 0, uint16(f>>1), uint32(f>>32)&mask24
	}
	return ev
}

package nic

import (
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// mix is what one random episode draws from.
type mix struct {
	*script
	inside Inside
	parts  []*part // source, destination, parser, window, times
	talks  []*talk
	ready  []bool // contexts that were prepared

	weight   [7]int // of each part, then of talks and of what mix itself draws
	hasty    bool   // records do not wait for the time that packets take
	noise    bool   // bits that no part uses are drawn
	big      bool   // payloads are as the source part draws them
	payload  int    // log2 of the bytes of a full packet, by the commands drawn
	header   int
	wild     int // of 256 events that change a context's state, those that are left in
	unopened int // one context in so many is not opened, and another has no template
}

// Places of mix.weight.
const (
	ofSource = iota
	ofDestination
	ofParser
	ofWindow
	ofTimes
	ofTalks
	ofMix
)

// write writes an episode.
func (m *mix) write(s *script) {
	r := &s.Rand
	m.script = s
	s.DrawDrive(lanes, outs, s.sweep())
	m.draw()
	events := s.Drive.Paced(150+r.N(350), 80)
	stim.AimResets(r, s.Drive.Resets, events)
	restart := s.Restart()
	m.begin()
	for i := 0; i < events && !s.Full(); i++ {
		if restart >= 0 && s.Used >= restart {
			restart = -1
			m.begin()
		}
		m.step()
	}
	m.readSome()
}

// draw draws what an episode is about.
func (m *mix) draw() {
	r := &m.Rand
	if m.parts == nil {
		m.parts = []*part{m.sourcePart(), m.destinationPart(), m.parserPart(), m.windowPart(), m.timesPart()}
		m.ready = make([]bool, m.contexts())
	}
	m.weight = [...]int{60, 8, 1, 2, 2, 8, 3}
	switch r.N(6) {
	case 0: // answers and packets
		m.weight = [...]int{30, 40, 1, 1, 1, 10, 2}
	case 1: // commands of all parts
		m.weight = [...]int{30, 10, 2, 12, 12, 10, 14}
	case 2: // in good order
		m.weight = [...]int{0, 6, 0, 1, 1, 60, 1}
	}
	m.hasty, m.noise, m.big = r.One(4), !r.One(3), r.One(16)
	m.wild = stim.Pick(r, 0, 0, 0, 0, 16, 128)
	m.unopened = stim.Pick(r, 12, 12, 3, 1000)
	m.payload, m.header = int(txpdc.RegInfo[txpdc.RegPayload].Reset), int(txpdc.RegInfo[txpdc.RegHeader].Reset)
}

// begin configures an empty NIC.
func (m *mix) begin() {
	r := &m.Rand
	clear(m.ready)
	m.talks = m.talks[:0]
	for _, p := range m.parts {
		p.begin(r)
	}
	if !m.big {
		m.command(&txpdc.Cmd{Kind: txpdc.KindCfgWrite, Addr: txpdc.RegPayload, Data: uint32(7 + r.N(2))})
	}
	for p := range nic.Profiles {
		if r.One(4) {
			continue
		}
		mtu := stim.Pick(r, 1<<m.payload+m.header, 1<<m.payload+m.header, 64, 1500, 1+r.N(9000))
		m.windowReg(p, ccc.RegMTU, uint64(mtu))
		m.windowReg(p, ccc.RegMaxWnd, uint64(mtu*stim.Pick(r, 1, 1, 2, 3, 5, 8, 20, 100)))
		m.windowReg(p, ccc.RegAckGenTrigger, uint64(stim.Pick(r, 0, 0, 0, mtu, 1<<20)))
		if r.One(3) {
			m.windowReg(p, ccc.RegConfigBaseRTT, uint64(stim.Pick(r, 1, 50, 400, 1+r.N(2000))))
			m.windowReg(p, ccc.RegTargetQDelay, uint64(stim.Pick(r, 1, 50, 400, 1+r.N(2000))))
			m.windowReg(p, ccc.RegQAThreshold, uint64(stim.Pick(r, 1, 100, 1000)))
		}
	}
	if r.One(2) {
		m.writerReg(nic.RegSpray, uint64(stim.Pick(r, 0xffff, 0x00ff, 1, int(r.Bits(16)))))
	}
	if r.One(4) {
		m.writerReg(nic.RegPort, r.Corner(16))
	}
	if r.One(3) { // answers at every packet
		m.cmd(nic.Cmd{Target: nic.TargetDestination, Kind: kindCfgWrite, Addr: ackgen.RegTrigger})
	}
}

func (m *mix) writerReg(addr int, data uint64) {
	m.writer(kindCfgWrite, int(m.high()>>48), addr, data|m.high())
}

// step appends what one of the parts gives.
func (m *mix) step() {
	r := &m.Rand
	switch k := r.Weighted(m.weight[:]...); {
	case k == ofTalks:
		m.talk()
	case k == ofMix || k == ofDestination && r.One(300):
		m.other()
	case !m.parts[k].next(m.script):
		m.parts[k].begin(r)
	}
}

// prepare opens a context and writes its template, most often, before its first PDC.
func (m *mix) prepare(ctx int) {
	r := &m.Rand
	if ctx >= len(m.ready) || m.ready[ctx] {
		return
	}
	m.ready[ctx] = true
	if !r.One(m.unopened) {
		m.template(ctx, m.drawForm(ctx))
	}
	if !r.One(m.unopened) {
		m.openWindow(ctx, r.N(nic.Profiles))
	}
}

// drawForm draws a template.
func (m *mix) drawForm(ctx int) *form {
	r := &m.Rand
	f := frame.Good(stim.Pick(r, 0, 0, 0, 1, 2), r.One(2), 0)
	f.From = uint32(ctx) + 1
	if f.Native = r.One(3); f.Native {
		f.Proto = uint8(ackgen.RegInfo[ackgen.RegNative].Reset)
	}
	x := m.formOf(&f, uint16(r.Bits(16)))
	switch r.N(6) {
	case 0: // any size, any bytes
		least := 34 + 20*stim.Bit(x.ipv6)
		x.size = stim.Pick(r, least, 62, least+r.N(63-least))
		for i := range x.bytes {
			x.bytes[i] = byte(r.Bits(8))
		}
	case 1: // a sum at its ends
		if !x.ipv6 {
			ip := x.size - 20
			x.bytes[ip+10], x.bytes[ip+11] = stim.Pick(r, byte(0), 0xff), stim.Pick(r, byte(0), 1, 0x60, 0xb0, 0xff)
		}
	}
	return &x
}

// command is a command for a PDC to send with. The first of a context prepares it.
func (m *mix) command(x *txpdc.Cmd) {
	r := &m.Rand
	switch x.Kind {
	case txpdc.KindOpen, txpdc.KindLoad:
		if x.Kind == txpdc.KindOpen || x.Addr < txpdc.WordSent {
			m.prepare(int(x.PDC) / nic.Slots)
		}
	case txpdc.KindCfgWrite:
		// Long packets make long episodes.
		if bits := x.Data & 15; x.Addr == txpdc.RegPayload && !m.big && bits >= 7 && bits <= 13 {
			x.Data = x.Data&^15 | 7 + bits%2
		}
		switch x.Addr {
		case txpdc.RegPayload:
			if bits := int(x.Data & 15); bits >= 7 && bits <= 13 {
				m.payload = bits
			}
		case txpdc.RegHeader:
			m.header = int(x.Data & 127)
		}
	}
	m.cmd(nic.Cmd{Kind: uint8(x.Kind), Index: x.PDC, Addr: x.Addr | m.sixth(), PSN: x.PSN, Data: uint64(x.Data) | m.high(),
		Slot: uint8(r.N(16)), Profile: uint8(r.N(16))})
}

// other appends what no part gives: commands for the writer, for unknown targets, and for contexts that send.
func (m *mix) other() {
	r := &m.Rand
	n := m.contexts()
	ctx := stim.Pick(r, r.N(n), r.N(n), r.N(n), 0, n-1)
	switch r.N(14) {
	case 0, 1:
		m.writer(kindRead, stim.Pick(r, ctx, ctx, ctx, n, r.N(1<<16)), stim.Pick(r, r.N(nic.NumWords), nic.WordSize,
			nic.WordUnaddressed, nic.WordWritten, r.N(64)), r.U64())
	case 2:
		m.writer(kindLoad, stim.Pick(r, ctx, ctx, ctx, n, r.N(1<<16)), r.N(nic.WordSize), r.U64())
	case 3:
		x := m.drawForm(ctx)
		m.template(ctx, x)
	case 4: // a form of any size
		size := stim.Pick(r, 0, 33, 34, 35, 53, 54, 55, 61, 62, 63, r.N(64))
		m.writer(kindLoad, ctx, nic.WordSize, uint64(size)|r.U64()&^63)
	case 5:
		m.writer(kindLoad, int(r.Bits(16)), stim.Pick(r, nic.WordUnaddressed, nic.WordWritten), stim.Pick(r, 1<<32-1,
			1<<32-2, uint64(r.N(4)), r.U64()))
	case 6:
		m.writerReg(stim.Pick(r, nic.RegSpray, nic.RegSpray, nic.RegPort, r.N(4)), r.Bits(16))
	case 7:
		m.writer(kindCfgRead, int(r.Bits(16)), stim.Pick(r, 0, 1, 2, r.N(64)), r.U64())
	case 8: // anything
		m.cmd(nic.Cmd{Target: nic.Target(r.N(8)), Kind: uint8(r.N(16)), Index: uint16(stim.Pick(r, ctx, r.N(1<<16))),
			Slot: uint8(r.N(16)), Profile: uint8(r.N(16)), Addr: uint8(r.N(64)), PSN: uint32(r.U64()), Data: r.U64()})
	case 9:
		m.cmd(nic.Cmd{Target: nic.Target(stim.Pick(r, 6, 7)), Kind: uint8(r.N(16)), Index: uint16(r.Bits(16)), Data: r.U64()})
	case 10: // a context that goes, and comes again
		m.window(ccc.KindClose, ctx, 0, 0)
		if !r.One(4) {
			m.openWindow(ctx, r.N(nic.Profiles))
		}
	case 11:
		m.window(ccc.KindRead, ctx, r.N(18), r.U64())
	case 12: // a new header, which the writer copies
		m.header = stim.Pick(r, 0, 64, 127, int(r.Bits(7)))
		m.sourceReg(txpdc.RegHeader, uint32(m.header))
	default:
		m.window(ccc.KindCfgRead, int(r.Bits(16)), stim.Pick(r, r.N(ccc.NumRegs), 31), r.U64())
	}
	if r.One(4) {
		m.after(r.N(120))
	}
}

// readSome reads back what an episode left.
func (m *mix) readSome() {
	r := &m.Rand
	m.counters()
	for range 2 {
		m.reads(r.N(m.pdcs()), uint32(r.U64()))
	}
	m.readDestination(r.N(m.Params["Receives"]))
}

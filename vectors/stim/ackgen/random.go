package ackgen

import (
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// lower is what an episode's registers hold that decides which packets are looked at.
type lower struct {
	port            uint16
	native          uint8
	trimmed, atLast uint8
	mpr             uint32
}

// reset are the registers after a reset.
var reset = lower{port: uint16(ackgen.RegInfo[ackgen.RegUdpPort].Reset),
	native: uint8(ackgen.RegInfo[ackgen.RegNative].Reset), trimmed: uint8(ackgen.RegInfo[ackgen.RegTrimmed].Reset),
	atLast: uint8(ackgen.RegInfo[ackgen.RegTrimmedLasthop].Reset), mpr: uint32(ackgen.RegInfo[ackgen.RegMpr].Reset)}

// mix is what one random episode draws from.
type mix struct {
	*script
	at    lower
	peers []*peer
	open  []bool // PDCs that are open as far as the sources know
	// Of 256 packets: lost, resent although they arrived, trimmed, marked, asking, out of range, of others' PDCs,
	// control packets.
	lose, again, trim, mark, ask, far, wrong, ctl int
	size                                          int // longest payload
	tag                                           uint32
}

// random writes an episode of a few sources that open PDCs or have them open, with changes of configuration between and
// among their packets, and a read-back at the end.
func random(s *script) {
	r := &s.Rand
	n := s.Params["Pdcs"]
	s.DrawDrive(2, 3, n)
	m := &mix{script: s, at: reset, open: make([]bool, n)}
	m.configure()
	rate := func() int { return stim.Pick(r, 0, 0, 8, 40, 120) }
	m.lose, m.again, m.trim, m.mark, m.ask = rate(), rate(), rate(), rate(), stim.Pick(r, 0, 8, 80, 256)
	m.far, m.wrong, m.ctl = rate()/4, stim.Pick(r, 0, 4, 30), stim.Pick(r, 0, 20, 100)
	m.size = stim.Pick(r, 1, 64, 300, 2000, 9000)
	if r.One(2) { // sources that are half way
		for range 1 + r.N(min(n, 4)) {
			k := r.N(n)
			m.open[k] = true
			m.peers = append(m.peers, m.load(k, &m.at))
		}
	}
	if r.One(6) { // few PDCs are free
		for k := range min(n, 64) {
			if !m.open[k] && !r.One(n) {
				s.cfg(ackgen.KindLoad, k, ackgen.WordValid, 1|uint32(r.U64())&^1, 0)
				m.open[k] = true
			}
		}
	}
	bad, flip, cfg := stim.Pick(r, 0, 0, 10, 60), stim.Pick(r, 0, 0, 0, 20), stim.Pick(r, 4, 20, 400)
	packets := s.Drive.Paced(40+r.N(200), 20)
	settle := uint8(1 << laneCfg)
	for i := 0; i < packets && !s.Full(); i++ {
		if len(m.peers) == 0 || len(m.peers) < 12 && r.One(12) {
			m.peers = append(m.peers, newPeer(r, &m.at))
		}
		f := m.packet(m.peers[r.N(len(m.peers))])
		if r.N(256) < bad {
			f.Aim(r)
			f.Spoil(r)
		}
		data := s.Bytes(&f)
		if r.N(256) < flip {
			data[r.N(len(data))] ^= 1 << r.N(8)
		}
		m.tag++
		s.send(data, m.tag, r.One(10), settle)
		settle = 0
		if r.One(cfg) {
			wait := stim.Pick(r, uint8(0), 0, 1<<laneRx)
			for range 1 + r.N(3) {
				m.other(wait)
			}
			if r.One(2) {
				settle = 1 << laneCfg
			}
		}
	}
	s.readBack()
	s.AimResets()
}

// configure draws registers at the start of an episode.
func (m *mix) configure() {
	r := &m.Rand
	if r.One(6) {
		m.at.port, m.at.native = uint16(r.Bits(16)), stim.Pick(r, uint8(r.Bits(8)), 17, 254)
		m.reg(ackgen.RegUdpPort, uint32(m.at.port)|uint32(r.Bits(16))<<16, 0)
		m.reg(ackgen.RegNative, uint32(m.at.native), 0)
	}
	m.reg(ackgen.RegControl, stim.Pick(r, 2, 6, 10, 14, uint32(r.U64())), 0)
	for a := ackgen.RegMpr; a < ackgen.NumRegs; a++ {
		if r.One(3) {
			m.reg(a, m.value(a), 0)
		}
	}
	if m.at.trimmed == m.at.atLast || r.One(4) {
		m.at.trimmed, m.at.atLast = uint8(r.Bits(6)), uint8(r.Bits(6))
		m.reg(ackgen.RegTrimmed, uint32(m.at.trimmed), 0)
		m.reg(ackgen.RegTrimmedLasthop, uint32(m.at.atLast), 0)
	}
}

// value draws a value for a register and notes it.
func (m *mix) value(a int) uint32 {
	r := &m.Rand
	v := uint32(r.U64())
	switch a {
	case ackgen.RegMpr:
		m.at.mpr = uint32(stim.Pick(r, 1, 2, 64, 127, 128, 129, 254, 255, 1+r.N(255)))
		v = m.at.mpr | v<<8
	case ackgen.RegTrigger:
		v = stim.Pick(r, 0, 1, 1024, 2048, 4096, 16384, 65535, 65536, uint32(r.Corner(32)))
	case ackgen.RegMinAdd:
		v = stim.Pick(r, 0, 1024, uint32(r.Corner(16)))
	case ackgen.RegTick:
		v = stim.Pick(r, 1, 1, 2, 3, 128, uint32(1+r.N(65535)))
	case ackgen.RegPressure:
		v = stim.Pick(r, 0, 0x80, 0x7f, v)
	case ackgen.RegTrimmed:
		m.at.trimmed = uint8(v & 63)
	case ackgen.RegTrimmedLasthop:
		m.at.atLast = uint8(v & 63)
	}
	return v
}

// packet draws a packet of a source.
func (m *mix) packet(p *peer) frame.Frame {
	r := &m.Rand
	f := p.form
	hit := func(rate int) bool { return r.N(256) < rate }
	f.TOS = uint8(r.Bits(6)) << 2
	for f.TOS>>2 == m.at.trimmed || f.TOS>>2 == m.at.atLast {
		f.TOS += 4
	}
	f.TOS |= stim.Pick(r, uint8(0), 1, 2)
	if hit(m.mark) {
		f.TOS |= 3
	}
	if r.One(6) {
		f.SrcPort = uint16(r.Bits(16))
	}
	var h frame.PDS
	if hit(m.ctl) {
		h = m.control(p)
	} else {
		h = m.request(p)
		if hit(m.trim) {
			f.TOS = stim.Pick(r, m.at.trimmed, m.at.trimmed, m.at.atLast)<<2 | f.TOS&3
			if r.One(2) {
				p.lost = append(p.lost, h.PSN)
			}
		}
	}
	if hit(m.ask) {
		h.Flags |= frame.FlagAR
	}
	h.Flags |= uint8(r.Bits(7)) & uint8(stim.Pick(r, 0, 0x10, 0x53))
	if hit(m.wrong) {
		m.spoil(p, &f, &h)
	}
	f.WithPDS(&h)
	f.Body += r.N(m.size)
	switch r.N(16) {
	case 0, 1:
		f.NoSum = true
	case 2, 3:
		f.Ones = true
	case 4:
		f.BadSum = r.One(2)
	}
	if r.One(3) {
		f.Pad = stim.Pick(r, max(60-f.Size(), 0), r.N(8))
	}
	return f
}

// request draws a request: new, resent, repeated or out of range.
func (m *mix) request(p *peer) frame.PDS {
	r := &m.Rand
	hit := func(rate int) bool { return r.N(256) < rate }
	switch {
	case hit(m.far):
		d := stim.Pick(r, m.at.mpr-1, m.at.mpr, m.at.mpr+1, 253, 254, 255, 256, 257, 1<<31, 1<<31-1, 1<<15, 4095, 4096)
		return p.data(r, p.next+d+uint32(r.N(3))-1)
	case hit(m.again):
		back := stim.Pick(r, 1, 1, 2, 1+r.N(70), 1+r.N(300), 32767, 32768, 32769, 1<<31-1, 1<<31)
		h := p.data(r, p.next-uint32(back))
		h.Flags |= uint8(stim.Pick(r, 0, frame.FlagRetx))
		return h
	case len(p.lost) > 0 && r.One(3):
		i := r.N(len(p.lost))
		h := p.data(r, p.lost[i])
		h.Flags |= frame.FlagRetx
		if !r.One(8) {
			p.lost[i] = p.lost[len(p.lost)-1]
			p.lost = p.lost[:len(p.lost)-1]
		}
		return h
	}
	for hit(m.lose) && len(p.lost) < 400 {
		p.lost = append(p.lost, p.next)
		p.next++
	}
	h := p.data(r, p.next)
	p.next++
	m.opens(p)
	return h
}

// opens lets a source learn the PDC that its packets open, most often at once.
func (m *mix) opens(p *peer) {
	if p.pdc > 0 || m.Rand.One(3) {
		return
	}
	for k := range m.open {
		if !m.open[k] {
			m.open[k] = true
			p.pdc = k + 1
			return
		}
	}
}

// control draws a control packet.
func (m *mix) control(p *peer) frame.PDS {
	r := &m.Rand
	switch r.N(8) {
	case 0, 1, 2:
		return p.control(r, frame.CtlAckReq, p.next-uint32(r.N(3))+uint32(stim.Pick(r, 0, 0, r.N(100), 1<<31)))
	case 3, 4, 5:
		h := p.control(r, frame.CtlProbe, uint32(r.Corner(32)))
		h.Payload = p.next + uint32(stim.Pick(r, 0, 1, r.N(300), 32766, 32767, 32768, 1<<31)) -
			uint32(stim.Pick(r, 0, 1, 63, 64, 65, r.N(300), 32768, 32769))
		return h
	case 6:
		h := p.control(r, frame.CtlClose, p.next+uint32(stim.Pick(r, 0, 0, 0, 0, 1))-uint32(stim.Pick(r, 0, 0, 0, 1)))
		if len(p.lost) == 0 && p.pdc > 0 && h.PSN == p.next { // it is over, and perhaps begins again
			m.open[p.pdc-1] = false
			p.pdc = 0
			p.start = stim.Pick(r, p.next+1, uint32(r.Bits(32)))
			p.next = p.start
		}
		return h
	}
	return p.control(r, uint8(r.N(16)), p.next)
}

// spoil makes a packet one that does not belong to its source's PDC.
func (m *mix) spoil(p *peer, f *frame.Frame, h *frame.PDS) {
	r := &m.Rand
	switch r.N(9) {
	case 0:
		h.DPDCID = uint16(stim.Pick(r, 0, r.N(len(m.open)+2), len(m.open), len(m.open)+1, r.N(65536)))
	case 1:
		h.SPDCID = stim.Pick(r, 0, h.SPDCID+1, h.SPDCID^1<<r.N(16))
	case 2:
		f.From ^= 1 << r.N(24)
	case 3:
		f.V6 = !f.V6
	case 4:
		h.Type ^= 1 // RUD and ROD, RUD_CC and NACK_CCX, ROD_CC and 15
	case 5:
		h.Flags ^= frame.FlagISROD
	case 6:
		h.Flags ^= frame.FlagSyn
	case 7:
		h.Type = uint8(r.N(32))
	default:
		if f.V6 { // the addresses differ in bytes that are always the same
			f.From = 0
		}
	}
}

// other appends a cfg event.
func (m *mix) other(wait uint8) {
	r := &m.Rand
	n := len(m.open)
	k := stim.Pick(r, r.N(n), r.N(min(n, 4)), r.N(min(n, 4)))
	switch r.N(10) {
	case 0, 1:
		a := r.N(ackgen.NumRegs)
		if a == ackgen.RegUdpPort || a == ackgen.RegNative {
			a = ackgen.RegPressure
		}
		m.reg(a, m.value(a), wait)
	case 2:
		m.reg(stim.Pick(r, ackgen.RegMpr, ackgen.RegTick), stim.Pick(r, 0, 1<<8, 1<<16, uint32(r.Bits(32))), wait)
	case 3:
		m.cfg(ackgen.KindLoad, k, pdcWords+r.N(ackgen.NumWords-pdcWords), stim.Pick(r, ^uint32(0), ^uint32(1),
			uint32(r.Corner(32))), wait)
	case 4:
		m.cfg(ackgen.KindLoad, k, ackgen.WordValid, uint32(r.U64())|uint32(r.N(2)), wait)
	case 5: // the host wants to close, refuses, or ends what a source has open
		if r.One(3) {
			m.cfg(ackgen.KindLoad, k, ackgen.WordValid, 0, wait)
		} else {
			m.cfg(ackgen.KindLoad, k, ackgen.WordWantClose, uint32(r.N(4)), wait)
		}
	case 6:
		m.cfg(ackgen.Kind(r.N(16)), stim.Pick(r, k, n, r.N(65536)), r.N(64), uint32(r.U64()), wait)
	case 7:
		m.cfg(ackgen.KindCfgRead, int(r.Bits(16)), r.N(16), uint32(r.U64()), wait)
	default:
		m.cfg(ackgen.KindRead, stim.Pick(r, k, k, k, n-1, n, r.N(65536)), r.N(ackgen.NumWords+1), uint32(r.U64()), wait)
	}
}

package txpdc

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// mix is what one random episode draws from.
type mix struct {
	*script
	contexts [4]context // those that the episode uses
	used     int        // of them
	pdcs     [8]pdc     // those that it uses
	open     int        // of them
	payload  uint32     // of a full packet
	rto      uint32     // ticks
	tries    uint32
	apart    int // a record waits for what came before it, this many cycles; 0: it does not

	// Of 256 records: NACKs, those that no PDC wants, those of PSNs that are not outstanding. Of 256 views: those that do
	// not let a context send.
	nack, stray, far, hold int
}

// write writes an episode of a few PDCs, which messages fill and records empty, with views in answer to what must have
// been sent, and a read-back at the end.
func (m *mix) write(s *script) {
	r := &s.Rand
	m.script = s
	s.DrawDrive(lanes, outs, s.sweep())
	m.draw()
	events := s.Drive.Paced(120+r.N(400), 60)
	stim.AimResets(r, s.Drive.Resets, events)
	restart := s.Restart()
	m.fill()
	for i := 0; i < events && !s.Full(); i++ {
		if restart >= 0 && s.Used >= restart {
			restart = -1
			m.forget()
			m.fill()
		}
		switch k := r.N(100); {
		case k < 18:
			m.grant(&m.contexts[r.N(m.used)])
		case k < 28:
			m.host(&m.pdcs[r.N(m.open)])
		case k < 86:
			m.record()
		case k < 89:
			m.otherView()
		case k < 91:
			m.preload(&m.pdcs[r.N(m.open)])
		case k < 96:
			m.access()
		default:
			s.Gap(stim.Pick(r, 1, r.N(60), r.N(600)))
		}
	}
	s.counted()
	for i := range m.open {
		s.reads(m.pdcs[i].no, m.pdcs[i].una, 2)
	}
	s.reads(r.N(s.pdcs()), uint32(r.U64()), 0)
}

// fill configures the block and gives it PDCs to begin with.
func (m *mix) fill() {
	r := &m.Rand
	m.configure()
	for i := range m.open {
		switch p := &m.pdcs[i]; r.N(4) {
		case 0:
		case 1:
			m.begin(p)
		default:
			m.preload(p)
		}
	}
	for i := range m.used {
		m.free(&m.contexts[i])
	}
}

// forget is what a reset does.
func (m *mix) forget() {
	for i := range m.open {
		p := &m.pdcs[i]
		*p = pdc{no: p.no, peer: p.peer}
	}
	for i := range m.used {
		c := &m.contexts[i]
		*c = context{no: c.no, pdcs: c.pdcs}
	}
}

// draw draws the contexts, PDCs and rates of an episode.
func (m *mix) draw() {
	r := &m.Rand
	n := m.Params["Contexts"]
	m.used, m.open = 0, 0
	for range stim.Pick(r, 1, 1, 2, 3, 4) {
		no := stim.Pick(r, r.N(n), 0, n-1)
		if m.context(no) != nil || m.open > 4 {
			continue
		}
		c := &m.contexts[m.used]
		*c = context{no: no}
		m.used++
		for range stim.Pick(r, 1, 2, 4) {
			slot := r.N(txpdc.Slots)
			if c.pdcs[slot] == nil {
				p := &m.pdcs[m.open]
				*p = pdc{no: no*txpdc.Slots + slot, peer: uint16(1 + r.N(1<<16-1))}
				c.pdcs[slot] = p
				m.open++
			}
		}
	}
	rate := func() int { return stim.Pick(r, 0, 8, 40, 100) }
	m.nack, m.stray, m.far, m.hold = rate(), rate()/2, rate(), rate()
	m.apart = stim.Pick(r, 0, 14, 24, 24, 60)
}

// context returns the context of a number, or nil.
func (m *mix) context(no int) *context {
	for i := range m.used {
		if m.contexts[i].no == no {
			return &m.contexts[i]
		}
	}
	return nil
}

func (m *mix) of(p *pdc) *context { return m.context(p.no / txpdc.Slots) }

// configure draws registers. Timeouts are long, near what an episode needs, or shorter than a round of the timer.
func (m *mix) configure() {
	r := &m.Rand
	bits := stim.Pick(r, 7, 13, 12, 7+r.N(7))
	m.payload = 1 << bits
	m.reg(txpdc.RegPayload, uint32(bits)|uint32(r.Bits(28))<<4)
	m.reg(txpdc.RegHeader, stim.Pick(r, 0, 64, 127, uint32(r.U64())))
	tick := stim.Pick(r, 1, 1, 2, 3, 1+r.N(60), 65535)
	m.reg(txpdc.RegTick, uint32(tick)|uint32(r.Bits(16))<<16)
	m.rto = stim.Pick(r, 1<<24-1, 40000, uint32(1+(200+r.N(3000))/tick), uint32(1+r.N(400)/tick), 1)
	m.reg(txpdc.RegRto, m.rto|uint32(r.Bits(8))<<24)
	m.tries = stim.Pick(r, uint32(1), 1, 2, 3, 10, 15)
	m.reg(txpdc.RegTries, m.tries|uint32(r.Bits(28))<<4)
}

// begin opens a PDC and gives it a message.
func (m *mix) begin(p *pdc) {
	r := &m.Rand
	m.openPDC(p, stim.Pick(r, uint32(r.Corner(32)), -uint32(r.N(200)), p.una+8192, uint32(r.Bits(32))))
	m.message(p, m.bytes())
}

func (m *mix) openPDC(p *pdc, psn uint32) {
	m.cmd(txpdc.KindOpen, p.no, m.Rand.N(32), uint32(m.Rand.Bits(32)), psn)
	if !p.valid {
		*p = pdc{no: p.no, peer: p.peer, valid: true, syn: true, una: psn}
	}
}

func (m *mix) message(p *pdc, size uint32) {
	m.cmd(txpdc.KindMessage, p.no, m.Rand.N(32), uint32(m.Rand.Bits(32)), size)
	if p.valid && !p.closing && !p.halted && p.left == 0 && size > 0 && size < 1<<31 {
		p.left = size
		m.settle()
	}
}

// bytes draws the size of a message.
func (m *mix) bytes() uint32 {
	r := &m.Rand
	full := m.payload
	switch r.N(12) {
	case 0:
		return 1
	case 1, 2:
		return full*uint32(1+r.N(3)) + uint32(r.N(3)) - 1
	case 3, 4, 5:
		return full * uint32(120+r.N(40))
	case 6:
		return stim.Pick(r, 1<<31-1, 1<<31-2, uint32(r.Corner(31))|1)
	case 7:
		return stim.Pick(r, 0, 1<<31, 1<<31|uint32(r.Bits(31))) // refused
	}
	return 1 + uint32(r.N(int(full)*stim.Pick(r, 3, 20)))
}

// settle lets every context that may have its turn.
func (m *mix) settle() {
	for i := range m.used {
		m.contexts[i].turn(m.payload)
	}
}

// free lets a context send.
func (m *mix) free(c *context) {
	r := &m.Rand
	c.can, c.waits = r.N(256) >= m.hold, false
	m.view(&txpdc.View{Kind: uint8(ccc.KindSend), Ctx: uint16(c.no), CanSend: c.can})
	m.settle()
}

// grant answers SENDs with views, one or some in a row.
func (m *mix) grant(c *context) {
	r := &m.Rand
	for range stim.Pick(r, 1, 2, 4, 30) {
		if m.Full() {
			return
		}
		m.free(c)
		if m.apart > 0 && !r.One(8) { // after the packet before
			m.after(stim.Pick(r, m.apart, m.apart+r.N(m.apart)))
		}
		if !c.waits {
			return
		}
	}
}

// host is a command that suits the state of a PDC, and sometimes one that does not.
func (m *mix) host(p *pdc) {
	r := &m.Rand
	switch {
	case !p.valid && !r.One(6):
		m.begin(p)
	case p.left == 0 && p.n == 0 && r.One(2) || p.halted && !r.One(4) || r.One(12):
		m.cmd(txpdc.KindClose, p.no, r.N(32), uint32(r.Bits(32)), uint32(r.U64()))
		p.close()
	case r.One(10):
		m.openPDC(p, uint32(r.Corner(32)))
	case p.left > 0 && !r.One(6):
		m.grant(m.of(p))
	default:
		m.message(p, m.bytes())
	}
}

// otherView is a view that is not the answer to a SEND, or not of a context here.
func (m *mix) otherView() {
	r := &m.Rand
	n := m.Params["Contexts"]
	v := txpdc.View{Kind: uint8(r.N(16)), CanSend: !r.One(4), Refused: r.One(6),
		Ctx: uint16(stim.Pick(r, m.contexts[r.N(m.used)].no, m.contexts[r.N(m.used)].no, r.N(n), n, 1<<16-1, r.N(1<<16)))}
	m.view(&v)
	c := m.context(int(v.Ctx))
	kind := ccc.Kind(v.Kind)
	if c == nil || v.Refused || kind == ccc.KindCfgWrite || kind == ccc.KindCfgRead || kind >= ccc.NumKinds {
		return
	}
	c.can = v.CanSend
	c.waits = c.waits && kind != ccc.KindSend
	m.settle()
}

// access is any command of the host but those that open, use and close PDCs.
func (m *mix) access() {
	r := &m.Rand
	p := &m.pdcs[r.N(m.open)]
	n := m.script.pdcs()
	switch r.N(10) {
	case 0, 1:
		a := r.N(pdcWords)
		v := stim.Pick(r, uint32(r.Corner(32)), uint32(r.Bits(32)), 1)
		if a == txpdc.WordOutstanding {
			v = stim.Pick(r, uint32(p.n), uint32(r.N(txpdc.Window+1)), 128, 129, v)
		}
		m.load(p.no, a, v)
		if a != txpdc.WordOutstanding || v&0xff <= txpdc.Window {
			p.load(a, v)
		}
		m.settle()
	case 2:
		m.row(p.no, p.una+uint32(stim.Pick(r, 0, r.N(max(p.n, 1)), r.N(200))), uint32(r.U64()), uint32(r.Corner(32)))
	case 3:
		m.load(r.N(1<<16), txpdc.WordSent+r.N(9), stim.Pick(r, ^uint32(0), -uint32(r.N(6)), uint32(r.U64())))
	case 4:
		switch r.N(4) {
		case 0:
			m.configure()
		case 1:
			m.reg(stim.Pick(r, txpdc.RegRto, txpdc.RegTick, txpdc.RegTries, txpdc.RegPayload, txpdc.NumRegs+r.N(27)),
				stim.Pick(r, uint32(0), 1<<4, 1<<16, 1<<24, 5, 14, 15)) // most are refused
		default:
			m.cmd(txpdc.KindCfgRead, r.N(1<<16), r.N(8), uint32(r.Bits(32)), uint32(r.U64()))
		}
	case 5: // no PDC, no word, no kind
		k := stim.Pick(r, n, 1<<16-1, n+r.N(1<<16-n), p.no)
		a := r.N(32)
		if kind := txpdc.Kind(r.N(16)); k >= n || kind == 0 || kind > txpdc.KindClose {
			m.cmd(kind, k, a|stim.Bit(kind == txpdc.KindCfgWrite)*8, uint32(r.Bits(32)), uint32(r.U64()))
			break
		}
		m.cmd(txpdc.KindLoad, k, stim.Pick(r, txpdc.WordCanSend, 31), 0, uint32(r.U64()))
	default:
		m.cmd(txpdc.KindRead, stim.Pick(r, p.no, p.no, p.no, r.N(n), n-1, n, r.N(1<<16)), r.N(32),
			p.una+uint32(r.N(stim.Pick(r, 2, 140))), uint32(r.U64()))
	}
}

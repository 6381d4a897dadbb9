package egress

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Input streams of egress.
const (
	laneEnq = iota
	laneDeq
)

// script writes an episode of egress.
type script struct{ *stim.Script }

// enq appends an enq event.
func (s *script) enq(ev *egress.Enq, wait uint8) { egress.PackEnq(ev, s.Put(laneEnq, wait)) }

// deq appends a grant.
func (s *script) deq(port int, wait uint8) {
	egress.PackDeq(&egress.Deq{Port: uint8(port)}, s.Put(laneDeq, wait))
}

// mix is what one random episode of egress draws from.
type mix struct {
	*script
	ports  []uint8 // in use, the first the hottest
	unit   int     // bytes; lengths and thresholds are multiples of it, so that they meet
	most   int     // longest packet, units
	deep   int     // content that thresholds lie about, units
	hot    int     // of 256: the first port
	cls    [4]int  // weights
	id     uint32
	noise  bool
	wildly int // one length in this many is arbitrary
	trim   int // of 256 that are trimmable
	// trimSize is what trimming leaves of most packets, bytes.
	trimSize int
	ect      int
	last     int
}

// random writes an episode of constrained random traffic: phases of filling, draining and balance over
// few ports with lengths and thresholds on one grid, changes of configuration, loads into corners, and a
// read-back of everything at the end.
func random(s *script) {
	r := &s.Rand
	numPorts := s.Params["NumPorts"]
	s.DrawDrive(2, 2, numPorts)
	m := &mix{script: s}
	for range min(numPorts, stim.Pick(r, 1, 1, 2, 2, 3, 4, 8)) {
		m.ports = append(m.ports, uint8(r.N(numPorts)))
	}
	m.unit = stim.Pick(r, 1, 1, 64, 64, 100, 1000, 1500, 4096)
	m.most = stim.Pick(r, 1, 2, 4, 16)
	m.deep = stim.Pick(r, 2, 5, 12, 30, 80)
	m.hot = stim.Pick(r, 0, 60, 160, 256)
	m.trimSize = min(stim.Pick(r, m.unit, 64, 78, m.unit*m.most), 65535)
	m.noise = !r.One(4)
	m.wildly = stim.Pick(r, 20, 200, 5000)
	m.trim, m.ect, m.last = stim.Pick(r, 0, 128, 230, 256), stim.Pick(r, 60, 200, 256), stim.Pick(r, 0, 100, 256)
	for c := range 3 {
		m.cls[c] = stim.Pick(r, 0, 1, 4, 16, 16)
	}
	m.cls[0] += 4
	m.cls[3] = r.N(2)
	for a := range egress.NumRegs {
		if !r.One(6) {
			m.write(a)
		}
	}
	if r.One(3) {
		// No limit in the way of a full queue.
		for _, a := range []int{egress.RegTrim, egress.RegTrimLasthop, egress.RegDropLow, egress.RegDropMed,
			egress.RegDropHigh, egress.RegShared} {
			m.cfg(a, 1<<32-1-uint32(r.N(2)))
		}
	}
	length := s.Drive.Paced(600+r.N(2500), 400)
	fill := 128
	for n := 0; n < length && !s.Full(); n++ {
		if r.One(60) {
			fill = stim.Pick(r, 128, 128, 128, 90, 170, 20, 240, 0, 256)
		}
		switch w := r.N(256); {
		case r.One(90):
			m.other()
		case r.One(400):
			m.watched()
		case w < fill:
			m.packet()
		default:
			m.grant()
		}
	}
	m.readBack()
	s.AimResets()
}

// fresh returns an event with noise in the fields that its kind has no use for.
func (m *mix) fresh(k egress.Kind) egress.Enq {
	ev := egress.Enq{Kind: k}
	if m.noise {
		a, b := m.Rand.U64(), m.Rand.U64()
		ev.Len, ev.Id, ev.Addr, ev.Data = uint16(a), uint32(a>>16), uint8(a>>48)&31, uint32(b)
		ev.Trimmable, ev.Ect, ev.LastHop = b>>32&1 != 0, b>>33&1 != 0, b>>34&1 != 0
		ev.Cls, ev.Port = egress.Cls(b>>35&3), uint8(b>>40)
		ev.TrimSize = uint16(b >> 48)
	}
	return ev
}

func (m *mix) port() uint8 {
	r := &m.Rand
	switch {
	case r.One(150):
		return uint8(stim.Pick(r, m.Params["NumPorts"], m.Params["NumPorts"]-1, 255, r.N(256)))
	case r.N(256) < m.hot:
		return m.ports[0]
	}
	return m.ports[r.N(len(m.ports))]
}

func (m *mix) class() egress.Cls { return egress.Cls(m.Rand.Weighted(m.cls[:]...)) }

func (m *mix) packet() {
	r := &m.Rand
	ev := m.fresh(egress.KindEnq)
	ev.Port, ev.Cls = m.port(), m.class()
	ev.Len = uint16(min(m.unit*(1+r.N(m.most)), 65535))
	if r.One(m.wildly) {
		ev.Len = uint16(stim.Pick(r, 0, 1, r.Corner(16), 64, 9216))
	}
	ev.Trimmable, ev.Ect, ev.LastHop = r.N(256) < m.trim, r.N(256) < m.ect, r.N(256) < m.last
	ev.TrimSize = uint16(stim.Pick(r, m.trimSize, m.trimSize, m.trimSize, 0, 64, 1, int(r.Bits(16)), 65535))
	m.id++
	ev.Id = m.id ^ uint32(r.Bits(8))<<24
	m.enq(&ev, 0)
}

func (m *mix) grant() { m.deq(int(m.port()), 0) }

// watched lists grants with an event that sees what they change, or changes nothing, beside each: READs of the words
// that grants update, packets that may not be admitted, refused events. The ports of the grants take turns, so that
// every cycle has another.
func (m *mix) watched() {
	r := &m.Rand
	ports := m.Params["NumPorts"]
	word := stim.Pick(r, 8, 8, r.N(egress.NumWords))
	for i := range 10 + r.N(40) {
		at := int(m.ports[i%len(m.ports)])
		if r.One(4) {
			at = (at + 1) % ports
		}
		m.deq(at, 0)
		ev := m.fresh(stim.Pick(r, egress.KindRead, egress.KindRead, egress.KindRead, egress.KindEnq, egress.Kind(5+r.N(11))))
		ev.Port, ev.Cls, ev.Addr = uint8(at), egress.Cls(stim.Pick(r, 0, 0, r.N(3))), uint8(word)
		if r.One(3) {
			ev.Port = m.port()
		}
		if r.One(6) {
			ev.Addr = uint8(r.N(egress.NumWords))
		}
		if ev.Kind == egress.KindEnq {
			ev.Len = uint16(min(m.unit*(1+r.N(m.most)), 65535))
			ev.TrimSize = uint16(stim.Pick(r, m.trimSize, 0))
		}
		m.enq(&ev, 0)
	}
}

// content draws a number of bytes near the fill of a queue.
func (m *mix) content() uint32 {
	r := &m.Rand
	return uint32(max(m.unit*r.N(m.deep+1)+stim.Pick(r, 0, 0, 0, 1, -1), 0))
}

func (m *mix) cfg(addr int, data uint32) {
	ev := m.fresh(egress.KindCfgWrite)
	ev.Addr, ev.Data = uint8(addr), data
	m.enq(&ev, 0)
}

// write writes a register with a value that this traffic meets, or with anything.
func (m *mix) write(a int) {
	r := &m.Rand
	v := m.content()
	switch a {
	case egress.RegTrimEn:
		v = uint32(r.Bits(1)) | uint32(r.N(2)) | uint32(r.Bits(31)<<1)
	case egress.RegECNMode, egress.RegSched:
		v = uint32(r.Bits(2)) | uint32(r.Bits(30)<<2)
	case egress.RegPMax:
		v = stim.Pick(r, 0, 1, 65535, 65536, 65537, 131071, uint32(r.Bits(17)))
	case egress.RegSeed:
		v = stim.Pick(r, 0, 1, uint32(r.Bits(32)))
	case egress.RegQuantumLow, egress.RegQuantumMed, egress.RegQuantumHigh:
		v = stim.Pick(r, uint32(m.unit), uint32(m.unit*m.most), uint32(3*m.unit*m.most), 0, 65535, uint32(r.Bits(16)))
	case egress.RegKMax:
		v += uint32(m.unit * r.N(m.deep+1))
	case egress.RegShared:
		v *= uint32(1 + r.N(4))
	case egress.RegXoff:
		v = stim.Pick(r, v, v, v, v, v, v, 0, 1<<32-1) // 0 asks for a pause of an empty port
	case egress.RegDropLow, egress.RegDropMed, egress.RegDropHigh:
		v = stim.Pick(r, v, 2*v, 4*v, 1<<32-1)
	}
	switch {
	case r.One(12):
		v = uint32(r.Corner(32))
	case r.One(10) && egress.RegInfo[a].Width == 32:
		v |= 1 << (16 + r.N(16)) // far above what the traffic meets by its low bits
	}
	m.cfg(a, v)
}

// other appends an event that is not a packet.
func (m *mix) other() {
	r := &m.Rand
	ev := m.fresh(egress.Kind(r.N(16)))
	switch stim.Pick(r, 0, 0, 1, 1, 2, 3, 4, 5, 6) {
	case 0:
		m.write(r.N(egress.NumRegs))
		return
	case 1:
		ev.Kind = egress.KindLoad
		ev.Addr = uint8(r.N(egress.NumWords))
		ev.Data = stim.Pick(r, uint32(r.Corner(32)), 1<<32-1, ^uint32(r.N(3*m.unit)))
		switch ev.Addr {
		case 9:
			ev.Data = stim.Pick(r, 1<<24-1, 1<<24-uint32(1+r.N(m.unit)), uint32(m.unit*r.N(m.deep+1)),
				uint32(r.Bits(32)))
		case 11:
			ev.Data = uint32(r.Bits(32))
		case 13:
			ev.Data = stim.Pick(r, 0, 1, uint32(r.Bits(32)))
		}
	case 2:
		ev.Kind, ev.Addr = egress.KindRead, uint8(r.N(egress.NumWords))
	case 3:
		ev.Kind, ev.Addr = egress.KindCfgRead, uint8(r.N(egress.NumRegs))
	case 4:
		ev.Kind, ev.Addr = stim.Pick(r, egress.KindLoad, egress.KindRead, egress.KindCfgRead, egress.KindCfgWrite),
			uint8(r.N(32))
	case 5: // any kind
	case 6:
		ev.Kind, ev.Addr = egress.KindRead, uint8(r.N(32))
	}
	ev.Cls, ev.Port = egress.Cls(r.N(3)), m.port()
	if r.One(20) {
		ev.Cls = 3
	}
	m.enq(&ev, 0)
}

// readBack reads the registers, and every word of the ports in use once all is quiet.
func (m *mix) readBack() {
	read := func(k egress.Kind, port uint8, cls, addr int) {
		ev := m.fresh(k)
		ev.Port, ev.Cls, ev.Addr = port, egress.Cls(cls), uint8(addr)
		m.enq(&ev, 0)
	}
	for i, p := range m.ports[:min(len(m.ports), 3)] {
		for c := range egress.Classes {
			for a := range 10 {
				read(egress.KindRead, p, c, a)
				if i == 0 && c == 0 && a == 0 {
					m.Items[m.Used-1].Wait = stim.WaitAll
				}
			}
		}
		read(egress.KindRead, p, 0, 10)
		read(egress.KindRead, p, 0, 11)
	}
	read(egress.KindRead, m.ports[0], 0, 12)
	read(egress.KindRead, m.ports[0], 0, 13)
	for a := range egress.NumRegs {
		read(egress.KindCfgRead, m.ports[0], 0, a)
	}
}

package gen

import "github.com/goldwire/goldwire/vectors/event/egress"

// Input streams of egress.
const (
	laneEnq = iota
	laneDeq
)

// egressScript writes an episode of egress.
type egressScript struct{ *script }

// enq appends an enq event.
func (s *egressScript) enq(ev *egress.Enq, wait uint8) { egress.PackEnq(ev, s.put(laneEnq, wait)) }

// deq appends a grant.
func (s *egressScript) deq(port int, wait uint8) {
	egress.PackDeq(&egress.Deq{Port: uint8(port)}, s.put(laneDeq, wait))
}

// egressMix is what one random episode of egress draws from.
type egressMix struct {
	*egressScript
	ports  []uint8 // in use, the first the hottest
	unit   int     // bytes; lengths and thresholds are multiples of it, so that they meet
	most   int     // longest packet, units
	deep   int     // content that thresholds lie about, units
	hot    int     // of 256: the first port
	cls    [4]int  // weights
	id     uint32
	noise  bool
	wildly int // one length in so many is anything
	trim   int // of 256 that are trimmable
	// trimSize is what trimming leaves of most packets, bytes.
	trimSize int
	ect      int
	last     int
}

// egressRandom writes an episode of constrained random traffic: phases of filling, draining and balance over
// few ports with lengths and thresholds on one grid, changes of configuration, loads into corners, and a
// read-back of everything at the end.
func egressRandom(s *egressScript) {
	r := &s.r
	numPorts := s.params["NumPorts"]
	s.drawDrive(2, 2, numPorts)
	m := &egressMix{egressScript: s}
	for range min(numPorts, pick(r, 1, 1, 2, 2, 3, 4, 8)) {
		m.ports = append(m.ports, uint8(r.n(numPorts)))
	}
	m.unit = pick(r, 1, 1, 64, 64, 100, 1000, 1500, 4096)
	m.most = pick(r, 1, 2, 4, 16)
	m.deep = pick(r, 2, 5, 12, 30, 80)
	m.hot = pick(r, 0, 60, 160, 256)
	m.trimSize = min(pick(r, m.unit, 64, 78, m.unit*m.most), 65535)
	m.noise = !r.one(4)
	m.wildly = pick(r, 20, 200, 5000)
	m.trim, m.ect, m.last = pick(r, 0, 128, 230, 256), pick(r, 60, 200, 256), pick(r, 0, 100, 256)
	for c := range 3 {
		m.cls[c] = pick(r, 0, 1, 4, 16, 16)
	}
	m.cls[0] += 4
	m.cls[3] = r.n(2)
	for a := range egress.NumRegs {
		if !r.one(6) {
			m.write(a)
		}
	}
	if r.one(3) {
		// Nothing in the way of a full queue.
		for _, a := range []int{egress.RegTrim, egress.RegTrimLasthop, egress.RegDropLow, egress.RegDropMed, egress.RegDropHigh, egress.RegShared} {
			m.cfg(a, 1<<32-1-uint32(r.n(2)))
		}
	}
	length := s.drive.paced(600+r.n(2500), 400)
	fill := 128
	for n := 0; n < length && !s.full(); n++ {
		if r.one(60) {
			fill = pick(r, 128, 128, 128, 90, 170, 20, 240, 0, 256)
		}
		switch w := r.n(256); {
		case r.one(90):
			m.other()
		case w < fill:
			m.packet()
		default:
			m.grant()
		}
	}
	m.readBack()
	s.aimResets()
}

// fresh returns an event with noise in the fields that its kind has no use for.
func (m *egressMix) fresh(k egress.Kind) egress.Enq {
	ev := egress.Enq{Kind: k}
	if m.noise {
		a, b := m.r.u64(), m.r.u64()
		ev.Len, ev.Id, ev.Addr, ev.Data = uint16(a), uint32(a>>16), uint8(a>>48)&31, uint32(b)
		ev.Trimmable, ev.Ect, ev.LastHop = b>>32&1 != 0, b>>33&1 != 0, b>>34&1 != 0
		ev.Cls, ev.Port = egress.Cls(b>>35&3), uint8(b>>40)
		ev.TrimSize = uint16(b >> 48)
	}
	return ev
}

func (m *egressMix) port() uint8 {
	r := &m.r
	switch {
	case r.one(150):
		return uint8(pick(r, m.params["NumPorts"], m.params["NumPorts"]-1, 255, r.n(256)))
	case r.n(256) < m.hot:
		return m.ports[0]
	}
	return m.ports[r.n(len(m.ports))]
}

func (m *egressMix) class() egress.Cls {
	w := m.r.n(m.cls[0] + m.cls[1] + m.cls[2] + m.cls[3])
	c := 0
	for ; w >= m.cls[c]; c++ {
		w -= m.cls[c]
	}
	return egress.Cls(c)
}

func (m *egressMix) packet() {
	r := &m.r
	ev := m.fresh(egress.KindEnq)
	ev.Port, ev.Cls = m.port(), m.class()
	ev.Len = uint16(min(m.unit*(1+r.n(m.most)), 65535))
	if r.one(m.wildly) {
		ev.Len = uint16(pick(r, 0, 1, r.corner(16), 64, 9216))
	}
	ev.Trimmable, ev.Ect, ev.LastHop = r.n(256) < m.trim, r.n(256) < m.ect, r.n(256) < m.last
	ev.TrimSize = uint16(pick(r, m.trimSize, m.trimSize, m.trimSize, 0, 64, 1, int(r.bits(16)), 65535))
	m.id++
	ev.Id = m.id ^ uint32(r.bits(8))<<24
	m.enq(&ev, 0)
}

func (m *egressMix) grant() { m.deq(int(m.port()), 0) }

// content draws a number of bytes near the fill of a queue.
func (m *egressMix) content() uint32 {
	r := &m.r
	return uint32(max(m.unit*r.n(m.deep+1)+pick(r, 0, 0, 0, 1, -1), 0))
}

func (m *egressMix) cfg(addr int, data uint32) {
	ev := m.fresh(egress.KindCfgWrite)
	ev.Addr, ev.Data = uint8(addr), data
	m.enq(&ev, 0)
}

// write writes a register with a value that this traffic meets, or with anything.
func (m *egressMix) write(a int) {
	r := &m.r
	v := m.content()
	switch a {
	case egress.RegTrimEn:
		v = uint32(r.bits(1)) | uint32(r.n(2)) | uint32(r.bits(31)<<1)
	case egress.RegECNMode, egress.RegSched:
		v = uint32(r.bits(2)) | uint32(r.bits(30)<<2)
	case egress.RegPMax:
		v = pick(r, 0, 1, 65535, 65536, 65537, 131071, uint32(r.bits(17)))
	case egress.RegSeed:
		v = pick(r, 0, 1, uint32(r.bits(32)))
	case egress.RegQuantumLow, egress.RegQuantumMed, egress.RegQuantumHigh:
		v = pick(r, uint32(m.unit), uint32(m.unit*m.most), uint32(3*m.unit*m.most), 0, 65535, uint32(r.bits(16)))
	case egress.RegKMax:
		v += uint32(m.unit * r.n(m.deep+1))
	case egress.RegShared:
		v *= uint32(1 + r.n(4))
	case egress.RegXoff:
		v = pick(r, v, v, v, v, v, v, 0, 1<<32-1) // 0 asks for a pause of an empty port
	case egress.RegDropLow, egress.RegDropMed, egress.RegDropHigh:
		v = pick(r, v, 2*v, 4*v, 1<<32-1)
	}
	switch {
	case r.one(12):
		v = uint32(r.corner(32))
	case r.one(10) && egress.RegInfo[a].Width == 32:
		v |= 1 << (16 + r.n(16)) // far above what the traffic meets by its low bits
	}
	m.cfg(a, v)
}

// other appends an event that is no packet.
func (m *egressMix) other() {
	r := &m.r
	ev := m.fresh(egress.Kind(r.n(16)))
	switch pick(r, 0, 0, 1, 1, 2, 3, 4, 5, 6) {
	case 0:
		m.write(r.n(egress.NumRegs))
		return
	case 1:
		ev.Kind = egress.KindLoad
		ev.Addr = uint8(r.n(egress.NumWords))
		ev.Data = pick(r, uint32(r.corner(32)), 1<<32-1, ^uint32(r.n(3*m.unit)))
		switch ev.Addr {
		case 9:
			ev.Data = pick(r, 1<<24-1, 1<<24-uint32(1+r.n(m.unit)), uint32(m.unit*r.n(m.deep+1)), uint32(r.bits(32)))
		case 11:
			ev.Data = uint32(r.bits(32))
		case 13:
			ev.Data = pick(r, 0, 1, uint32(r.bits(32)))
		}
	case 2:
		ev.Kind, ev.Addr = egress.KindRead, uint8(r.n(egress.NumWords))
	case 3:
		ev.Kind, ev.Addr = egress.KindCfgRead, uint8(r.n(egress.NumRegs))
	case 4:
		ev.Kind, ev.Addr = pick(r, egress.KindLoad, egress.KindRead, egress.KindCfgRead, egress.KindCfgWrite), uint8(r.n(32))
	case 5: // any kind
	case 6:
		ev.Kind, ev.Addr = egress.KindRead, uint8(r.n(32))
	}
	ev.Cls, ev.Port = egress.Cls(r.n(3)), m.port()
	if r.one(20) {
		ev.Cls = 3
	}
	m.enq(&ev, 0)
}

// readBack reads the registers, and every word of the ports in use once all is quiet.
func (m *egressMix) readBack() {
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
					m.items[m.used-1].Wait = WaitAll
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

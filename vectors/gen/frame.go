package gen

import "encoding/binary"

// frame describes an Ethernet frame as a host or a switch meets it: what it is, and in which ways it is wrong.
type frame struct {
	tags    int    // VLAN tags, 0 to 3
	tpid    uint16 // of the outermost; 0: 0x8100
	inner   uint16 // of the others; 0: 0x8100
	v6      bool
	raw     bool   // neither IP: ethertype type
	etype   uint16 // of raw frames
	options int    // IPv4: words of options, 0 to 10
	tos     uint8  // DSCP and ECN
	frag    uint16 // IPv4: flags and offset
	proto   uint8  // IPv4 protocol, IPv6 next header
	version uint8  // 0 is the right one
	ihl     uint8  // 0 is the right one
	sport   uint16
	dport   uint16
	uet     uint8 // UET type
	body    int   // bytes behind the UDP header: UET header, INT, payload
	pad     int   // bytes behind the IP packet
	nocsum  bool  // UDP checksum 0
	badsum  bool  // UDP checksum wrong
	badhead bool  // IPv4 header checksum wrong
	ones    bool  // the payload makes the UDP checksum come out as 0xffff
	iplen   int   // added to the IP length
	udplen  int   // added to the UDP length
	cut     int   // bytes that are there; 0: all

	tele telemetry
}

// telemetry is the INT header of a frame.
type telemetry struct {
	on        bool // there is one
	magic     uint16
	hops, max uint8
	flows     uint16
	flip      uint16 // bits wrong in form and the complement of max
}

// uetHeader is the length of the UET header of a type; what carries no INT has 12.
func uetHeader(kind uint8) int {
	switch kind {
	case 8:
		return 32
	case 13, 14:
		return 16
	}
	return 12
}

// l2 and l3 are the lengths of the headers in front of IP and of UDP.
func (f *frame) l2() int { return 14 + 4*f.tags }

func (f *frame) l3() int {
	switch {
	case f.raw:
		return 0
	case f.v6:
		return 40
	}
	return 20 + 4*f.options
}

// udp is where UDP starts.
func (f *frame) udp() int { return f.l2() + f.l3() }

// size is the length of the whole frame, nothing cut.
func (f *frame) size() int {
	if f.raw {
		return f.l2() + f.body + f.pad
	}
	return f.udp() + 8 + f.body + f.pad
}

// sized sets the body so that the frame has n bytes in all, or the fewest that its headers need.
func (f *frame) sized(n int) { f.body = max(f.body+n-f.size(), 0) }

// bytes writes the frame; the rest of its fields and its payload are drawn.
func (f *frame) bytes(r *rng, b []byte) []byte {
	n := f.size()
	b = b[:0]
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, r.u64())
	}
	b = b[:n]
	b[0], b[6] = b[0]&^1, b[6]&^1
	be := binary.BigEndian.PutUint16
	for i := range f.tags {
		tpid := uint16(0x8100)
		if i == 0 && f.tpid != 0 {
			tpid = f.tpid
		} else if i > 0 && f.inner != 0 {
			tpid = f.inner
		}
		be(b[12+4*i:], tpid)
	}
	l2 := f.l2()
	switch {
	case f.raw:
		be(b[l2-2:], f.etype)
	case f.v6:
		be(b[l2-2:], 0x86dd)
		f.ip6(b[l2:])
	default:
		be(b[l2-2:], 0x0800)
		f.ip4(b[l2:])
	}
	if !f.raw {
		f.datagram(b, r)
	}
	if f.cut > 0 && f.cut < len(b) {
		b = b[:f.cut]
	}
	return b
}

func (f *frame) ip6(p []byte) {
	ver := f.version
	if ver == 0 {
		ver = 6
	}
	p[0], p[1] = ver<<4|f.tos>>4, f.tos<<4|p[1]&15
	binary.BigEndian.PutUint16(p[4:], uint16(8+f.body+f.iplen))
	p[6], p[7] = f.proto, 64
	p[8], p[24] = 0x20, 0x20
}

func (f *frame) ip4(p []byte) {
	ver, ihl := f.version, f.ihl
	if ver == 0 {
		ver = 4
	}
	if ihl == 0 {
		ihl = uint8(5 + f.options)
	}
	p[0], p[1] = ver<<4|ihl&15, f.tos
	be := binary.BigEndian.PutUint16
	be(p[2:], uint16(20+4*f.options+8+f.body+f.iplen))
	be(p[6:], f.frag)
	p[8], p[9] = 64, f.proto
	p[12], p[16] = 10, 10
	for i := range f.options {
		copy(p[20+4*i:], []byte{1, 1, 1, 1}) // no operation
	}
	be(p[10:], 0)
	sum := ^fold(sum16(0, p[:20+4*f.options]))
	if f.badhead {
		sum ^= 0x0101
	}
	be(p[10:], sum)
}

// datagram writes UDP and UET and the checksum.
func (f *frame) datagram(b []byte, r *rng) {
	h := f.udp()
	p := b[h : h+8+f.body]
	be := binary.BigEndian.PutUint16
	be(p, f.sport)
	be(p[2:], f.dport)
	be(p[4:], uint16(8+f.body+f.udplen))
	if f.body > 0 {
		p[8] = f.uet<<3 | p[8]&7
	}
	if t, g := &f.tele, 8+uetHeader(f.uet); t.on && g+8 <= len(p) {
		be(p[g:], t.magic)
		p[g+2], p[g+3] = t.hops, t.max
		be(p[g+4:], (intForm<<8|uint16(^t.max))^t.flip)
		be(p[g+6:], t.flows)
	}
	be(p[6:], 0)
	if f.nocsum {
		return
	}
	sum := f.checksum(b)
	if f.ones && f.body >= 12 {
		// Two bytes of payload take the sum to 0xffff, whose complement is 0, sent as 0xffff.
		w := 18 + r.n((f.body-10)/2)&^1
		w = min(w, len(p)-2) &^ 1
		old := binary.BigEndian.Uint16(p[w:])
		be(p[w:], fold(uint32(old)+uint32(sum)))
		sum = f.checksum(b)
	}
	if sum == 0 {
		sum = 0xffff
	}
	if f.badsum {
		sum ^= 0x1000
		if sum == 0 {
			sum = 1
		}
	}
	be(p[6:], sum)
}

// checksum is the UDP checksum over the frame as it is, its own field taken as 0.
func (f *frame) checksum(b []byte) uint16 {
	l2, h := f.l2(), f.udp()
	var s uint32
	if f.v6 {
		s = sum16(0, b[l2+8:l2+40])
	} else {
		s = sum16(0, b[l2+12:l2+20])
	}
	n := 8 + f.body
	s += 17 + uint32(n)
	return ^fold(sum16(s, b[h:h+n]))
}

// sum16 adds the 16-bit words of b.
func sum16(s uint32, b []byte) uint32 {
	for len(b) > 1 {
		s += uint32(b[0])<<8 | uint32(b[1])
		b = b[2:]
	}
	if len(b) == 1 {
		s += uint32(b[0]) << 8
	}
	return s
}

func fold(x uint32) uint16 {
	for x>>16 != 0 {
		x = x&0xffff + x>>16
	}
	return uint16(x)
}

// drawFrame draws a frame: mostly a good UET request or response of a length drawn by size, now and then
// one that is wrong in one way or two.
func drawFrame(r *rng, kinds []uint8) frame {
	f := frame{
		tags: pick(r, 0, 0, 0, 1, 1, 2, 2), tpid: pick(r, uint16(0x8100), 0x8100, 0x88a8),
		inner: pick(r, uint16(0x8100), 0x8100, 0x88a8), v6: r.one(2), tos: uint8(r.bits(8)),
		proto: 17, sport: uint16(r.bits(16)), dport: 4793, uet: pick(r, kinds...),
	}
	if !f.v6 {
		f.options = pick(r, 0, 0, 0, 1, 3, r.n(11), 10)
		f.frag = pick(r, uint16(0), 0, 0x4000, 0x8000)
	}
	switch r.n(8) {
	case 0, 1:
		f.nocsum = true
	case 2:
		f.badsum = true
	case 3:
		f.ones = true
	}
	f.badhead = r.one(12)
	f.body = uetHeader(f.uet)
	return f
}

// spoil makes a frame wrong. It is called with the body set.
func (f *frame) spoil(r *rng) {
	switch r.n(16) {
	case 0:
		f.raw, f.etype = true, pick(r, uint16(0x0806), 0x8847, 0x0801, 0x86dc, 0x8100, 0x88a8, uint16(r.bits(16)))
	case 1:
		f.tags = 3
	case 2:
		f.frag = pick(r, uint16(0x2000), 1, 0x1fff, 0x6001, 0x2100)
		if f.v6 {
			f.proto = 44
		}
	case 3:
		f.proto = pick(r, uint8(6), 1, 58, 50, 132, uint8(r.bits(8)))
		if f.v6 {
			f.proto = pick(r, uint8(0), 43, 44, 50, 51, 60, 135, 6, 59, uint8(r.bits(8)))
		}
	case 4:
		f.version = pick(r, uint8(1), 4, 5, 6, 7, 15)
	case 5:
		f.ihl = uint8(1 + r.n(15))
	case 6:
		f.iplen = pick(r, -1, 1, 2, -2, 100, -f.body, -f.body-8, r.n(65536))
	case 7:
		f.udplen = pick(r, -1, 1, 8, -8, r.n(65536))
	case 8:
		f.dport = pick(r, uint16(4791), 4792, 4794, uint16(r.bits(16)))
	case 9:
		f.uet = uint8(r.n(32))
	case 10, 11, 12:
		f.cut = 1 + r.n(f.size())
		if r.one(2) {
			f.cut = min(f.size(), pick(r, f.l2(), f.udp(), f.udp()+8, f.udp()+9, f.udp()+10, 64, 128, 192, 256)+r.n(4)-2)
		}
		f.cut = max(f.cut, 1)
	case 13:
		f.body = r.n(30)
	case 14:
		f.pad = r.n(60)
	case 15:
		f.pad = 1 + r.n(300)
	}
}

// drawSize draws the length of a frame, 60 to 9,216 bytes.
func drawSize(r *rng) int {
	switch r.n(16) {
	case 0:
		return 60 + r.n(9157)
	case 1, 2:
		return pick(r, 64, 128, 192, 256, 320, 1518, 4096, 9216, 1500) + r.n(3) - 1
	case 3, 4, 5:
		return 64*(1+r.n(6)) + r.n(64)
	case 6:
		return 1400 + r.n(130)
	default:
		return 60 + r.n(300)
	}
}

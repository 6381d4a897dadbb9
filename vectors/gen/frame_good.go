package gen

const (
	intMagic = 0x494e
	intForm  = 0x12
)

// goodFrame is a UET request that nothing is wrong with.
func goodFrame(tags int, v6 bool, options int) frame {
	return frame{tags: tags, v6: v6, options: options, tos: 8<<2 | 2, proto: 17, sport: 49152, dport: 4793, uet: 2, body: 16}
}

// intFrame is a packet of a UET type with an INT header that has room.
func intFrame(r *rng, tags int, v6 bool, options int, kind uint8, hops, most int) frame {
	f := goodFrame(tags, v6, options)
	f.uet = kind
	f.body = uetHeader(kind)
	f.withTelemetry(r, hops, most)
	return f
}

// withTelemetry gives a frame an INT header with room for the hops it says.
func (f *frame) withTelemetry(r *rng, hops, most int) {
	f.tele = telemetry{on: true, magic: intMagic, hops: uint8(hops), max: uint8(most), flows: uint16(r.bits(16))}
	f.body = max(f.body, uetHeader(f.uet)+8+8*hops)
}

// claim makes the IP and the UDP length say that the IP length is n.
func (f *frame) claim(n int) {
	d := n - f.body - 8
	if !f.v6 {
		d -= f.l3()
	}
	f.iplen, f.udplen = d, d
}

// aimHead sets the checksum of an IPv4 header so that the sum is want when the DSCP and the total length are new.
func aimHead(p []byte, dscp, total uint16, want uint32) {
	word := func(i int) uint16 { return uint16(p[i])<<8 | uint16(p[i+1]) }
	class := word(0)&^0xfc | dscp<<2
	s := uint32(^word(0)) + uint32(class) + uint32(^word(2)) + uint32(total)
	// ~C + s = want, so C = s - want.
	c := fold(s + uint32(^uint16(want)))
	p[10], p[11] = byte(c>>8), byte(c)
}

// aimSum sets bytes of the payload so that the sum over the packet trimmed to n bytes is want, whose complement is
// the checksum.
func aimSum(f *frame, b []byte, n int, want uint32) {
	h, l2 := f.udp(), f.l2()
	n = max(n, h+24)
	if n > len(b) {
		return
	}
	p := append([]byte(nil), b[:n]...)
	p[h+4], p[h+5] = byte((n-h)>>8), byte(n-h)
	p[h+6], p[h+7] = 0, 0
	var s uint32
	if f.v6 {
		s = sum16(0, p[l2+8:l2+40])
	} else {
		s = sum16(0, p[l2+12:l2+20])
	}
	at := h + 20
	p[at], p[at+1] = 0, 0
	s = sum16(s+17+uint32(n-h), p[h:n])
	v := fold(uint32(^fold(s)) + want)
	b[at], b[at+1] = byte(v>>8), byte(v)
}

// families are the headers that trimmer and intmd must get right.
var families = []struct {
	name    string
	tags    int
	v6      bool
	options int
}{
	{"ipv4", 0, false, 0}, {"ipv6", 0, true, 0}, {"vlan-ipv4", 1, false, 0}, {"vlan-ipv6", 1, true, 0},
	{"qinq-ipv4", 2, false, 0}, {"qinq-ipv6", 2, true, 0}, {"options-1", 0, false, 1}, {"options-10", 0, false, 10},
	{"vlan-options-5", 1, false, 5}, {"qinq-options-10", 2, false, 10},
}

// intmdKinds are UET types that carry telemetry, and some that do not.
var intmdKinds = []uint8{7, 8, 2, 3, 13, 14, 7, 8, 2, 3, 13, 14, 9, 0}

package frame

import (
	"github.com/goldwire/goldwire/vectors/stim"
)

const (
	Magic = 0x494e
	form  = 0x12
)

// Good returns a correct UET request.
func Good(tags int, v6 bool, options int) Frame {
	return Frame{Tags: tags, V6: v6, options: options, TOS: 8<<2 | 2, Proto: 17, SrcPort: 49152, DstPort: 4793, UET: 2,
		Body: 16}
}

// WrongHead returns a UET request with one wrong field in its IP header: 0 the IPv4 version, 1 the IPv4 header length,
// 2 the IPv6 version.
func WrongHead(tags, which int) Frame {
	f := Good(tags, which == 2, 0)
	switch which {
	case 0:
		f.Version = 6
	case 1:
		f.IHL = 4
	default:
		f.Version = 4
	}
	return f
}

// WrongEtherType makes the frame one of another protocol: of a known one, or one bit from IPv4 or IPv6, by i.
func (f *Frame) WrongEtherType(i int) {
	f.Raw, f.EtherType = true, []uint16{0x0806, 0x8847, 0x0801, 0x07ff, 0x86dc, 0x86de, 0x8101, 0x88a9}[i%8]
	if i%3 != 0 {
		f.EtherType = []uint16{0x0800, 0x86dd}[i%3-1] ^ 1<<(i/3%16)
	}
}

// WithRoom returns a packet of a UET type with an INT header that holds hops of at most most entries.
func WithRoom(r *stim.Rand, tags int, v6 bool, options int, kind uint8, hops, most int) Frame {
	f := Good(tags, v6, options)
	f.UET = kind
	f.Body = HeaderLen(kind)
	f.WithTelemetry(r, hops, most)
	return f
}

// WithTelemetry gives a frame an INT header that holds hops of at most most entries.
func (f *Frame) WithTelemetry(r *stim.Rand, hops, most int) {
	f.Tele = Telemetry{On: true, Magic: Magic, Hops: uint8(hops), Max: uint8(most), flows: uint16(r.Bits(16))}
	f.Body = max(f.Body, HeaderLen(f.UET)+8+8*hops)
}

// Claim sets the IP and UDP lengths as if the IP packet had n bytes.
func (f *Frame) Claim(n int) {
	d := n - f.Body - f.l4()
	if !f.V6 {
		d -= f.L3()
	}
	f.IPLen, f.UDPLen = d, d
}

// AimHead sets the checksum of an IPv4 header so that the sum is want after the DSCP and the total length change.
func AimHead(p []byte, dscp, total uint16, want uint32) {
	word := func(i int) uint16 { return uint16(p[i])<<8 | uint16(p[i+1]) }
	class := word(0)&^0xfc | dscp<<2
	s := uint32(^word(0)) + uint32(class) + uint32(^word(2)) + uint32(total)
	// ~C + s = want, so C = s - want.
	c := Fold(s + uint32(^uint16(want)))
	p[10], p[11] = byte(c>>8), byte(c)
}

// AimSum sets two bytes of the payload so that the sum over the packet, trimmed to n bytes, is want. The checksum is
// its complement.
func AimSum(f *Frame, b []byte, n int, want uint32) {
	h := f.UDP()
	n = max(n, h+24)
	if n > len(b) {
		return
	}
	p := append([]byte(nil), b[:n]...)
	p[h+4], p[h+5] = byte((n-h)>>8), byte(n-h)
	p[h+6], p[h+7] = 0, 0
	at := h + 20
	p[at], p[at+1] = 0, 0
	s := Sum16(f.Pseudo(p, 17+uint32(n-h)), p[h:n])
	v := Fold(uint32(^Fold(s)) + want)
	b[at], b[at+1] = byte(v>>8), byte(v)
}

// Families are the headers that trimmer and intmd must get right.
var Families = []struct {
	Name    string
	Tags    int
	V6      bool
	Options int
}{
	{"ipv4", 0, false, 0}, {"ipv6", 0, true, 0}, {"vlan-ipv4", 1, false, 0}, {"vlan-ipv6", 1, true, 0},
	{"qinq-ipv4", 2, false, 0}, {"qinq-ipv6", 2, true, 0}, {"options-1", 0, false, 1}, {"options-10", 0, false, 10},
	{"vlan-options-5", 1, false, 5}, {"qinq-options-10", 2, false, 10},
}

// TelemetryKinds are UET types with telemetry, and some without.
var TelemetryKinds = []uint8{7, 8, 2, 3, 13, 14, 7, 8, 2, 3, 13, 14, 9, 0}

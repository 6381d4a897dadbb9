package frame

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/vectors/stim"
)

// Frame describes an Ethernet frame as a host or a switch sees it: what it contains, and what is wrong with it.
type Frame struct {
	Tags      int    // VLAN tags, 0 to 3
	TPID      uint16 // of the outermost; 0: 0x8100
	Inner     uint16 // of the others; 0: 0x8100
	V6        bool
	Raw       bool   // neither IP version; the type is EtherType
	EtherType uint16 // of raw frames
	options   int    // IPv4: words of options, 0 to 10
	TOS       uint8  // DSCP and ECN
	Frag      uint16 // IPv4: flags and offset
	Proto     uint8  // IPv4 protocol, IPv6 next header
	Version   uint8  // 0 for the right one
	IHL       uint8  // 0 for the right one
	SrcPort   uint16
	DstPort   uint16
	From      uint32 // low bits of the source address, whose others are fixed then; 0: all are drawn
	UET       uint8  // UET type
	Native    bool   // UET over IP: 4 bytes of entropy in place of the UDP header
	PDS       []byte // first bytes of the body; nil: only its UET type
	Body      int    // bytes after the UDP header: UET header, INT, payload
	Pad       int    // bytes after the IP packet
	NoSum     bool   // UDP checksum 0
	BadSum    bool   // UDP checksum wrong
	BadHead   bool   // IPv4 header checksum wrong
	Ones      bool   // the payload makes the UDP checksum 0xffff
	IPLen     int    // added to the IP length
	UDPLen    int    // added to the UDP length
	Cut       int    // bytes present; 0: all

	Tele Telemetry
}

// Telemetry is the INT header of a frame.
type Telemetry struct {
	On        bool // the header is present
	Magic     uint16
	Hops, Max uint8
	flows     uint16
	Flip      uint16 // wrong bits in form and the complement of max
}

// HeaderLen returns the length of the UET header of a type. Types without INT have 12 bytes.
func HeaderLen(kind uint8) int {
	switch kind {
	case 8:
		return 32
	case 13, 14:
		return 16
	}
	return 12
}

// WithoutOptions returns the frame without IPv4 options.
func (f Frame) WithoutOptions() Frame {
	f.options = 0
	return f
}

// L2 and L3 return the lengths of the headers before IP and before UDP.
func (f *Frame) L2() int { return 14 + 4*f.Tags }

func (f *Frame) L3() int {
	switch {
	case f.Raw:
		return 0
	case f.V6:
		return 40
	}
	return 20 + 4*f.options
}

// UDP returns the offset of the UDP header.
func (f *Frame) UDP() int { return f.L2() + f.L3() }

// Size returns the length of the whole frame, before a cut.
func (f *Frame) Size() int {
	if f.Raw {
		return f.L2() + f.Body + f.Pad
	}
	return f.UDP() + f.l4() + f.Body + f.Pad
}

// l4 returns the length of the header between IP and UET.
func (f *Frame) l4() int {
	if f.Native {
		return 4
	}
	return 8
}

// Sized sets the body so that the frame has n bytes, or as few as its headers allow.
func (f *Frame) Sized(n int) { f.Body = max(f.Body+n-f.Size(), 0) }

// WithSize returns the frame with its body so set.
func (f Frame) WithSize(n int) Frame {
	f.Sized(n)
	return f
}

// Bytes writes the frame. The payload and all other bytes are drawn.
func (f *Frame) Bytes(r *stim.Rand, b []byte) []byte {
	n := f.Size()
	b = b[:0]
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, r.U64())
	}
	b = b[:n]
	b[0], b[6] = b[0]&^1, b[6]&^1
	be := binary.BigEndian.PutUint16
	for i := range f.Tags {
		tpid := uint16(0x8100)
		if i == 0 && f.TPID != 0 {
			tpid = f.TPID
		} else if i > 0 && f.Inner != 0 {
			tpid = f.Inner
		}
		be(b[12+4*i:], tpid)
	}
	l2 := f.L2()
	switch {
	case f.Raw:
		be(b[l2-2:], f.EtherType)
	case f.V6:
		be(b[l2-2:], 0x86dd)
		f.ip6(b[l2:])
	default:
		be(b[l2-2:], 0x0800)
		f.ip4(b[l2:])
	}
	if !f.Raw {
		f.datagram(b, r)
	}
	if f.Cut > 0 && f.Cut < len(b) {
		b = b[:f.Cut]
	}
	return b
}

func (f *Frame) ip6(p []byte) {
	ver := f.Version
	if ver == 0 {
		ver = 6
	}
	p[0], p[1] = ver<<4|f.TOS>>4, f.TOS<<4|p[1]&15
	binary.BigEndian.PutUint16(p[4:], uint16(f.l4()+f.Body+f.IPLen))
	p[6], p[7] = f.Proto, 64
	p[8], p[24] = 0x20, 0x20
	if f.From != 0 {
		clear(p[9:20])
		binary.BigEndian.PutUint32(p[20:], f.From)
	}
}

func (f *Frame) ip4(p []byte) {
	ver, ihl := f.Version, f.IHL
	if ver == 0 {
		ver = 4
	}
	if ihl == 0 {
		ihl = uint8(5 + f.options)
	}
	p[0], p[1] = ver<<4|ihl&15, f.TOS
	be := binary.BigEndian.PutUint16
	be(p[2:], uint16(20+4*f.options+f.l4()+f.Body+f.IPLen))
	be(p[6:], f.Frag)
	p[8], p[9] = 64, f.Proto
	p[12], p[16] = 10, 10
	if f.From != 0 {
		binary.BigEndian.PutUint32(p[12:], 10<<24|f.From&0xffffff)
	}
	for i := range f.options {
		copy(p[20+4*i:], []byte{1, 1, 1, 1}) // no operation
	}
	be(p[10:], 0)
	sum := ^Fold(Sum16(0, p[:20+4*f.options]))
	if f.BadHead {
		sum ^= 0x0101
	}
	be(p[10:], sum)
}

// datagram writes UDP, UET and the checksum, or native UET.
func (f *Frame) datagram(b []byte, r *stim.Rand) {
	h := f.UDP()
	p := b[h : h+f.l4()+f.Body]
	be := binary.BigEndian.PutUint16
	be(p, f.SrcPort)
	if f.Native {
		f.uet(p[4:])
		return
	}
	be(p[2:], f.DstPort)
	be(p[4:], uint16(8+f.Body+f.UDPLen))
	f.uet(p[8:])
	if t, g := &f.Tele, 8+HeaderLen(f.UET); t.On && g+8 <= len(p) {
		be(p[g:], t.Magic)
		p[g+2], p[g+3] = t.Hops, t.Max
		be(p[g+4:], (form<<8|uint16(^t.Max))^t.Flip)
		be(p[g+6:], t.flows)
	}
	be(p[6:], 0)
	if f.NoSum {
		return
	}
	if f.Ones && f.Body >= 12 {
		// Two bytes of payload bring the sum to 0xffff. Its complement is 0, which is sent as 0xffff.
		w := 18 + r.N((f.Body-10)/2)&^1
		w = min(w, len(p)-2) &^ 1
		old := binary.BigEndian.Uint16(p[w:])
		be(p[w:], Fold(uint32(old)+uint32(f.checksum(b))))
	}
	f.Fix(b)
	if f.BadSum {
		be(p[6:], max(binary.BigEndian.Uint16(p[6:])^0x1000, 1))
	}
}

// uet writes the first bytes of the body.
func (f *Frame) uet(p []byte) {
	if f.PDS != nil {
		copy(p, f.PDS)
	} else if f.Body > 0 {
		p[0] = f.UET<<3 | p[0]&7
	}
}

// checksum returns the UDP checksum of the frame, with the checksum field taken as 0.
func (f *Frame) checksum(b []byte) uint16 {
	h, n := f.UDP(), 8+f.Body
	return ^Fold(Sum16(f.Pseudo(b, 17+uint32(n)), b[h:h+n]))
}

// Pseudo adds the addresses of the frame, which the checksum of UDP covers.
func (f *Frame) Pseudo(b []byte, s uint32) uint32 {
	l2 := f.L2()
	if f.V6 {
		return Sum16(s, b[l2+8:l2+40])
	}
	return Sum16(s, b[l2+12:l2+20])
}

// Sum16 adds the 16-bit words of b.
func Sum16(s uint32, b []byte) uint32 {
	for len(b) > 1 {
		s += uint32(b[0])<<8 | uint32(b[1])
		b = b[2:]
	}
	if len(b) == 1 {
		s += uint32(b[0]) << 8
	}
	return s
}

func Fold(x uint32) uint16 {
	for x>>16 != 0 {
		x = x&0xffff + x>>16
	}
	return uint16(x)
}

// Draw draws a UET packet that is only headers, with any tags, IP version, options and checksums, which may be absent
// or wrong. Sized or Body sets its length, Spoil makes other fields wrong.
func Draw(r *stim.Rand, kinds []uint8) Frame {
	f := Frame{
		Tags: stim.Pick(r, 0, 0, 0, 1, 1, 2, 2), TPID: stim.Pick(r, uint16(0x8100), 0x8100, 0x88a8),
		Inner: stim.Pick(r, uint16(0x8100), 0x8100, 0x88a8), V6: r.One(2), TOS: uint8(r.Bits(8)),
		Proto: 17, SrcPort: uint16(r.Bits(16)), DstPort: 4793, UET: stim.Pick(r, kinds...),
	}
	if !f.V6 {
		f.options = stim.Pick(r, 0, 0, 0, 1, 3, r.N(11), 10)
		f.Frag = stim.Pick(r, uint16(0), 0, 0x4000, 0x8000)
	}
	switch r.N(8) {
	case 0, 1:
		f.NoSum = true
	case 2:
		f.BadSum = true
	case 3:
		f.Ones = true
	}
	f.BadHead = r.One(12)
	f.Body = HeaderLen(f.UET)
	return f
}

// Spoil makes one thing wrong in a frame, whose body must be set. Some draws leave it right.
func (f *Frame) Spoil(r *stim.Rand) {
	switch r.N(16) {
	case 0:
		f.Raw, f.EtherType = true, stim.Pick(r, uint16(0x0806), 0x8847, 0x0801, 0x86dc, 0x8100, 0x88a8,
			uint16(r.Bits(16)))
	case 1:
		f.Tags = 3
	case 2:
		f.Frag = stim.Pick(r, uint16(0x2000), 1, 0x1fff, 0x6001, 0x2100)
		if f.V6 {
			f.Proto = 44
		}
	case 3:
		f.Proto = stim.Pick(r, uint8(6), 1, 58, 50, 132, uint8(r.Bits(8)))
		if f.V6 {
			f.Proto = stim.Pick(r, uint8(0), 43, 44, 50, 51, 60, 135, 6, 59, uint8(r.Bits(8)))
		}
	case 4:
		f.Version = stim.Pick(r, uint8(1), 4, 5, 6, 7, 15)
	case 5:
		f.IHL = uint8(1 + r.N(15))
	case 6:
		f.IPLen = stim.Pick(r, -1, 1, 2, -2, 100, -f.Body, -f.Body-8, r.N(65536))
	case 7:
		f.UDPLen = stim.Pick(r, -1, 1, 8, -8, r.N(65536))
	case 8:
		f.DstPort = stim.Pick(r, uint16(4791), 4792, 4794, uint16(r.Bits(16)))
	case 9:
		f.UET = uint8(r.N(32))
	case 10, 11, 12:
		f.Cut = 1 + r.N(f.Size())
		if r.One(2) {
			f.Cut = min(f.Size(), stim.Pick(r, f.L2(), f.UDP(), f.UDP()+8, f.UDP()+9, f.UDP()+10, 64, 128, 192,
				256)+r.N(4)-2)
		}
		f.Cut = max(f.Cut, 1)
	case 13:
		f.Body = r.N(30)
	case 14:
		f.Pad = r.N(60)
	case 15:
		f.Pad = 1 + r.N(300)
	}
}

// DrawSize draws the length of a frame, 60 to 9,216 bytes.
func DrawSize(r *stim.Rand) int {
	switch r.N(16) {
	case 0:
		return 60 + r.N(9157)
	case 1, 2:
		return stim.Pick(r, 64, 128, 192, 256, 320, 1518, 4096, 9216, 1500) + r.N(3) - 1
	case 3, 4, 5:
		return 64*(1+r.N(6)) + r.N(64)
	case 6:
		return 1400 + r.N(130)
	default:
		return 60 + r.N(300)
	}
}

// Fix writes the right UDP checksum into the bytes of the frame.
func (f *Frame) Fix(b []byte) {
	h := f.UDP()
	binary.BigEndian.PutUint16(b[h+6:], 0)
	sum := f.checksum(b)
	if sum == 0 {
		sum = 0xffff
	}
	binary.BigEndian.PutUint16(b[h+6:], sum)
}

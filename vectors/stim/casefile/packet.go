package casefile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// packetDemand is a packet that must leave: the frame that came in, with the changes that the line lists. All other
// bytes must be unchanged, and none may be missing or added.
type packetDemand struct {
	sent
	same          bool           // every beat unchanged, including bytes and keep bits that do not count
	set           map[string]int // cut (the bytes left), dscp, ecn, ip_len, udp_len and int_hops, as the line gives them
	ipSum, udpSum string
	at            int // offset of the insertion in the frame that came in
	insert, mask  []byte
	pds           []byte // the packet is an answer: its PDS header
	want, care    []byte // the frame that must leave, and the mask of bits to compare
}

// edit takes a word that changes the packet. It returns false for any other word.
func (p *packetDemand) edit(x string, scope func(string) (string, bool)) bool {
	if x == "same" {
		p.same = true
		return true
	}
	name, text, ok := strings.Cut(x, "=")
	if !ok {
		return false
	}
	switch name {
	case "ip_sum":
		p.ipSum = text
		if text != "adjusted" {
			fail("ip_sum=%s: want adjusted", text)
		}
		return true
	case "udp_sum":
		p.udpSum = text
		if text != "right" && text != "adjusted" && text != "zero" {
			fail("udp_sum=%s: want right, adjusted or zero", text)
		}
		return true
	case "insert":
		p.insertion(text, scope)
		return true
	case "pds":
		p.pds = pdsBytes(text)
		return true
	}
	if !slices.Contains([]string{"cut", "dscp", "ecn", "ip_len", "udp_len", "int_hops"}, name) {
		return false
	}
	if p.set == nil {
		p.set = map[string]int{}
	}
	p.set[name] = int(must(number(text, scope)))
	return true
}

// insertion reads AT:HEX or AT:HEX/mask:HEX. =EXPRESSION, a 64-bit number, may replace the first HEX.
func (p *packetDemand) insertion(text string, scope func(string) (string, bool)) {
	at, value, ok := strings.Cut(text, ":")
	if !ok {
		fail("insert=%s: want PLACE:BYTES or PLACE:BYTES/mask:BYTES", text)
	}
	p.at = int(must(number(at, scope)))
	value, mask, masked := strings.Cut(value, "/mask:")
	if word, ok := strings.CutPrefix(value, "="); ok {
		value = fmt.Sprintf("%016x", must(number(word, scope)))
	}
	var err error
	if p.insert, err = hex.DecodeString(value); err != nil {
		fail("insert=%s: %w", text, err)
	}
	p.mask = bytes.Repeat([]byte{0xff}, len(p.insert))
	if masked {
		if p.mask, err = hex.DecodeString(mask); err != nil || len(p.mask) != len(p.insert) {
			fail("insert=%s: the mask must be as long as the bytes", text)
		}
	}
}

// settle works out the frame that must leave.
func (p *packetDemand) settle() {
	if p.pds != nil {
		p.answer()
		return
	}
	f, l2, h := &p.sent, p.L2(), p.UDP()
	if changed := len(p.set) > 0 || p.insert != nil || p.ipSum != "" || p.udpSum != ""; changed == p.same {
		fail("=> must say how the packet leaves: same, or what changes")
	}
	out := append([]byte(nil), f.data...)
	if cut, ok := p.set["cut"]; ok && cut >= 0 {
		if cut > len(out) {
			fail("cut=%d: the frame has %d bytes", cut, len(out))
		}
		out = out[:cut]
	}
	care := bytes.Repeat([]byte{0xff}, len(out))
	put := func(at int, value ...byte) {
		if at+len(value) > len(out) {
			fail("change of byte %d: only %d bytes are left", at, len(out))
		}
		copy(out[at:], value)
	}
	be := func(v int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(v)) }
	dscp, marked := p.set["dscp"]
	ecn, also := p.set["ecn"]
	if !marked {
		dscp = int(f.TOS >> 2)
	}
	if !also {
		ecn = int(f.TOS & 3)
	}
	if tos := byte(dscp<<2 | ecn); (marked || also) && f.V6 {
		put(l2, f.data[l2]&0xf0|tos>>4, tos<<4|f.data[l2+1]&15)
	} else if marked || also {
		put(l2+1, tos)
	}
	if n, ok := p.set["ip_len"]; ok {
		put(l2+2+2*stim.Bit(f.V6), be(n)...)
	}
	if n, ok := p.set["udp_len"]; ok {
		put(h+4, be(n)...)
	}
	if n, ok := p.set["int_hops"]; ok {
		put(h+8+frame.HeaderLen(f.UET)+2, byte(n))
	}
	if p.ipSum != "" && !f.V6 { // IPv6 has no header checksum
		put(l2+10, 0, 0)
		care[l2+10], care[l2+11] = 0, 0
	}
	if p.udpSum != "" {
		put(h+6, 0, 0)
		if p.udpSum != "zero" {
			care[h+6], care[h+7] = 0, 0
		}
	}
	if p.insert != nil {
		if p.at > len(out) {
			fail("insert at %d: the frame has %d bytes", p.at, len(out))
		}
		out = append(out[:p.at:p.at], append(append([]byte(nil), p.insert...), out[p.at:]...)...)
		care = append(care[:p.at:p.at], append(append([]byte(nil), p.mask...), care[p.at:]...)...)
	}
	p.want, p.care = out, care
}

// answer works out the answer to the frame, of which only the PDS header and what follows it is compared: zeros up to
// the least length of a frame. The checksums must be right.
func (p *packetDemand) answer() {
	if len(p.set) > 0 || p.insert != nil || p.same || p.ipSum != "" {
		fail("=> pds= is the whole of an answer")
	}
	p.IHL, p.udpSum = 0, "right"
	p.Frame = p.Frame.WithoutOptions()
	at := p.UDP() + 8
	if p.Native {
		at, p.udpSum = p.UDP()+4, ""
	}
	p.want = append(make([]byte, at), p.pds...)
	p.care = append(make([]byte, at), bytes.Repeat([]byte{0xff}, len(p.pds))...)
	for len(p.want) < 60 {
		p.want, p.care = append(p.want, 0), append(p.care, 0xff)
	}
}

// check returns a message for each fault of a packet that left.
func (p *packetDemand) check(at string, port *event.Port, came, beats [][]uint64, in *event.Port) (wrong []string) {
	bad := func(format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf("%s: packet at %s: %s", at, port.Name, fmt.Sprintf(format, args...)))
	}
	if p.same && came != nil {
		if len(came) != len(beats) {
			bad("want the %d beats that came in, got %d", len(came), len(beats))
			return wrong
		}
		for i := range beats {
			for _, name := range []string{"data", "keep"} {
				a, b := slotOf(in, name), slotOf(port, name)
				if !bytes.Equal(a.Bytes(came[i]), b.Bytes(beats[i])) {
					bad("beat %d: %s has changed", i, name)
				}
			}
		}
	}
	got := frameOf(port, beats)
	if len(got) != len(p.want) {
		bad("want %d bytes, got %d", len(p.want), len(got))
		return wrong
	}
	for i := range got {
		if (got[i]^p.want[i])&p.care[i] != 0 {
			bad("byte %d: want %02x, got %02x", i, p.want[i], got[i])
			break
		}
	}
	l2, h := p.L2(), p.UDP()
	if (p.ipSum != "" || p.udpSum != "") && len(got) < h+8 {
		bad("the headers are not whole, so no checksum can be checked")
		return wrong
	}
	if p.pds != nil && !p.V6 && residue(0, got[l2:h]) != 0 {
		bad("the IPv4 header checksum is wrong")
	}
	if p.ipSum == "adjusted" && !p.V6 && residue(0, got[l2:h]) != residue(0, p.data[l2:h]) {
		bad("the IPv4 header checksum is off by another amount than before")
	}
	switch p.udpSum {
	case "right", "adjusted":
		now, ok := p.udpResidue(got)
		before, ok2 := p.udpResidue(p.data)
		switch {
		case !ok || p.udpSum == "adjusted" && !ok2:
			bad("the UDP length exceeds the frame, so the checksum cannot be checked")
		case got[h+6] == 0 && got[h+7] == 0:
			bad("the UDP checksum is 0, which means none")
		case p.udpSum == "right" && now != 0:
			bad("the UDP checksum is wrong")
		case now != before && p.udpSum == "adjusted":
			bad("the UDP checksum is off by another amount than before")
		}
	}
	return wrong
}

// residue returns how far a sum that includes its checksum falls short of all ones: 0 if the checksum is right. s is
// the sum of what precedes b.
func residue(s uint32, b []byte) uint16 {
	if r := ^frame.Fold(frame.Sum16(s, b)); r != 0xffff {
		return r
	}
	return 0
}

// udpResidue returns the residue of a frame's UDP datagram with its pseudo header, or false if the frame is too short.
func (p *packetDemand) udpResidue(b []byte) (uint16, bool) {
	h := p.UDP()
	if h+8 > len(b) {
		return 0, false
	}
	n := int(binary.BigEndian.Uint16(b[h+4:]))
	if h+n > len(b) || n < 8 {
		return 0, false
	}
	return residue(p.Pseudo(b, uint32(17+n)), b[h:h+n]), true
}

func slotOf(p *event.Port, name string) *event.Slot {
	for _, s := range p.Slots {
		if s.Field.Name == name {
			return s
		}
	}
	return nil
}

// frameOf assembles a packet from its beats: all bytes of each beat but the last; there, as many as keep has ones below
// its lowest zero.
func frameOf(p *event.Port, beats [][]uint64) (out []byte) {
	data, keep := slotOf(p, "data"), slotOf(p, "keep")
	for i, b := range beats {
		n := data.Field.Width / 8
		bytes := data.Bytes(b)
		if i == len(beats)-1 {
			k := keep.Get(b)
			for n = 0; n < keep.Field.Width && k>>n&1 != 0; n++ {
			}
		}
		out = append(out, bytes[:n]...)
	}
	return out
}

package plain

import (
	"slices"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
)

// Steps are lines of the decision, each of which drops the packet if it applies.
type Steps struct {
	Reason string // of the first one that applies; "" if none does
}

// Drop is the next line.
func (s *Steps) Drop(applies bool, reason string) {
	if applies && s.Reason == "" {
		s.Reason = reason
	}
}

// Found is what the steps find in a frame.
type Found struct {
	V6, Native  bool
	L2, H, P, E int
}

// Byte returns byte i of a frame; beyond its end 0, so that each condition can be evaluated independently of those
// before it.
func Byte(frame []byte, i int) int {
	if i < len(frame) {
		return int(frame[i])
	}
	return 0
}

// Word returns the big-endian number that begins with byte i.
func Word(frame []byte, i int) int { return Byte(frame, i)*256 + Byte(frame, i+1) }

// Walk makes steps 1 to 8 of the decision, line by line. reg has UDP_PORT, NATIVE and CONTROL.
func Walk(reg []uint32, frame []byte) (steps Steps, x Found) {
	a, f := min(len(frame), 192), min(len(frame), 131071)
	at := func(i int) int { return Byte(frame, i) }
	word := func(i int) int { return Word(frame, i) }
	part := func(from, to int) (b []byte) {
		for ; from < to; from++ {
			b = append(b, byte(at(from)))
		}
		return b
	}

	steps.Drop(a < 14, "TRUNCATED")
	v := 0
	for v < 2 && (word(12+4*v) == 0x8100 || word(12+4*v) == 0x88A8) {
		steps.Drop(a < 18+4*v, "TRUNCATED")
		v++
	}
	x.L2 = 14 + 4*v
	l2 := x.L2
	kind := word(l2 - 2)
	steps.Drop(kind != 0x0800 && kind != 0x86DD, "ETHERTYPE")
	var plen, n int
	var addresses []byte
	if kind == 0x0800 {
		hl, tot := 4*(at(l2)%16), word(l2+2)
		x.H, plen, n = l2+hl, tot-hl, at(l2+9)
		addresses = part(l2+12, l2+20)
		steps.Drop(a < l2+20, "TRUNCATED")
		steps.Drop(at(l2)/16 != 4 || at(l2)%16 < 5, "HEADER")
		steps.Drop(a < l2+hl, "TRUNCATED")
		steps.Drop(frames.Checksum(part(l2, l2+hl)) != 0, "IP_SUM")
		steps.Drop(tot < hl, "LENGTH")
		steps.Drop(f < l2+tot, "TRUNCATED")
		steps.Drop(word(l2+6)%0x4000 != 0, "FRAGMENT")
	} else {
		x.V6 = true
		x.H, plen, n = l2+40, word(l2+4), at(l2+6)
		addresses = part(l2+8, l2+40)
		steps.Drop(a < l2+40, "TRUNCATED")
		steps.Drop(at(l2)/16 != 6, "HEADER")
		steps.Drop(f < l2+40+plen, "TRUNCATED")
		steps.Drop(n == 44, "FRAGMENT")
		steps.Drop(slices.Contains([]int{0, 43, 50, 51, 60, 135}, n), "EXTENSION")
	}
	x.E = x.H + plen
	udp := n == 17
	steps.Drop(!udp && n != int(reg[1]), "PROTOCOL")
	if udp {
		x.P = x.H + 8
		c := word(x.H + 6)
		pseudo := append(addresses, 0, 17, byte(plen/256), byte(plen))
		steps.Drop(plen < 10 || word(x.H+4) != plen, "LENGTH")
		steps.Drop(c == 0 && reg[2]%2 == 1, "UDP_SUM")
		steps.Drop(c != 0 && frames.Checksum(append(pseudo, part(x.H, x.E)...)) != 0, "UDP_SUM")
		steps.Drop(word(x.H+2) != int(reg[0]), "PORT")
	} else {
		x.Native = true
		x.P = x.H + 4
		steps.Drop(plen < 6, "LENGTH")
	}
	return steps, x
}

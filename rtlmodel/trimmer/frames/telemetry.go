package frames

import "math/rand/v2"

// Magic begins an INT header; Form is its fifth byte.
const (
	Magic = 0x494E
	Form  = 0x12
)

// UETHeader returns the length of the UET header of a type that carries telemetry, 0 for the others.
func UETHeader(kind uint8) int {
	switch kind {
	case 7, 2, 3:
		return 12
	case 8:
		return 32
	case 13, 14:
		return 16
	}
	return 0
}

// Telemetry returns the Body of a frame of this type: an INT header with h of at most hmax hops, room for the entries
// of h hops, and n bytes of payload after them.
func Telemetry(kind uint8, h, hmax uint8, n int) []byte {
	o := UETHeader(kind)
	body := make([]byte, o-2+8+8*int(h)+n)
	for i := range body {
		body[i] = byte(3*i + 1)
	}
	copy(body[o-2:], []byte{Magic >> 8, Magic & 0xFF, h, hmax, Form, ^hmax, 0, 3})
	return body
}

// DrawTelemetry returns a frame as Draw does, but usually with an INT header.
func DrawTelemetry(r *rand.Rand) []byte {
	if r.IntN(8) == 0 {
		return Draw(r)
	}
	f := Frame{
		V6: r.IntN(3) == 0, Class: uint8(r.Uint32()), UDPChecksum: r.IntN(3) > 0,
		UETType: []uint8{2, 3, 13, 14, 7, 8, 7, 8}[r.IntN(8)],
	}
	for range max(0, r.IntN(6)-3) {
		f.Tags = append(f.Tags, []uint16{0x8100, 0x88A8}[r.IntN(2)])
	}
	if !f.V6 && r.IntN(4) == 0 {
		f.Options = 4 * r.IntN(11)
	}
	h := uint8(r.IntN(8))
	if r.IntN(10) == 0 {
		h = uint8(r.Uint32())
	}
	hmax := h + uint8(r.IntN(5))
	f.Body = Telemetry(f.UETType, h, hmax, []int{0, r.IntN(10), r.IntN(130), r.IntN(600)}[r.IntN(4)])
	if r.IntN(10) == 0 {
		f.Body = f.Body[:len(f.Body)-r.IntN(8*int(h)+17)]
	}
	if r.IntN(3) == 0 {
		f.Padding = r.IntN(70)
	}
	b := f.Bytes()
	switch r.IntN(16) {
	case 0:
		b = b[:r.IntN(len(b)+1)]
	case 1: // a bit of the headers, or of the INT header
		b[12+r.IntN(len(b)-12)] ^= byte(1 << r.IntN(8))
	}
	return b
}

package cover

// wideBins are about tags of every type and about lengths that need all their bits: of both blocks that walk
// headers.
type wideBins struct {
	tagTypes, ipEnd cross
}

func (b *wideBins) define(p *plan) {
	b.tagTypes = p.add("tag_types", tagKinds)
	b.ipEnd = p.add("ip_end", words("beyond_65535_and_its_low_bits_in_the_frame in_the_frame_by_bit_15_of_its_length"), familyNames[1:])
}

// sort looks at what was parsed of a frame of f bytes, as far as the block believes.
func (b *wideBins) sort(hits []uint64, p *parsed, f int) {
	if p.kinds >= 0 && p.family != famNone {
		hits[b.tagTypes.at1(p.kinds)]++
	}
	if p.reach == 0 {
		return
	}
	if p.reach > 65535 && p.reach&65535 <= f {
		hits[b.ipEnd.at2(0, p.family-1)]++
	}
	if f>>15 == 1 && p.reach <= f && p.reach > f&32767 {
		hits[b.ipEnd.at2(1, p.family-1)]++
	}
}

// carrySums are the sums of 16-bit words whose carry runs round twice, in either order of the bytes: the words
// add up to two or more times 65,535 and one more.
var carrySums = words("0x0001 0x0100")

// carries returns the place of a sum among carrySums, -1 for any other.
func carries(sum int) int {
	if sum <= 2*65535+256 {
		return -1
	}
	switch sum % 65535 {
	case 1:
		return 0
	case 256:
		return 1
	}
	return -1
}

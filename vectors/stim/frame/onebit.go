package frame

// OneBits is the number of frames that OneBit makes of a good one: 16 bits in each of five fields.
const OneBits = 16 * 5

// OneBit returns a good frame with one wrong bit in a field that the header check compares: the protocol, the fragment
// field, the IP length, the UDP length or the packet type. i is less than OneBits.
func OneBit(good *Frame, i int) Frame {
	f, bit := *good, i/5
	udp := 8 + f.Body // the UDP length
	switch i % 5 {
	case 0:
		f.Proto ^= 1 << (bit % 8)
	case 1:
		f.Frag ^= 1 << bit
	case 2:
		size := udp // an IPv6 length excludes the header
		if !f.V6 {
			size += f.L3()
		}
		f.IPLen = size ^ 1<<bit - size
	case 3:
		f.UDPLen = udp ^ 1<<bit - udp
	case 4:
		f.UET ^= 1 << (bit % 5)
	}
	return f
}

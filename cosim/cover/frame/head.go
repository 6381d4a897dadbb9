package frame

import "encoding/binary"

// beatBytes is the length of every beat but the last of a packet.
const beatBytes = 64

// Head is how much of a packet has come in, and how much of that was kept.
type Head struct {
	N     int // bytes kept, from the first
	Beats int // accepted
	Last  int // bytes of its last beat, 0 before that
}

// Take takes a beat. Its bytes are kept as far as there is room.
func (h *Head) Take(room []byte, data *[8]uint64, keep uint64, last bool) {
	n := beatBytes
	if last {
		n = LastBytes(keep)
		h.Last = n
	}
	if at := beatBytes * h.Beats; at < len(room) {
		for k := range data {
			binary.LittleEndian.PutUint64(room[at+8*k:], data[k])
		}
		h.N = at + n
	}
	h.Beats++
}

package plain

import (
	"math/rand/v2"

	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// BeatsOf cuts a frame into beats, with random data where the block must not look.
func BeatsOf(r *rand.Rand, frame []byte, tag uint32) (beats []port.Rx) {
	n := max(1, (len(frame)+63)/64)
	if len(frame)%64 == 0 && len(frame) > 0 && r.IntN(4) == 0 {
		n++ // a last beat without valid bytes
	}
	for i := range n {
		x := port.Rx{Keep: r.Uint64(), Last: i == n-1, Tag: r.Uint32()}
		if i == 0 {
			x.Tag = tag
		}
		for k := range 64 {
			v := byte(r.Uint32())
			if 64*i+k < len(frame) {
				v = frame[64*i+k]
			}
			x.Data[k/8] |= uint64(v) << (8 * (k % 8))
		}
		if x.Last {
			have := uint(len(frame) - 64*i)
			x.Keep = x.Keep<<1<<have | (1<<have - 1)
			if have == 64 {
				x.Keep = 1<<64 - 1
			}
		}
		beats = append(beats, x)
	}
	return beats
}

// FrameOf returns the valid bytes of a packet's beats; keep marks those of the last beat.
func FrameOf(beats []port.Rx) (frame []byte) {
	for _, x := range beats {
		n := 64
		if x.Last {
			for n = 0; n < 64 && x.Keep>>n&1 == 1; n++ {
			}
		}
		for k := range n {
			frame = append(frame, byte(x.Data[k/8]>>(8*(k%8))))
		}
	}
	return frame
}

// Pressure draws a valid or ready signal, in phases of different density.
type Pressure struct{ left, percent int }

// Draw returns the signal in the next cycle.
func (p *Pressure) Draw(r *rand.Rand) bool {
	if p.left == 0 {
		p.left = 1 + r.IntN(200)
		p.percent = []int{0, 5, 50, 95, 100, 100}[r.IntN(6)]
	}
	p.left--
	return r.IntN(100) < p.percent
}

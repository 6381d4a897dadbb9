package packet

import "github.com/goldwire/goldwire/rtlmodel/beats"

const (
	// MaxFrame is the greatest length F, in bytes: it stops there.
	MaxFrame = 131071
	// maxEnd is the greatest E, that of an IPv6 packet after two tags: no byte from it on is read.
	maxEnd = 14 + 2*4 + 40 + 65535
)

// Frame collects the beats of one packet. The zero value holds none.
type Frame struct {
	Tag    uint32 // of the first beat
	bytes  [(maxEnd + beats.Size) / beats.Size * beats.Size]byte
	length int
}

// Add appends a beat.
func (f *Frame) Add(data *beats.Data, keep uint64, last bool, tag uint32) {
	if f.length == 0 {
		f.Tag = tag
	}
	if f.length < maxEnd {
		beats.Get(data, f.bytes[f.length:])
	}
	f.length = min(f.length+beats.Count(keep, last), MaxFrame)
}

// Len returns the length F in bytes.
func (f *Frame) Len() int { return f.length }

// Bytes returns the first bytes of the frame, enough for Walk.
func (f *Frame) Bytes() []byte { return f.bytes[:min(f.length, maxEnd)] }

// Clear forgets the beats: the next one begins a packet.
func (f *Frame) Clear() { f.Tag, f.length = 0, 0 }

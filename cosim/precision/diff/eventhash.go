package diff

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"

	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// EventHash is a hash of a stimulus: its events and its resets.
type EventHash struct {
	h     hash.Hash
	words [ccc.InWords]uint64
	reset bool
}

// NewEventHash returns the hash of nothing.
func NewEventHash() *EventHash { return &EventHash{h: sha256.New()} }

// Reset adds a reset; several without an event in between are one. A nil hash takes nothing.
func (x *EventHash) Reset() {
	if x != nil {
		x.reset = true
	}
}

// Event adds an event.
func (x *EventHash) Event(ev *ccc.Event) {
	if x == nil {
		return
	}
	var buf [8*ccc.InWords + 1]byte
	b := buf[:0]
	if x.reset {
		b, x.reset = append(b, 1), false
	} else {
		b = append(b, 0)
	}
	clear(x.words[:])
	ccc.PackEvent(ev, x.words[:])
	for _, w := range x.words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	x.h.Write(b)
}

// Sum returns the hash.
func (x *EventHash) Sum() string { return hex.EncodeToString(x.h.Sum(nil)[:8]) }

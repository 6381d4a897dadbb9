package packets

import (
	"encoding/binary"
	"fmt"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/packet/uet"
)

// An answer is a packet that the block made: it need not resemble one that came in. Each must be an acknowledgement
// that a destination may write, as the decoder of golden/packet/uet reads it.

// answered judges an answer.
func (w *Judge) answered(n uint64, frame []byte) {
	w.judged++
	if fault := faultOf(frame); fault != "" && w.bad == nil {
		w.found(n, frame, nil, report.Field{Name: "tx_data", Want: "a sound acknowledgement", Got: fault},
			"an answer leaves with "+fault)
		w.bad.Pick = func([]uint64) bool { return true } // the last one that came in
	}
	w.count++
}

// faultOf returns what is wrong with an acknowledgement, or "". Port and protocol of UET are those that it has: they
// are registers, and an answer takes them from its request.
func faultOf(frame []byte) string {
	spec := uet.DefaultSpec()
	at := 12
	for be16(frame, at) == 0x8100 || be16(frame, at) == 0x88a8 {
		at += 4
	}
	proto, upper := at+2+9, at+2+20
	if be16(frame, at) == 0x86dd {
		proto, upper = at+2+6, at+2+40
	}
	if proto < len(frame) && frame[proto] != 17 {
		spec.Protocol = frame[proto]
	} else {
		spec.Port = uint16(be16(frame, upper+2))
	}
	switch p, err := uet.Decode(spec, frame); {
	case err != nil:
		return err.Error()
	case !p.Sound():
		return p.Complaints[0]
	case p.Ack == nil && p.Nack == nil:
		return fmt.Sprintf("a header of type %d", p.Type)
	case len(p.Payload) > 0:
		return fmt.Sprintf("%d bytes after its header", len(p.Payload))
	case p.Lower.NoSum:
		return "no UDP checksum"
	}
	return ""
}

// be16 returns the number at byte i, or -1 beyond the end.
func be16(b []byte, i int) int {
	if i+2 > len(b) {
		return -1
	}
	return int(binary.BigEndian.Uint16(b[i:]))
}

package packets

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/packet/uet"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// A packet that a NIC makes has a note: what the decoder of golden/packet/uet reads in the one is compared with the
// other. The headers below UET are the host's, who can write anything: a packet that does not begin with those of UET
// is left to the comparison with the model.

// made matches the packets that a NIC makes with their notes.
type made struct {
	answer *event.Slot
	cmdAt  int // index of the commands among inputs

	templates map[int]*headers // by context
	header    int              // what the nominal size counts besides the payload
	sends     bool             // a PDC can send
	moved     bool             // header changed since
	unsure    bool             // it is not known which note is the next packet's, up to the next reset
	notes     []nic.Note       // of packets without a packet
	frames    [][]byte         // packets without a note
	read      uint64           // packets that were decoded
	note      nic.Note
	cmd       nic.Cmd
}

// headers are what a context's packets begin with.
type headers struct {
	bytes  [4 * nic.WordSize]byte
	size   int
	ipv6   bool
	sends  bool // a PDC of the context can send
	moving bool // they changed since
	gap    bool // for a time since then there were none, so that which packets left is not known
}

func newMade(b *event.Block, l *event.Layout) *made {
	m := &made{answer: l.Out.Slot("tx", "answer"), cmdAt: -1}
	if m.answer == nil {
		return nil
	}
	for i, s := range b.StreamsOf(event.In) {
		if s.Name == "cmd" {
			m.cmdAt = i
		}
	}
	m.reset()
	return m
}

func (m *made) reset() {
	m.templates, m.header = map[int]*headers{}, int(txpdc.RegInfo[txpdc.RegHeader].Reset)
	m.sends, m.moved, m.unsure, m.notes, m.frames = false, false, false, m.notes[:0], m.frames[:0]
}

func (m *made) of(ctx int) *headers {
	if m.templates[ctx] == nil {
		m.templates[ctx] = &headers{}
	}
	return m.templates[ctx]
}

// command takes a command of the host. Commands act in their order.
func (m *made) command(in []uint64) {
	x := &m.cmd
	nic.UnpackCmd(in, x)
	k := txpdc.Kind(x.Kind)
	switch {
	case x.Target == nic.TargetSource && k == txpdc.KindCfgWrite && x.Addr == txpdc.RegHeader:
		m.header, m.moved = int(x.Data&127), m.moved || m.sends
	case x.Target == nic.TargetSource && (k == txpdc.KindOpen || k == txpdc.KindLoad):
		m.of(int(x.Index)/nic.Slots).sends, m.sends = true, true
	case x.Target == nic.TargetWriter && k == txpdc.KindLoad && x.Addr <= nic.WordSize:
		h := m.of(int(x.Index))
		h.moving = h.moving || h.sends
		if at := 4 * int(x.Addr); x.Addr < nic.WordSize {
			for i := range 4 {
				h.bytes[at+i] = byte(x.Data >> (8 * i))
			}
			return
		}
		size, ipv6, least := int(x.Data&63), x.Data>>nic.WordIpv6LSB&1 != 0, 34
		if ipv6 {
			least = 54
		}
		if size == 0 || size >= least && size <= 62 {
			h.gap = h.gap || h.sends && (size == 0 || h.size == 0)
			h.size, h.ipv6 = size, ipv6
		}
	}
}

// matched judges the packets that a NIC has made, as far as they have their notes.
func (w *Judge) matched(n uint64) {
	k, frame, field := w.made.judge()
	w.judged += uint64(k)
	if field.Name != "" && w.bad == nil {
		w.found(n, frame, nil, field, fmt.Sprintf("a packet is not that of its note: %s %s, want %s", field.Name, field.Got,
			field.Want))
		w.bad.Pick = func([]uint64) bool { return true } // the last one that came in
	}
	w.count += k
}

// take takes a note.
func (m *made) take(out []uint64) {
	nic.UnpackNote(out, &m.note)
	if m.note.Kind == nic.ActSent || m.note.Kind == nic.ActClosing {
		m.notes = append(m.notes, m.note)
	}
}

// judge compares the packets that have a note with it. It returns how many, the bytes of the first that differs, and in
// what.
func (m *made) judge() (n int, bad []byte, field report.Field) {
	for !m.unsure && len(m.notes) > 0 && len(m.frames) > 0 {
		x, b := m.notes[0], m.frames[0]
		h := m.of(int(x.PDC) / nic.Slots)
		if m.unsure = h.gap; m.unsure {
			return n, bad, field
		}
		m.notes = append(m.notes[:0], m.notes[1:]...)
		if h.size == 0 {
			continue // it is not addressed
		}
		f := m.unlike(&x, h, b)
		m.frames = append(m.frames[:0], m.frames[1:]...)
		n++
		if f.Name != "" && bad == nil {
			bad, field = b, f
		}
	}
	return n, bad, field
}

// unlike returns in what a packet is not that of a note; the name is empty where there is nothing.
func (m *made) unlike(x *nic.Note, h *headers, frame []byte) report.Field {
	spec := uet.DefaultSpec()
	at := 12
	for at < 20 && (be16(frame, at) == 0x8100 || be16(frame, at) == 0x88a8) {
		at += 4
	}
	proto, upper, begin := at+2+9, at+2+20, byte(0x45)
	if be16(frame, at) == 0x86dd {
		proto, upper, begin = at+2+6, at+2+40, frame[at+2]&15|0x60
	} else if be16(frame, at) != 0x0800 {
		return report.Field{}
	}
	if frame[proto] == 17 {
		spec.Port = uint16(be16(frame, upper+2))
	}
	if frame[at+2] != begin || frame[proto] != 17 && frame[proto] != spec.Protocol || h.moving || upper != h.size ||
		spec.Port == 0 || len(frame) > 1<<16-1 {
		return report.Field{} // not the headers of a host that wants it to arrive
	}
	m.read++
	p, err := uet.Decode(spec, frame)
	if err != nil {
		return report.Field{Name: "tx_data", Want: "a packet that can be read", Got: err.Error()}
	}
	for _, c := range p.Complaints {
		if c == fmt.Sprintf("byte %d: the IPv4 header checksum is wrong", p.Lower.IPStart+10) && h.sum() {
			return report.Field{Name: "tx_data", Want: "the IPv4 header checksum that its template gives", Got: c}
		}
	}
	type pair struct {
		name      string
		want, got any
	}
	payload := max(int(x.Size)-m.header, 0)
	pairs := []pair{}
	switch {
	case x.Kind == nic.ActSent && p.Request != nil && p.Request.CC != nil:
		r := p.Request
		pairs = append(pairs, pair{"PSN", x.PSN, r.PSN}, pair{"SPDCID", x.PDC + 1, r.SPDCID}, pair{"syn", x.Syn, r.Syn},
			pair{"retx", x.IsRtx, r.Retx}, pair{"ar", x.Ar, r.AR},
			pair{"clear_psn_offset", int16(-nic.Window), r.ClearPSNOffset},
			pair{"ccc_id", uint8(x.PDC / nic.Slots), r.CC.CCCID}, pair{"credit_target", uint32(0), r.CC.CreditTarget})
	case x.Kind == nic.ActClosing && p.Control != nil && p.Control.CtlType == uet.CtlType(4):
		c := p.Control
		pairs = append(pairs, pair{"PSN", x.PSN, c.PSN}, pair{"SPDCID", x.PDC + 1, c.SPDCID},
			pair{"retx", x.IsRtx, c.Retx}, pair{"syn, ar", false, c.Syn || c.AR})
		payload = 0
	default:
		return report.Field{Name: "tx_data", Want: fmt.Sprintf("a packet for a note of kind %d", x.Kind),
			Got: fmt.Sprintf("one of type %d", p.Type)}
	}
	if !m.moved || x.Kind == nic.ActClosing {
		pairs = append(pairs, pair{"bytes of payload", payload, len(p.Payload)})
	}
	for _, c := range pairs {
		if c.want != c.got {
			return report.Field{Name: c.name, Want: fmt.Sprint(c.want), Got: fmt.Sprint(c.got)}
		}
	}
	return report.Field{}
}

// sum reports whether the checksum in an IPv4 template is right for a total length of 0.
func (h *headers) sum() bool {
	if h.size < 34 || h.ipv6 {
		return false
	}
	ip := h.bytes[h.size-20 : h.size]
	s := 0
	for i := 0; i < len(ip); i += 2 {
		s += be16(ip, i)
	}
	return (ip[2]|ip[3]) == 0 && s%0xffff == 0 && s > 0 && ip[0] == 0x45
}

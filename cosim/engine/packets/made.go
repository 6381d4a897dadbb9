package packets

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/packet/uet"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// A packet that its block makes has a note: what the decoder of golden/packet/uet reads in the one is compared with the
// other, and the headers below UET with those that the host wrote. Where a host changes them, a packet must be that of
// one of the forms that can have been in force. The bits of the entropy under SPRAY are left to the comparison with the
// model. So is all that follows a template that is not of IP and UET, or under which the IP length wraps. Such packets
// are counted as skipped.

// made matches the packets that a block makes with their notes.
type made struct {
	answer, tag  *event.Slot
	cmdAt, rspAt int // indices of the commands among inputs, and of their answers among outputs

	forms         map[int][]form // of each context those that can be in force, the newest last
	sends         map[int]bool   // a PDC of the context can have sent
	shared        form           // registers, of contexts without a form
	peers, starts map[uint16]*values
	writes        []write // without an answer
	cmds, rsps    uint64
	taken         uint64 // notes of every kind
	notes         []due  // of packets without a packet
	frames        []sent // packets without a note
	skipped       uint64
	note          nic.Note
	cmd           nic.Cmd
}

// form is what a context's packets begin with, and the registers by which they are made.
type form struct {
	bytes        [4 * nic.WordSize]byte
	size         int
	ipv6, native bool
	entropy      uint16
	spray, port  uint16
	header       int    // what the nominal size counts besides the payload
	by           uint64 // number of the command that wrote it
	before       uint64 // no note after this one is of the form before; 0: not known
}

// write is a command that wrote a form.
type write struct {
	by  uint64
	ctx int
}

// due is a note of a packet, and its number.
type due struct {
	nic.Note
	number uint64
}

// sent is a packet, and the number of commands until its end.
type sent struct {
	bytes []byte
	tag   uint64
	cmds  uint64
}

// values are those that a field can have.
type values struct {
	list []uint16
	any  bool
}

func newMade(b *event.Block, l *event.Layout) *made {
	m := &made{answer: l.Out.Slot("tx", "answer"), tag: l.Out.Slot("tx", "tag"), cmdAt: -1, rspAt: -1}
	if m.answer == nil {
		return nil
	}
	for i, s := range b.StreamsOf(event.In) {
		if s.Name == "cmd" {
			m.cmdAt = i
		}
	}
	for i, s := range b.StreamsOf(event.Out) {
		if s.Name == "rsp" {
			m.rspAt = i
		}
	}
	m.reset()
	return m
}

func (m *made) reset() {
	m.forms, m.sends, m.peers, m.starts = map[int][]form{}, map[int]bool{}, map[uint16]*values{}, map[uint16]*values{}
	m.shared = form{port: uint16(nic.RegInfo[nic.RegPort].Reset), header: int(txpdc.RegInfo[txpdc.RegHeader].Reset)}
	m.writes, m.notes, m.frames, m.cmds, m.rsps, m.taken = m.writes[:0], m.notes[:0], m.frames[:0], 0, 0, 0
}

// of returns the forms of a context.
func (m *made) of(ctx int) []form {
	if m.forms[ctx] == nil {
		m.forms[ctx] = []form{m.shared}
	}
	return m.forms[ctx]
}

// write changes the form of a context. A context that has sent nothing needs no older one.
func (m *made) write(ctx int, change func(*form)) {
	list := m.of(ctx)
	next := list[len(list)-1]
	change(&next)
	if !m.sends[ctx] {
		list[len(list)-1] = next
		return
	}
	next.by, next.before = m.cmds, 0
	m.forms[ctx] = append(list, next)
	m.writes = append(m.writes, write{m.cmds, ctx})
}

// share changes a register of all.
func (m *made) share(change func(*form)) {
	change(&m.shared)
	for ctx := range m.forms {
		m.write(ctx, change)
	}
}

// known adds a value that a field of a PDC's packets can have.
func known(of map[uint16]*values, pdc, v uint16) {
	x := of[pdc]
	if x == nil {
		x = &values{}
		of[pdc] = x
	}
	if x.any = x.any || len(x.list) > 64; !x.any && !slices.Contains(x.list, v) {
		x.list = append(x.list, v)
	}
}

// has reports whether a field of a PDC's packets can have a value.
func has(of map[uint16]*values, pdc, v uint16) bool {
	x := of[pdc]
	return x != nil && (x.any || slices.Contains(x.list, v))
}

// command takes a command of the host. Commands act in their order.
func (m *made) command(in []uint64) {
	x := &m.cmd
	nic.UnpackCmd(in, x)
	m.cmds++
	k, data := txpdc.Kind(x.Kind), x.Data
	switch {
	case x.Target == nic.TargetSource && k == txpdc.KindCfgWrite && x.Addr == txpdc.RegHeader:
		m.share(func(f *form) { f.header = int(data & 127) })
	case x.Target == nic.TargetWriter && k == txpdc.KindCfgWrite && x.Addr == nic.RegSpray:
		m.share(func(f *form) { f.spray = uint16(data) })
	case x.Target == nic.TargetWriter && k == txpdc.KindCfgWrite && x.Addr == nic.RegPort:
		m.share(func(f *form) { f.port = uint16(data) })
	case x.Target == nic.TargetSource && (k == txpdc.KindOpen || k == txpdc.KindLoad):
		m.of(int(x.Index) / nic.Slots)
		m.sends[int(x.Index)/nic.Slots] = true
		if k == txpdc.KindOpen || x.Addr == txpdc.WordStart {
			known(m.starts, x.Index, uint16(data&0xfff))
		} else if x.Addr == txpdc.WordPeer {
			known(m.peers, x.Index, uint16(data>>txpdc.WordPeerLSB))
			if m.starts[x.Index] == nil {
				known(m.starts, x.Index, 0) // as a reset leaves it
			}
		}
	case x.Target == nic.TargetWriter && k == txpdc.KindLoad && x.Addr < nic.WordSize:
		m.write(int(x.Index), func(f *form) { binary.LittleEndian.PutUint32(f.bytes[4*x.Addr:], uint32(data)) })
	case x.Target == nic.TargetWriter && k == txpdc.KindLoad && x.Addr == nic.WordSize:
		size, ipv6, least := int(data&63), data>>nic.WordIpv6LSB&1 != 0, 34
		if ipv6 {
			least = 54
		}
		if size == 0 || size >= least && size <= 62 {
			m.write(int(x.Index), func(f *form) {
				f.size, f.ipv6, f.native = size, ipv6, data>>nic.WordNativeLSB&1 != 0
				f.entropy = uint16(data >> nic.WordEntropyLSB)
			})
		}
	}
}

// answered takes the answer to the oldest command. What that wrote is in force by now. At most Notes notes of the form
// before can still be waiting.
func (m *made) answered() {
	m.rsps++
	for len(m.writes) > 0 && m.writes[0].by <= m.rsps {
		list := m.forms[m.writes[0].ctx]
		for i := range list {
			if list[i].by == m.writes[0].by {
				list[i].before = m.taken + nic.Notes
			}
		}
		m.writes = append(m.writes[:0], m.writes[1:]...)
	}
}

// arrived takes a packet that came in: a PDC may learn from it who its peer is.
func (m *made) arrived(frame []byte) {
	at, upper, proto := layers(frame)
	if at < 0 {
		return
	}
	if upper += 4; proto == 17 {
		upper += 4
	}
	if len(frame) >= upper+12 {
		known(m.peers, uint16(be16(frame, upper+10)-1), uint16(be16(frame, upper+8)))
	}
}

// layers returns where the headers of IP and of what it carries begin, and its protocol; at is -1 where there is no IP.
func layers(frame []byte) (at, upper int, proto byte) {
	at = 12
	for at < 20 && (be16(frame, at) == 0x8100 || be16(frame, at) == 0x88a8) {
		at += 4
	}
	kind := be16(frame, at)
	switch at += 2; {
	case kind == 0x0800 && len(frame) >= at+20 && frame[at]>>4 == 4:
		return at, at + 4*int(frame[at]&15), frame[at+9]
	case kind == 0x86dd && len(frame) >= at+40 && frame[at]>>4 == 6:
		return at, at + 40, frame[at+6]
	}
	return -1, 0, 0
}

// matched judges those packets that a block has made whose notes are there.
func (w *Judge) matched(n uint64) {
	m, done := w.made, 0
	for done < len(m.notes) && len(m.frames) > 0 {
		p := m.frames[0]
		field, is, read := m.compare(&m.notes[done], &p)
		done++
		if !is {
			continue // it was not addressed
		}
		if field.Name != "" && w.bad == nil {
			w.found(n, p.bytes, nil, field, fmt.Sprintf("a packet is not that of its note: %s %s, want %s", field.Name,
				field.Got, field.Want))
			w.bad.Pick = func([]uint64) bool { return true } // the last one that came in
		}
		if read {
			w.judged++
		} else {
			m.skipped++
		}
		w.count++
		w.spare = append(w.spare, p.bytes)
		m.frames = append(m.frames[:0], m.frames[1:]...)
	}
	m.notes = append(m.notes[:0], m.notes[done:]...)
}

func (m *made) take(out []uint64) {
	nic.UnpackNote(out, &m.note)
	m.taken++
	if m.note.Kind == nic.ActSent || m.note.Kind == nic.ActClosing {
		m.notes = append(m.notes, due{m.note, m.taken})
	}
}

// compare compares a packet with a note by every form that can have been in force. It returns in what they differ, with
// an empty name where they agree; whether the packet is that of the note; and whether it was read.
func (m *made) compare(x *due, p *sent) (field report.Field, is, read bool) {
	ctx := int(x.PDC) / nic.Slots
	list := m.of(ctx)
	old := 0
	for old+1 < len(list) && list[old+1].before > 0 && list[old+1].before < x.number {
		old++
	}
	list = append(list[:0], list[old:]...)
	m.forms[ctx] = list
	agrees, none := false, false
	for i := range list {
		h := &list[i]
		if i > 0 && h.by > p.cmds {
			break // it was written later
		}
		if h.size == 0 {
			none = true
			continue
		}
		f, r := m.unlike(&x.Note, h, p)
		if f.Name == "" {
			agrees, read = true, read || r
		}
		field = f
	}
	switch {
	case agrees:
		return report.Field{}, true, read
	case none:
		return report.Field{}, false, false
	}
	return field, true, true
}

type pair struct {
	name      string
	want, got any
}

// differs returns the first that is not as it must be.
func differs(pairs ...pair) report.Field {
	for _, c := range pairs {
		if c.want != c.got {
			return report.Field{Name: c.name, Want: fmt.Sprint(c.want), Got: fmt.Sprint(c.got)}
		}
	}
	return report.Field{}
}

// unlike returns in what a packet is not that of a note by a form, with an empty name where they agree, and whether the
// packet was read.
func (m *made) unlike(x *nic.Note, h *form, p *sent) (f report.Field, read bool) {
	frame := p.bytes
	if f = differs(pair{"tx_tag", uint64(x.PDC), p.tag}); f.Name != "" {
		return f, true
	}
	if f = h.begins(frame); f.Name != "" {
		return f, true
	}
	at, upper, proto := layers(h.bytes[:h.size])
	payload := max(int(x.Size)-h.header, 0)
	if x.Kind == nic.ActClosing {
		payload = 0
	}
	whole := h.size + 8 + 16 + payload
	if h.native {
		whole -= 4
	}
	if at < 0 || upper != h.size || h.ipv6 != (h.bytes[at]>>4 == 6) || h.native != (proto != 17) || whole-at >= 1<<16 ||
		!h.native && h.port == 0 || !h.ipv6 && be16(h.bytes[:], at+6)&0x3fff != 0 {
		return f, false // not the headers of a host that wants it to arrive
	}
	spec := uet.DefaultSpec()
	if spec.Port = max(h.port, 1); h.native {
		spec.Protocol = proto
	}
	u, err := uet.Decode(spec, frame)
	if err != nil {
		return report.Field{Name: "tx_data", Want: "a packet that can be read", Got: err.Error()}, true
	}
	for _, c := range u.Complaints {
		if c != fmt.Sprintf("byte %d: the IPv4 header checksum is wrong", u.Lower.IPStart+10) || h.sum() {
			return report.Field{Name: "tx_data", Want: "a sound packet", Got: c}, true
		}
	}
	zero := func(b []byte) bool { return !slices.ContainsFunc(b, func(c byte) bool { return c != 0 }) }
	f = differs(pair{"entropy besides SPRAY", h.entropy &^ h.spray, u.Lower.Entropy &^ h.spray},
		pair{"native", h.native, u.Lower.Native}, pair{"no UDP checksum", !h.native, u.Lower.NoSum},
		pair{"next_hdr", uet.NextHdr(0), u.NextHdr}, pair{"bytes of payload", payload, len(u.Payload)},
		pair{"bytes of padding", max(nic.MinFrame-whole, 0), len(u.Padding)},
		pair{"payload and padding of zeros", true, zero(u.Payload) && zero(u.Padding)})
	if f.Name != "" {
		return f, true
	}
	switch {
	case x.Kind == nic.ActSent && u.Request != nil && u.Request.CC != nil:
		r := u.Request
		other := pair{"DPDCID of its peer", true, has(m.peers, x.PDC, r.DPDCID)}
		if x.Syn {
			other = pair{"psn_offset from a start", true, has(m.starts, x.PDC, (uint16(r.PSN)-r.PSNOffset)&0xfff)}
		}
		return differs(pair{"type", uet.RudCCReq, u.Type}, pair{"PSN", x.PSN, r.PSN}, pair{"SPDCID", x.PDC + 1, r.SPDCID},
			pair{"syn", x.Syn, r.Syn}, pair{"retx", x.IsRtx, r.Retx}, pair{"ar", x.Ar, r.AR},
			pair{"clear_psn_offset", int16(-nic.Window), r.ClearPSNOffset}, pair{"ccc_id", uint8(x.PDC / nic.Slots), r.CC.CCCID},
			pair{"credit_target", uint32(0), r.CC.CreditTarget}, pair{"pdc_info", uint8(0), r.PDCInfo}, other), true
	case x.Kind == nic.ActClosing && u.Control != nil:
		c := u.Control
		return differs(pair{"ctl_type", uet.Close, c.CtlType}, pair{"PSN", x.PSN, c.PSN}, pair{"SPDCID", x.PDC + 1, c.SPDCID},
			pair{"retx", x.IsRtx, c.Retx}, pair{"isrod, syn, ar", false, c.IsROD || c.Syn || c.AR},
			pair{"probe_opaque", uint16(0), c.ProbeOpaque}, pair{"payload", uint32(0), c.Payload},
			pair{"DPDCID of its peer", true, has(m.peers, x.PDC, c.DPDCID)}), true
	}
	return report.Field{Name: "tx_data", Want: fmt.Sprintf("a packet for a note of kind %d", x.Kind),
		Got: fmt.Sprintf("one of type %d", u.Type)}, true
}

// begins compares the first bytes of a packet with a form. It leaves out lengths and checksum.
func (h *form) begins(frame []byte) report.Field {
	if len(frame) < max(h.size, nic.MinFrame) {
		return report.Field{Name: "tx_data", Want: fmt.Sprintf("headers of %d bytes", h.size),
			Got: fmt.Sprintf("a packet of %d", len(frame))}
	}
	for i, b := range h.bytes[:h.size] {
		k := h.size - i // bytes from the end of the IP header
		made := h.ipv6 && (k == 36 || k == 35) || !h.ipv6 && (k == 18 || k == 17 || k == 10 || k == 9)
		if !made && b != frame[i] {
			return report.Field{Name: fmt.Sprintf("byte %d of the template", i), Want: fmt.Sprintf("%#02x", b),
				Got: fmt.Sprintf("%#02x", frame[i])}
		}
	}
	return report.Field{}
}

// sum reports whether the checksum in an IPv4 template is right for a total length of 0.
func (h *form) sum() bool {
	ip := h.bytes[h.size-20 : h.size]
	s := 0
	for i := 0; i < len(ip); i += 2 {
		s += be16(ip, i)
	}
	return (ip[2]|ip[3]) == 0 && s%0xffff == 0
}

package conform

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/goldwire/goldwire/bridge/wire"
)

var le = binary.LittleEndian

// resum corrects the header's checksum.
func resum(b []byte) { le.PutUint32(b[28:], crc32.Checksum(b[:28], castagnoli)) }

var frameChecks = []check{
	damaged("magic", "another magic", "magic", func(b []byte) { b[0] = 'X' }),
	damaged("version", "another version in the header, whatever its checksum", "version", func(b []byte) { b[4] = 9 }),
	damaged("header-checksum", "a header that its checksum does not fit", "checksum", func(b []byte) { b[13] ^= 1 }),
	damaged("type-zero", "type 0", "protocol", func(b []byte) { b[6] = 0; resum(b) }),
	damaged("type-unknown", "type 200", "protocol", func(b []byte) { b[6] = 200; resum(b) }),
	damaged("type-reply", "a reply where a request belongs", "protocol",
		func(b []byte) { b[6] = byte(wire.TypeStepped); resum(b) }),
	damaged("flags", "flags that are not 0", "protocol", func(b []byte) { b[7] = 1; resum(b) }),
	damaged("reserved", "reserved bytes that are not 0", "protocol", func(b []byte) { b[21] = 1; resum(b) }),
	damaged("sequence-ahead", "a sequence number left out", "sequence", func(b []byte) { b[8]++; resum(b) }),
	damaged("sequence-again", "a sequence number repeated", "sequence", func(b []byte) { b[8]--; resum(b) }),
	damaged("odd-bulk", "a bulk that is not whole words", "protocol",
		func(b []byte) { le.PutUint32(b[16:], 12); resum(b) }),
	damaged("control-checksum", "a control message that the checksum does not fit", "checksum",
		func(b []byte) { b[33] ^= 1 }),
	damaged("bulk-checksum", "a bulk that the checksum does not fit", "checksum", func(b []byte) { b[len(b)-1] ^= 0x80 }),
	oversize("control", 12, 65536), oversize("bulk", 16, 268435456),
	{name: "frame/truncated", expect: "a stream that ends within a frame, anywhere: error truncated, end",
		run: func(s *suite, _ *probe) {
			for _, at := range []int{1, 31, 33, -1} {
				s.with((*suite).ready, func(p *probe) {
					b := p.request()
					n := at
					if n < 0 {
						n = len(b) - 1
					}
					within(func() {
						p.raw(b[:n])
						p.half()
						p.refused("truncated")
					}, "after %d of %d bytes: %w", n, len(b))
				})
			}
		}},
	{name: "frame/pieces", expect: "a frame that comes byte by byte is a frame like any other", on: (*suite).ready,
		run: func(_ *suite, p *probe) {
			b := p.frame(wire.TypeConfigure, []byte{0x80}, nil)
			for i := range b {
				p.raw(b[i : i+1])
			}
			p.expect(wire.TypeConfigured)
		}},
}

// request returns the bytes of a frame that would be served: a step of one record, or an ask where steps are not
// served.
func (p *probe) request() []byte {
	rec := make([]uint64, p.s.layout.In.Words)
	if p.hello.Serves("step") {
		return p.frame(wire.TypeStep, []byte("\x81\xa6cycles\x01"), rec)
	}
	for _, in := range p.s.ins() {
		rec[0] |= in.Valid
	}
	return p.frame(wire.TypeAsk, []byte("\x81\xa6events\x01"), rec)
}

// damaged checks that an altered frame is refused.
func damaged(name, what, kind string, edit func([]byte)) check {
	return refused("frame/"+name, what, kind, (*suite).ready, func(p *probe) {
		b := p.request()
		edit(b)
		p.raw(b)
	})
}

// oversize announces more than a frame may have and sends none of it: the refusal must not wait for it.
func oversize(part string, at int, limit uint32) check {
	return check{name: "frame/oversize-" + part, expect: fmt.Sprintf("a %s longer than %d bytes: error too-large as "+
		"soon as it is announced, end", part, limit), run: func(s *suite, _ *probe) {
		for _, n := range []uint32{limit + 8, 1<<32 - 8} {
			within(func() {
				s.with((*suite).ready, func(p *probe) {
					b := p.request()[:wire.HeaderSize]
					le.PutUint32(b[at:], n)
					resum(b)
					p.raw(b)
					p.refused("too-large")
				})
			}, "%d bytes: %w", n)
		}
	}}
}

var controlChecks = []check{
	accepted("empty", "no control message at all is a map without keys", nil),
	accepted("unknown-keys", "unknown keys are skipped, whatever their value",
		append([]byte("\x84\xa4seed\x01\xa3new\x93\x01\xcb\x40\x04\x00\x00\x00\x00\x00\x00\x81\xa1x\xc0"),
			"\xa4more\xc4\x02\x00\x01\xa5reset\x02"...)),
	accepted("integer-widths", "integers come in any msgpack width",
		[]byte("\x82\xa4seed\xcf\x00\x00\x00\x00\x00\x00\x00\x01\xa5reset\xd1\x00\x01")),
	accepted("map-widths", "maps and strings come in any msgpack width",
		[]byte("\xdf\x00\x00\x00\x02\xd9\x04seed\x01\xdb\x00\x00\x00\x05reset\x01")),
	refusedControl("no-map", "a control message that is an array", []byte{0x92, 1, 2}),
	refusedControl("cut", "a control message that ends within a value", []byte("\x82\xa4seed\x01\xa5res")),
	refusedControl("more", "bytes after the control message", []byte("\x81\xa4seed\x01\x01")),
	refusedControl("text", "text where a number belongs", []byte("\x81\xa4seed\xa11")),
	refusedControl("count", "a map that announces more pairs than it has bytes",
		[]byte("\xdf\xff\xff\xff\xff\xa4seed\x01")),
}

func accepted(name, expect string, ctrl []byte) check {
	return check{name: "control/" + name, expect: expect + ": configure is answered by configured", on: (*suite).greeted,
		run: func(_ *suite, p *probe) {
			p.send(wire.TypeConfigure, ctrl)
			p.expect(wire.TypeConfigured)
		}}
}

func refusedControl(name, what string, ctrl []byte) check {
	return refused("control/"+name, what, "protocol", (*suite).greeted,
		func(p *probe) { p.send(wire.TypeConfigure, ctrl) })
}

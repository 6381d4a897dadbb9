package run

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/gen"
)

// framer keeps, for every output stream of packets, the packet that is on its way out.
type framer struct {
	idle
	streams []framed
}

// framed is one output stream: its data by its slot, nil where it carries no packets.
type framed struct {
	data   *event.Slot
	frame  []byte // beats taken of the packet on its way
	beats  int    // how many
	before int    // packets that left since the last reset
}

func newFramer(p *player, l *event.Layout) *framer {
	f := &framer{streams: make([]framed, len(p.outs))}
	for i := range p.outs {
		if name := p.outs[i].name; p.outs[i].last != nil && l.Out.Slot(name, "keep") != nil {
			f.streams[i].data = l.Out.Slot(name, "data")
		}
	}
	return f
}

func (f *framer) begin(*gen.Episode) { f.reset(0) }

func (f *framer) reset(uint64) {
	for i := range f.streams {
		f.streams[i] = framed{data: f.streams[i].data}
	}
}

func (f *framer) respond(_ uint64, s int, out []uint64, ends bool) {
	switch x := &f.streams[s]; {
	case x.data == nil:
	case ends:
		x.frame, x.beats, x.before = x.frame[:0], 0, x.before+1
	default:
		x.frame, x.beats = append(x.frame, x.data.Bytes(out)...), x.beats+1
	}
}

// locate says of the fields that differ in an output of packets at a cycle which beat of which packet it is,
// and of bytes what they are in the packet. wanted is the output record as it should be.
func (e *engine) locate(m *report.Mismatch, rec *recording, at uint64, diff []score.Difference, wanted []uint64) {
	p, err := e.playerOf(rec.episode(e.cfg.Block))
	if err != nil {
		return
	}
	f := newFramer(p, e.judge.Layout())
	p.watch(f)
	in, out := make([]uint64, p.inWords), make([]uint64, p.outWords)
	for p.cycles < at && p.more(in) {
		p.cycle(in, out)
	}
	for i := range p.outs {
		name, x := p.outs[i].name, &f.streams[i]
		if x.data == nil {
			continue
		}
		for k, d := range diff {
			if d.Stream != name {
				continue
			}
			m.Place = fmt.Sprintf("beat %d of packet %d at %s, both counted from 0 since reset", x.beats, x.before, name)
			if d.Byte == "" {
				continue
			}
			frame := append(append([]byte{}, x.frame...), x.data.Bytes(wanted)...)
			field := &m.Fields[k]
			field.Offset = len(x.frame)
			field.Byte = fmt.Sprintf("byte %d of the packet", field.Offset+d.At)
			if region := packet.Region(frame, field.Offset+d.At); region != "" {
				field.Byte += " (" + region + ")"
			}
			field.Byte += d.Byte[len(fmt.Sprintf("byte %d", d.At)):]
		}
	}
}

// fieldOf puts a difference into a report.
func fieldOf(d *score.Difference) report.Field {
	return report.Field{Name: d.Name, Want: d.Want, Got: d.Got, DiffLSB: d.DiffLSB(), Byte: d.Byte}
}

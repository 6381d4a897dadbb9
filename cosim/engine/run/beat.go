package run

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// framer keeps the leaving packet of each output stream of packets.
type framer struct {
	play.Idle
	frames []elastic.Frame
}

// Begin begins an episode.
func (f *framer) Begin(uint64, *stim.Episode) { f.Reset(0) }

// Reset forgets the packets in flight.
func (f *framer) Reset(uint64) {
	for i := range f.frames {
		f.frames[i].Reset()
	}
}

// Respond takes a beat.
func (f *framer) Respond(_ uint64, s int, out []uint64, ends bool) { f.frames[s].Take(out, ends) }

// locate plays a recording up to a cycle and adds the places of the differing fields in their packets. wanted is the
// expected output record.
func (e *lockstep) locate(m *report.Mismatch, rec *play.Recording, at uint64, diff []score.Difference,
	wanted []uint64) {
	p, err := e.playerOf(rec.Episode(e.cfg.Block))
	if err != nil {
		return
	}
	f := &framer{frames: elastic.NewFrames(e.kind.Schema, e.judge.Layout())}
	p.Watch(f)
	in, out := make([]uint64, p.InWords), make([]uint64, p.OutWords)
	for p.Cycles < at && p.More(in) {
		p.Cycle(in, out)
	}
	place(m, e.kind.Schema, f.frames, diff, wanted)
}

// place adds the beat and the packet to fields that differ in an output of packets and, for bytes, their meaning in the
// packet. The fields of m are those of diff; wanted is the expected output record.
func place(m *report.Mismatch, b *event.Block, frames []elastic.Frame, diff []score.Difference, wanted []uint64) {
	for i, s := range b.StreamsOf(event.Out) {
		x := &frames[i]
		if x.Data == nil {
			continue
		}
		for k, d := range diff {
			if d.Stream != s.Name {
				continue
			}
			m.Place = fmt.Sprintf("beat %d of packet %d at %s, both counted from 0 since reset", x.Beats, x.Before, s.Name)
			if d.Byte == "" || d.Name != s.Name+"_data" {
				continue
			}
			frame := append(append([]byte{}, x.Bytes...), x.Data.Bytes(wanted)...)
			field := &m.Fields[k]
			field.Offset = len(x.Bytes)
			field.Byte = fmt.Sprintf("byte %d of the packet", field.Offset+d.At)
			if region := packet.Region(frame, field.Offset+d.At); region != "" {
				field.Byte += " (" + region + ")"
			}
			field.Byte += d.Byte[len(fmt.Sprintf("byte %d", d.At)):]
		}
	}
}

// fieldOf converts a difference to a field of the report.
func fieldOf(d *score.Difference) report.Field {
	return report.Field{Name: d.Name, Want: d.Want, Got: d.Got, DiffLSB: d.DiffLSB(), Byte: d.Byte}
}

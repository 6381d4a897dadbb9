package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// follower keeps the events accepted since the last reset and counts how many were answered.
type follower struct {
	play.Idle
	p        *play.Player
	events   [][][]uint64 // by input stream: the first transfer of each event
	inside   []bool       // by input stream: an event continues
	answered []int        // by output stream
	shown    []int        // by output stream: the transfers of these answers and of one in progress
}

// following adds a follower to a player that has begun its episode.
func following(p *play.Player) *follower {
	f := &follower{p: p}
	f.Reset(0)
	p.Watch(f)
	return f
}

func (f *follower) Begin(uint64, *stim.Episode) { f.Reset(0) }

func (f *follower) Reset(uint64) {
	f.events, f.inside = make([][][]uint64, len(f.p.Ins)), make([]bool, len(f.p.Ins))
	f.answered, f.shown = make([]int, len(f.p.Outs)), make([]int, len(f.p.Outs))
}

func (f *follower) Accept(_ uint64, s int, in []uint64, ends bool) {
	if !f.inside[s] {
		f.events[s] = append(f.events[s], slices.Clone(in))
	}
	f.inside[s] = !ends
}

func (f *follower) Respond(_ uint64, s int, _ []uint64, ends bool) {
	f.shown[s]++
	if ends {
		f.answered[s]++
	}
}

// replied is an event whose response is at the ports.
type replied struct {
	stim.Item
	out      *play.Port // where its response is
	number   int        // of the response since the last reset, from 0
	transfer int        // of the stream since the last reset, from 0; of packets, one per beat
}

// eventAt describes the events whose responses are at the ports in a failing cycle, or returns "".
func (e *lockstep) eventAt(rec *play.Recording, at uint64, res *device.Outcome) string {
	var texts []string
	for _, a := range e.eventsAt(rec, at, res) {
		text := e.words(&a.Item)
		if a.out.Last != nil {
			text = fmt.Sprintf("packet %d of %s", a.number, text)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// eventsAt returns the events whose responses are at the ports in a failing cycle. If several streams show one, those
// that differ count, or all of them if res is nil.
func (e *lockstep) eventsAt(rec *play.Recording, at uint64, res *device.Outcome) (all []replied) {
	p, err := e.playerOf(rec.Episode(e.cfg.Block))
	if err != nil {
		return nil
	}
	f := following(p)
	in, out := make([]uint64, p.InWords), make([]uint64, p.OutWords)
	for p.Cycles < at && p.More(in) {
		p.Cycle(in, out)
	}
	if p.Cycles < at || !p.More(in) {
		return nil
	}
	events, number, shown := f.events, slices.Clone(f.answered), slices.Clone(f.shown)
	p.Cycle(in, out)
	if in[0]&p.RstN == 0 {
		return nil
	}
	differs := func(string) bool { return true }
	if len(p.Outs) > 1 && res != nil && res.RTL == nil {
		diff := e.judge.Diff(outputs(res.Mismatch, p.OutWords))
		differs = func(stream string) bool {
			return slices.ContainsFunc(diff, func(d score.Difference) bool { return strings.HasPrefix(d.Name, stream+"_") })
		}
	}
	for i := range p.Outs {
		s, from := &p.Outs[i], p.Cause(i)
		if out[0]&s.Valid == 0 || from < 0 || number[i] >= len(events[from]) || !differs(s.Name) {
			continue
		}
		all = append(all, replied{stim.Item{Lane: from, Words: events[from][number[i]]}, s, number[i], shown[i]})
	}
	return all
}

// framer keeps the leaving packet of each output stream of packets.
type framer struct {
	play.Idle
	frames []elastic.Frame
}

func (f *framer) Begin(uint64, *stim.Episode) { f.Reset(0) }

func (f *framer) Reset(uint64) {
	for i := range f.frames {
		f.frames[i].Reset()
	}
}

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

func fieldsOf(diff []score.Difference) (out []report.Field) {
	for _, d := range diff {
		out = append(out, report.Field{Name: d.Name, Want: d.Want, Got: d.Got, DiffLSB: d.DiffLSB(), Byte: d.Byte})
	}
	return out
}

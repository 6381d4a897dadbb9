package play

import (
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// Port is one stream. A transfer counts as an event only if it ends a packet.
type Port struct {
	*event.Port
	Fields uint64 // of an output stream: the fields compared per transfer

	lastWord int    // word of a record; makes event.Port.Ends a single test
	lastMask uint64 // in that word; 0 without the field
}

func portOf(p *event.Port) Port {
	x := Port{Port: p}
	if p.Last != nil {
		x.lastWord, x.lastMask = p.Last.Word, 1<<p.Last.Bit
	}
	return x
}

// Ends reports whether a transfer ends an event.
func (p *Port) Ends(rec []uint64) bool { return p.lastMask == 0 || rec[p.lastWord]&p.lastMask != 0 }

// Compared returns the comparisons that a transfer of an output stream adds.
func (p *Port) Compared(out []uint64) report.Compared {
	c := report.Compared{Fields: p.Fields}
	if p.Ends(out) {
		c.Responses = 1
	}
	return c
}

// Ports holds the streams of a block in the order of its schema, inputs before outputs. Word 0 has their valid and
// ready bits in the same order: those of an input record start at bit 1, after rst_n, those of an output record at bit
// 0. So one AND finds all transfers of a cycle.
type Ports struct {
	InWords, OutWords int
	RstN              uint64
	Ins, Outs         []Port
	inSet, outSet     uint64 // the bits of the streams in an output record
}

// PortsOf returns the streams of a layout.
func PortsOf(l *event.Layout) Ports {
	p := Ports{InWords: l.In.Words, OutWords: l.Out.Words, RstN: l.Reset()}
	for i := range l.Inputs() {
		x := portOf(&l.Inputs()[i])
		p.inSet |= x.Ready
		p.Ins = append(p.Ins, x)
	}
	for i := range l.Outputs() {
		x := portOf(&l.Outputs()[i])
		x.Fields = elastic.CountFields(&l.Out, x.Name, nil)
		p.outSet |= x.Valid
		p.Outs = append(p.Outs, x)
	}
	return p
}

// Uncount removes the bits of skip, word by word of an output record, from the fields that count as compared.
func (p *Ports) Uncount(l *event.Layout, skip []uint64) {
	for i := range p.Outs {
		p.Outs[i].Fields = elastic.CountFields(&l.Out, p.Outs[i].Name, skip)
	}
}

// Cause returns the input stream whose events the transfers of an output stream answer one by one, or -1.
func (p *Ports) Cause(out int) int {
	names := func(ports []Port) (out []string) {
		for i := range ports {
			out = append(out, ports[i].Name)
		}
		return out
	}
	return event.Cause(names(p.Ins), names(p.Outs), out)
}

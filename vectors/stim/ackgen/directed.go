package ackgen

import (
	"embed"

	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
	"github.com/goldwire/goldwire/vectors/stim/edge"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

//go:embed directed/*.txt
var files embed.FS

// language is how the scenarios of ackgen are read.
var language = casefile.Language{
	Block:   ackgen.Schema(),
	Answers: map[string]string{"rx": "ind", "cfg": "cfgr"},
	Leaves:  casefile.Leave{Stream: "tx", By: "ind", If: "answered"},
	Aliases: map[string]string{"packet": "rx"},
	Tag:     "tag",
	Begin:   casefile.OwnTags,
	Send: func(sc *stim.Script, p *casefile.Packet) {
		on(sc).send(p.Data, uint32(p.Fields["tag"]), p.Empty, p.Wait)
	},
}

var scenarios = casefile.Embedded(files, language.Read)

// adder takes a directed case.
type adder func(name, doc string, write func(s *script))

// cases returns the directed cases of ackgen. Those in Go draw what they send, or sweep bits, PSNs, lengths and
// distances in time by the hundred; their answers are left to the model.
func cases() []stim.Case {
	c := casefile.Directed[*script]{Scenarios: scenarios(), On: on, End: (*script).readBack}
	c.Text("")
	below := edge.Block{Kinds: kinds, Longest: frame.RUDCC, Header: header, Native: reset.native,
		Send: func(sc *stim.Script, data []byte, tag uint32, empty bool, wait uint8) {
			on(sc).send(data, tag, empty, wait)
		}}
	below.Cases(func(name, doc string, write func(s *stim.Script)) {
		c.Add(name, doc, func(s *script) { write(s.Script.Script) })
	})
	psnCases(c.Add)
	pdcCases(c.Add)
	timeCases(c.Add)
	return c.All
}

// header returns a good header of a type with numbers of its own. Every third opens a PDC.
func header(kind uint8, n int) frame.PDS {
	p := frame.PDS{Type: kind, Short: uint16(n), PSN: uint32(n) * 0x01010101, SPDCID: uint16(n) | 1,
		DPDCID: uint16(1 + n%5), Payload: uint32(n)}
	if kind == frame.Control {
		p.Next = []uint8{frame.CtlAckReq, frame.CtlClose, frame.CtlProbe}[n%3]
	}
	if n%3 == 0 {
		p.Flags |= frame.FlagSyn
		p.DPDCID = uint16(n) & 0xf03f
	}
	return p
}

// open is a PDC whose state a case loads.
type open struct {
	k    int
	v6   bool
	rod  bool
	bits uint32 // more bits of word 0
	cack uint32
	seen [8]uint32
}

// spdcid is the source's identifier of every PDC of these cases.
const spdcid = 0x1234

// loadOpen writes the PDC's words, each but for rcvd, pending, asked and start, once the packets before it are through:
// an access goes before a packet that waits.
func (s *script) loadOpen(o *open) {
	word := 1 | uint32(spdcid)<<16 | o.bits
	src := [4]uint32{10<<24 | 7}
	if o.v6 {
		word |= 2
		src = [4]uint32{7, 0, 0, 0x20 << 24}
	}
	if o.rod {
		word |= 4
	}
	s.cfg(ackgen.KindLoad, o.k, ackgen.WordValid, word, 1<<laneRx)
	s.Gap(20 + s.Params["Pdcs"]/ackgen.Lanes)
	s.cfg(ackgen.KindLoad, o.k, ackgen.WordCack, o.cack, 0)
	for i, x := range o.seen {
		s.cfg(ackgen.KindLoad, o.k, ackgen.WordSeen0+i, x, 0)
	}
	for i, x := range src {
		s.cfg(ackgen.KindLoad, o.k, ackgen.WordSrc0+i, x, 0)
	}
}

// to sends a packet to the PDC; with wait all of what comes before it is over.
func (s *script) to(o *open, h frame.PDS, edit func(f *frame.Frame)) {
	f := frame.Good(0, o.v6, 0)
	f.From = 7
	h.SPDCID, h.DPDCID = spdcid, uint16(o.k+1)
	if o.rod && h.Type == frame.Control {
		h.Flags |= frame.FlagISROD
	}
	f.WithPDS(&h)
	if edit != nil {
		edit(&f)
	}
	s.send(s.Bytes(&f), h.PSN, false, 1<<laneCfg)
}

// request is a request of the PDC's mode.
func (o *open) request(psn uint32, flags uint8) frame.PDS {
	h := frame.PDS{Type: frame.RUD, PSN: psn, Flags: flags}
	if o.rod {
		h.Type = frame.ROD
	}
	return h
}

// ones returns a bitmap whose n lowest bits are set.
func ones(n int) (seen [8]uint32) {
	for i := range n {
		seen[i/32] |= 1 << (i % 32)
	}
	return seen
}

// holes returns n ones from bit 1 on; bit 0 is missing.
func holes(n int) [8]uint32 {
	seen := ones(n + 1)
	seen[0] &^= 1
	return seen
}

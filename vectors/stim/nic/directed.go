package nic

import (
	"embed"
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

//go:embed directed/*.txt
var files embed.FS

// language is how the scenarios of nic are read.
var language = casefile.Language{Block: nic.Schema(), Answers: map[string]string{"cmd": "rsp"}, Unasked: "note",
	Loose: []string{"now", "action", "lb", "state", "cwnd", "inflight", "delay", "rtt"}, Beside: []string{"tx", "ind"},
	Wait: stim.WaitAll, Gap: apart,
	Aliases: map[string]string{"packet": "rx"}, Register: register,
	Send: func(sc *stim.Script, p *casefile.Packet) {
		on(sc).send(p.Data, uint32(p.Fields["tag"]), p.Empty, p.Wait)
	}}

// apart is the number of cycles after which a few packets have left and their notes are taken.
const apart = 400

// register returns the command that writes a register of txpdc or of the writer.
func register(name string) (head string, fields map[string]string, err error) {
	for a, r := range txpdc.RegInfo {
		if r.Name == name {
			return "cmd", map[string]string{"kind": fmt.Sprint(kindCfgWrite), "addr": fmt.Sprint(a)}, nil
		}
	}
	for a, r := range nic.RegInfo {
		if r.Name == name {
			return "cmd", map[string]string{"target": "WRITER", "kind": fmt.Sprint(kindCfgWrite), "addr": fmt.Sprint(a)}, nil
		}
	}
	return "", nil, fmt.Errorf("register %q: neither txpdc nor the writer has it", name)
}

var scenarios = casefile.Embedded(files, language.Read)

// adder takes a directed case.
type adder func(name, doc string, write func(s *script))

// cases returns the directed cases of nic. The answers of those in Go are left to the model.
func cases() []stim.Case {
	c := casefile.Directed[*script]{Scenarios: scenarios(), On: on, End: (*script).readBack}
	c.Text("")
	packetCases(c.Add)
	orderCases(c.Add)
	portCases(c.Add)
	return c.All
}

// peerOf is the PDCID of the destination in these cases.
const peerOf = 7

// small makes packets of 128 bytes with a nominal header of that many.
func (s *script) small(header uint32) {
	s.sourceReg(txpdc.RegPayload, 7)
	s.sourceReg(txpdc.RegHeader, header)
}

// open prepares a context with a window and a template.
func (s *script) open(ctx int) {
	s.good(ctx, ctx%3, ctx%2 == 1, ctx%4 == 3, uint16(0x4000+ctx))
	s.openWindow(ctx, 0)
}

// half loads a PDC that has been opened, with n PSNs outstanding from una on. bits are added to word 0.
func (s *script) half(pdc int, una uint32, n int, bits uint32) {
	s.source(txpdc.KindLoad, pdc, txpdc.WordUna, 0, una)
	s.source(txpdc.KindLoad, pdc, txpdc.WordOutstanding, 0, uint32(n))
	s.source(txpdc.KindLoad, pdc, txpdc.WordValid, 0, 1|peerOf<<txpdc.WordPeerLSB|bits)
}

// row writes the size of a PSN.
func (s *script) row(pdc int, psn, size uint32) {
	s.source(txpdc.KindLoad, pdc, txpdc.WordSize, psn, size)
}

// message gives a PDC a message.
func (s *script) message(pdc int, size uint32) { s.source(txpdc.KindMessage, pdc, 0, 0, size) }

// ack is a record of the destination of a PDC.
func ack(pdc int, psn uint32) *txpdc.Rec {
	return &txpdc.Rec{PdsType: txpdc.PdsTypeAckCc, PSN: psn, AckPSN: psn, Dpdcid: uint16(pdc + 1), Spdcid: peerOf,
		SackBase: psn + 1, ServiceTime: 1}
}

// nack is a record that refuses a packet.
func nack(pdc int, psn uint32, code uint8) *txpdc.Rec {
	return &txpdc.Rec{PdsType: txpdc.PdsTypeNack, PSN: psn, Dpdcid: uint16(pdc + 1), Spdcid: peerOf, NackCode: code}
}

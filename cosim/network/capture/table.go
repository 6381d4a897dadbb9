package capture

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The headers of captures, one table for the encoder and for the dissector. Offsets follow from the order and the
// widths of fields, so neither side has offsets of its own.

// Field is one field of a header, most significant bit first.
type Field struct {
	Name   string // in the dissector, after "uet."
	Bits   int
	About  string
	Signed bool              // shown as a two's complement number
	Values map[uint64]string // names of values, if they have any
}

// Header is a header on the wire.
type Header struct {
	Name   string
	About  string
	Kind   uint64 // PDS type; of no meaning for headers that follow a PDS header
	Fields []Field
}

// Bytes returns the length of the header.
func (h *Header) Bytes() int {
	bits := 0
	for i := range h.Fields {
		bits += h.Fields[i].Bits
	}
	return bits / 8
}

// encode appends the header with the values of its fields, in their order. It panics when the number of values is wrong
// or a value does not fit: both are errors of its caller.
func (h *Header) encode(dst []byte, values ...uint64) []byte {
	if len(values) != len(h.Fields) {
		panic(fmt.Sprintf("capture: header %s: %d values for %d fields", h.Name, len(values), len(h.Fields)))
	}
	word, have := uint64(0), 0
	for i := range h.Fields {
		f := &h.Fields[i]
		if f.Bits < 64 && values[i]>>f.Bits != 0 {
			panic(fmt.Sprintf("capture: header %s: %s = %#x: more than %d bits", h.Name, f.Name, values[i], f.Bits))
		}
		for left := f.Bits; left > 0; {
			n := min(left, 8-have)
			left -= n
			word = word<<n | values[i]>>left&(1<<n-1)
			if have += n; have == 8 {
				dst, word, have = append(dst, byte(word)), 0, 0
			}
		}
	}
	return dst
}

// PDS packet types.
const (
	TypeACKCC    = 8
	TypeNACK     = 10
	TypeControl  = 11
	TypeRUDCCReq = 13
)

// Types of control packets, ctl_type.
const (
	controlAckReq    = 1
	controlClose     = 4
	controlProbe     = 6
	controlCredit    = 7
	controlCreditReq = 8
)

var typeNames = map[uint64]string{TypeACKCC: "ACK_CC", TypeNACK: "NACK", TypeControl: "CONTROL",
	TypeRUDCCReq: "RUD_CC_REQ"}

// Fields that headers share.
var (
	fieldType = Field{Name: "type", Bits: 5, About: "PDS type", Values: typeNames}
	fieldNext = Field{Name: "next_hdr", Bits: 4, About: "next header"}
	fieldM    = Field{Name: "m", Bits: 1, About: "the acknowledged packet was ECN marked"}
	fieldRetx = Field{Name: "retx", Bits: 1, About: "retransmission"}
	fieldAR   = Field{Name: "ar", Bits: 1, About: "asks for an ACK"}
	fieldSyn  = Field{Name: "syn", Bits: 1, About: "opens the connection: pdc_info and psn_offset stand for dpdcid"}
	fieldSPDC = Field{Name: "spdcid", Bits: 16, About: "source PDC"}
	fieldDPDC = Field{Name: "dpdcid", Bits: 16, About: "destination PDC"}
)

func reserved(n int) Field { return Field{Name: "reserved", Bits: n, About: "reserved"} }

// Headers. Source: UET 1.0, prologue and header formats of the packet delivery sublayer.
var (
	requestHeader = Header{"request", "RUD_CC_REQ: data", TypeRUDCCReq, []Field{
		fieldType, fieldNext, reserved(2), fieldRetx, fieldAR, fieldSyn, reserved(2),
		{Name: "clear_psn_offset", Bits: 16, About: "clear PSN offset", Signed: true},
		{Name: "psn", Bits: 32, About: "PSN"}, fieldSPDC, fieldDPDC,
		{Name: "ccc_id", Bits: 8, About: "congestion-control context"},
		{Name: "credit_target", Bits: 24, About: "credit target"},
	}}
	ackHeader = Header{"ack_cc", "ACK_CC: ACK with congestion-control state", TypeACKCC, []Field{
		fieldType, fieldNext, reserved(1), fieldM, fieldRetx,
		{Name: "p", Bits: 1, About: "ACK of a probe: the offset is its number"},
		{Name: "request", Bits: 2, About: "asks the source", Values: map[uint64]string{1: "clear", 2: "close"}},
		reserved(1),
		{Name: "ack_psn_offset", Bits: 16, About: "ACK PSN from the cumulative one, or a probe's number", Signed: true},
		{Name: "cack_psn", Bits: 32, About: "cumulative ACK PSN"}, fieldSPDC, fieldDPDC,
		{Name: "cc_type", Bits: 4, About: "congestion control", Values: map[uint64]string{0: "NSCC"}},
		{Name: "cc_flags", Bits: 4, About: "flags of congestion control"},
		{Name: "mpr", Bits: 8, About: "maximum PSN range"},
		{Name: "sack_psn_offset", Bits: 16, About: "PSN of bit 0 of the bitmap, from the cumulative one", Signed: true},
		{Name: "sack_bitmap", Bits: 64, About: "SACK bitmap"},
		{Name: "service_time", Bits: 16, About: "service time, units of 128 ns"},
		{Name: "restore_cwnd", Bits: 1, About: "restore the window"},
		{Name: "rcv_cwnd_pend", Bits: 7, About: "penalty of the receiver, units of 1/128"},
		{Name: "rcvd_bytes", Bits: 24, About: "bytes received, units of 256"},
		{Name: "ooo_count", Bits: 16, About: "packets out of order"},
	}}
	nackHeader = Header{"nack", "NACK", TypeNACK, []Field{
		fieldType, fieldNext, reserved(1), fieldM, fieldRetx,
		{Name: "nt", Bits: 1, About: "type of NACK"}, reserved(3),
		{Name: "nack_code", Bits: 8, About: "NACK code", Values: map[uint64]string{1: "TRIMMED", 2: "TRIMMED_LASTHOP"}},
		{Name: "vendor_code", Bits: 8, About: "vendor code"},
		{Name: "nack_psn", Bits: 32, About: "PSN that is missing"}, fieldSPDC, fieldDPDC,
		{Name: "payload", Bits: 32, About: "payload"},
	}}
	controlHeader = Header{"control", "control packet", TypeControl, []Field{
		fieldType,
		{Name: "ctl_type", Bits: 4, About: "type of control packet",
			Values: map[uint64]string{controlAckReq: "ACK request", controlClose: "close", controlProbe: "probe",
				controlCredit: "credit", controlCreditReq: "credit request"}},
		reserved(1), {Name: "isrod", Bits: 1, About: "of a connection that delivers in order"}, fieldRetx, fieldAR,
		fieldSyn, reserved(2),
		{Name: "probe_opaque", Bits: 16, About: "number of the probe"},
		{Name: "psn", Bits: 32, About: "PSN"}, fieldSPDC, fieldDPDC,
		{Name: "payload", Bits: 32, About: "payload"}, // of a credit its number, of a credit request the credit target
	}}
	// This stands for dpdcid in a packet with syn.
	openingHeader = Header{"opening", "opening of a connection", 0, []Field{
		{Name: "pdc_info", Bits: 4, About: "bit 0: a reserved PDC may be used"},
		{Name: "psn_offset", Bits: 12, About: "PSN less the first of the connection"},
	}}
	// The INT header stands behind a request or an ACK, and its entries behind it (vectors/event/intmd/contract.md).
	intHeader = Header{"int", "in-band telemetry", 0, []Field{
		{Name: "int.magic", Bits: 16, About: "magic number"},
		{Name: "int.hops", Bits: 8, About: "entries"},
		{Name: "int.room", Bits: 8, About: "entries there is room for"},
		{Name: "int.version", Bits: 4, About: "version"},
		{Name: "int.words", Bits: 4, About: "words of 32 bits in an entry"},
		{Name: "int.check", Bits: 8, About: "complement of the room"},
		{Name: "int.flows", Bits: 16, About: "flows to the receiver"},
	}}
	intEntry = Header{"int_entry", "telemetry of one hop", 0, []Field{
		{Name: "int.rate", Bits: 4, About: "rate of the link", Values: map[uint64]string{
			0: "25 Gb/s", 1: "50 Gb/s", 2: "100 Gb/s", 3: "200 Gb/s", 4: "400 Gb/s", 5: "800 Gb/s"}},
		{Name: "int.ts", Bits: 24, About: "time, ns"},
		{Name: "int.tx_bytes", Bits: 20, About: "bytes sent, units of 128"},
		{Name: "int.qlen", Bits: 16, About: "bytes waiting, units of 80"},
	}}
	// The CNP is that of RoCEv2 (InfiniBand architecture, annex A17.9.3): base transport header and 16 reserved bytes,
	// then the invariant CRC. Wireshark has a dissector for it.
	cnpHeader = Header{"cnp", "congestion notification packet of RoCEv2", 0, []Field{
		{Name: "bth.opcode", Bits: 8, About: "opcode"},
		{Name: "bth.se", Bits: 1, About: "solicited event"},
		{Name: "bth.m", Bits: 1, About: "migration request"},
		{Name: "bth.pad", Bits: 2, About: "pad count"},
		{Name: "bth.tver", Bits: 4, About: "version of the header"},
		{Name: "bth.p_key", Bits: 16, About: "partition key"},
		{Name: "bth.fecn", Bits: 1, About: "forward congestion"},
		{Name: "bth.becn", Bits: 1, About: "backward congestion"},
		reserved(6),
		{Name: "bth.destqp", Bits: 24, About: "destination queue pair: the PDC"},
		{Name: "bth.a", Bits: 1, About: "asks for an ACK"},
		reserved(7),
		{Name: "bth.psn", Bits: 24, About: "PSN"},
		reserved(64), reserved(64),
	}}
)

// pdsHeaders are the headers that begin a UET packet.
var pdsHeaders = []*Header{&requestHeader, &ackHeader, &nackHeader, &controlHeader}

// Dissector returns a dissector in Lua for Wireshark and tshark of the headers that captures of a spec have. It is
// generated from the tables that the encoder follows.
//
//	tshark -X lua_script:uet.lua -r link.pcapng -T fields -e uet.type -e uet.psn
//
// Wireshark has a dissector of its own for CNPs, which are packets of RoCEv2.
func Dissector(spec Spec) string {
	b := &strings.Builder{}
	b.WriteString(luaHead)
	fmt.Fprintf(b, "local udp_port = %d\nlocal int_magic = 0x%04x\n", spec.UDPPort, INTMagic)
	b.WriteString("\n-- What the codepoint of a packet shows.\nlocal class_of = {\n")
	for _, name := range DSCPNames() {
		fmt.Fprintf(b, "  [%d] = %q,\n", *spec.DSCP.fields()[name], name)
	}
	b.WriteString("}\n\n-- The fields by name: width in bits, text, signed, names of values.\nlocal fields = {\n")
	seen := map[string]Field{}
	all := append(slices.Clone(pdsHeaders), &openingHeader, &intHeader, &intEntry)
	for _, h := range all {
		for _, f := range h.Fields {
			old, known := seen[f.Name]
			if known && (old.Bits != f.Bits || old.Signed != f.Signed) && f.Name != "reserved" {
				panic("capture: field " + f.Name + ": two forms")
			}
			if known || f.Name == "reserved" {
				continue
			}
			seen[f.Name] = f
			fmt.Fprintf(b, "  {%q, %d, %q, %v, %s},\n", f.Name, f.Bits, f.About, f.Signed, luaValues(f.Values))
		}
	}
	b.WriteString("}\n\n-- The headers by name: length in bytes, then each field with its first bit and its width.\n")
	b.WriteString("local headers = {\n")
	for _, h := range all {
		fmt.Fprintf(b, "  %s = {%q, %d, {\n", h.Name, h.About, h.Bytes())
		at := 0
		for _, f := range h.Fields {
			if f.Name != "reserved" {
				fmt.Fprintf(b, "    {%q, %d, %d},\n", f.Name, at, f.Bits)
			}
			at += f.Bits
		}
		b.WriteString("  }},\n")
	}
	b.WriteString("}\n\n-- The header that begins a packet, by its type.\nlocal header_of = {\n")
	for _, h := range pdsHeaders {
		fmt.Fprintf(b, "  [%d] = %q,\n", h.Kind, h.Name)
	}
	b.WriteString("}\n")
	b.WriteString("\n" + luaBody)
	return b.String()
}

// luaValues returns the names of values as a table, nil for none.
func luaValues(names map[uint64]string) string {
	if len(names) == 0 {
		return "nil"
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(names)) {
		out = append(out, fmt.Sprintf("[%d] = %q", k, names[k]))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

const luaHead = `-- Code generated by goldwire from the tables of its encoder. DO NOT EDIT.
-- Wireshark dissector of the Ultra Ethernet Transport headers in goldwire's captures:
--   wireshark -X lua_script:uet.lua link.pcapng
-- or copy it into the folder of personal Lua plugins.

`

//go:embed dissector.lua
var luaBody string

package ackparse

import (
	"math/big"
	"slices"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// plainNames has the reasons, then the types that are passed on, by the address of their counters.
var plainNames = []string{"", "TRUNCATED", "ETHERTYPE", "HEADER", "FRAGMENT", "EXTENSION", "PROTOCOL", "LENGTH",
	"IP_SUM", "UDP_SUM", "PORT", "TYPE", "SHORT", "CC_TYPE", "CTL_TYPE", "PDCID",
	"ACK", "ACK_CC", "ACK_CCX", "NACK", "NACK_CCX", "CP"}

// found is what the decision needs for the record.
type found struct {
	plain.Found
	o int
}

// plainDecide is the list of contract.md, line by line. It returns a name of plainNames.
func plainDecide(reg []uint32, frame []byte) (string, found) {
	steps, f := plain.Walk(reg, frame)
	x := found{Found: f}
	at := func(i int) int { return plain.Byte(frame, i) }
	word := func(i int) int { return plain.Word(frame, i) }
	kind := at(x.P) / 8
	next := word(x.P) / 128 % 16
	syn := at(x.P+1)/4%2 == 1
	s, d := word(x.P+8), word(x.P+10)
	type form struct {
		name string
		o    int
	}
	forms := map[int]form{7: {"ACK", 12}, 8: {"ACK_CC", 32}, 9: {"ACK_CCX", 24 + int(reg[3])}, 10: {"NACK", 16},
		11: {"CP", 16}, 12: {"NACK_CCX", 16 + int(reg[4])}}
	x.o = forms[kind].o
	steps.Drop(kind < 7 || kind > 12, "TYPE")
	steps.Drop(x.E-x.P < x.o, "SHORT")
	steps.Drop(kind == 8 && at(x.P+12)/16 > 1, "CC_TYPE")
	steps.Drop(kind == 11 && next > 9, "CTL_TYPE")
	steps.Drop(kind >= 7 && kind <= 9 && (s == 0 || d == 0), "PDCID")
	steps.Drop(kind == 11 && (s == 0 || d == 0 && !syn), "PDCID")
	if steps.Reason != "" {
		return steps.Reason, x
	}
	return forms[kind].name, x
}

// bitsOf names bits of a header as they are on the wire: bit 0 is the highest bit of its first byte.
type bitsOf struct {
	name     string
	from, to int
}

// plainRows is the table of the records without the fields that are computed, by type.
var plainRows = map[string][]bitsOf{
	"all": {{"pds_type", 0, 4}, {"next", 5, 8}, {"retx", 11, 11}, {"psn", 32, 63}, {"spdcid", 64, 79},
		{"dpdcid", 80, 95}},
	"ACK": {{"epsn", 9, 9}, {"m", 10, 10}, {"probe", 12, 12}, {"req", 13, 14}},
	"ACK_CC": {{"cc_type", 96, 99}, {"cc_flags", 100, 103}, {"mpr", 104, 111}, {"sack_bitmap", 128, 191},
		{"ooo", 240, 255}},
	"ACK_CC 0": {{"service_time", 192, 207}, {"rc", 208, 208}, {"rcv_cwnd_pend", 209, 215},
		{"rcvd_bytes", 216, 239}},
	"ACK_CC 1": {{"credit", 192, 215}},
	"ACK_CCX":  {{"cc_type", 96, 99}, {"cc_flags", 100, 103}, {"mpr", 104, 111}, {"sack_bitmap", 128, 191}},
	"NACK": {{"m", 10, 10}, {"nt", 12, 12}, {"nack_code", 16, 23}, {"vendor_code", 24, 31},
		{"payload", 96, 127}},
	"NACK_CCX": {{"cc_type", 128, 131}},
	"CP":       {{"isrod", 10, 10}, {"ar", 12, 12}, {"syn", 13, 13}, {"opaque", 16, 31}, {"payload", 96, 127}},
	"CP syn":   {{"pdc_info", 80, 83}, {"psn_offset", 84, 95}},
}

// plainRecord returns the fields of the record of a frame that is passed on as name, all but its tag.
func plainRecord(frame []byte, name string, x found) map[string]*big.Int {
	rec := map[string]*big.Int{}
	cut := func(b []byte, from, to int) *big.Int {
		v := new(big.Int)
		for i := from; i <= to; i++ {
			v.Lsh(v, 1).Or(v, big.NewInt(int64(b[i/8]>>(7-i%8)&1)))
		}
		return v
	}
	pds, ip := frame[x.P:x.E], frame[x.L2:]
	take := func(row string) {
		for _, b := range plainRows[row] {
			rec[b.name] = cut(pds, b.from, b.to)
		}
	}
	// far is psn plus the signed number at a byte, modulo 2^32.
	far := func(at int) *big.Int {
		d := cut(pds, 8*at, 8*at+15)
		if d.Bit(15) == 1 {
			d.Sub(d, big.NewInt(1<<16))
		}
		d.Add(d, rec["psn"])
		return d.Mod(d, big.NewInt(1<<32))
	}
	text := func(from, to int) *big.Int {
		b := slices.Clone(pds[from:to])
		slices.Reverse(b)
		return new(big.Int).SetBytes(b)
	}
	truth := map[bool]*big.Int{false: new(big.Int), true: big.NewInt(1)}
	rec["native"], rec["ipv6"] = truth[x.Native], truth[x.V6]
	rec["rest"] = big.NewInt(int64(x.E - x.P - x.o))
	rec["entropy"] = cut(frame, 8*x.H, 8*x.H+15)
	if x.V6 {
		rec["dscp"], rec["ecn"], rec["src"] = cut(ip, 4, 9), cut(ip, 10, 11), cut(ip, 64, 191)
	} else {
		rec["dscp"], rec["ecn"], rec["src"] = cut(ip, 8, 13), cut(ip, 14, 15), cut(ip, 96, 127)
	}
	take("all")
	switch name {
	case "ACK", "ACK_CC", "ACK_CCX":
		take("ACK")
		if rec["probe"].Sign() == 0 {
			rec["ack_psn"] = far(2)
		} else {
			rec["opaque"] = cut(pds, 16, 31)
		}
		if name != "ACK" {
			take(name)
			rec["sack_base"] = far(14)
		}
		if name == "ACK_CC" {
			take("ACK_CC " + rec["cc_type"].String())
		}
		if name == "ACK_CCX" {
			rec["state"] = text(24, x.o)
		}
	case "NACK", "NACK_CCX":
		take("NACK")
		if name == "NACK_CCX" {
			take(name)
			rec["state"] = text(16, x.o)
		}
	case "CP":
		take("CP")
		if rec["syn"].Sign() == 1 {
			take("CP syn")
			rec["dpdcid"] = new(big.Int)
		}
	}
	return rec
}

var plainLayout = event.NewLayout(port.Schema())

// plainPack puts the fields of a record where the schema has them.
func plainPack(rec map[string]*big.Int, tag uint32, out []uint64) {
	rec["tag"] = big.NewInt(int64(tag))
	for name, v := range rec {
		s := plainLayout.Out.Slot("rec", name)
		for i := range s.Field.Width {
			if v.Bit(i) == 1 {
				out[s.Word+(s.Bit+i)/64] |= 1 << ((s.Bit + i) % 64)
			}
		}
		if v.BitLen() > s.Field.Width {
			panic(name + " is too wide")
		}
	}
}

// plainParse is the function of one frame: what becomes of it, and its packed record with a tag of 0.
func plainParse(reg []uint32, frame []byte) (name string, rec [port.OutWords]uint64) {
	name, x := plainDecide(reg, frame)
	if slices.Index(plainNames, name) >= 16 {
		plainPack(plainRecord(frame, name, x), 0, rec[:])
	}
	return name, rec
}

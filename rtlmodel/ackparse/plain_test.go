package ackparse

import (
	"math/big"
	"slices"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// plainNames has the reasons, then the types that are passed on, by the address of their counters.
var plainNames = []string{"", "TRUNCATED", "ETHERTYPE", "HEADER", "FRAGMENT", "EXTENSION", "PROTOCOL", "LENGTH",
	"IP_SUM", "UDP_SUM", "PORT", "TYPE", "SHORT", "CC_TYPE", "CTL_TYPE", "PDCID",
	"ACK", "ACK_CC", "ACK_CCX", "NACK", "NACK_CCX", "CP"}

// step is one line of the decision: if it applies, the packet is dropped for its reason.
type step struct {
	applies bool
	reason  string
}

// found is what the decision needs for the record.
type found struct {
	v6, native  bool
	l2, h, p, e int
	o           int
}

// plainDecide is the list of contract.md, line by line. A byte beyond the frame reads as 0, so that each condition can
// be evaluated independently of those before it. It returns a name of plainNames.
func plainDecide(reg []uint32, frame []byte) (string, found) {
	a, f := min(len(frame), 192), min(len(frame), 131071)
	at := func(i int) int {
		if i < len(frame) {
			return int(frame[i])
		}
		return 0
	}
	word := func(i int) int { return at(i)*256 + at(i+1) }
	part := func(from, to int) (b []byte) {
		for ; from < to; from++ {
			b = append(b, byte(at(from)))
		}
		return b
	}

	steps := []step{{a < 14, "TRUNCATED"}}
	v := 0
	for v < 2 && (word(12+4*v) == 0x8100 || word(12+4*v) == 0x88A8) {
		steps = append(steps, step{a < 18+4*v, "TRUNCATED"})
		v++
	}
	x := found{l2: 14 + 4*v}
	l2 := x.l2
	kind := word(l2 - 2)
	steps = append(steps, step{kind != 0x0800 && kind != 0x86DD, "ETHERTYPE"})
	var plen, n int
	var addresses []byte
	if kind == 0x0800 {
		hl, tot := 4*(at(l2)%16), word(l2+2)
		x.h, plen, n = l2+hl, tot-hl, at(l2+9)
		addresses = part(l2+12, l2+20)
		steps = append(steps,
			step{a < l2+20, "TRUNCATED"},
			step{at(l2)/16 != 4 || at(l2)%16 < 5, "HEADER"},
			step{a < l2+hl, "TRUNCATED"},
			step{frames.Checksum(part(l2, l2+hl)) != 0, "IP_SUM"},
			step{tot < hl, "LENGTH"},
			step{f < l2+tot, "TRUNCATED"},
			step{word(l2+6)%0x4000 != 0, "FRAGMENT"})
	} else {
		x.v6 = true
		x.h, plen, n = l2+40, word(l2+4), at(l2+6)
		addresses = part(l2+8, l2+40)
		steps = append(steps,
			step{a < l2+40, "TRUNCATED"},
			step{at(l2)/16 != 6, "HEADER"},
			step{f < l2+40+plen, "TRUNCATED"},
			step{n == 44, "FRAGMENT"},
			step{slices.Contains([]int{0, 43, 50, 51, 60, 135}, n), "EXTENSION"})
	}
	x.e = x.h + plen
	udp := n == 17
	steps = append(steps, step{!udp && n != int(reg[1]), "PROTOCOL"})
	if udp {
		x.p = x.h + 8
		c := word(x.h + 6)
		pseudo := append(addresses, 0, 17, byte(plen/256), byte(plen))
		steps = append(steps,
			step{plen < 10 || word(x.h+4) != plen, "LENGTH"},
			step{c == 0 && reg[2]%2 == 1, "UDP_SUM"},
			step{c != 0 && frames.Checksum(append(pseudo, part(x.h, x.e)...)) != 0, "UDP_SUM"},
			step{word(x.h+2) != int(reg[0]), "PORT"})
	} else {
		x.native = true
		x.p = x.h + 4
		steps = append(steps, step{plen < 6, "LENGTH"})
	}
	kind = at(x.p) / 8
	next := word(x.p) / 128 % 16
	syn := at(x.p+1)/4%2 == 1
	s, d := word(x.p+8), word(x.p+10)
	type form struct {
		name string
		o    int
	}
	forms := map[int]form{7: {"ACK", 12}, 8: {"ACK_CC", 32}, 9: {"ACK_CCX", 24 + int(reg[3])}, 10: {"NACK", 16},
		11: {"CP", 16}, 12: {"NACK_CCX", 16 + int(reg[4])}}
	x.o = forms[kind].o
	steps = append(steps,
		step{kind < 7 || kind > 12, "TYPE"},
		step{x.e-x.p < x.o, "SHORT"},
		step{kind == 8 && at(x.p+12)/16 > 1, "CC_TYPE"},
		step{kind == 11 && next > 9, "CTL_TYPE"},
		step{kind >= 7 && kind <= 9 && (s == 0 || d == 0), "PDCID"},
		step{kind == 11 && (s == 0 || d == 0 && !syn), "PDCID"})
	for _, s := range steps {
		if s.applies {
			return s.reason, x
		}
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
	pds, ip := frame[x.p:x.e], frame[x.l2:]
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
	rec["native"], rec["ipv6"] = truth[x.native], truth[x.v6]
	rec["rest"] = big.NewInt(int64(x.e - x.p - x.o))
	rec["entropy"] = cut(frame, 8*x.h, 8*x.h+15)
	if x.v6 {
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

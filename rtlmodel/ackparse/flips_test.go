package ackparse

import (
	"flag"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// A table of flips has the bits of a header in the order of the wire, as WHAT:BITS. What becomes of a packet in which
// one of them is flipped:
//
//	psn+ack_psn:32     these bits of field psn flip, and ack_psn changes by as much
//	cc_type/state:4    these bits of cc_type and of state flip
//	next.3:1           the bits of next from bit 3 down flip
//	~ack_psn:16        ack_psn changes by as much as a signed number
//	probe!opaque:1     probe flips; opaque may change with it, as the plain twin has it, and nothing else
//	LENGTH:16          the packet is dropped for this reason
//	LENGTH|TYPE:1      for one of these, as the plain twin has it
//	NACK!:1            it becomes a packet of this type, with the record of the plain twin
//	unused:16          nothing changes
//	length:16          the length in an IP header: see lengthFlip
const (
	flipsOfAddresses = "unused:96"
	flipsOfTag       = "ETHERTYPE:16 unused:16 "
	flipsOfType      = "ETHERTYPE:16 "

	// As it is, a bit of an IPv4 header that does not make it bad makes its sum wrong.
	flipsOfIPv4 = "HEADER:4 IP_SUM:1 HEADER:1 IP_SUM:1 HEADER:1 IP_SUM:152"
	// The sum set right again. With 7 or 13 words instead of 5, what follows is taken for UDP or PDS.
	flipsOfIPv4Mended = "HEADER:4 LENGTH|TYPE:1 HEADER:1 LENGTH|TYPE:1 HEADER:1 dscp:6 ecn:2 length:16 unused:16 " +
		"unused:2 FRAGMENT:14 unused:8 PROTOCOL:8 unused:16 src:32 unused:32"
	flipsOfIPv6 = "HEADER:4 dscp:6 ecn:2 unused:20 length:16 PROTOCOL:8 unused:8 src:128 unused:128"

	flipsOfUDP       = "entropy:16 PORT:16 LENGTH:16 UDP_SUM:16"
	flipsOfSummedUDP = "UDP_SUM:16 UDP_SUM:16 LENGTH:16 UDP_SUM:16"
	flipsOfNative    = "entropy:16 unused:16"
)

// summedAddresses are the addresses where a UDP checksum covers them.
var summedAddresses = strings.NewReplacer("src:32 unused:32", "UDP_SUM:64", "src:128 unused:128", "UDP_SUM:256")

// flipsOfPDS are the headers of all types, each with its flips. Five bytes follow a header.
var flipsOfPDS = []struct {
	name  string
	head  []byte
	flips string
}{
	{"ACK", sample(typeAck),
		"TYPE:5 next:4 epsn:1 m:1 retx:1 probe!ack_psn,opaque:1 req:2 unused:1 ~ack_psn:16 psn+ack_psn:32 " +
			"spdcid:16 dpdcid:16"},
	{"ACK, probe", header(typeAck, 5, 0x68, 12),
		"TYPE:5 next:4 epsn:1 m:1 retx:1 probe!ack_psn,opaque:1 req:2 unused:1 opaque:16 psn:32 spdcid:16 dpdcid:16"},
	{"ACK_CC of type NSCC", sample(typeAckCC),
		"TYPE:2 NACK_CCX!:1 NACK!:1 SHORT:1 " +
			"next:4 epsn:1 m:1 retx:1 probe!ack_psn,opaque:1 req:2 unused:1 ~ack_psn:16 psn+ack_psn+sack_base:32 " +
			"spdcid:16 dpdcid:16 CC_TYPE:3 cc_type!service_time,rc,rcv_cwnd_pend,rcvd_bytes,credit:1 cc_flags:4 mpr:8 " +
			"~sack_base:16 sack_bitmap:64 service_time:16 rc:1 rcv_cwnd_pend:7 rcvd_bytes:24 ooo:16"},
	{"ACK_CC of type CREDIT, probe", poke(header(typeAckCC, 9, 8, 32), 12, 0x1A),
		"TYPE:2 NACK_CCX!:1 NACK!:1 SHORT:1 " +
			"next:4 epsn:1 m:1 retx:1 probe!ack_psn,opaque:1 req:2 unused:1 opaque:16 psn+sack_base:32 " +
			"spdcid:16 dpdcid:16 CC_TYPE:3 cc_type!service_time,rc,rcv_cwnd_pend,rcvd_bytes,credit:1 cc_flags:4 mpr:8 " +
			"~sack_base:16 sack_bitmap:64 credit:24 unused:24 ooo:16"},
	{"ACK_CCX", sample(typeAckCCX),
		"TYPE:3 CP!:1 CC_TYPE:1 " +
			"next:4 epsn:1 m:1 retx:1 probe!ack_psn,opaque:1 req:2 unused:1 ~ack_psn:16 psn+ack_psn+sack_base:32 " +
			"spdcid:16 dpdcid:16 cc_type:4 cc_flags:4 mpr:8 ~sack_base:16 sack_bitmap:64 state:128"},
	{"NACK", sample(typeNack),
		"TYPE:3 SHORT:1 CP!:1 " +
			"next:4 unused:1 m:1 retx:1 nt:1 unused:3 nack_code:8 vendor_code:8 psn:32 spdcid:16 dpdcid:16 payload:32"},
	{"CP", sample(typeCP),
		"TYPE:3 SHORT:1 NACK!:1 CTL_TYPE:1 next:3 " +
			"unused:1 isrod:1 retx:1 ar:1 syn!dpdcid,pdc_info,psn_offset:1 unused:2 opaque:16 psn:32 spdcid:16 " +
			"dpdcid:16 payload:32"},
	{"CP with syn", header(typeCP, 8, 0x2C, 16),
		"TYPE:3 SHORT:1 NACK!:1 next.3:1 CTL_TYPE:2 next:1 " +
			"unused:1 isrod:1 retx:1 ar:1 syn!dpdcid,pdc_info,psn_offset:1 unused:2 opaque:16 psn:32 spdcid:16 " +
			"pdc_info:4 psn_offset:12 payload:32"},
	{"NACK_CCX", sample(typeNackCCX),
		"TYPE:2 SHORT:1 TYPE:2 " +
			"next:4 unused:1 m:1 retx:1 nt:1 unused:3 nack_code:8 vendor_code:8 psn:32 spdcid:16 dpdcid:16 payload:32 " +
			"cc_type/state:4 state:60"},
}

var update = flag.Bool("update", false, "rewrite flips.md")

// legend explains the table that TestEveryBit writes.
const legend = `
What becomes of a packet in which one bit is flipped, by bytes and bits of the header in which it is. **unused**: the
same record. A name in capitals: the packet is dropped for this reason, or taken for this type. Names of fields: they
change in the record, and nothing else does. "mended": the checksum of the IPv4 header was set right again. The PDS
headers of all types are shown without a UDP checksum, which would find each of their bits.`

// TestEveryBit flips each bit of each header of each type, with and without a UDP checksum, and with the sum of the
// IPv4 header wrong and set right. It also writes what it has seen as a table.
func TestEveryBit(t *testing.T) {
	var lower, upper plain.Flips // up to the PDS header, and from it on
	for _, x := range []struct {
		name   string
		f      plain.Packet
		mended bool
	}{
		{"IPv4", plain.Packet{}, false},
		{"IPv4, mended", plain.Packet{}, true},
		{"IPv4, checksum", plain.Packet{Checksum: true, Tags: []uint16{0x8100}}, false},
		{"IPv4, checksum, mended", plain.Packet{Checksum: true}, true},
		{"IPv4, native, mended", plain.Packet{Native: true}, true},
		{"IPv6", plain.Packet{V6: true}, false},
		{"IPv6, checksum", plain.Packet{V6: true, Checksum: true, Tags: []uint16{0x88A8, 0x8100}}, false},
		{"IPv6, native", plain.Packet{V6: true, Native: true}, false},
	} {
		for i, pds := range flipsOfPDS {
			t.Run(x.name+"/"+pds.name, func(t *testing.T) {
				f := x.f
				f.Class, f.Padding = 0x5A, 21
				f.PDS = append(slices.Clone(pds.head), 0x03, 0x15, 0x07, 0x29, 0x0D)
				if i == 0 {
					lower.Section(x.name)
				}
				if x.name == "IPv4" {
					upper.Section(pds.name)
				}
				note := func(at int, becomes string) {
					if i == 0 && at < 8*f.P() {
						lower.Add(&f, len(pds.head), at, becomes)
					}
					if x.name == "IPv4" && at >= 8*f.P() {
						upper.Add(&f, len(pds.head), at, becomes)
					}
				}
				flipAll(t, &f, pds.flips, x.mended, note)
			})
		}
	}
	const file = "../../vectors/event/ackparse/flips.md"
	got := plain.FlipsPage("ackparse", legend, &lower, &upper)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Empty(t, plain.FlipsDiff(string(want), got), "flips.md: run again with -update, and read what has changed")
}

// fate returns what became of a packet whose record was base.
func fate(v Verdict, base, got map[string]*big.Int) string {
	if !v.Passed() {
		return v.String()
	}
	if is := got["pds_type"]; is.Cmp(base["pds_type"]) != 0 {
		return "taken for " + port.PdsType(is.Uint64()).String()
	}
	var changed []string
	for i := range plainLayout.Out.Slots {
		s := &plainLayout.Out.Slots[i]
		if s.Stream == "rec" && base[s.Field.Name].Cmp(got[s.Field.Name]) != 0 {
			changed = append(changed, s.Field.Name)
		}
	}
	if changed == nil {
		return "unused"
	}
	return strings.Join(changed, ", ")
}

// flipsOf returns the table of a whole frame.
func flipsOf(f *plain.Packet, pds string, mended bool) string {
	parts := []string{flipsOfAddresses}
	for range f.Tags {
		parts = append(parts, flipsOfTag)
	}
	parts = append(parts, flipsOfType)
	ip, transport := flipsOfIPv4, flipsOfUDP
	switch {
	case f.V6:
		ip = flipsOfIPv6
	case mended:
		ip = flipsOfIPv4Mended
	}
	after := fmt.Sprint("unused:", 8*5)
	switch {
	case f.Native:
		transport = flipsOfNative
	case f.Checksum:
		ip = summedAddresses.Replace(ip)
		transport, pds, after = flipsOfSummedUDP, fmt.Sprint("UDP_SUM:", 8*(len(f.PDS)-5)), fmt.Sprint("UDP_SUM:", 8*5)
	}
	return strings.Join(append(parts, ip, transport, pds, after, fmt.Sprint("unused:", 8*f.Padding)), " ")
}

func flipAll(t *testing.T, f *plain.Packet, pds string, mended bool, note func(at int, becomes string)) {
	cfg := DefaultConfig()
	frame := f.Bytes()
	passed, packed := hold(t, &cfg, frame)
	require.True(t, passed.Passed())
	base := fieldsOf(packed[:])
	at := 0
	for token := range strings.FieldsSeq(flipsOf(f, pds, mended)) {
		what, n, _ := strings.Cut(token, ":")
		width, err := strconv.Atoi(n)
		require.NoError(t, err)
		for i := range width {
			flipped := slices.Clone(frame)
			was := frame[at/8] >> (7 - at%8) & 1
			flipped[at/8] ^= 1 << (7 - at%8)
			if mended {
				plain.MendHeader(flipped, f.L2())
			}
			x := flip{f, at, i, width, was == 1, base}
			reason, fields := x.want(what)
			v, packed := hold(t, &cfg, flipped)
			where := fmt.Sprintf("bit %d of byte %d, %s", 7-at%8, at/8, token)
			switch {
			case reason != "":
				require.Contains(t, strings.Split(reason, "|"), v.String(), where)
			default:
				require.Equal(t, passed.String(), v.String(), where)
				x.hold(t, what, fields, fieldsOf(packed[:]), where)
			}
			note(at, fate(v, base, fieldsOf(packed[:])))
			at++
		}
	}
	require.Equal(t, 8*len(frame), at, "the table has every bit")
}

// flip is one bit of a frame: bit i of a token of width bits, highest first, at bit at of the frame.
type flip struct {
	f            *plain.Packet
	at, i, width int
	was          bool
	base         map[string]*big.Int
}

// want returns the reasons, or the types, that the flipped packet has to have, or "" and its fields.
func (x *flip) want(what string) (string, map[string]*big.Int) {
	if kind, ok := strings.CutSuffix(what, "!"); ok {
		return kind, nil
	}
	if strings.ToUpper(what) == what {
		return what, nil
	}
	if what == "length" {
		return x.lengthFlip()
	}
	fields := map[string]*big.Int{}
	for name, v := range x.base {
		fields[name] = v
	}
	if what == "unused" {
		return "", fields
	}
	weight := new(big.Int).Lsh(big.NewInt(1), uint(x.width-1-x.i))
	if x.was {
		weight.Neg(weight)
	}
	add := func(name string, d *big.Int) {
		v := new(big.Int).Add(fields[name], d)
		fields[name] = v.Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(plainLayout.Out.Slot("rec", name).Field.Width)))
	}
	if name, ok := strings.CutPrefix(what, "~"); ok {
		if x.i == 0 {
			weight.Neg(weight)
		}
		add(name, weight)
		return "", fields
	}
	what, _, _ = strings.Cut(what, "!")
	sums := strings.Split(what, "+")
	for _, name := range strings.Split(sums[0], "/") {
		name, top, _ := strings.Cut(name, ".")
		k := x.width - 1 - x.i
		if n, err := strconv.Atoi(top); err == nil {
			k = n - x.i
		}
		if name == "state" { // its first byte is the lowest
			start := map[uint64]int{typeAckCCX: 24, typeNackCCX: 16}[x.base["pds_type"].Uint64()]
			byteOf := x.at/8 - x.f.P() - start
			k = 8*byteOf + 7 - x.at%8
		}
		was := uint(1)
		if x.was {
			was = 0
		}
		if fields[name].Bit(k) == was {
			return "the record does not have the bit", nil
		}
		fields[name] = new(big.Int).SetBit(fields[name], k, was)
	}
	for _, name := range sums[1:] {
		add(name, weight)
	}
	return "", fields
}

// hold compares the record of the flipped packet with the fields that it has to have.
func (x *flip) hold(t *testing.T, what string, want, got map[string]*big.Int, where string) {
	_, others, _ := strings.Cut(what, "!")
	may := strings.Split(others, ",")
	changed := 0
	for name, v := range want {
		if v.Cmp(got[name]) != 0 {
			require.Contains(t, may, name, "%s: %s is %v, want %v", where, name, got[name], v)
			changed++
		}
	}
	require.True(t, others == "" || changed > 0, where)
}

// lengthFlip is what a wrong length in the IP header leads to: it ends the packet elsewhere than UDP does, or it makes
// rest longer or shorter.
func (x *flip) lengthFlip() (string, map[string]*big.Int) {
	f := x.f
	delta := 1 << (15 - x.i)
	if x.was {
		delta = -delta
	}
	payload := f.P() - f.H() + len(f.PDS) + delta // of the IP packet
	o := len(f.PDS) - 5
	switch {
	case !f.V6 && payload < 0:
		return "LENGTH", nil
	case f.H()+payload > f.P()+len(f.PDS)+f.Padding:
		return "TRUNCATED", nil
	case !f.Native || payload < 6:
		return "LENGTH", nil
	case payload-4 < o:
		return "SHORT", nil
	}
	fields := map[string]*big.Int{}
	for name, v := range x.base {
		fields[name] = v
	}
	fields["rest"] = big.NewInt(int64(5 + delta))
	return "", fields
}

// fieldsOf returns the fields of a packed record.
func fieldsOf(rec []uint64) map[string]*big.Int {
	fields := map[string]*big.Int{}
	for i := range plainLayout.Out.Slots {
		s := &plainLayout.Out.Slots[i]
		if s.Stream != "rec" {
			continue
		}
		v := new(big.Int).SetUint64(s.Get(rec))
		if s.Field.Width > 64 {
			b := s.Bytes(rec)
			slices.Reverse(b)
			v.SetBytes(b)
		}
		fields[s.Field.Name] = v
	}
	return fields
}

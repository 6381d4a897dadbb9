package ackgen

import (
	std "flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// A table of flips has the bits of a header in the order of the wire, as WHAT:BITS. What becomes of a packet in which
// one of them is flipped:
//
//	unused:16          nothing changes
//	@p.10:1            the answer changes in as many bits, from bit 10 of its PDS header on, and its sums follow; so do
//	                   @h.0 (its UDP or native header), @ip.0 (its IP header) and @0 (all of it)
//	LENGTH:16          the packet is dropped for this reason
//	LENGTH|TYPE:1      for one of these, as the plain twin has it
//	>CLOSING:1         it gets this NACK
//	=CLOSED:1          it gets this verdict
//	quiet:1            it gets no answer
//	psn:32             psn of ind changes as much, and the packet is judged by it; so does the answer
//	psn_only:32        psn of ind changes as much, and nothing else
//	base:32            the bitmap begins elsewhere, unless that is too far
//	dscp:1             it is taken for trimmed: new data gets a NACK
//	src:32             it comes from another source, to which its PDC is closed
//	length:16          the length in an IP header: see lengthFlip
const (
	flipsOfAddresses = "@48:48 @0:48"
	flipsOfTag       = "ETHERTYPE:16 @%d:16 "
	flipsOfType      = "ETHERTYPE:16 "

	// The class is 0x5A: DSCP 22, one bit from TRIMMED_LASTHOP, and ECT(0), one bit from CE.
	flipsOfClass = "unused:3 dscp:1 unused:3 @p.10:1"

	// As it is, a bit of an IPv4 header that does not make it bad makes its sum wrong.
	flipsOfIPv4 = "HEADER:4 IP_SUM:1 HEADER:1 IP_SUM:1 HEADER:1 IP_SUM:152"
	// The sum set right again. With 7 or 13 words instead of 5, what follows is taken for UDP or PDS.
	flipsOfIPv4Mended = "HEADER:4 LENGTH|TYPE|SHORT:1 HEADER:1 LENGTH|TYPE|SHORT:1 HEADER:1 CLASS length:16 unused:16 " +
		"unused:2 FRAGMENT:14 unused:8 PROTOCOL:8 unused:16 src:32 @ip.96:32"
	flipsOfIPv6 = "HEADER:4 CLASS unused:20 length:16 PROTOCOL:8 unused:8 src:128 @ip.64:128"

	flipsOfUDP       = "@h.0:16 PORT:16 LENGTH:16 UDP_SUM:16"
	flipsOfSummedUDP = "UDP_SUM:16 UDP_SUM:16 LENGTH:16 UDP_SUM:16"
	flipsOfNative    = "@h.0:16 unused:16"
)

// summedAddresses are the addresses where a UDP checksum covers them.
var summedAddresses = strings.NewReplacer("src:32 @ip.96:32", "UDP_SUM:64",
	"src:128 @ip.64:128", "UDP_SUM:256")

// ends are the flips of spdcid 7 and dpdcid 1.
const ends = ">PDC_HDR_MISMATCH:16 >INV_DPDCID:15 PDCID:1"

// flipsOfPDS are the headers of all types, each with its flips. PDC 0 has all PSNs below 100 and waits for 100; with
// rod it is ordered. Five bytes follow a header.
var flipsOfPDS = []struct {
	name  string
	rod   bool
	head  []byte
	flips string
}{
	{"RUD", false, data(2, 3<<7|fAr, 100, 7, 1), "TYPE:4 >PDC_MODE_MISMATCH:1 unused:6 @p.11:1 quiet:1 >NEW_START_PSN:1 " +
		"unused:18 psn:32 " + ends},
	{"RUD beyond a gap", false, data(2, 3<<7|fAr, 105, 7, 1), "TYPE:4 >PDC_MODE_MISMATCH:1 unused:6 @p.11:1 quiet:1 " +
		">NEW_START_PSN:1 unused:18 psn:32 " + ends},
	{"RUD with syn", false, data(2, 3<<7|fAr|fSyn, 100, 7, 100), "TYPE:4 >PDC_MODE_MISMATCH:1 unused:6 @p.11:1 quiet:1 " +
		">INV_DPDCID:1 unused:18 >NEW_START_PSN:32 =ACCEPTED:16 unused:4 >NEW_START_PSN:12"},
	{"a duplicate", false, data(2, 3<<7, 90, 7, 1), "TYPE:4 >PDC_MODE_MISMATCH:1 unused:6 @p.11:1 unused:1 " +
		">NEW_START_PSN:1 unused:18 psn:32 " + ends},
	{"ROD", true, data(3, 3<<7|fAr, 100, 7, 1), "TYPE:1 CTL_TYPE:1 TYPE:2 >PDC_MODE_MISMATCH:1 unused:6 @p.11:1 quiet:1 " +
		">NEW_START_PSN:1 unused:18 psn:32 " + ends},
	{"RUD_CC", false, data(13, 3<<7|fAr, 100, 7, 1), "TYPE:5 unused:6 @p.11:1 quiet:1 >NEW_START_PSN:1 unused:18 psn:32 " +
		ends + " unused:32"},
	{"ROD_CC", true, data(14, 3<<7|fAr, 100, 7, 1), "TYPE:5 unused:6 @p.11:1 quiet:1 >NEW_START_PSN:1 unused:18 psn:32 " +
		ends + " unused:32"},
	{"ACK_REQ", false, cp(ackReq, 0, 100, 7, 1, 90), "TYPE:1 >PDC_MODE_MISMATCH:1 TYPE:3 CTL_TYPE:4 unused:1 " +
		">PDC_MODE_MISMATCH:1 @p.11:1 unused:1 >NEW_START_PSN:1 unused:2 @p.16:16 psn:32 " + ends + " unused:32"},
	{"PROBE", false, cp(probe, 0, 100, 7, 1, 90), "TYPE:1 >PDC_MODE_MISMATCH:1 TYPE:3 CTL_TYPE:2 =CLOSED:1 CTL_TYPE:1 " +
		"unused:1 >PDC_MODE_MISMATCH:1 @p.11:1 unused:1 >NEW_START_PSN:1 unused:2 @p.16:16 psn_only:32 " + ends +
		" base:32"},
	{"CLOSE", true, cp(closes, fRod, 100, 7, 1, 90), "TYPE:1 =ACCEPTED:1 TYPE:3 CTL_TYPE:2 =PROBED:1 CTL_TYPE:1 " +
		"unused:1 >PDC_MODE_MISMATCH:1 @p.11:1 unused:1 >NEW_START_PSN:1 unused:2 unused:16 >PKT_NOT_RCVD:32 " + ends +
		" unused:32"},
	{"CP with syn", false, cp(probe, fSyn, 100, 7, 100, 90), "TYPE:1 >PDC_MODE_MISMATCH:1 TYPE:3 CTL_TYPE:2 =CLOSED:1 " +
		"CTL_TYPE:1 unused:1 >PDC_MODE_MISMATCH:1 @p.11:1 unused:1 >INV_DPDCID:1 unused:2 @p.16:16 >NEW_START_PSN:32 " +
		"=EARLY:16 unused:4 >NEW_START_PSN:12 base:32"},
}

var update = std.Bool("update", false, "rewrite flips.md")

// legend explains the table that TestEveryBit writes.
const legend = `
What becomes of a packet in which one bit is flipped, by bytes and bits of the header in which it is. Its PDC is open,
all PSNs below 100 have arrived. **unused**: the same indication, answer and state. A name in capitals: the packet is
dropped for this reason, or it gets this verdict, or this NACK. Otherwise what changes of the indication, of the headers
of the answer, sums apart, and of the state of the PDC. "mended": the checksum of the IPv4 header was set right again.
The PDS headers of all types are shown without a UDP checksum, which would find each of their bits.`

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
		{"IPv4, native, mended", plain.Packet{Native: true, Tags: []uint16{0x8100}}, true},
		{"IPv6", plain.Packet{V6: true}, false},
		{"IPv6, checksum", plain.Packet{V6: true, Checksum: true, Tags: []uint16{0x88A8, 0x8100}}, false},
		{"IPv6, native", plain.Packet{V6: true, Native: true}, false},
	} {
		for i, pds := range flipsOfPDS {
			t.Run(x.name+"/"+pds.name, func(t *testing.T) {
				f := x.f
				f.Class, f.Padding = 0x5A, 21
				f.PDS = append(slices.Clone(pds.head), 0x03, 0x15, 0x07, 0x29, 0x0D)
				s := scene{world: newWorld(t, port.RegControl, 0), f: &f}
				s.prepare(pds.rod)
				if i == 0 {
					lower.Section(x.name)
				}
				if x.name == "IPv4" {
					upper.Section(pds.name)
				}
				s.flipAll(pds.flips, x.mended, func(at int, becomes string) {
					if i == 0 && at < 8*f.P() {
						lower.Add(&f, len(pds.head), at, becomes)
					}
					if x.name == "IPv4" && at >= 8*f.P() {
						upper.Add(&f, len(pds.head), at, becomes)
					}
				})
			})
		}
	}
	const file = "../../vectors/event/ackgen/flips.md"
	got := plain.FlipsPage("ackgen", legend, &lower, &upper)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Empty(t, plain.FlipsDiff(string(want), got), "flips.md: run again with -update, and read what has changed")
}

// fate returns what became of a packet that would have had the indication and the answer of the scene, and left the
// PDCs as in after.
func (s *scene) fate(reason string, ind port.Ind, answer []byte, after []pdc) string {
	switch {
	case reason != "PASSED":
		return reason
	case ind.NackCode != s.ind.NackCode:
		return ind.NackCode.String()
	case ind.Verdict != s.ind.Verdict:
		return ind.Verdict.String()
	}
	var changed []string
	note := func(what string, is bool) {
		if is {
			changed = append(changed, what)
		}
	}
	note("indication: PSN", ind.PSN != s.ind.PSN)
	note("indication: PDC", ind.Pdcid != s.ind.Pdcid || ind.Opened != s.ind.Opened)
	note("no answer", answer == nil)
	l4 := "UDP"
	if s.f.Native {
		l4 = "native"
	}
	at := 0
	for _, part := range []struct {
		name     string
		end, sum int // sum: where its checksum is
	}{
		{"Ethernet", s.place("ip"), -1}, {"IP", s.place("h"), s.place("ip") + 80}, {l4, s.place("p"), s.place("h") + 48},
		{"PDS", 8 * len(s.answer), -1},
	} {
		differs := false
		for ; at < part.end/8 && answer != nil; at++ {
			sum := !(s.f.V6 && part.name == "IP") && part.sum >= 0 && at-part.sum/8 >= 0 && at-part.sum/8 < 2
			differs = differs || !sum && answer[at] != s.answer[at]
		}
		note("answer: "+part.name, differs)
	}
	note("state", !slices.Equal(after, s.rows()))
	if changed == nil {
		return "unused"
	}
	return strings.Join(changed, ", ")
}

// rows returns the state of all PDCs.
func (s *scene) rows() (out []pdc) {
	for k := range s.slow.pdc {
		out = append(out, *s.r.pdcs.rows.Row(k))
	}
	return out
}

// flipsOf returns the table of a whole frame.
func flipsOf(f *plain.Packet, pds string, mended bool) string {
	parts := []string{flipsOfAddresses}
	for i := range f.Tags {
		parts = append(parts, fmt.Sprintf(flipsOfTag, 8*(14+4*i)))
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
	ip = strings.Replace(ip, "CLASS", flipsOfClass, 1)
	return strings.Join(append(parts, ip, transport, pds, after, fmt.Sprint("unused:", 8*f.Padding)), " ")
}

// scene is a world to which each flipped packet comes in the same state.
type scene struct {
	*world
	f      *plain.Packet
	row    pdc
	pdc    plainPDC
	ind    port.Ind // of the packet as it is
	answer []byte
	size   int // of the flipped packet
}

// prepare opens PDC 0 for the packet's source, from PSN 0 on; all below 100 has arrived. The others belong to a source
// that sends nothing.
func (s *scene) prepare(rod bool) {
	f := *s.f
	f.PDS = data(map[bool]int{false: 2, true: 3}[rod], fSyn, 99, 7, 0)
	_, _, _ = s.frame(f.Bytes())
	s.load(port.WordStart, 0, port.WordPending, 0)
	s.row, s.pdc = *s.r.pdcs.rows.Row(0), s.slow.pdc[0]
}

// send executes a frame in the prepared state.
func (s *scene) send(frame []byte) (string, port.Ind, []byte) {
	for k := range s.slow.pdc {
		*s.r.pdcs.rows.Row(k), s.slow.pdc[k] = pdc{}, plainPDC{}
		if k == 0 {
			*s.r.pdcs.rows.Row(0), s.slow.pdc[0] = s.row, s.pdc
		}
		s.r.pdcs.changed(k)
	}
	return s.frame(frame)
}

func (s *scene) flipAll(pds string, mended bool, note func(at int, becomes string)) {
	frame := s.f.Bytes()
	var reason string
	reason, s.ind, s.answer = s.send(frame)
	require.Equal(s.t, "PASSED", reason)
	require.NotNil(s.t, s.answer)
	after := s.rows()
	at := 0
	for token := range strings.FieldsSeq(flipsOf(s.f, pds, mended)) {
		what, n, _ := strings.Cut(token, ":")
		width, err := strconv.Atoi(n)
		require.NoError(s.t, err)
		for i := range width {
			flipped := slices.Clone(frame)
			flipped[at/8] ^= 1 << (7 - at%8)
			if mended {
				plain.MendHeader(flipped, s.f.L2())
			}
			reason, ind, answer := s.send(flipped)
			s.hold(what, i, width, reason, ind, answer, fmt.Sprintf("bit %d of byte %d, %s", 7-at%8, at/8, token))
			note(at, s.fate(reason, ind, answer, after))
			at++
		}
	}
	require.Equal(s.t, 8*len(frame), at, "the table has every bit")
}

// hold compares what became of a packet with bit i of a token of width bits flipped.
func (s *scene) hold(what string, i, width int, reason string, ind port.Ind, answer []byte, where string) {
	t, want, same := s.t, s.ind, slices.Clone(s.answer)
	switch what {
	case "length":
		what = s.lengthFlip(i)
	case "dscp":
		if what = "unused"; want.Verdict == port.VerdictAccepted {
			what = ">TRIMMED_LASTHOP"
		}
	case "src":
		switch syn := s.f.PDS[1]&fSyn != 0; {
		case syn && s.f.PDS[0]>>3 == 11:
			what = "=EARLY"
		case syn:
			what = "=ACCEPTED"
		default:
			what = ">PDC_HDR_MISMATCH"
		}
	}
	if upper := strings.Trim(what, "@>="); upper == what && strings.ToUpper(what) == what {
		require.Contains(t, strings.Split(what, "|"), reason, where)
		return
	}
	require.Equal(t, "PASSED", reason, where)
	switch kind, name := what[0], what[1:]; {
	case kind == '@':
		flipBit(same, s.place(name)+i)
		plain.Mend(same)
	case kind == '>':
		require.Equal(t, name, ind.NackCode.String(), where)
		require.Equal(t, port.VerdictRefused, ind.Verdict, where)
		return
	case kind == '=':
		require.Equal(t, name, ind.Verdict.String(), where)
		return
	case what == "size":
		require.Equal(t, want, ind, where)
		require.Equal(t, s.pdc.rcvd+s.size, s.slow.pdc[0].rcvd, where)
		return
	case what == "quiet":
		want.Answered, same = false, nil
	case what == "psn" || what == "psn_only":
		want.PSN ^= 1 << (width - 1 - i)
		if what == "psn" {
			s.psnFlip(want.PSN, ind, where)
			return
		}
	case what == "base":
		b, u := be32(s.f.PDS, 12)^1<<(width-1-i), uint32(s.pdc.cack+1)
		if d := int64(b) - int64(u-1); d < -32768 || d > 32767 {
			b = u
		}
		p := s.place("p") / 8
		require.Equal(t, uint16(b-u+1), be16(answer, p+14), where)
		for j := range uint32(64) {
			require.Equal(t, b+j < u || int32(b) < 0, be64(answer, p+16)>>j&1 == 1, where)
		}
		require.Equal(t, want, ind, where)
		return
	default:
		require.Equal(t, "unused", what)
	}
	require.Equal(t, want, ind, where)
	require.Equal(t, same, answer, where)
}

// psnFlip is what another PSN leads to.
func (s *scene) psnFlip(psn uint32, ind port.Ind, where string) {
	require.Equal(s.t, psn, ind.PSN, where)
	d := int32(psn - uint32(s.pdc.cack) - 1)
	want := "ACCEPTED NONE"
	switch {
	case s.f.PDS[0]>>3 == 11:
		want = "ASKED NONE"
	case d < 0:
		want = "DUPLICATE NONE"
	case d >= 128:
		want = "REFUSED PSN_OOR"
	case d > 0 && s.pdc.rod:
		want = "REFUSED ROD_OOO"
	}
	require.Equal(s.t, want, fmt.Sprint(ind.Verdict, " ", ind.NackCode), where)
}

// place returns the bit of the answer that a token names, such as p.11.
func (s *scene) place(name string) int {
	part, bit, _ := strings.Cut(name, ".")
	h := s.f.H() - s.f.Options
	at, ok := map[string]int{"ip": s.f.L2(), "h": h, "p": h + s.f.P() - s.f.H()}[part]
	if !ok {
		bit = part
	}
	n, _ := strconv.Atoi(bit)
	return 8*at + n
}

func flipBit(b []byte, at int) { b[at/8] ^= 1 << (7 - at%8) }

// lengthFlip returns what a wrong length in the IP header leads to: it ends the packet elsewhere than UDP does, or it
// makes the size another.
func (s *scene) lengthFlip(i int) string {
	f := s.f
	payload := f.P() - f.H() + len(f.PDS)
	length := payload
	if !f.V6 {
		length += f.H() - f.L2()
	}
	payload += (length ^ 1<<(15-i)) - length
	switch {
	case !f.V6 && payload < 0:
		return "LENGTH"
	case f.H()+payload > f.P()+len(f.PDS)+f.Padding:
		return "TRUNCATED"
	case !f.Native || payload < 6:
		return "LENGTH"
	case payload-4 < len(f.PDS)-5:
		return "SHORT"
	case s.ind.Verdict != port.VerdictAccepted:
		return "unused"
	}
	s.size = payload + 40
	return "size"
}

package uet

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// cell is one field of a layout as the published headers give it: the bits of mask in the big-endian word of size bytes
// at an offset from the prologue, its name, and the part of Packet that must hold it.
type cell struct {
	at, size int
	mask     uint64
	name     string
	leaf     string
}

const (
	ones8  = 1<<8 - 1
	ones16 = 1<<16 - 1
	ones24 = 1<<24 - 1
	ones32 = 1<<32 - 1
	ones64 = 1<<64 - 1
)

// The prologue: type 5, next_hdr or ctl_type 4, flags 7.
var (
	withNext = []cell{{0, 2, 0xf800, "type", "Type"}, {0, 2, 0x0780, "next_hdr", "NextHdr"}}
	withCtl  = []cell{{0, 2, 0xf800, "type", "Type"}, {0, 2, 0x0780, "ctl_type", "Control.CtlType"}}
)

// Each header: offsets, masks of flags and widths from the description of the headers, not from the decoder.
var (
	requestHead = []cell{
		{0, 2, 0x60, "rsvd", ""}, {0, 2, 0x10, "retx", "Request.Retx"}, {0, 2, 0x08, "ar", "Request.AR"},
		{0, 2, 0x04, "syn", "Request.Syn"}, {0, 2, 0x03, "rsvd", ""},
		{2, 2, ones16, "clear_psn_offset", "Request.ClearPSNOffset"}, {4, 4, ones32, "psn", "Request.PSN"},
		{8, 2, ones16, "spdcid", "Request.SPDCID"},
	}
	requestPlain = []cell{{10, 2, ones16, "dpdcid", "Request.DPDCID"}}
	requestSyn   = []cell{
		{10, 2, 0xf000, "pdc_info", "Request.PDCInfo"}, {10, 2, 0x0fff, "psn_offset", "Request.PSNOffset"},
	}
	requestCC = []cell{
		{12, 1, ones8, "ccc_id", "Request.CC.CCCID"}, {12, 4, ones24, "credit_target", "Request.CC.CreditTarget"},
	}

	rudi = []cell{
		{0, 2, 0x7f, "flags", "Rudi.Flags"}, {2, 2, ones16, "rsvd", ""}, {4, 4, ones32, "pkt_id", "Rudi.PktID"},
	}
	uud = []cell{{0, 2, 0x7f, "flags", "Uud.Flags"}, {2, 2, ones16, "rest", "Uud.Rest"}}

	ackHead = []cell{
		{0, 2, 0x40, "epsn", "Ack.EPSN"}, {0, 2, 0x20, "m", "Ack.M"}, {0, 2, 0x10, "retx", "Ack.Retx"},
		{0, 2, 0x08, "p", "Ack.P"}, {0, 2, 0x06, "request", "Ack.Request"}, {0, 2, 0x01, "rsvd", ""},
		{4, 4, ones32, "cack_psn", "Ack.CackPSN"}, {8, 2, ones16, "spdcid", "Ack.SPDCID"},
		{10, 2, ones16, "dpdcid", "Ack.DPDCID"},
	}
	ackPlain = []cell{{2, 2, ones16, "ack_psn_offset", "Ack.AckPSNOffset"}}
	ackProbe = []cell{{2, 2, ones16, "probe_opaque", "Ack.ProbeOpaque"}}
	ackCC    = []cell{
		{12, 1, 0xf0, "cc_type", "Ack.CC.CCType"}, {12, 1, 0x0f, "cc_flags", "Ack.CC.CCFlags"},
		{13, 1, ones8, "mpr", "Ack.CC.MPR"}, {14, 2, ones16, "sack_psn_offset", "Ack.CC.SackPSNOffset"},
		{16, 8, ones64, "sack_bitmap", "Ack.CC.SackBitmap"},
	}
	stateNSCC = []cell{
		{24, 2, ones16, "service_time", "Ack.CC.NSCC.ServiceTime"}, {26, 1, 0x80, "rc", "Ack.CC.NSCC.RC"},
		{26, 1, 0x7f, "rcv_cwnd_pend", "Ack.CC.NSCC.RcvCwndPend"},
		{26, 4, ones24, "rcvd_bytes", "Ack.CC.NSCC.RcvdBytes"}, {30, 2, ones16, "ooo", "Ack.CC.NSCC.OOO"},
	}
	stateCredit = []cell{
		{24, 4, ones24 << 8, "credit", "Ack.CC.Credit.Credit"}, {26, 4, ones24, "rsvd", ""},
		{30, 2, ones16, "ooo", "Ack.CC.Credit.OOO"},
	}

	nack = []cell{
		{0, 2, 0x40, "rsvd", ""}, {0, 2, 0x20, "m", "Nack.M"}, {0, 2, 0x10, "retx", "Nack.Retx"},
		{0, 2, 0x08, "nt", "Nack.NT"}, {0, 2, 0x07, "rsvd", ""}, {2, 1, ones8, "nack_code", "Nack.Code"},
		{3, 1, ones8, "vendor_code", "Nack.VendorCode"}, {4, 4, ones32, "nack_psn", "Nack.PSN"},
		{8, 2, ones16, "spdcid", "Nack.SPDCID"}, {10, 2, ones16, "dpdcid", "Nack.DPDCID"},
		{12, 4, ones32, "payload", "Nack.Payload"},
	}

	controlHead = []cell{
		{0, 2, 0x40, "rsvd", ""}, {0, 2, 0x20, "isrod", "Control.IsROD"}, {0, 2, 0x10, "retx", "Control.Retx"},
		{0, 2, 0x08, "ar", "Control.AR"}, {0, 2, 0x04, "syn", "Control.Syn"}, {0, 2, 0x03, "rsvd", ""},
		{2, 2, ones16, "probe_opaque", "Control.ProbeOpaque"}, {4, 4, ones32, "psn", "Control.PSN"},
		{8, 2, ones16, "spdcid", "Control.SPDCID"}, {12, 4, ones32, "payload", "Control.Payload"},
	}
	controlPlain = []cell{{10, 2, ones16, "dpdcid", "Control.DPDCID"}}
	controlSyn   = []cell{
		{10, 2, 0xf000, "pdc_info", "Control.PDCInfo"}, {10, 2, 0x0fff, "psn_offset", "Control.PSNOffset"},
	}
)

// unread returns a cell for each byte of a state without a published layout.
func unread(leaf string, at, n int) (out []cell) {
	for i := range n {
		index := fmt.Sprintf("[%d]", i)
		out = append(out, cell{at + i, 1, ones8, "state" + index, leaf + index})
	}
	return out
}

// layoutOf returns the cells and bytes of the header that starts in b, or 0 bytes when its type has none.
func layoutOf(s Spec, b []byte) ([]cell, int) {
	flag := func(mask byte, set, clear []cell) []cell {
		if b[1]&mask != 0 {
			return set
		}
		return clear
	}
	ack := slices.Concat(withNext, ackHead, flag(0x08, ackProbe, ackPlain))
	request := slices.Concat(withNext, requestHead, flag(0x04, requestSyn, requestPlain))
	switch b[0] >> 3 {
	case 2, 3:
		return request, 12
	case 4, 5:
		return slices.Concat(withNext, rudi), 8
	case 6:
		return slices.Concat(withNext, uud), 4
	case 7:
		return ack, 12
	case 8:
		state := unread("Ack.CC.State", 24, 8)
		switch b[12] >> 4 {
		case 0:
			state = stateNSCC
		case 1:
			state = stateCredit
		}
		return slices.Concat(ack, ackCC, state), 32
	case 9:
		return slices.Concat(ack, ackCC, unread("Ack.CC.State", 24, s.AckCCX)), 24 + s.AckCCX
	case 10:
		return slices.Concat(withNext, nack), 16
	case 11:
		return slices.Concat(withCtl, controlHead, flag(0x04, controlSyn, controlPlain)), 16
	case 12:
		return slices.Concat(withNext, nack, unread("Nack.State", 16, s.NackCCX)), 16 + s.NackCCX
	case 13, 14:
		return slices.Concat(request, requestCC), 16
	}
	return nil, 0
}

// word returns the word of a cell; put writes it.
func (c cell) word(b []byte) uint64 {
	return binary.BigEndian.Uint64(append(make([]byte, 8-c.size), b[c.at:c.at+c.size]...))
}

func (c cell) put(b []byte, word uint64) {
	copy(b[c.at:c.at+c.size], binary.BigEndian.AppendUint64(nil, word)[8-c.size:])
}

// low is the number of bits of the word below the mask, width the number in it.
func (c cell) low() (n int) {
	for c.mask>>n&1 == 0 {
		n++
	}
	return n
}

func (c cell) width() (n int) {
	for m := c.mask >> c.low(); m != 0; m >>= 1 {
		n++
	}
	return n
}

func (c cell) value(b []byte) uint64 { return c.word(b) & c.mask >> c.low() }

// leaves adds every number and flag in v to out, by its path. Signed numbers become their bits.
func leaves(out map[string]uint64, path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			leaves(out, path, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if path != "" {
				name = path + "." + name
			}
			leaves(out, name, v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			leaves(out, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Bool:
		out[path] = 0
		if v.Bool() {
			out[path] = 1
		}
	case reflect.Int16:
		out[path] = uint64(uint16(v.Int()))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		out[path] = v.Uint()
	default:
		panic("no rule for " + path)
	}
}

// holds requires that the decoder finds in b, field by field, what the layout puts there, and nothing else. It returns
// false when b has a type without a layout, which must be an error.
func holds(t *testing.T, s Spec, b []byte) bool {
	t.Helper()
	p, err := Decode(s, wrapped(t, b))
	cells, size := layoutOf(s, b)
	if size == 0 {
		var fault *Error
		require.ErrorAs(t, err, &fault, "%x", b)
		require.Equal(t, uetAt, fault.At)
		return false
	}
	require.NoError(t, err, "%x", b)
	require.Equal(t, b[size:], p.Payload)
	require.Empty(t, p.Padding)

	want, fields := map[string]uint64{}, []Field{}
	for _, c := range cells {
		if c.leaf != "" {
			want[c.leaf] = c.value(b)
		}
		bit := 8*(uetAt+c.at+c.size) - c.low() - c.width()
		fields = append(fields, Field{c.name, bit, c.width(), c.value(b)})
	}
	slices.SortFunc(fields, func(a, b Field) int { return cmp.Compare(a.Bit, b.Bit) })
	require.Equal(t, fields, p.Fields, "%x", b)

	bare := *p
	bare.Lower, bare.Payload, bare.Padding, bare.Fields, bare.Complaints = Lower{}, nil, nil, nil, nil
	got := map[string]uint64{}
	for name, v := range map[string]any{"Type": bare.Type, "NextHdr": bare.NextHdr, "Request": bare.Request,
		"Rudi": bare.Rudi, "Uud": bare.Uud, "Ack": bare.Ack, "Nack": bare.Nack, "Control": bare.Control} {
		leaves(got, name, reflect.ValueOf(v))
	}
	// A part without a cell in this layout, such as dpdcid with syn, must be 0.
	maps.DeleteFunc(got, func(leaf string, v uint64) bool { _, ok := want[leaf]; return !ok && v == 0 })
	require.Equal(t, want, got, "%x", b)
	return true
}

// bases returns bytes that start a header of each type, in several patterns, with each value that selects a layout.
func bases() (out [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	for kind := range byte(32) {
		for pattern := range 3 {
			b := make([]byte, 80)
			for i := range b {
				b[i] = [...]byte{0, 0xff, byte(r.Uint32())}[pattern]
			}
			b[0] = kind<<3 | b[0]&7
			states := []byte{b[12]}
			if kind == 8 {
				states = []byte{b[12] & 15, 0x10 | b[12]&15, 0x20 | b[12]&15}
			}
			for _, cc := range states {
				for _, flags := range []byte{b[1], b[1] ^ 4, b[1] ^ 8} { // syn, p
					c := bytes.Clone(b)
					c[12], c[1] = cc, flags
					out = append(out, c)
				}
			}
		}
	}
	return out
}

var specs = []Spec{
	DefaultSpec(),
	{Port: 4793, Protocol: 253, AckCCX: 8, NackCCX: 12},
	{Port: 4793, Protocol: 253, AckCCX: 20, NackCCX: 16},
}

// The cells of each layout cover each bit of its header exactly once, so that a wrong table here cannot pass.
func TestLayoutsCoverEachBit(t *testing.T) {
	sizes := map[byte]int{2: 12, 3: 12, 4: 8, 5: 8, 6: 4, 7: 12, 8: 32, 9: 40, 10: 16, 11: 16, 12: 24, 13: 16, 14: 16}
	for _, b := range bases() {
		cells, size := layoutOf(DefaultSpec(), b)
		require.Equal(t, sizes[b[0]>>3], size)
		covered := make([]int, 8*size)
		for _, c := range cells {
			for bit := range 8 * c.size {
				if c.mask>>bit&1 == 1 {
					covered[8*(c.at+c.size)-1-bit]++
				}
			}
		}
		for bit, n := range covered {
			require.Equal(t, 1, n, "type %d, bit %d", b[0]>>3, bit)
		}
	}
}

// each calls visit with the bases, and those of types with a length in Spec for other lengths, too.
func each(visit func(s Spec, b []byte)) {
	for i, s := range specs {
		for _, b := range bases() {
			if kind := b[0] >> 3; i == 0 || kind == 9 || kind == 12 {
				visit(s, b)
			}
		}
	}
}

// Every flip of a bit of every header changes the field that the layout puts there, and no other.
func TestEachBitIsOneField(t *testing.T) {
	decoded := 0
	each(func(s Spec, b []byte) {
		_, size := layoutOf(s, b)
		for bit := range 8 * max(size, 2) {
			flipped := bytes.Clone(b)
			flipped[bit/8] ^= 0x80 >> (bit % 8)
			if holds(t, s, flipped) {
				decoded++
			}
		}
	})
	require.Greater(t, decoded, 10_000)
}

// Each field reads its least and its largest value, 1, and its top bit alone.
func TestEachFieldAtItsEnds(t *testing.T) {
	each(func(s Spec, b []byte) {
		holds(t, s, b)
		cells, _ := layoutOf(s, b)
		for _, c := range cells {
			for _, v := range []uint64{0, c.mask, c.mask & -c.mask, c.mask &^ (c.mask >> 1)} {
				changed := bytes.Clone(b)
				c.put(changed, c.word(b)&^c.mask|v)
				holds(t, s, changed)
			}
		}
	})
}

package uet

import (
	"bytes"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"
)

// form is a way to carry UET.
type form struct {
	name       string
	v6, native bool
	tags       []layers.EthernetType
}

var forms = []form{
	{name: "UDP, IPv4"},
	{name: "UDP, IPv6, tag", v6: true, tags: []layers.EthernetType{layers.EthernetTypeDot1Q}},
	{name: "native, IPv4, two tags", native: true,
		tags: []layers.EthernetType{layers.EthernetTypeQinQ, layers.EthernetTypeDot1Q}},
	{name: "native, IPv6", v6: true, native: true},
}

const ackHex = "3800 0001 00000010 0009 0007"

// built returns a frame that the packet library builds, and the offset of its IP header.
func built(t *testing.T, f form, spec Spec) (frame []byte, ip int) {
	t.Helper()
	eth := &layers.Ethernet{SrcMAC: make([]byte, 6), DstMAC: []byte{2, 0, 0, 0, 0, 1}}
	parts := []gopacket.SerializableLayer{eth}
	kind := &eth.EthernetType
	for i, tag := range f.tags {
		q := &layers.Dot1Q{Priority: 5, DropEligible: true, VLANIdentifier: uint16(100 + i)}
		*kind = tag
		kind = &q.Type
		parts = append(parts, q)
	}
	proto := layers.IPProtocolUDP
	if f.native {
		proto = layers.IPProtocol(spec.Protocol)
	}
	var network gopacket.NetworkLayer
	if f.v6 {
		l := &layers.IPv6{Version: 6, NextHeader: proto, HopLimit: 9, TrafficClass: 46<<2 | 1, FlowLabel: 0xfffff,
			SrcIP: bytes.Repeat([]byte{1}, 16), DstIP: bytes.Repeat([]byte{2}, 16)}
		*kind, network = layers.EthernetTypeIPv6, l
		parts = append(parts, l)
	} else {
		l := &layers.IPv4{Version: 4, Protocol: proto, TTL: 9, TOS: 46<<2 | 1, SrcIP: []byte{1, 1, 1, 1},
			DstIP: []byte{2, 2, 2, 2}}
		*kind, network = layers.EthernetTypeIPv4, l
		parts = append(parts, l)
	}
	payload := unhex(t, ackHex)
	if f.native {
		payload = append([]byte{0xab, 0xcd, 0, 0}, payload...)
	} else {
		udp := &layers.UDP{SrcPort: 0xabcd, DstPort: layers.UDPPort(spec.Port)}
		require.NoError(t, udp.SetNetworkLayerForChecksum(network))
		parts = append(parts, udp)
	}
	buf := gopacket.NewSerializeBuffer()
	require.NoError(t, gopacket.SerializeLayers(buf,
		gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, append(parts, gopacket.Payload(payload))...))
	ip = 14 + 4*len(f.tags)
	end := ip + 20 + 8 + len(unhex(t, ackHex)) // without the library's padding
	if f.v6 {
		end += 20
	}
	if f.native {
		end -= 4
	}
	return bytes.Clone(buf.Bytes()[:end]), ip
}

func TestEachWayToCarryUET(t *testing.T) {
	// The port and the protocol that other sources give, or that a library knows as something else.
	for _, spec := range []Spec{DefaultSpec(), {Port: 49150, Protocol: 254, AckCCX: 16, NackCCX: 8}} {
		for _, f := range forms {
			t.Run(f.name, func(t *testing.T) {
				frame, ip := built(t, f, spec)
				for _, padding := range [][]byte{{}, {0, 0, 0}} {
					p, err := Decode(spec, append(bytes.Clone(frame), padding...))
					require.NoError(t, err)
					require.Empty(t, p.Complaints)
					l := p.Lower
					require.Equal(t, f.v6, l.Version == 6)
					require.Equal(t, f.native, l.Native)
					require.Len(t, l.Tags, len(f.tags))
					for i, tag := range l.Tags {
						require.EqualValues(t, 5<<13|1<<12|100+i, tag)
					}
					require.EqualValues(t, 46, l.DSCP)
					require.EqualValues(t, 1, l.ECN)
					require.EqualValues(t, 9, l.TTL)
					require.EqualValues(t, 0xabcd, l.Entropy)
					require.Equal(t, map[bool]string{false: "1.1.1.1", true: "101:101:101:101:101:101:101:101"}[f.v6],
						l.Src.String())
					require.Equal(t, map[bool]string{false: "2.2.2.2", true: "202:202:202:202:202:202:202:202"}[f.v6],
						l.Dst.String())
					require.Equal(t, ip, l.IPStart)
					require.EqualValues(t, 16, p.Ack.CackPSN)
					require.Empty(t, p.Payload)
					require.Equal(t, padding, p.Padding)
				}
				// A decoder with other values refuses the frame.
				other := spec
				other.Port, other.Protocol = other.Port+1, other.Protocol-1
				_, err := Decode(other, frame)
				require.Error(t, err)
			})
		}
	}
}

// A frame that is cut anywhere is refused, and the error has the offset of a byte that is in it or just after it.
func TestCutFrames(t *testing.T) {
	for _, f := range forms {
		frame, ip := built(t, f, DefaultSpec())
		for n := range frame {
			_, err := Decode(DefaultSpec(), frame[:n])
			var fault *Error
			require.ErrorAs(t, err, &fault, "%s, %d bytes", f.name, n)
			want := n // the header that ends too early
			if head := ip + map[bool]int{false: 20, true: 40}[f.v6]; n >= head {
				want = ip + map[bool]int{false: 2, true: 4}[f.v6] // the IP length
			}
			require.Equal(t, want, fault.At, "%s, %d bytes: %v", f.name, n, err)
		}
	}
}

// A header that the IP packet cuts is refused.
func TestCutHeaders(t *testing.T) {
	for _, c := range packets {
		b := unhex(t, c.hex)
		b = b[:len(b)-len(unhex(t, c.payload))]
		for n := range b {
			_, err := Decode(DefaultSpec(), append(wrapped(t, b[:n]), make([]byte, 60)...))
			var fault *Error
			require.ErrorAs(t, err, &fault, "%s, %d bytes", c.name, n)
			require.Equal(t, uetAt+n, fault.At)
		}
	}
}

// Each flip of a bit that a checksum covers is an error or a complaint.
func TestFlipsUnderAChecksum(t *testing.T) {
	for _, f := range forms {
		frame, ip := built(t, f, DefaultSpec())
		end := len(frame)
		if f.native && f.v6 {
			continue // no checksum at all
		}
		if f.native {
			end = ip + 20
		}
		if f.v6 {
			ip += 8 // no checksum covers what is before the addresses
		}
		for i := ip; i < end; i++ {
			for bit := range 8 {
				bad := bytes.Clone(frame)
				bad[i] ^= 1 << bit
				p, err := Decode(DefaultSpec(), bad)
				require.True(t, err != nil || !p.Sound(), "%s: byte %d, bit %d", f.name, i, bit)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	good := wrapped(t, unhex(t, ackHex))
	with := func(at int, b ...byte) []byte {
		f := bytes.Clone(good)
		copy(f[at:], b)
		return f
	}
	tag := []byte{0x81, 0, 0, 1}
	tags := bytes.Join([][]byte{good[:12], tag, tag, tag, good[12:]}, nil)
	for _, c := range []struct {
		name  string
		frame []byte
		at    int
		want  string
	}{
		{"ARP", with(12, 8, 6), 12, "EtherType 0x0806 is neither"},
		{"three tags", tags, 20, "third VLAN tag"},
		{"version", with(14, 0x65), 14, "IP version 6"},
		{"short header", with(14, 0x44), 14, "IPv4 header of 16 bytes"},
		{"options longer than the packet", with(14, 0x4f), 16, "below that of its header"},
		{"total length", with(16, 0, 39), 38, "UDP length of 20 bytes in an IP packet that carries 19"},
		{"long total length", with(16, 0xff, 0xff), 16, "total length of 65535"},
		{"fragment", with(20, 0x20, 0), 20, "fragment"},
		{"later fragment", with(20, 0, 1), 20, "fragment"},
		{"TCP", with(23, 6), 23, "IP protocol 6"},
		{"port", with(36, 0, 80), 36, "destination port 80"},
		{"UDP length", with(38, 0, 21), 38, "UDP length of 21"},
		{"type 0", with(42, 0), 42, "type 0 does not exist"},
		{"type 31", with(42, 0xf8), 42, "type 31 does not exist"},
		{"TSS", with(42, 0x08), 42, "encrypted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Decode(DefaultSpec(), c.frame)
			require.Nil(t, p)
			var fault *Error
			require.ErrorAs(t, err, &fault)
			require.Equal(t, c.at, fault.At, err)
			require.ErrorContains(t, err, c.want)
		})
	}
	p, err := Decode(DefaultSpec(), with(24, 1))
	require.NoError(t, err)
	require.Equal(t, []string{"byte 24: the IPv4 header checksum is wrong"}, p.Complaints)
	p, err = Decode(DefaultSpec(), with(40, 1))
	require.NoError(t, err)
	require.Equal(t, []string{"byte 40: the UDP checksum is wrong"}, p.Complaints)
	native, ip := built(t, forms[3], DefaultSpec())
	native[ip+42] = 1
	p, err = Decode(DefaultSpec(), native)
	require.NoError(t, err)
	require.Len(t, p.Complaints, 1)
	require.Contains(t, p.Complaints[0], "entropy header")
}

// IPv4 options shift what follows, and do not break the checksum.
func TestIPv4Options(t *testing.T) {
	f := wrapped(t, unhex(t, ackHex))
	f = bytes.Join([][]byte{f[:34], {1, 1, 1, 0}, f[34:]}, nil)
	f[14], f[17] = 0x46, f[17]+4
	setIPv4Sum(f[14:38])
	p, err := Decode(DefaultSpec(), f)
	require.NoError(t, err)
	require.Empty(t, p.Complaints)
	require.Equal(t, uetAt+4, p.Lower.UETStart)
	require.EqualValues(t, 16, p.Ack.CackPSN)
}

func TestSpecIsChecked(t *testing.T) {
	require.NoError(t, DefaultSpec().Validate())
	for _, change := range []func(*Spec){
		func(s *Spec) { s.Port = 0 }, func(s *Spec) { s.Protocol = 17 }, func(s *Spec) { s.AckCCX = 0 },
		func(s *Spec) { s.NackCCX = 0 }, func(s *Spec) { s.AckCCX = maxCCX + 1 }, func(s *Spec) { s.NackCCX = -1 },
	} {
		s := DefaultSpec()
		change(&s)
		require.Error(t, s.Validate())
		_, err := Decode(s, wrapped(t, unhex(t, ackHex)))
		require.Error(t, err)
	}
}

// No bytes make the decoder panic, and a decoded packet has all bytes of its frame.
func FuzzDecode(f *testing.F) {
	for _, c := range packets {
		f.Add(wrapped(f, unhex(f, c.hex)))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		p, err := Decode(DefaultSpec(), frame)
		if err != nil {
			return
		}
		last := p.Fields[len(p.Fields)-1]
		require.Equal(t, len(frame), (last.Bit+last.Width)/8+len(p.Payload)+len(p.Padding))
	})
}

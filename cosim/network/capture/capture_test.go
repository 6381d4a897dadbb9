package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/packet"
)

// Flags of the prologue, in its low seven bits (UET 1.0), apart from the tables of the encoder.
const (
	FlagM    = 1 << 5 // ACK, NACK: the acknowledged packet was ECN marked
	FlagRetx = 1 << 4
	FlagAR   = 1 << 3 // request, control: asks for an ACK
	FlagP    = 1 << 3 // ACK: of a probe, and the PSN offset is the probe's opaque number
)

// TestIncastReadsBack captures the link in front of the receiver of an incast and the first hop of a sender, and
// compares every packet with the tap's record.
func TestIncastReadsBack(t *testing.T) {
	p, err := presets.Lookup("fattree128/incast32")
	require.NoError(t, err)
	spec := p.Spec
	spec.FlowBytes, spec.Recovery = 200_000, settings.RecoverSLEEK
	n, err := spec.Layout()
	require.NoError(t, err)
	both, err := Ports(n, "host0-tor0")
	require.NoError(t, err)
	require.Len(t, both, 2)
	sent, err := fabric.Run(t.Context(), spec)
	require.NoError(t, err)
	links := [][]int32{both}
	for _, l := range []string{n.Name(sent.Flows[0].Src), "agg0->tor0"} {
		one, err := Ports(n, l)
		require.NoError(t, err)
		links = append(links, one)
	}
	seen := map[net.PacketKind]int{}
	marked, trimmed, lastHop := 0, 0, 0
	for _, ports := range links {
		var file bytes.Buffer
		w, err := NewWriter(&file, DefaultSpec(), n, ports)
		require.NoError(t, err)
		var want []net.PortEvent
		res, err := fabric.Run(t.Context(), spec, fabric.WithPortTap(func(ev *net.PortEvent) {
			w.Tap(ev)
			if ev.Kind == net.PortDepart {
				want = append(want, *ev)
			}
		}, ports...))
		require.NoError(t, err)
		require.NoError(t, w.Flush())
		require.Equal(t, sent.Digest, res.Digest, "a capture changes nothing")
		require.Greater(t, len(want), 10)

		r, err := pcapgo.NewNgReader(&file, pcapgo.DefaultNgReaderOptions)
		require.NoError(t, err)
		for i := range want {
			data, ci, err := r.ReadPacketData()
			require.NoError(t, err)
			checkFrame(t, data, ci, &want[i])
			require.Equal(t, ports[ci.InterfaceIndex], want[i].Port)
			k := &want[i].Packet
			seen[k.Kind]++
			if k.Kind == net.PacketData && k.CE {
				marked++
			}
			if k.Trimmed && k.LastHop {
				lastHop++
			} else if k.Trimmed {
				trimmed++
			}
		}
		_, _, err = r.ReadPacketData()
		require.True(t, errors.Is(err, io.EOF), "%v", err)
		for i, port := range ports {
			face, err := r.Interface(i)
			require.NoError(t, err)
			require.Equal(t, n.Name(port), face.Name)
		}
	}
	for _, k := range []net.PacketKind{net.PacketData, net.PacketAck, net.PacketNack, net.PacketClose} {
		require.Positive(t, seen[k], "kind %d", k)
	}
	require.Positive(t, marked)
	require.Positive(t, lastHop)
}

// checkFrame decodes a frame and compares it with the simulated packet.
func checkFrame(t *testing.T, data []byte, ci gopacket.CaptureInfo, ev *net.PortEvent) {
	t.Helper()
	k := &ev.Packet
	require.EqualValues(t, ev.Time/1000, ci.Timestamp.UnixNano())
	v := packet.Judge(data)
	require.NoError(t, v.Err)
	require.True(t, v.Sound() && v.UDP && !v.NoUDPSum, "%+v", v)
	pkt := gopacket.NewPacket(data, layers.LayerTypeEthernet, gopacket.Default)
	ip := pkt.Layer(layers.LayerTypeIPv4).(*layers.IPv4)
	udp := pkt.Layer(layers.LayerTypeUDP).(*layers.UDP)
	require.EqualValues(t, UDPPort, udp.DstPort)
	require.EqualValues(t, SourcePort(k.Entropy), udp.SrcPort)
	require.GreaterOrEqual(t, int(udp.SrcPort), 49152)
	require.EqualValues(t, k.Src, binary.BigEndian.Uint32(ip.SrcIP.To4())-10<<24-1)
	require.EqualValues(t, k.Dst, binary.BigEndian.Uint32(ip.DstIP.To4())-10<<24-1)

	be, b := binary.BigEndian, udp.Payload
	if k.Syn {
		require.EqualValues(t, k.PSNOffset, be.Uint16(b[10:]))
	} else {
		require.EqualValues(t, k.Conn+1, be.Uint16(b[10:]))
	}
	pro := be.Uint16(b)
	require.Equal(t, k.Retx, pro&FlagRetx != 0)
	require.EqualValues(t, k.Conn+1, be.Uint16(b[8:]))
	dscp, ecn := ip.TOS>>2, ip.TOS&3
	psn := be.Uint32(b[4:])
	require.Equal(t, k.Kind == net.PacketData, ecn != 0, "only data can be marked")
	switch k.Kind {
	case net.PacketData:
		require.EqualValues(t, TypeRUDCCReq, pro>>11)
		require.EqualValues(t, k.Size-40, udp.Length)
		require.Equal(t, k.AckReq, pro&FlagAR != 0)
		require.Equal(t, k.CE, ecn == 3)
		require.Equal(t, k.Trimmed, dscp == net.DSCPTrimmed || dscp == net.DSCPTrimmedLastHop)
		require.Equal(t, !k.Trimmed, dscp == net.DSCPTrimmable)
		require.Equal(t, k.Trimmed && k.LastHop, dscp == net.DSCPTrimmedLastHop)
		require.Equal(t, k.PSN, psn)
	case net.PacketAck:
		require.EqualValues(t, TypeACKCC, pro>>11)
		require.EqualValues(t, net.DSCPControl, dscp)
		require.Len(t, b, 32)
		require.Equal(t, k.CE, pro&FlagM != 0)
		require.Equal(t, k.CumPSN-1, psn)
		require.Equal(t, k.Probe, pro&FlagP != 0)
		if k.Probe {
			require.Equal(t, uint16(k.PSN), be.Uint16(b[2:]))
		} else {
			require.Equal(t, k.PSN, psn+uint32(int32(int16(be.Uint16(b[2:])))))
		}
		require.Equal(t, k.SackBase, psn+uint32(int32(int16(be.Uint16(b[14:])))))
		require.Equal(t, k.MPR, b[13])
		require.Equal(t, k.Sack, be.Uint64(b[16:]))
		require.Equal(t, k.ServiceTime, be.Uint16(b[24:]))
		require.Equal(t, k.CwndPend, b[26]&127)
		require.Equal(t, k.Restore, b[26]&128 != 0)
		require.Equal(t, k.RcvdBytes, be.Uint32(b[26:])&0xFFFFFF)
		require.Equal(t, k.OOO, be.Uint16(b[30:]))
	case net.PacketNack:
		require.EqualValues(t, TypeNACK, pro>>11)
		require.EqualValues(t, net.DSCPControl, dscp)
		require.Equal(t, k.Reason, b[2])
		require.Equal(t, k.PSN, psn)
	case net.PacketProbe:
		require.EqualValues(t, net.DSCPPlain, dscp)
		require.EqualValues(t, TypeControl, pro>>11)
		require.EqualValues(t, controlProbe, pro>>7&15)
		require.Equal(t, k.PSN, psn)
		require.Equal(t, uint16(k.PSN), be.Uint16(b[2:]))
	case net.PacketAckReq, net.PacketClose:
		require.EqualValues(t, net.DSCPControl, dscp)
		require.EqualValues(t, TypeControl, pro>>11)
		require.EqualValues(t, map[net.PacketKind]int{net.PacketAckReq: 1, net.PacketClose: 4}[k.Kind], pro>>7&15)
		require.Equal(t, k.PSN, psn)
	}
}

// TestHeaders pins the bytes of headers to the formats of the specification.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		name string
		p    net.PacketInfo
		want []byte
	}{
		{"request", net.PacketInfo{PSN: 0x01020304, Conn: 0x1233, AckReq: true, Retx: true},
			[]byte{0x68, 0x18, 0, 0, 1, 2, 3, 4, 0x12, 0x34, 0x12, 0x34, 0, 0, 0, 0}},
		{"opening", net.PacketInfo{PSN: 0x01020304, Syn: true, PSNOffset: 0xabc},
			[]byte{0x68, 4, 0, 0, 1, 2, 3, 4, 0, 1, 0x0a, 0xbc, 0, 0, 0, 0}},
		{"nack", net.PacketInfo{Kind: net.PacketNack, PSN: 5, Reason: 2, CE: true},
			[]byte{0x50, 0x20, 2, 0, 0, 0, 0, 5, 0, 1, 0, 1, 0, 0, 0, 0}},
		{"probe", net.PacketInfo{Kind: net.PacketProbe, PSN: 6},
			[]byte{0x5b, 0x08, 0, 6, 0, 0, 0, 6, 0, 1, 0, 1, 0, 0, 0, 0}},
		{"ack request", net.PacketInfo{Kind: net.PacketAckReq, PSN: 7, AckReq: true},
			[]byte{0x58, 0x88, 0, 0, 0, 0, 0, 7, 0, 1, 0, 1, 0, 0, 0, 0}},
		{"ack request that opens", net.PacketInfo{Kind: net.PacketAckReq, PSN: 7, AckReq: true, Syn: true, PSNOffset: 5},
			[]byte{0x58, 0x8c, 0, 0, 0, 0, 0, 7, 0, 1, 0, 5, 0, 0, 0, 0}},
		{"close", net.PacketInfo{Kind: net.PacketClose, PSN: 8, Retx: true},
			[]byte{0x5a, 0x18, 0, 0, 0, 0, 0, 8, 0, 1, 0, 1, 0, 0, 0, 0}},
		{"ack across the wrap", net.PacketInfo{
			Kind: net.PacketAck, CumPSN: 0, PSN: 3, SackBase: 0, Sack: 8, RcvdBytes: 0xABCDEF,
			ServiceTime: 7, CwndPend: 5, Restore: true, OOO: 9, MPR: 200,
		}, []byte{
			0x40, 0, 0, 4, 0xff, 0xff, 0xff, 0xff, 0, 1, 0, 1, 0, 200, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8,
			0, 7, 0x85, 0xab, 0xcd, 0xef, 0, 9,
		}},
	} {
		require.Equal(t, c.want, header(nil, &c.p), c.name)
	}
}

// TestTrafficClass: the DSCP shows what the packet is and what happened to it.
func TestTrafficClass(t *testing.T) {
	s := DefaultSpec()
	for _, c := range []struct {
		p    net.PacketInfo
		dscp uint8
		ecn  uint8
	}{
		{net.PacketInfo{Class: 2}, 8, 2},
		{net.PacketInfo{Class: 2, CE: true}, 8, 3},
		{net.PacketInfo{Class: 1, Trimmed: true}, 16, 2},
		{net.PacketInfo{Class: 1, Trimmed: true, LastHop: true, CE: true}, 18, 3},
		{net.PacketInfo{Class: 1, CE: true}, 10, 3},
		{net.PacketInfo{Kind: net.PacketAck, CE: true}, 46, 0},
		{net.PacketInfo{Kind: net.PacketNack}, 46, 0},
		{net.PacketInfo{Kind: net.PacketProbe, Class: 2}, 0, 0},
		{net.PacketInfo{Kind: net.PacketAckReq, AckReq: true}, 46, 0},
		{net.PacketInfo{Kind: net.PacketClose}, 46, 0},
	} {
		require.Equal(t, c.dscp<<2|c.ecn, s.trafficClass(&c.p), "%+v", c.p)
	}
	require.NoError(t, s.DSCP.Set("control=48,trimmed_last_hop=21"))
	require.EqualValues(t, 48<<2, s.trafficClass(&net.PacketInfo{Kind: net.PacketAck}))
	require.EqualValues(t, 21<<2|2, s.trafficClass(&net.PacketInfo{Class: 1, Trimmed: true, LastHop: true}))
	require.NoError(t, s.Validate())
	for text, want := range map[string]string{
		"control=64": "control = 64: want a number from 0 to 63", "controls=1": "the name one of control, trimmable",
		"": "want NAME=NUMBER",
	} {
		require.ErrorContains(t, s.DSCP.Set(text), want)
	}
	for _, name := range []string{"control", "trimmable", "apart", "plain"} {
		s = DefaultSpec()
		require.NoError(t, s.DSCP.Set(name+"=16"))
		require.ErrorContains(t, s.Validate(), "dscp trimmed = 16: "+name+" has the same")
	}
	_, err := NewWriter(io.Discard, Spec{}, nil, nil)
	require.ErrorContains(t, err, "udp port = 0")
}

// TestChecksumIsNeverLeftOut: a sum that comes out as 0 is sent as 0xffff.
func TestChecksumIsNeverLeftOut(t *testing.T) {
	n, err := settings.DefaultSpec().Layout()
	require.NoError(t, err)
	spec := DefaultSpec()
	spec.UDPPort = 9999
	w, err := NewWriter(io.Discard, spec, n, []int32{0})
	require.NoError(t, err)
	ones := 0
	for e := range 1 << 16 {
		ev := net.PortEvent{Packet: net.PacketInfo{Size: 64, Dst: 5, Class: 2, Entropy: uint16(e), PSN: uint32(e)}}
		require.NoError(t, w.frame(&ev))
		v := packet.Judge(w.buf.Bytes())
		if !v.Sound() || v.NoUDPSum || v.Dst != 9999 {
			t.Fatalf("entropy %d: %+v", e, v)
		}
		if sum := w.buf.Bytes()[40:]; sum[0] == 0xff && sum[1] == 0xff {
			ones++
		}
	}
	require.Positive(t, ones)
}

// TestElephantsShowTheirClass: data in a separate class is recognisable in front of the receiver of an elephant.
func TestElephantsShowTheirClass(t *testing.T) {
	p, err := presets.Lookup("spray128/elephants-drr")
	require.NoError(t, err)
	spec := p.Spec
	spec.FlowBytes, spec.ElephantBytes = 50_000, 50_000
	n, err := spec.Layout()
	require.NoError(t, err)
	res, err := fabric.Run(t.Context(), spec)
	require.NoError(t, err)
	for _, f := range []int{0, len(res.Flows) - 1} { // an elephant and another flow
		var file bytes.Buffer
		w, err := NewWriter(&file, DefaultSpec(), n, []int32{res.Flows[f].Src})
		require.NoError(t, err)
		_, err = fabric.Run(t.Context(), spec, fabric.WithPortTap(w.Tap, res.Flows[f].Src))
		require.NoError(t, err)
		require.NoError(t, w.Flush())
		r, err := pcapgo.NewNgReader(&file, pcapgo.DefaultNgReaderOptions)
		require.NoError(t, err)
		seen := map[uint8]int{}
		for {
			data, _, err := r.ReadPacketData()
			if err != nil {
				break
			}
			v := packet.Judge(data)
			require.True(t, v.Sound())
			seen[v.Class>>2]++
		}
		want := map[bool]uint8{true: net.DSCPApart, false: net.DSCPTrimmable}[res.Flows[f].Mark]
		require.Greater(t, seen[want], 10)
		require.Positive(t, seen[net.DSCPControl])
		require.Len(t, seen, 2)
	}
}

// TestSourcePorts: every port is of the dynamic range, all of it is used, and each by four entropies.
func TestSourcePorts(t *testing.T) {
	used := map[uint16]int{}
	for e := range 1 << 16 {
		used[SourcePort(uint16(e))]++
	}
	require.Len(t, used, 1<<14)
	for port, n := range used {
		require.GreaterOrEqual(t, port, uint16(49152))
		require.Equal(t, 4, n, "port %d", port)
	}
	require.Equal(t, uint16(49152+5683), SourcePort(5683), "not that of CoAP")
}

func TestPortErrors(t *testing.T) {
	n, err := settings.DefaultSpec().Layout()
	require.NoError(t, err)
	for _, name := range []string{"host0-host1", "tor0->nowhere", ""} {
		_, err := Ports(n, name)
		require.ErrorContains(t, err, "names are like", name)
	}
	_, err = NewWriter(io.Discard, DefaultSpec(), n, nil)
	require.Error(t, err)
}

type broken struct{ left int }

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestWriterError(t *testing.T) {
	spec := settings.DefaultSpec()
	spec.FlowBytes = 100_000
	n, err := spec.Layout()
	require.NoError(t, err)
	w, err := NewWriter(&broken{5000}, DefaultSpec(), n, []int32{0})
	require.NoError(t, err)
	_, err = fabric.Run(t.Context(), spec, fabric.WithPortTap(w.Tap, 0))
	require.NoError(t, err)
	require.ErrorContains(t, w.Flush(), "disk full")
}

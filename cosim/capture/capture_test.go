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
)

// TestIncastReadsBack captures the link in front of the receiver of an incast, and
// the first hop of a sender, and compares every packet with what the tap saw.
func TestIncastReadsBack(t *testing.T) {
	p, err := fabric.Lookup("fattree128/incast32")
	require.NoError(t, err)
	spec := p.Spec
	spec.FlowBytes, spec.Recovery = 200_000, fabric.RecoverSLEEK
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
	seen := map[fabric.PacketKind]int{}
	marked, trimmed, lastHop := 0, 0, 0
	for _, ports := range links {
		var file bytes.Buffer
		w, err := NewWriter(&file, n, ports)
		require.NoError(t, err)
		var want []fabric.PortEvent
		res, err := fabric.Run(t.Context(), spec, fabric.WithPortTap(func(ev *fabric.PortEvent) {
			w.Tap(ev)
			if ev.Kind == fabric.PortDepart {
				want = append(want, *ev)
			}
		}, ports...))
		require.NoError(t, err)
		require.NoError(t, w.Flush())
		require.Equal(t, sent.Digest, res.Digest, "a capture changes nothing")
		require.Equal(t, len(want), w.Packets())
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
			if k.Kind == fabric.PacketData && k.CE {
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
	for _, k := range []fabric.PacketKind{fabric.PacketData, fabric.PacketAck, fabric.PacketNack} {
		require.Positive(t, seen[k], "kind %d", k)
	}
	require.Positive(t, marked)
	require.Positive(t, lastHop)
}

// checkFrame decodes a frame and compares it with the simulated packet.
func checkFrame(t *testing.T, data []byte, ci gopacket.CaptureInfo, ev *fabric.PortEvent) {
	t.Helper()
	k := &ev.Packet
	require.EqualValues(t, ev.Time/1000, ci.Timestamp.UnixNano())
	pkt := gopacket.NewPacket(data, layers.LayerTypeEthernet, gopacket.Default)
	require.Nil(t, pkt.ErrorLayer())
	ip := pkt.Layer(layers.LayerTypeIPv4).(*layers.IPv4)
	udp := pkt.Layer(layers.LayerTypeUDP).(*layers.UDP)
	require.NoError(t, udp.SetNetworkLayerForChecksum(ip))
	err, wrong := pkt.VerifyChecksums()
	require.NoError(t, err)
	require.Empty(t, wrong)
	require.EqualValues(t, UDPPort, udp.DstPort)
	require.EqualValues(t, k.Entropy, udp.SrcPort)
	require.EqualValues(t, k.Src, binary.BigEndian.Uint32(ip.SrcIP.To4())-10<<24-1)
	require.EqualValues(t, k.Dst, binary.BigEndian.Uint32(ip.DstIP.To4())-10<<24-1)

	be, b := binary.BigEndian, udp.Payload
	pro := be.Uint16(b)
	require.Equal(t, k.Retx, pro&FlagRetx != 0)
	require.EqualValues(t, k.Conn+1, be.Uint16(b[8:]))
	dscp, ecn := ip.TOS>>2, ip.TOS&3
	psn := be.Uint32(b[4:])
	switch k.Kind {
	case fabric.PacketData:
		require.EqualValues(t, TypeRUDCCReq, pro>>11)
		require.EqualValues(t, k.Size-40, udp.Length)
		require.Equal(t, k.AckReq, pro&FlagAR != 0)
		require.Equal(t, k.CE, ecn == 3)
		require.Equal(t, k.Trimmed, dscp == DSCPTrimmed || dscp == DSCPTrimmedLastHop)
		require.Equal(t, !k.Trimmed, dscp == DSCPTrimmable)
		require.Equal(t, k.Trimmed && k.LastHop, dscp == DSCPTrimmedLastHop)
		require.Equal(t, k.PSN, psn)
	case fabric.PacketAck:
		require.EqualValues(t, TypeACKCC, pro>>11)
		require.EqualValues(t, DSCPControl, dscp)
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
		require.Equal(t, k.Sack, be.Uint64(b[16:]))
		require.Equal(t, k.ServiceTime, be.Uint16(b[24:]))
		require.Equal(t, k.CwndPend, b[26]&127)
		require.Equal(t, k.Restore, b[26]&128 != 0)
		require.Equal(t, k.RcvdBytes, be.Uint32(b[26:])&0xFFFFFF)
		require.Equal(t, k.OOO, be.Uint16(b[30:]))
	case fabric.PacketNack:
		require.EqualValues(t, TypeNACK, pro>>11)
		require.EqualValues(t, DSCPControl, dscp)
		require.Equal(t, k.Reason, b[2])
		require.Equal(t, k.PSN, psn)
	case fabric.PacketProbe:
		require.EqualValues(t, TypeControl, pro>>11)
		require.EqualValues(t, controlProbe, pro>>7&15)
		require.Equal(t, k.PSN, psn)
		require.Equal(t, uint16(k.PSN), be.Uint16(b[2:]))
	}
}

// TestHeaders pins the bytes of headers to the formats of the specification.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		name string
		p    fabric.PacketInfo
		want []byte
	}{
		{"request", fabric.PacketInfo{PSN: 0x01020304, Conn: 0x1233, AckReq: true, Retx: true},
			[]byte{0x68, 0x18, 0, 0, 1, 2, 3, 4, 0x12, 0x34, 0x12, 0x34, 0, 0, 0, 0}},
		{"nack", fabric.PacketInfo{Kind: fabric.PacketNack, PSN: 5, Reason: 2, CE: true},
			[]byte{0x50, 0x20, 2, 0, 0, 0, 0, 5, 0, 1, 0, 1, 0, 0, 0, 0}},
		{"probe", fabric.PacketInfo{Kind: fabric.PacketProbe, PSN: 6},
			[]byte{0x5b, 0x08, 0, 6, 0, 0, 0, 6, 0, 1, 0, 1, 0, 0, 0, 0}},
		{"ack across the wrap", fabric.PacketInfo{
			Kind: fabric.PacketAck, CumPSN: 0, PSN: 3, SackBase: 0, Sack: 8, RcvdBytes: 0xABCDEF,
			ServiceTime: 7, CwndPend: 5, Restore: true, OOO: 9,
		}, []byte{
			0x40, 0, 0, 4, 0xff, 0xff, 0xff, 0xff, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8,
			0, 7, 0x85, 0xab, 0xcd, 0xef, 0, 9,
		}},
	} {
		require.Equal(t, c.want, header(nil, &c.p), c.name)
	}
	require.EqualValues(t, 8<<2|2, trafficClass(&fabric.PacketInfo{}))
	require.EqualValues(t, 8<<2|3, trafficClass(&fabric.PacketInfo{CE: true}))
	require.EqualValues(t, 16<<2|2, trafficClass(&fabric.PacketInfo{Trimmed: true}))
	require.EqualValues(t, 18<<2|3, trafficClass(&fabric.PacketInfo{Trimmed: true, LastHop: true, CE: true}))
}

func TestPortErrors(t *testing.T) {
	n, err := fabric.DefaultSpec().Layout()
	require.NoError(t, err)
	for _, name := range []string{"host0-host1", "tor0->nowhere", ""} {
		_, err := Ports(n, name)
		require.ErrorContains(t, err, "names are like", name)
	}
	_, err = NewWriter(io.Discard, n, nil)
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
	spec := fabric.DefaultSpec()
	spec.FlowBytes = 100_000
	n, err := spec.Layout()
	require.NoError(t, err)
	w, err := NewWriter(&broken{5000}, n, []int32{0})
	require.NoError(t, err)
	_, err = fabric.Run(t.Context(), spec, fabric.WithPortTap(w.Tap, 0))
	require.NoError(t, err)
	require.ErrorContains(t, w.Flush(), "disk full")
}

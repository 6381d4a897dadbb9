package packet

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"
)

// datagram returns a sound frame drawn from r: either family, up to three tags, any length.
func datagram(t *testing.T, r *rand.Rand) (frame []byte, tags int) {
	t.Helper()
	eth := &layers.Ethernet{SrcMAC: make([]byte, 6), DstMAC: []byte{2, 0, 0, 0, 0, 1}}
	parts := []gopacket.SerializableLayer{eth}
	kind := &eth.EthernetType
	for tags = r.IntN(4); len(parts) <= tags; {
		*kind = layers.EthernetTypeDot1Q
		tag := &layers.Dot1Q{VLANIdentifier: uint16(r.IntN(4096))}
		parts, kind = append(parts, tag), &tag.Type
	}
	udp := &layers.UDP{SrcPort: layers.UDPPort(r.IntN(65536)), DstPort: 4793}
	if v6 := r.IntN(2) == 0; v6 {
		ip := &layers.IPv6{Version: 6, NextHeader: layers.IPProtocolUDP, HopLimit: 9, SrcIP: make([]byte, 16),
			DstIP: make([]byte, 16), TrafficClass: uint8(r.IntN(256))}
		*kind, ip.SrcIP[r.IntN(16)], ip.DstIP[3] = layers.EthernetTypeIPv6, byte(r.IntN(256)), 7
		require.NoError(t, udp.SetNetworkLayerForChecksum(ip))
		parts = append(parts, ip, udp)
	} else {
		ip := &layers.IPv4{Version: 4, Protocol: layers.IPProtocolUDP, TTL: uint8(r.IntN(256)),
			Id: uint16(r.IntN(65536)), SrcIP: []byte{10, 0, 0, 1}, DstIP: []byte{10, 1, byte(r.IntN(256)), 2}}
		*kind = layers.EthernetTypeIPv4
		require.NoError(t, udp.SetNetworkLayerForChecksum(ip))
		parts = append(parts, ip, udp)
	}
	payload := make(gopacket.Payload, r.IntN(200))
	for i := range payload {
		payload[i] = byte(r.Uint32())
	}
	buf := gopacket.NewSerializeBuffer()
	require.NoError(t, gopacket.SerializeLayers(buf,
		gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, append(parts, payload)...))
	frame = bytes.Clone(buf.Bytes())
	for range r.IntN(2) * r.IntN(20) {
		frame = append(frame, byte(r.Uint32())) // padding
	}
	return frame, tags
}

func pick(r *rand.Rand, of ...uint16) uint16 { return of[r.IntN(len(of))] }

// Every frame that Plain accepts is sound to the library, for any kind of damage; and Plain accepts the frames that
// blocks see most.
func TestPlainIsSound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 3000 {
		frame, tags := datagram(t, r)
		v := Judge(frame)
		require.True(t, v.Sound() && v.UDP)
		plain, summed := Plain(frame)
		require.Equal(t, tags < 3, plain, "%d tags: %x", tags, frame)
		require.Equal(t, plain && !v.NoUDPSum, summed)
		for range 8 {
			bad := bytes.Clone(frame)
			switch r.IntN(4) {
			case 0:
				bad = bad[:r.IntN(len(bad))]
			case 1:
				bad[12+r.IntN(min(len(bad)-12, 60))] = byte(r.Uint32())
			case 2:
				// A length or the fragment word is corrupted and the header checksum corrected to match.
				if ip := bad[14+4*tags:]; ip[0] == 0x45 {
					at := [...]int{2, 2, 6, 20 + 4}[r.IntN(4)]
					old := binary.BigEndian.Uint16(ip[at:])
					binary.BigEndian.PutUint16(ip[at:], pick(r, old+1, old-1, old^0x2000, old^1, uint16(r.IntN(64)), 0))
					binary.BigEndian.PutUint16(ip[10:], 0)
					binary.BigEndian.PutUint16(ip[10:], ^sum(ip[:20], 0))
					if r.IntN(2) == 0 {
						ip[26], ip[27] = 0, 0 // the UDP checksum does not show it either
					}
				}
			default:
				i := 12 + r.IntN(len(bad)-12)
				bad[i] ^= 1 << r.IntN(8)
			}
			v := Judge(bad)
			if plain, summed := Plain(bad); plain {
				require.True(t, v.Sound(), "%x", bad)
				require.Equal(t, !v.NoUDPSum, summed, "%x", bad)
			} else if !v.Sound() {
				refused++
			}
		}
	}
	require.Greater(t, refused, 10_000)
}

// The sum equals that of RFC 1071 at every length, and is 0xffff, not 0, when all bits are ones.
func TestSumOfEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 300 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32()) | -byte(n&1)
		}
		want, start := uint64(0), uint64(r.IntN(1<<16))
		for i, x := range b {
			want += uint64(x) << (8 * (1 - i%2))
		}
		require.Equal(t, fold(want+start), sum(b, start), "%d bytes", n)
	}
}

func TestContractExamplesArePlain(t *testing.T) {
	for _, text := range []string{trimmedExample, insertedExample} {
		plain, _ := Plain(frameOf(t, text))
		require.True(t, plain)
	}
}

// The two ways to check a frame with 4 KiB of payload.
func BenchmarkFrame(b *testing.B) {
	frame := append(frameOf(b, trimmedExample)[:42], make([]byte, 4096)...)
	binary.BigEndian.PutUint16(frame[16:], uint16(len(frame)-14))
	binary.BigEndian.PutUint16(frame[38:], uint16(len(frame)-34))
	binary.BigEndian.PutUint16(frame[24:], 0)
	binary.BigEndian.PutUint16(frame[24:], ^sum(frame[14:34], 0))
	binary.BigEndian.PutUint16(frame[40:], 0)
	binary.BigEndian.PutUint16(frame[40:], ^sum(frame[34:], uint64(sum(frame[26:34], 17+uint64(len(frame)-34)))))
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			plain, _ := Plain(frame)
			require.True(b, plain)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			v := Judge(frame)
			require.True(b, v.Sound())
		}
	})
}

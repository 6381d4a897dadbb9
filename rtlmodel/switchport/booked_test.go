package switchport

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	pe "github.com/goldwire/goldwire/vectors/event/egress"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// lengths runs n cycles and returns the lengths of the packets that leave.
func (b *bench) lengths(n int) (out []int) {
	bytes := 0
	for range n {
		b.cycle(nil, nil, nil, takes)
		if !b.seen.txValid {
			continue
		}
		if bytes += 64; b.seen.tx.Last {
			bytes += bits.TrailingZeros64(^b.seen.tx.Keep) - 64
			out, bytes = append(out, bytes), 0
		}
	}
	return out
}

// The length that egress books for a packet that is to be trimmed, and the length that leaves, for different headers.
func TestBookedIsLeft(t *testing.T) {
	body := make([]byte, 1000)
	for _, tc := range []struct {
		name  string
		frame frames.Frame
		regs  []uint32 // of the trimmer
		want  int      // 0: the packet cannot be trimmed
	}{
		{"IPv4, TRIM_SIZE", frames.Frame{UETType: 2}, nil, 64},
		{"IPv6, its headers", frames.Frame{UETType: 13, V6: true}, nil, 14 + 40 + 24},
		{"two tags", frames.Frame{UETType: 3, Tags: []uint16{0x88A8, 0x8100}}, nil, 22 + 20 + 24},
		{"IPv4 options", frames.Frame{UETType: 14, Options: 40}, nil, 14 + 60 + 24},
		{"MIN_SIZE", frames.Frame{UETType: 2}, []uint32{pt.RegMinSize, 200}, 200},
		{"256 bytes", frames.Frame{UETType: 2}, []uint32{pt.RegTrimSize, 256}, 256},
		{"a larger value is refused", frames.Frame{UETType: 2}, []uint32{pt.RegTrimSize, 100, pt.RegTrimSize, 257}, 100},
		{"another port", frames.Frame{UETType: 2, UDPPort: 9}, nil, 0},
		{"another port, its register", frames.Frame{UETType: 2, UDPPort: 9}, []uint32{pt.RegUdpPort, 9}, 64},
		{"an ACK", frames.Frame{UETType: 7}, nil, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t, DefaultSpec())
			b.write(port.TargetEgress, pe.RegTrim, 0)
			for i := 0; i < len(tc.regs); i += 2 {
				b.ask(port.Cfg{Target: port.TargetTrimmer, Kind: uint8(pt.KindCfgWrite), Addr: uint8(tc.regs[i]),
					Data: tc.regs[i+1]})
			}
			tc.frame.Body = body
			frame := tc.frame.Bytes()
			b.offer(beatsOf(rubbish, frame, header{trimmable: true}))
			// These writes come too late for this packet.
			b.write(port.TargetTrimmer, pt.RegTrimSize, 222)
			b.write(port.TargetTrimmer, pt.RegUdpPort, 1)
			b.idle(20)
			b.cycle(nil, &port.Grant{}, nil, takes)
			got := b.lengths(60)
			bytes := b.m.Egress().Queues().Words(0, 1).DeqBytes
			if tc.want == 0 {
				require.Empty(t, got)
				require.Equal(t, uint32(1), b.m.Egress().Queues().Words(0, 0).Drops)
				return
			}
			require.Equal(t, []int{tc.want}, got)
			require.Equal(t, uint32(tc.want), bytes)
		})
	}
}

// A packet longer than the trimmer's head is judged by the registers at the time its fourth beat enters the slot, even
// if they are written before its last beat.
func TestRegistersOfTheFourthBeat(t *testing.T) {
	for _, after := range []int{2, 8} { // beats offered before the write
		b := newBench(t, DefaultSpec())
		b.write(port.TargetEgress, pe.RegTrim, 0)
		f := frames.Frame{UETType: 2, Body: make([]byte, 1000)}
		beats := beatsOf(rubbish, f.Bytes(), header{trimmable: true})
		b.offer(beats[:after])
		b.write(port.TargetTrimmer, pt.RegTrimSize, 100)
		b.offer(beats[after:])
		b.idle(20)
		b.cycle(nil, &port.Grant{}, nil, takes)
		want := 100
		if after > 4 {
			want = 64
		}
		require.Equal(t, []int{want}, b.lengths(60), "written after %d beats", after)
	}
}

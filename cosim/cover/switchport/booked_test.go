package switchport

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// portHand plays transfers at the ports of a switch port by hand, one a cycle.
type portHand struct {
	c       *cover.Collector
	in, out []uint64
}

func newPortHand(t *testing.T) *portHand {
	c := cover.New(Coverage, nil)
	h := &portHand{c, make([]uint64, switchport.InWords), make([]uint64, switchport.OutWords)}
	c.Cycle(h.in, h.out)
	for range 6 {
		h.in[0] = switchport.InRstN
		c.Cycle(h.in, h.out)
	}
	return h
}

// cycle is one with what set puts at the ports; every input is ready.
func (h *portHand) cycle(set func()) {
	clear(h.in)
	clear(h.out)
	set()
	h.in[0] |= switchport.InRstN | switchport.InNoteReady | switchport.InGrReady |
		switchport.InTxReady | switchport.InCfgrReady
	h.out[0] |= switchport.OutRxReady | switchport.OutGrantReady | switchport.OutCfgReady
	h.c.Cycle(h.in, h.out)
}

func (h *portHand) write(target switchport.Target, addr int, v uint32) {
	kind := map[switchport.Target]uint8{
		switchport.TargetEgress:  uint8(egress.KindCfgWrite),
		switchport.TargetTrimmer: uint8(trimmer.KindCfgWrite),
	}[target]
	h.cycle(func() {
		switchport.PackCfg(&switchport.Cfg{Target: target, Kind: kind, Addr: uint8(addr), Data: v}, h.in)
		h.in[0] |= switchport.InCfgValid
	})
	h.cycle(func() {
		switchport.PackCfgr(&switchport.Cfgr{Target: target, Kind: kind}, h.out)
		h.out[0] |= switchport.OutCfgrValid
	})
}

// beats puts beats from to to-1 of a frame at rx.
func (h *portHand) beats(frame []byte, from, to int) {
	for i := from; i < to; i++ {
		h.cycle(func() {
			x := switchport.Rx{Port: 1, Id: 7, Trimmable: true, Keep: ^uint64(0), Last: 64*(i+1) >= len(frame)}
			for k := range 8 {
				x.Data[k] = binary.LittleEndian.Uint64(frame[64*i+8*k:])
			}
			switchport.PackRx(&x, h.in)
			h.in[0] |= switchport.InRxValid
		})
	}
}

// A packet of seven beats for which a trim is due: what is booked goes by the registers of its beat 3, by the headers
// and by the whole length, and everything else is a difference.
func TestSwitchCoverageFollowsBookedLength(t *testing.T) {
	trim := func(n uint16) switchport.Note {
		return switchport.Note{Id: 7, Port: 1, Verdict: switchport.VerdictTrim, Cls: switchport.ClsMedium, Len: n,
			Trimmed: true, Depth: uint32(n), PortBytes: uint32(n)}
	}
	drop := switchport.Note{Id: 7, Port: 1, Verdict: switchport.VerdictDrop, Cause: switchport.CauseUntrimmable, Len: 448}
	admit := switchport.Note{Id: 7, Port: 1, Verdict: switchport.VerdictAdmit, Len: 448, Depth: 448, PortBytes: 448}
	trim200 := func(h *portHand) { h.write(switchport.TargetTrimmer, trimmer.RegTrimSize, 200) }
	for _, c := range []struct {
		name  string
		frame func(b []byte)
		early func(h *portHand) // before the packet
		late  func(h *portHand) // when six of its beats are in
		note  switchport.Note
		want  string
	}{
		{"reset value", nil, nil, nil, trim(64), ""},
		{"register", nil, trim200, nil, trim(200), ""},
		{"register, not obeyed", nil, trim200, nil, trim(64), "for a packet that trimming leaves 200 bytes of"},
		{"written before the last beat", nil, nil, trim200, trim(64), ""},
		{"that of the last beat", nil, nil, trim200, trim(200), "for a packet that trimming leaves 64 bytes of"},
		{"dropped although it can be trimmed", nil, nil, nil, drop, "for a packet that trimming leaves 64 bytes of"},
		{"no request", func(b []byte) { b[42] = 7 << 3 }, nil, nil, drop, ""},
		{"no request, trimmed", func(b []byte) { b[42] = 7 << 3 }, nil, nil, trim(64), "leaves 0 bytes of, cause 9"},
		{"another port", nil, func(h *portHand) { h.write(switchport.TargetTrimmer, trimmer.RegUdpPort, 9) }, nil, drop, ""},
		{"shorter than its IP packet", func(b []byte) { b[17]++ }, nil, nil, drop, ""},
		{"admitted although a trim is due", nil, nil, nil, admit, "limit 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newPortHand(t)
			h.write(switchport.TargetEgress, egress.RegTrim, 0)
			if c.early != nil {
				c.early(h)
			}
			frame := make([]byte, 448)
			copy(frame[12:], []byte{8, 0, 0x45, 0, 434 >> 8, 434 & 255})
			frame[23], frame[36], frame[37] = 17, 4793>>8, 4793&255
			frame[38], frame[39], frame[42] = 414>>8, 414&255, 2<<3
			if c.frame != nil {
				c.frame(frame)
			}
			h.beats(frame, 0, 6)
			if c.late != nil {
				c.late(h)
			}
			h.beats(frame, 6, 7)
			h.cycle(func() {
				switchport.PackNote(&c.note, h.out)
				h.out[0] |= switchport.OutNoteValid
			})
			if c.want == "" {
				require.Zero(t, h.c.Differences(), h.c.Difference())
				return
			}
			require.NotZero(t, h.c.Differences())
			require.Contains(t, h.c.Difference(), c.want)
		})
	}
}

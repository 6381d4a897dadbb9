package packets

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// maker is a bench whose block makes packets.
type maker struct{ bench }

func newMaker() *maker {
	s := nic.Schema()
	l := event.NewLayout(s)
	b := &maker{bench{l: l, w: New(s, l, nil, 0)}}
	b.w.Begin(0, &stim.Episode{Name: "random/7"})
	return b
}

// cmd gives a command, and its answer if there is one by then.
func (b *maker) cmd(x nic.Cmd, answered bool) {
	rec := make([]uint64, b.l.In.Words)
	nic.PackCmd(&x, rec)
	b.w.Accept(b.n, b.w.made.cmdAt, rec, true)
	if answered {
		b.w.Respond(b.n, b.w.made.rspAt, make([]uint64, b.l.Out.Words), true)
	}
}

// note takes a note.
func (b *maker) note(x nic.Note) {
	rec := make([]uint64, b.l.Out.Words)
	nic.PackNote(&x, rec)
	b.w.Respond(b.n, b.w.ntAt, rec, true)
}

// leave has a packet of a PDC leave.
func (b *maker) leave(pdc uint32, data []byte) {
	b.beats(&b.l.Out, "tx", data, func(rec []uint64, last bool) {
		b.l.Out.Slot("tx", "tag").Set(rec, uint64(pdc))
		b.w.Respond(b.n, b.w.txAt, rec, last)
	})
}

// Values of the packets of these tests.
const (
	madePDC, madePeer, madeEntropy = 5, 0x1234, 0x4321
	madePSN                        = 0x01020304
)

// template writes the template of the context of the PDC.
func (b *maker) template(head []byte, v6, native, answered bool) {
	ctx := uint16(madePDC / nic.Slots)
	words := append(append([]byte(nil), head...), 0, 0, 0)
	for i := 0; i < len(head); i += 4 {
		b.cmd(nic.Cmd{Target: nic.TargetWriter, Kind: uint8(txpdc.KindLoad), Index: ctx, Addr: uint8(i / 4),
			Data: uint64(binary.LittleEndian.Uint32(words[i:]))}, answered)
	}
	b.form(len(head), v6, native, answered)
}

func (b *maker) form(size int, v6, native, answered bool) {
	b.cmd(nic.Cmd{Target: nic.TargetWriter, Kind: uint8(txpdc.KindLoad), Index: madePDC / nic.Slots, Addr: nic.WordSize,
		Data: uint64(size) | uint64(stim.Bit(v6))<<nic.WordIpv6LSB | uint64(stim.Bit(native))<<nic.WordNativeLSB |
			madeEntropy<<nic.WordEntropyLSB}, answered)
}

// good returns a sound packet of a note, and the template that it is made by. The code of stimulus makes it.
func good(tags int, v6, native bool, x *nic.Note) (head, packet []byte) {
	r := stim.Seeded(1, "nic", "made", 0)
	f := frame.Good(tags, v6, 0)
	if f.NoSum, f.SrcPort = true, madeEntropy; native {
		f.Native, f.Proto = true, 253
	}
	h := frame.PDS{Type: frame.Control, Next: 4, PSN: x.PSN, SPDCID: x.PDC + 1, DPDCID: madePeer}
	if x.Kind == nic.ActSent {
		h = frame.PDS{Type: 13, Short: 0xff80, PSN: x.PSN, SPDCID: x.PDC + 1, DPDCID: madePeer,
			Payload: uint32(x.PDC/nic.Slots) << 24}
	}
	f.WithPDS(&h)
	if f.Body = 16; x.Kind == nic.ActSent {
		f.Body += max(int(x.Size)-64, 0)
	}
	packet = f.Bytes(&r, nil)
	if native {
		packet[f.UDP()+2], packet[f.UDP()+3] = 0, 0
	}
	clear(packet[len(packet)-f.Body+16:])
	for len(packet) < nic.MinFrame {
		packet = append(packet, 0)
	}
	head = append([]byte(nil), packet[:f.UDP()]...)
	if ip := head[f.L2():]; v6 {
		ip[4], ip[5] = 0, 0
	} else {
		ip[2], ip[3], ip[10], ip[11] = 0, 0, 0, 0
		binary.BigEndian.PutUint16(ip[10:], ^frame.Fold(frame.Sum16(0, ip[:20])))
	}
	return head, packet
}

// A packet that is that of its note is judged and sound, in every form; each bit of it that changes is found.
func TestMadeEveryBitIsJudged(t *testing.T) {
	for _, kind := range []nic.Act{nic.ActSent, nic.ActClosing} {
		for i := range 12 {
			tags, v6, native := i/4, i&1 != 0, i&2 != 0
			x := nic.Note{Kind: kind, PDC: madePDC, PSN: madePSN, Size: 70}
			head, packet := good(tags, v6, native, &x)
			play := func(data []byte) *Judge {
				b := newMaker()
				b.template(head, v6, native, true)
				b.cmd(nic.Cmd{Kind: uint8(txpdc.KindLoad), Index: madePDC, Data: madePeer<<txpdc.WordPeerLSB | 1}, true)
				b.note(x)
				b.leave(madePDC, data)
				require.EqualValues(t, 1, b.w.Judged())
				require.Zero(t, b.w.Skipped())
				return b.w
			}
			name := fmt.Sprint(kind, tags, v6, native)
			require.Nil(t, play(packet).Found(), "%s: %x", name, packet)
			for bit := range 8 * len(packet) {
				wrong := append([]byte(nil), packet...)
				wrong[bit/8] ^= 1 << (bit % 8)
				require.NotNil(t, play(wrong).Found(), "%s: bit %d of byte %d of %x", name, bit%8, bit/8, packet)
			}
			require.NotNil(t, play(append(packet, 0)).Found(), name)
		}
	}
}

// Which form a packet has is known from the notes and the answers to commands; one that is out of force is found, and
// so is a packet that leaves although its context had none. What cannot be read is not counted as judged.
func TestMadeForms(t *testing.T) {
	x := nic.Note{Kind: nic.ActSent, PDC: madePDC, PSN: madePSN, Size: 70}
	head, first := good(0, false, false, &x)
	begin := func() *maker {
		b := newMaker()
		b.template(head, false, false, true)
		b.cmd(nic.Cmd{Kind: uint8(txpdc.KindLoad), Index: madePDC, Data: madePeer<<txpdc.WordPeerLSB | 1}, true)
		return b
	}
	other, second := good(1, false, false, &x)
	for _, c := range []struct {
		notes    int // that are taken after the answer
		answered bool
		packet   []byte
		found    bool
	}{{0, true, first, false}, {0, true, second, false}, {nic.Notes - 1, true, first, false},
		{nic.Notes, true, first, true}, {nic.Notes, true, second, false}, {nic.Notes, false, first, false}} {
		b := begin()
		b.template(other, false, false, c.answered)
		for range c.notes {
			b.note(nic.Note{Kind: nic.ActMessage})
		}
		b.note(x)
		b.leave(madePDC, c.packet)
		require.Equal(t, c.found, b.w.Found() != nil, "%d %v: %v", c.notes, c.answered, b.w.Found())
	}

	b := begin()
	b.note(x)
	b.leave(madePDC, second)
	require.NotNil(t, b.w.Found(), "a form that nobody wrote")
	b = begin()
	b.note(x)
	b.leave(madePDC+1, first)
	require.NotNil(t, b.w.Found(), "the tag of another PDC")
	b = begin()
	b.leave(madePDC, second)
	b.template(other, false, false, true)
	b.note(x)
	require.NotNil(t, b.w.Found(), "a form that was written after the packet left")

	b = begin()
	b.form(0, false, false, true)
	for range nic.Notes {
		b.note(nic.Note{Kind: nic.ActMessage})
	}
	y := x
	y.PSN--
	b.note(y) // it has no packet
	b.form(len(head), false, false, true)
	for range nic.Notes {
		b.note(nic.Note{Kind: nic.ActMessage})
	}
	b.note(x)
	b.leave(madePDC, first)
	require.Nil(t, b.w.Found())
	require.EqualValues(t, 1, b.w.Judged())
	require.Empty(t, b.w.made.notes)
	b.note(x)
	y.PSN += 2
	b.note(y)
	_, last := good(0, false, false, &y)
	b.leave(madePDC, last)
	require.NotNil(t, b.w.Found(), "a packet is missing")

	b = begin()
	b.cmd(nic.Cmd{Target: nic.TargetWriter, Kind: uint8(txpdc.KindLoad), Index: 1, Addr: 3}, true)
	for range nic.Notes {
		b.note(nic.Note{Kind: nic.ActMessage})
	}
	b.note(x)
	b.leave(madePDC, append(append(append([]byte(nil), first[:12]...), 0, 0, 0, 0), first[16:]...))
	require.Nil(t, b.w.Found())
	require.Zero(t, b.w.Judged())
	require.EqualValues(t, 1, b.w.Skipped())
}

// Who the peer of a PDC is, is known from the packets that came in.
func TestMadePeers(t *testing.T) {
	x := nic.Note{Kind: nic.ActSent, PDC: madePDC, PSN: madePSN, Size: 70}
	head, packet := good(0, false, false, &x)
	for _, peer := range []uint16{madePeer, madePeer + 1} {
		b := newMaker()
		b.template(head, false, false, true)
		b.cmd(nic.Cmd{Kind: uint8(txpdc.KindOpen), Index: madePDC, Data: madePSN}, true)
		r := stim.Seeded(1, "nic", "made", 1)
		f := frame.Good(1, true, 0)
		f.WithPDS(&frame.PDS{Type: frame.Ack, SPDCID: peer, DPDCID: madePDC + 1})
		b.in(f.Bytes(&r, nil))
		b.note(x)
		b.leave(madePDC, packet)
		require.Equal(t, peer != madePeer, b.w.Found() != nil, "%v", b.w.Found())
	}
}

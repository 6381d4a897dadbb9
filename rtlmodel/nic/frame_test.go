package nic

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
	pt "github.com/goldwire/goldwire/vectors/event/txstate"
)

// The events of ccc have the fields of the contract's table, whatever else an action holds.
func TestEvents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 85))
	some := func() bool { return r.IntN(2) == 0 }
	for range 4000 {
		o := ordered{pending: pending{act: ps.Act{Kind: ps.Action(1 + r.IntN(6)), PDC: uint16(r.IntN(64)),
			Now: r.Uint64() >> 16,
			PSN: r.Uint32(), Size: r.Uint32(), IsRtx: some(), RcvdBytes: r.Uint32() >> 8, AckedPkts: uint8(r.Uint32()),
			UnmarkPkts: uint8(r.Uint32()), UnmarkBytes: r.Uint32() >> 8, M: some(), Retx: some(), Entropy: uint16(r.Uint32()),
			ServiceTime: uint16(r.Uint32()), Pend: uint8(r.IntN(128)), RC: some(), Code: uint8(r.Uint32()), Tx: some()}}}
		if o.act.Tx || o.act.Kind == ps.ActionNacked {
			o.times = pt.Response{Found: some(), TxTime: r.Uint64() >> 16, RtxCount: uint8(r.IntN(3))}
		}
		kind, counts := counted(o.act.Kind)
		require.True(t, counts)
		require.Equal(t, *plainEvent(&plainEntry{act: &o.act, rsp: o.times}), o.event(kind))
	}
}

// The frames of all forms and sizes are those of the plain glue, byte by byte and beat by beat. Sizes have more bits
// here than those of a packet, and checksums of templates are at both ends of their range.
func TestFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 84))
	met := map[int]bool{} // beats
	b := newPlain(Spec{Contexts: 2, Receives: 4})
	for range 2500 {
		var tp template
		for i := range tp.bytes {
			tp.bytes[i] = byte(r.Uint32())
		}
		tp.ipv6, tp.native, tp.entropy, tp.spray = r.IntN(2) == 0, r.IntN(2) == 0, uint16(r.Uint32()), uint16(r.Uint32())
		tp.size = 34 + r.IntN(29)
		if tp.ipv6 {
			tp.size = 54 + r.IntN(9)
		}
		binary.BigEndian.PutUint16(tp.bytes[tp.size-10:], []uint16{0, 1, 0xFFFE, 0xFFFF, uint16(r.Uint32())}[r.IntN(5)])
		cfg := config{spray: uint16(r.Uint32()), port: uint16(r.Uint32()), header: r.Uint32() % 128}
		p := packet{ar: r.IntN(2) == 0, act: ps.Act{Kind: ps.ActionSent, PDC: uint16(r.IntN(4)), PSN: r.Uint32(),
			Size: r.Uint32() % []uint32{200, 200, 200, 9000, 9000, 70000}[r.IntN(6)], Syn: r.IntN(2) == 0, IsRtx: r.IntN(2) == 0,
			Peer: uint16(r.Uint32()), PSNOffset: uint16(r.IntN(4096))}}
		if r.IntN(4) == 0 {
			p.act.Kind, p.act.Size, p.act.Syn = ps.ActionClosing, 0, false
		}
		for i := range 16 {
			b.template[[2]int{0, i}] = binary.LittleEndian.Uint32(tp.bytes[4*i:])
		}
		b.template[[2]int{0, 16}] = uint32(form(tp.size, tp.ipv6, tp.native, tp.entropy))
		b.reg, b.header, b.spray[0] = [2]uint64{uint64(cfg.spray), uint64(cfg.port)}, int(cfg.header), tp.spray
		want := b.build(plainPacket{p.act, p.ar})

		var f frame
		f.build(&tp, &cfg, &p)
		require.Equal(t, len(want), f.length)
		bench := &bench{tb: t}
		for i := 0; ; i++ {
			var x port.Tx
			x.Last = f.beat(i, &x.Data, &x.Keep)
			bench.txs = append(bench.txs, x)
			if x.Last {
				met[i+1] = true
				break
			}
		}
		got, _ := bench.packets()
		require.Equal(t, string(want), string(got[0]), "%+v %+v", tp, p)
	}
	require.True(t, met[1] && met[2] && met[3], "%v", met)
	require.Greater(t, len(met), 200)
}

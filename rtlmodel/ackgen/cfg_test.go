package ackgen

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

func TestConfigure(t *testing.T) {
	const load, read, write, look = port.KindLoad, port.KindRead, port.KindCfgWrite, port.KindCfgRead
	for _, tc := range []struct {
		name string
		ev   port.Cfg
		ok   bool
		data uint32
	}{
		{"kind 0", port.Cfg{Kind: 0}, false, 0},
		{"kind 5", port.Cfg{Kind: 5}, false, 0},
		{"kind 15", port.Cfg{Kind: 15}, false, 0},
		{"READ of PDC 3", port.Cfg{Kind: read, PDC: 3, Addr: port.WordAsked, Data: 5}, true, 13},
		{"READ of PDC 4", port.Cfg{Kind: read, PDC: 4, Addr: port.WordAsked}, false, 0},
		{"READ 18 of PDC 4", port.Cfg{Kind: read, PDC: 4, Addr: 18}, false, 0},
		{"READ 19 of PDC 4", port.Cfg{Kind: read, PDC: 4, Addr: 19}, true, 17},
		{"READ 43 of PDC 65535", port.Cfg{Kind: read, PDC: 65535, Addr: 43}, true, 19},
		{"READ 44", port.Cfg{Kind: read, Addr: 44}, false, 0},
		{"READ 63", port.Cfg{Kind: read, Addr: 63}, false, 0},
		{"LOAD of PDC 3", port.Cfg{Kind: load, PDC: 3, Addr: port.WordAsked, Data: 1 << 31}, true, 0},
		{"LOAD of PDC 4", port.Cfg{Kind: load, PDC: 4, Addr: port.WordAsked}, false, 0},
		{"LOAD of PDC 65535", port.Cfg{Kind: load, PDC: 65535, Addr: 0, Data: 1}, false, 0},
		{"LOAD 43 of PDC 4", port.Cfg{Kind: load, PDC: 4, Addr: 43, Data: 1 << 31}, true, 0},
		{"LOAD 44", port.Cfg{Kind: load, Addr: 44}, false, 0},
		{"CFG_READ 11", port.Cfg{Kind: look, Addr: 11, PDC: 9, Data: 5}, true, 0x99},
		{"CFG_READ 12", port.Cfg{Kind: look, Addr: 12}, false, 0},
		{"CFG_READ 63", port.Cfg{Kind: look, Addr: 63}, false, 0},
		{"CFG_WRITE 12", port.Cfg{Kind: write, Addr: 12, Data: 5}, false, 0},
		{"MPR 0", port.Cfg{Kind: write, Addr: port.RegMpr}, false, 0},
		{"MPR 256", port.Cfg{Kind: write, Addr: port.RegMpr, Data: 0xFFFFFF00}, false, 0},
		{"MPR 257", port.Cfg{Kind: write, Addr: port.RegMpr, Data: 257}, true, 0},
		{"TICK 0", port.Cfg{Kind: write, Addr: port.RegTick}, false, 0},
		{"TICK 65536", port.Cfg{Kind: write, Addr: port.RegTick, Data: 1 << 16}, false, 0},
		{"TICK 256", port.Cfg{Kind: write, Addr: port.RegTick, Data: 256}, true, 0},
		{"NATIVE 0", port.Cfg{Kind: write, Addr: port.RegNative}, true, 0},
		{"TRIGGER", port.Cfg{Kind: write, Addr: port.RegTrigger, Data: 1<<32 - 1}, true, 0},
		{"CONTROL takes its low bits", port.Cfg{Kind: write, Addr: port.RegControl, Data: 1<<32 - 1}, true, 0},
		{"ACK_DSCP takes its low bits", port.Cfg{Kind: write, Addr: port.RegAckDscp, Data: 1<<32 - 1}, true, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := NewReceiver(Spec{Pdcs: 4})
			r.cfg[11] = 0x99
			r.pdcs.rows.Row(3).asked = 13
			r.counters[19], r.counters[43] = 17, 19
			cfg, counters, words := r.cfg, r.counters, r.Words(3)
			rsp := port.Cfgr{Data: 9, Refused: true}
			r.Configure(&tc.ev, &rsp)
			require.Equal(t, port.Cfgr{Kind: tc.ev.Kind, Refused: !tc.ok, Data: tc.data}, rsp)
			switch {
			case tc.ok && tc.ev.Kind == write:
				cfg[tc.ev.Addr] = tc.ev.Data & (1<<port.RegInfo[tc.ev.Addr].Width - 1)
			case tc.ok && tc.ev.Kind == load && tc.ev.Addr == 43:
				counters[43] = tc.ev.Data
				words.AckCcs = tc.ev.Data
			case tc.ok && tc.ev.Kind == load:
				words.Asked = tc.ev.Data
			}
			require.Equal(t, cfg, r.Config())
			require.Equal(t, counters, r.Counters())
			require.Equal(t, words, r.Words(3))
		})
	}
}

// Each word of a PDC keeps the bits of its fields, and nothing else.
func TestWords(t *testing.T) {
	for addr := range port.WordFrames {
		r := NewReceiver(Spec{Pdcs: 4})
		mask := uint32(port.WordMask[addr])
		for bit := range 32 {
			var rsp port.Cfgr
			r.Configure(&port.Cfg{Kind: port.KindLoad, PDC: 2, Addr: uint8(addr), Data: 1 << bit}, &rsp)
			for k := range uint16(4) {
				for at := range uint8(port.WordFrames) {
					r.Configure(&port.Cfg{Kind: port.KindRead, PDC: k, Addr: at}, &rsp)
					want := uint32(0)
					if k == 2 && int(at) == addr {
						want = 1 << bit & mask
					}
					require.Equal(t, want, rsp.Data, "word %d of PDC %d after bit %d of word %d", at, k, bit, addr)
				}
			}
		}
	}
}

func TestSpec(t *testing.T) {
	require.NoError(t, DefaultSpec().Validate())
	for pdcs, ok := range map[int]bool{0: false, 2: false, 4: true, 5: false, 8: true, 24: false, 4096: true,
		8192: false} {
		m, err := New(Spec{Pdcs: pdcs})
		require.Equal(t, ok, err == nil, "%d", pdcs)
		if ok {
			require.Equal(t, Spec{Pdcs: pdcs}, m.Spec())
		} else {
			require.ErrorContains(t, err, "ackgen: Pdcs")
		}
	}
}

// A search looks at the keys of valid PDCs only, wherever they are, and takes the lowest.
func TestTable(t *testing.T) {
	r := NewReceiver(Spec{Pdcs: 4096})
	x := key{spdcid: 5, src: [2]uint64{1, 2}}
	set := func(k int, valid bool) {
		*r.pdcs.rows.Row(k) = pdc{key: x, valid: valid}
		r.pdcs.changed(k)
	}
	require.Equal(t, -1, r.pdcs.find(&x))
	require.Equal(t, 0, r.pdcs.free())
	set(4095, true)
	set(17, true)
	require.Equal(t, 17, r.pdcs.find(&x))
	set(17, false)
	require.Equal(t, 4095, r.pdcs.find(&x))
	for _, y := range []key{{spdcid: 4, src: x.src}, {v6: true, spdcid: 5, src: x.src}, {spdcid: 5, src: [2]uint64{1, 3}},
		{spdcid: 5, src: [2]uint64{0, 2}}} {
		require.Equal(t, -1, r.pdcs.find(&y))
	}
	for k := range 4095 {
		require.Equal(t, k, r.pdcs.free())
		set(k, true)
	}
	require.Equal(t, -1, r.pdcs.free())
	require.Equal(t, 0, r.pdcs.find(&x))
	r.pdcs.reset()
	require.Equal(t, -1, r.pdcs.find(&x))
	require.Equal(t, 0, r.pdcs.free())
}

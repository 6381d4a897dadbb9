package txpdc

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

const (
	kLoad, kRead, kWrite, kLook = port.KindLoad, port.KindRead, port.KindCfgWrite, port.KindCfgRead
	kOpen, kMessage, kClose     = port.KindOpen, port.KindMessage, port.KindClose
)

// What is refused, on both sides of each limit.
func TestRefused(t *testing.T) {
	for _, tc := range []struct {
		name    string
		c       port.Cmd
		refused bool
	}{
		{"kind 0", port.Cmd{Kind: 0}, true},
		{"kind 8", port.Cmd{Kind: 8}, true},
		{"kind 15", port.Cmd{Kind: 15}, true},
		{"the last PDC", port.Cmd{Kind: kOpen, PDC: 7}, false},
		{"one after it", port.Cmd{Kind: kOpen, PDC: 8}, true},
		{"MESSAGE to it", port.Cmd{Kind: kMessage, PDC: 8, Data: 1}, true},
		{"CLOSE of it", port.Cmd{Kind: kClose, PDC: 8}, true},
		{"READ of it", port.Cmd{Kind: kRead, PDC: 8, Addr: 22}, true},
		{"LOAD of it", port.Cmd{Kind: kLoad, PDC: 8, Addr: 21}, true},
		{"READ of a counter", port.Cmd{Kind: kRead, PDC: 65535, Addr: 23}, false},
		{"LOAD of a counter", port.Cmd{Kind: kLoad, PDC: 8, Addr: 30}, false},
		{"CFG_READ", port.Cmd{Kind: kLook, PDC: 8, Addr: 4}, false},
		{"CFG_WRITE", port.Cmd{Kind: kWrite, PDC: 65535, Addr: 1}, false},
		{"READ beyond the words", port.Cmd{Kind: kRead, Addr: 31}, true},
		{"LOAD beyond the words", port.Cmd{Kind: kLoad, Addr: 31}, true},
		{"CFG_READ beyond the registers", port.Cmd{Kind: kLook, Addr: 5}, true},
		{"CFG_WRITE beyond the registers", port.Cmd{Kind: kWrite, Addr: 5, Data: 7}, true},
		{"LOAD of the context", port.Cmd{Kind: kLoad, Addr: 22}, true},
		{"READ of it", port.Cmd{Kind: kRead, Addr: 22}, false},
		{"PAYLOAD 6", port.Cmd{Kind: kWrite, Data: 6}, true},
		{"PAYLOAD 7", port.Cmd{Kind: kWrite, Data: 7}, false},
		{"PAYLOAD 13", port.Cmd{Kind: kWrite, Data: 0xABCDEF0D}, false},
		{"PAYLOAD 14", port.Cmd{Kind: kWrite, Data: 14}, true},
		{"PAYLOAD 16 + 5", port.Cmd{Kind: kWrite, Data: 16 + 5}, true},
		{"HEADER 0", port.Cmd{Kind: kWrite, Addr: 1, Data: 128}, false},
		{"RTO 0", port.Cmd{Kind: kWrite, Addr: 2, Data: 1 << 24}, true},
		{"RTO 1", port.Cmd{Kind: kWrite, Addr: 2, Data: 1<<24 + 1}, false},
		{"TICK 0", port.Cmd{Kind: kWrite, Addr: 3, Data: 1 << 16}, true},
		{"TRIES 0", port.Cmd{Kind: kWrite, Addr: 4, Data: 16}, true},
		{"TRIES 15", port.Cmd{Kind: kWrite, Addr: 4, Data: 31}, false},
		{"WINDOW outstanding", port.Cmd{Kind: kLoad, Addr: 3, Data: 0xFFFFFF80}, false},
		{"more than that", port.Cmd{Kind: kLoad, Addr: 3, Data: 129}, true},
		{"a message of nothing", port.Cmd{Kind: kMessage, Data: 0}, true},
		{"the shortest", port.Cmd{Kind: kMessage, Data: 1}, false},
		{"the longest", port.Cmd{Kind: kMessage, Data: 1<<31 - 1}, false},
		{"one longer", port.Cmd{Kind: kMessage, Data: 1 << 31}, true},
	} {
		w := newWorld(t)
		rsp, act := w.cmd(tc.c)
		require.Equal(t, tc.refused, rsp.Refused, tc.name)
		require.Equal(t, [2]int{int(tc.c.Kind), int(tc.c.PDC)}, [2]int{int(rsp.Kind), int(rsp.PDC)}, tc.name)
		require.Equal(t, tc.name == "the last PDC", act != nil, tc.name)
	}
}

// Words keep the bits that have a field, and answer them.
func TestWords(t *testing.T) {
	w := newWorld(t)
	for addr := range port.NumWords {
		if addr == port.WordCanSend {
			continue
		}
		data := uint32(0x9E3779B9 + addr*0x01010101)
		if addr == port.WordOutstanding {
			data = data&^0xFF | 100
		}
		w.load(5, addr, 0, data)
		want := data & uint32(port.WordMask[addr])
		require.Equal(t, want, w.word(5, addr), "word %d", addr)
		for other := range 8 {
			if other != 5 && addr < port.WordCanSend {
				require.Zero(t, w.word(other, addr))
			}
		}
	}
	w = newWorld(t) // rows are by PSN modulo WINDOW
	w.load(3, port.WordSize, 130, 7)
	w.load(3, port.WordStamp, 2, 9)
	for psn, want := range map[uint32]uint32{2: 7, 130: 7, 1<<32 - 126: 7, 3: 0} {
		rsp, _ := w.cmd(port.Cmd{Kind: kRead, PDC: 3, Addr: port.WordSize, PSN: psn})
		require.Equal(t, want, rsp.Data)
	}
}

func TestRegisters(t *testing.T) {
	w := newWorld(t)
	for addr, want := range []uint32{12, 64, 40000, 1, 10} {
		rsp, _ := w.cmd(port.Cmd{Kind: kLook, Addr: uint8(addr)})
		require.Equal(t, want, rsp.Data)
		data := []uint32{0xFFFFFFF9, 0xFFFFFF85, 0xFF000003, 0xFFFF0004, 0xFFFFFFF2}[addr]
		w.ask(port.Cmd{Kind: kWrite, Addr: uint8(addr), Data: data})
		rsp, _ = w.cmd(port.Cmd{Kind: kLook, Addr: uint8(addr)})
		require.Equal(t, []uint32{9, 5, 3, 4, 2}[addr], rsp.Data)
	}
}

// OPEN puts back what rounding took too much from a PDC that had the slot, and leaves nothing else of it.
func TestOpen(t *testing.T) {
	for _, tc := range []struct{ rcvd, sum, size uint32 }{{0, 0, 0}, {1, 1, 255}, {1, 256, 0}, {4, 1000, 24},
		{4, 768, 0}, {4, 769, 255}, {4, 1025, 0}, {0, 1<<32 - 255, 255}, {0, 1<<32 - 256, 0}, {1<<24 - 1, 1<<32 - 257, 1},
		{1<<24 - 1, 0, 0}} {
		w := newWorld(t)
		w.load(2, port.WordRcvd, 0, tc.rcvd)
		w.load(2, port.WordSum, 0, tc.sum)
		w.load(2, 12, 0, 5)
		w.load(2, 0, 0, 0xFFFFFFFE)
		x := w.ask(port.Cmd{Kind: kOpen, PDC: 2, Data: 1234})
		require.Equal(t, &port.Act{Kind: port.ActionOpened, PDC: 2, Now: 1000, Size: tc.size}, x, "%+v", tc)
		require.Equal(t, port.Words{Valid: true, Syn: true, Start: 1234, Una: 1234}, w.pdc(2))
		rsp, act := w.cmd(port.Cmd{Kind: kOpen, PDC: 2, Data: 99})
		require.Equal(t, port.Response{Kind: kOpen, PDC: 2, Busy: true}, rsp)
		require.Nil(t, act)
	}
}

// The nominal size of a message.
func TestMessageSize(t *testing.T) {
	for _, tc := range []struct{ payload, header, data, size uint32 }{{12, 64, 1, 65}, {12, 64, 4096, 4160},
		{12, 64, 4097, 4225}, {13, 0, 1<<31 - 1, 1<<31 - 1}, {7, 127, 1<<31 - 1, 1<<31 - 1 + 127<<24},
		{7, 127, 128*1000 + 1, 128001 + 1001*127}} {
		w := newWorld(t, port.RegPayload, tc.payload, port.RegHeader, tc.header)
		w.ask(port.Cmd{Kind: kOpen, PDC: 1})
		x := w.ask(port.Cmd{Kind: kMessage, PDC: 1, Data: tc.data})
		require.Equal(t, &port.Act{Kind: port.ActionMessage, PDC: 1, Now: 1000, Size: tc.size}, x)
		require.Equal(t, tc.data, w.pdc(1).Left)
	}
}

// In which states OPEN, MESSAGE and CLOSE are busy.
func TestBusy(t *testing.T) {
	const valid, syn, closing, stopped = 1, 2, 4, 8
	for _, tc := range []struct {
		name                 string
		flags                uint32
		n, left              uint32
		open, message, close port.Action // 0: busy
	}{
		{"free", 0, 0, 0, port.ActionOpened, 0, 0},
		{"free with rubbish", stopped, 3, 4, port.ActionOpened, 0, 0},
		{"opening", valid | syn, 0, 0, 0, port.ActionMessage, port.ActionFreed},
		{"opening and sending", valid | syn, 1, 0, 0, port.ActionMessage, 0},
		{"open", valid, 0, 0, 0, port.ActionMessage, port.ActionClosing},
		{"with something left", valid, 0, 1, 0, 0, 0},
		{"with something outstanding", valid, 1, 0, 0, port.ActionMessage, 0},
		{"closing", valid | closing, 0, 0, 0, 0, 0},
		{"stopped", valid | stopped, 0, 0, 0, 0, port.ActionFreed},
		{"stopped with something left", valid | stopped | syn, 0, 9, 0, 0, port.ActionFreed},
		{"stopped while closing", valid | stopped | closing, 0, 0, 0, 0, port.ActionFreed},
		{"stopped with something outstanding", valid | stopped, 1, 0, 0, 0, 0},
	} {
		for i, want := range []port.Action{tc.open, tc.message, tc.close} {
			w := newWorld(t)
			w.load(6, port.WordOutstanding, 0, tc.n)
			w.load(6, port.WordLeft, 0, tc.left)
			w.load(6, port.WordUna, 0, 55)
			w.load(6, 0, 0, tc.flags|7<<4|77<<16)
			before := w.pdc(6)
			rsp, act := w.cmd(port.Cmd{Kind: kOpen + port.Kind(i), PDC: 6, Data: 5})
			require.Equal(t, port.Response{Kind: kOpen + port.Kind(i), PDC: 6, Busy: want == 0}, rsp, tc.name)
			after := w.pdc(6)
			if want == 0 {
				require.Nil(t, act, tc.name)
				require.Equal(t, before, after)
				continue
			}
			require.Equal(t, want, act.Kind, tc.name)
			switch want {
			case port.ActionFreed:
				before.Valid = false
				require.Equal(t, before, after)
			case port.ActionClosing:
				require.Equal(t, &port.Act{Kind: want, PDC: 6, Now: 1000, PSN: 55, Peer: 77}, act)
				before.Closing, before.ClosedAt, before.Tries = true, 1000, 0
				require.Equal(t, before, after)
			}
		}
	}
}

// Views: which count, and what they do.
func TestViews(t *testing.T) {
	for kind := range uint8(16) {
		w := newWorld(t)
		w.opens(4, 0, 0)
		w.ask(port.Cmd{Kind: kMessage, PDC: 4, Data: 500})
		require.NotNil(t, w.turn())
		require.True(t, w.pdc(4).Waits)
		w.may(1, false)
		counts := kind <= 8 || kind >= 11 && kind <= 13
		w.view(port.View{Kind: kind, Ctx: 1, CanSend: true, Refused: true})
		w.view(port.View{Kind: kind, Ctx: 2, CanSend: true})
		w.view(port.View{Kind: kind, Ctx: 0, CanSend: true})
		require.False(t, w.pdc(4).CanSend)
		w.view(port.View{Kind: kind, Ctx: 1, CanSend: true})
		require.Equal(t, counts, w.pdc(4).CanSend, "kind %d", kind)
		require.Equal(t, kind != viewSend, w.pdc(4).Waits)
		require.Equal(t, kind == viewSend, w.s.Waiting())
	}
}

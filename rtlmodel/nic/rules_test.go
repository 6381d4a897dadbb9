package nic

import (
	"testing"

	"github.com/stretchr/testify/require"

	pg "github.com/goldwire/goldwire/vectors/event/ackgen"
	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
	pt "github.com/goldwire/goldwire/vectors/event/txstate"
)

// begun returns a bench with a template for context 1, the context and PDC 5 open, in slot 1.
func begun(t *testing.T) *bench {
	b := newBench(t, DefaultSpec())
	b.address(1, v4(0, false, 1, 2), form(34, false, false, 0x1234))
	b.must(window(pc.KindOpen, 1))
	b.must(source(ps.KindOpen, 5, 100))
	b.idle(100)
	return b
}

func TestSpec(t *testing.T) {
	for _, s := range []Spec{{}, {Contexts: 3, Receives: 16}, {Contexts: 1, Receives: 16},
		{Contexts: 2 * port.MaxContexts, Receives: 16},
		{Contexts: 4, Receives: 2}, {Contexts: 4, Receives: 12}, {Contexts: 4, Receives: 2 * port.MaxReceives}} {
		_, err := New(s)
		require.Error(t, err, "%+v", s)
	}
}

// Both readies are low for the W cycles of the longer sweep, also of one that a reset begins anew.
func TestSweep(t *testing.T) {
	for spec, w := range map[Spec]int{{Contexts: 2, Receives: 4}: 1024, {Contexts: 4, Receives: 16}: 2048,
		{Contexts: 2, Receives: 4096}: 4096} {
		m, err := New(spec)
		require.NoError(t, err)
		b := &bench{tb: t, m: m}
		b.idle(w / 2)
		b.cycle(nil, nil, 0)
		require.Zero(t, b.out[0])
		for range w {
			b.cycle(&port.Rx{Last: true}, &port.Cmd{}, takes)
			require.Zero(t, b.out[0])
		}
		b.idle(1)
		require.Equal(t, port.OutRxReady|port.OutCmdReady, b.out[0], "%+v", spec)
	}
}

// What is refused at once, and what the writer answers, is at rsp two cycles after the command was accepted: it is at
// the head in the next cycle and leaves in it.
func TestRefusedAtOnce(t *testing.T) {
	b := newBench(t, DefaultSpec())
	ask := func(c port.Cmd) (port.Response, int) {
		b.idle(3)
		b.cycle(nil, &c, takes)
		for n := 1; ; n++ {
			if b.idle(1); b.out[0]&port.OutRspValid != 0 {
				return b.rsps[len(b.rsps)-1], n
			}
		}
	}
	for target := range port.Target(8) {
		for kind := range uint8(16) {
			for _, addr := range []uint8{0, 32} {
				c := port.Cmd{Target: target, Kind: kind, Addr: addr, Index: 3, Slot: 2, PSN: 7, Data: 40}
				once := addr == 32
				switch target {
				case port.TargetWindow:
					once = once || !(kind <= 3 || kind == 9 || kind == 10)
				case port.TargetTimes:
					once = !(kind >= 3 && kind <= 5)
				case port.TargetDestination:
					once = false
				case port.TargetWriter:
					once = !(addr == 0 && kind >= 1 && kind <= 4)
				case 6, 7:
					once = true
				}
				r, n := ask(c)
				if once {
					require.Equal(t, port.Response{Target: target, Kind: kind, Index: 3, Refused: true}, r)
				}
				require.Equal(t, once || target == port.TargetWriter, n == 2, "%+v: %d", c, n)
			}
		}
	}
}

// Every word of the writer keeps the bits that it has. Forms have limits.
func TestWriterWords(t *testing.T) {
	b := newBench(t, DefaultSpec())
	for addr := range port.NumWords {
		for context := range 4 {
			data := 0xFEDC_BA98_7654_3200 + uint64(context<<4+addr)
			if addr == port.WordSize {
				data = uint64(context)<<16 | 0xFF00 | 0x80 | 34
			}
			b.must(words(ps.KindLoad, context, addr, data))
		}
	}
	for context := range 4 {
		for addr := range port.NumWords {
			want := 0x76543200 + uint64(context<<4+addr)
			switch {
			case addr == port.WordSize:
				want = uint64(context)<<16 | 0x80 | 34
			case addr > port.WordSize: // one for all contexts
				want = 0x76543200 + uint64(3<<4+addr)
			}
			require.Equal(t, want, b.must(words(ps.KindRead, context, addr, 0)), "%d %d", context, addr)
		}
	}
	refused := func(c port.Cmd) bool { return b.do(c).Refused }
	for _, kind := range []ps.Kind{ps.KindLoad, ps.KindRead} {
		require.True(t, refused(words(kind, 4, 0, 0)))
		require.True(t, refused(words(kind, 4, 16, 0)))
		require.False(t, refused(words(kind, 4, 17, 0)))
		require.False(t, refused(words(kind, 65535, 18, 0)))
		require.True(t, refused(words(kind, 0, 19, 0)))
	}
	for size := range 64 {
		require.Equal(t, size == 0 || size >= 34 && size <= 62, !refused(words(ps.KindLoad, 0, 16, uint64(size)|1<<20)))
		before := b.must(words(ps.KindRead, 0, 16, 0))
		ok := size == 0 || size >= 54 && size <= 62
		require.Equal(t, ok, !refused(words(ps.KindLoad, 0, 16, uint64(size)|0x40)))
		if !ok {
			require.Equal(t, before, b.must(words(ps.KindRead, 0, 16, 0)))
		}
	}
	require.Equal(t, uint64(0), b.must(words(ps.KindCfgRead, 9, port.RegSpray, 0)))
	require.Equal(t, uint64(4793), b.must(words(ps.KindCfgRead, 9, port.RegPort, 0)))
	b.must(words(ps.KindCfgWrite, 9, port.RegSpray, 0x12345))
	b.must(words(ps.KindCfgWrite, 9, port.RegPort, 0x56789))
	require.Equal(t, uint64(0x2345), b.must(words(ps.KindCfgRead, 0, port.RegSpray, 0)))
	require.Equal(t, uint64(0x6789), b.must(words(ps.KindCfgRead, 0, port.RegPort, 0)))
	require.True(t, refused(words(ps.KindCfgRead, 0, 2, 0)))
	require.True(t, refused(words(ps.KindCfgWrite, 0, 2, 0)))
}

// A message becomes packets, and notes in the order of the actions. The first beat of a packet is at tx seven cycles
// after its note, where nothing waits: the packet is in `packets` with the note in `notes`, starts, its beat is made in
// the next cycle and offered WRITE after that. The beats after it follow one a cycle.
func TestMessage(t *testing.T) {
	b := begun(t)
	b.notes = nil
	b.cycle(nil, &port.Cmd{Target: port.TargetSource, Kind: uint8(ps.KindMessage), Index: 5, Data: 4097}, takes)
	var noted, sent []int
	for range 400 {
		b.idle(1)
		if b.out[0]&port.OutNoteValid != 0 && b.notes[len(b.notes)-1].Kind == port.ActSent {
			noted = append(noted, b.cycles)
		}
		if b.out[0]&port.OutTxValid != 0 {
			sent = append(sent, b.cycles)
		}
	}
	require.Len(t, b.notes, 3)
	require.Equal(t, port.Note{Kind: port.ActMessage, PDC: 5, Now: b.notes[0].Now, Size: 4097 + 128, Window: true,
		State: uint8(pc.StateReady), Cwnd: 225000, CanSend: true}, b.notes[0])
	require.Equal(t, port.Note{Kind: port.ActSent, PDC: 5, Now: b.notes[1].Now, PSN: 100, Size: 4096 + 64, Syn: true,
		Tx: true, Window: true, State: uint8(pc.StateReady), Cwnd: 225000, Inflight: 4160, CanSend: true}, b.notes[1])
	require.Equal(t, port.Note{Kind: port.ActSent, PDC: 5, Now: b.notes[2].Now, PSN: 101, Size: 1 + 64, Syn: true,
		Ar: true, Eom: true, Tx: true, Window: true, State: uint8(pc.StatePending), Cwnd: 225000, Inflight: 4225,
		CanSend: true}, b.notes[2])
	frames, firsts := b.packets()
	require.Len(t, frames, 2)
	require.Len(t, frames[0], 34+8+16+4096)
	require.Len(t, frames[1], 60)
	require.Equal(t, uint32(5), firsts[0].Tag)
	require.False(t, firsts[0].Answer)
	require.Len(t, sent, 65+1)
	for i := range 65 {
		require.Equal(t, noted[0]+7+i, sent[i])
	}
	require.Less(t, noted[1]+7, sent[65], "the writer is busy with the first one")
	require.Equal(t, sent[64]+1, sent[65])
	require.Equal(t, uint64(2), b.must(words(ps.KindRead, 0, port.WordWritten, 0)))
	require.Zero(t, b.must(words(ps.KindRead, 0, port.WordUnaddressed, 0)))
}

// The beats that are made and have not left are FEED at most, and PACKETS packets wait; what txpdc sends besides stays
// in order, pend and act, and the notes stop with the packets.
func TestHeldUp(t *testing.T) {
	b := begun(t)
	b.must(source(ps.KindMessage, 5, 100*4096))
	b.notes = nil
	for range 3000 {
		b.cycle(nil, nil, takes&^port.InTxReady)
	}
	require.Equal(t, port.Feed, b.m.feed.Len())
	require.Equal(t, port.Packets, b.m.packets.Len())
	sent := 0
	for _, n := range b.notes {
		if n.Kind == port.ActSent {
			sent++
		}
	}
	require.Equal(t, 1+port.Packets, sent)
	require.Equal(t, 0, b.m.notes.Len())
	require.Equal(t, port.Packets, b.m.packets.Len())
}

// A context without a template counts its packets and sends none; a LOAD of a counter in the cycle of a packet's start
// counts it besides.
func TestUnaddressed(t *testing.T) {
	b := begun(t)
	b.must(words(ps.KindLoad, 1, port.WordSize, 0))
	b.must(source(ps.KindMessage, 5, 3*4096))
	b.idle(300)
	require.Empty(t, b.txs)
	require.Equal(t, uint64(3), b.must(words(ps.KindRead, 0, port.WordUnaddressed, 0)))
	require.Zero(t, b.must(words(ps.KindRead, 0, port.WordWritten, 0)))

	met := map[int]bool{}
	for later := range 80 {
		b := begun(t)
		b.cycle(nil, &port.Cmd{Target: port.TargetSource, Kind: uint8(ps.KindMessage), Index: 5, Data: 1}, takes)
		b.idle(30 + later) // that command has its response
		load := words(ps.KindLoad, 0, port.WordWritten, 1000)
		b.cycle(nil, &load, takes)
		leaves := b.cycles + 1
		b.idle(60)
		require.Equal(t, port.ActSent, b.notes[len(b.notes)-1].Kind)
		starts := b.noted
		n := b.must(words(ps.KindRead, 0, port.WordWritten, 0))
		require.Equal(t, leaves <= starts, n == 1001, "%d", n)
		met[leaves-starts] = true
	}
	require.True(t, met[-1] && met[0] && met[1], "%v", met)
}

// ack_request of ccc's answer asks for an ACK, in the packet and in its note.
func TestAckRequest(t *testing.T) {
	b := newBench(t, DefaultSpec())
	b.address(1, v4(0, false, 1, 2), form(34, false, false, 0x1234))
	b.must(register(port.TargetWindow, pc.RegMaxWnd, 4096*2+2000))
	b.must(register(port.TargetWindow, pc.RegAckGenTrigger, 0))
	b.must(window(pc.KindOpen, 1))
	b.must(source(ps.KindOpen, 5, 100))
	b.must(source(ps.KindMessage, 5, 40000))
	b.idle(500)
	frames, _ := b.packets()
	require.Len(t, frames, 2) // 4096 + 4160 fit, 4096 + 8320 do not
	for i, n := range b.notes[2:] {
		require.Equal(t, i == 1, n.Ar, "the window has room for the first one's successor: %+v", n)
		require.Equal(t, n.Ar, frames[i][34+8+1]&0x08 != 0)
	}
}

// The host's WINDOW events have the time of the newest action; before the first one it is 0.
func TestLatest(t *testing.T) {
	b := newBench(t, DefaultSpec())
	adjusted := func(context int) uint64 {
		c := window(pc.KindRead, context)
		c.Addr = pc.WordLastAdjustTime
		return b.must(c)
	}
	b.must(window(pc.KindOpen, 0))
	require.Zero(t, adjusted(0))
	b.must(source(ps.KindOpen, 4, 100))
	b.idle(100)
	b.must(window(pc.KindOpen, 2))
	require.Len(t, b.notes, 1)
	require.NotZero(t, b.notes[0].Now)
	require.True(t, b.notes[0].Missing, "context 1 is not open")
	require.Equal(t, b.notes[0].Now, adjusted(2))
	b.must(source(ps.KindClose, 4, 0))
	b.idle(100)
	b.must(window(pc.KindOpen, 0))
	require.Equal(t, port.ActFreed, b.notes[1].Kind)
	require.Equal(t, b.notes[1].Now, adjusted(0), "of an action without an event, too")
	r := b.do(window(pc.KindRead, 3))
	require.Equal(t, port.Response{Target: port.TargetWindow, Kind: uint8(pc.KindRead), Index: 3, Missing: true}, r)
}

// Any answer of ccc is a view for txpdc: one that is refused changes nothing, one without a context stops it, one to a
// READ starts it.
func TestViews(t *testing.T) {
	b := newBench(t, DefaultSpec())
	canSend := func() bool { return b.m.Txpdc().Source().Words(4, 0).CanSend }
	require.False(t, canSend())
	b.must(window(pc.KindOpen, 1))
	b.idle(20)
	require.True(t, canSend())
	far := window(pc.KindRead, 1)
	far.Addr = pc.NumWords
	require.True(t, b.do(far).Refused)
	b.idle(20)
	require.True(t, canSend())
	b.must(window(pc.KindClose, 1))
	b.idle(20)
	require.False(t, canSend())
	b.must(window(pc.KindOpen, 1))
	b.must(source(ps.KindOpen, 5, 0))
	b.must(source(ps.KindMessage, 5, 1<<30))
	b.idle(20_000)
	require.False(t, canSend(), "the window is full")
	c := window(pc.KindLoad, 1)
	c.Addr, c.Data = pc.WordInflight, 0
	b.notes = nil
	b.must(c)
	b.idle(400)
	require.NotEmpty(t, b.notes, "there is room again")
	b.must(window(pc.KindClose, 1))
	b.idle(20_000)
	require.True(t, b.do(window(pc.KindRead, 1)).Missing)
	b.idle(20)
	require.False(t, canSend())
	require.True(t, b.notes[len(b.notes)-1].Kind != port.ActSent || b.notes[len(b.notes)-1].Missing)
}

// What is read of an entry of txstate can be loaded. A CFG_WRITE takes the low bits of data.
func TestTimes(t *testing.T) {
	b := begun(t)
	b.must(source(ps.KindMessage, 5, 1))
	b.idle(100)
	sent := b.notes[len(b.notes)-1]
	times := func(kind pt.Kind, pdc int, psn uint32, data uint64) port.Response {
		return b.do(port.Cmd{Target: port.TargetTimes, Kind: uint8(kind), Index: uint16(pdc), PSN: psn, Data: data})
	}
	want := port.Response{Target: port.TargetTimes, Kind: uint8(pt.KindRead), Index: 5, PSN: 100, Data: 1<<48 | sent.Now}
	require.Equal(t, want, times(pt.KindRead, 5, 100+128, 0), "the row has PSN 100")
	data := uint64(2<<49 | 1<<48 | 0xABCD_EF01_2345)
	want = port.Response{Target: port.TargetTimes, Kind: uint8(pt.KindLoad), Index: 6, PSN: 9,
		Data: 2<<49 | 0xABCD_EF01_2345}
	require.Equal(t, want, times(pt.KindLoad, 6, 9, data), "nothing was there")
	want.Kind, want.Data = uint8(pt.KindRead), data
	require.Equal(t, want, times(pt.KindRead, 6, 9, 0))
	require.True(t, times(pt.KindRead, 16, 0, 0).Missing)
	require.Equal(t, uint8(7), b.m.Txstate().Config().TimeShift)
	times(pt.KindCfgWrite, 0, 0, 0xFD)
	require.Equal(t, uint8(5), b.m.Txstate().Config().TimeShift)
}

// A write of txpdc's HEADER changes what the writer takes off the size.
func TestHeader(t *testing.T) {
	b := begun(t)
	b.must(register(port.TargetSource, ps.RegHeader, 0x80+20))
	b.must(source(ps.KindMessage, 5, 4096))
	b.idle(300)
	frames, _ := b.packets()
	require.Len(t, frames, 1)
	require.Len(t, frames[0], 34+8+16+4096)
	require.Equal(t, uint32(4116), b.notes[len(b.notes)-1].Size)
	c := register(port.TargetSource, ps.RegHeader, 0)
	c.Addr |= 32
	require.True(t, b.do(c).Refused)
	require.Equal(t, uint32(20), b.m.writer.header)
}

// Answers go before packets, but not into one; the packet that waits follows the answer.
func TestAnswersFirst(t *testing.T) {
	b := begun(t)
	b.must(register(port.TargetDestination, pg.RegControl, 6))
	request := source(ps.KindMessage, 5, 1)
	b.must(request)
	b.idle(100)
	frames, _ := b.packets() // a request that this NIC gets itself now
	b.txs = nil
	b.must(source(ps.KindOpen, 6, 0))
	b.must(source(ps.KindMessage, 6, 2*4096))
	for len(b.txs) < 20 {
		b.idle(1)
	}
	for _, x := range beatsOf(frames[0], 77) {
		done, _ := b.cycle(&x, nil, takes)
		require.True(t, done)
	}
	b.idle(300)
	_, firsts := b.packets()
	var order []bool
	for _, x := range firsts {
		order = append(order, x.Answer)
	}
	require.Equal(t, []bool{false, true, false}, order)
	require.Equal(t, uint32(77), firsts[1].Tag)
	require.Equal(t, []port.Ind{{Tag: 77, Verdict: uint8(pg.VerdictAccepted), Pdcid: 1, PSN: 100, Opened: true,
		Answered: true}}, b.inds)
}

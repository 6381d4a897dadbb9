package switchport

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	pe "github.com/goldwire/goldwire/vectors/event/egress"
	pi "github.com/goldwire/goldwire/vectors/event/intmd"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// bench drives a model whose sweep is over and collects its output.
type bench struct {
	tb     require.TestingT
	m      *Model
	out    [port.OutWords]uint64
	cycles int
	seen   plainOut // of the last cycle
}

const (
	high  = port.InRstN
	takes = port.InRstN | port.InTxReady | port.InNoteReady | port.InGrReady | port.InCfgrReady
)

func newBench(tb require.TestingT, spec Spec) *bench {
	m, err := New(spec)
	require.NoError(tb, err)
	b := &bench{tb: tb, m: m}
	b.cycle(nil, nil, nil, 0)
	for range spec.NumPorts {
		b.cycle(&port.Rx{}, &port.Grant{}, &port.Cfg{}, takes)
		require.Zero(tb, b.out[0], "not up yet")
	}
	b.cycles = 0
	return b
}

func (b *bench) cycle(rx *port.Rx, grant *port.Grant, cfg *port.Cfg, ctl uint64) {
	var in [port.InWords]uint64
	if rx != nil {
		port.PackRx(rx, in[:])
		ctl |= port.InRxValid
	}
	if grant != nil {
		port.PackGrant(grant, in[:])
		ctl |= port.InGrantValid
	}
	if cfg != nil {
		port.PackCfg(cfg, in[:])
		ctl |= port.InCfgValid
	}
	in[0] |= ctl
	b.m.Cycle(in[:], b.out[:])
	b.cycles++
	o := plainOut{
		rxReady: b.out[0]&port.OutRxReady != 0, grantReady: b.out[0]&port.OutGrantReady != 0,
		cfgReady: b.out[0]&port.OutCfgReady != 0,
		txValid:  b.out[0]&port.OutTxValid != 0, noteValid: b.out[0]&port.OutNoteValid != 0,
		grValid: b.out[0]&port.OutGrValid != 0, cfgrValid: b.out[0]&port.OutCfgrValid != 0,
	}
	port.UnpackTx(b.out[:], &o.tx)
	port.UnpackNote(b.out[:], &o.note)
	port.UnpackGr(b.out[:], &o.gr)
	port.UnpackCfgr(b.out[:], &o.cfgr)
	b.seen = o
}

// offer offers beats to rx, back to back, and takes all output.
func (b *bench) offer(beats []port.Rx) (notes []port.Note) {
	for c := 0; len(beats) > 0; c++ {
		require.Less(b.tb, c, 1000)
		b.cycle(&beats[0], nil, nil, takes)
		if b.seen.rxReady {
			beats = beats[1:]
		}
		if b.seen.noteValid {
			notes = append(notes, b.seen.note)
		}
	}
	return notes
}

// idle runs n cycles and returns the notes and the answers to grants.
func (b *bench) idle(n int) (notes []port.Note, grs []port.Gr) {
	for range n {
		b.cycle(nil, nil, nil, takes)
		if b.seen.noteValid {
			notes = append(notes, b.seen.note)
		}
		if b.seen.grValid {
			grs = append(grs, b.seen.gr)
		}
	}
	return
}

// ask runs one cfg event until its response.
func (b *bench) ask(ev port.Cfg) port.Cfgr {
	b.cycle(nil, nil, &ev, takes)
	for c := 0; !b.seen.cfgrValid; c++ {
		require.Less(b.tb, c, 50)
		b.cycle(nil, nil, nil, takes)
	}
	return b.seen.cfgr
}

func (b *bench) write(target port.Target, addr uint8, data uint32) {
	kind := uint8(pe.KindCfgWrite) // 3 in all three blocks
	require.Equal(b.tb, port.Cfgr{Target: target, Kind: kind},
		b.ask(port.Cfg{Target: target, Kind: kind, Addr: addr, Data: data}))
}

var rubbish = rand.New(rand.NewPCG(1, 1))

func packet(n int, h header) []port.Rx { return beatsOf(rubbish, make([]byte, n), h) }

// The table of contract.md, "Latency", as far as it is visible at the ports; the comparison with plainGlue covers the
// inside.
func TestLatency(t *testing.T) {
	b := newBench(t, DefaultSpec())
	x := packet(30, header{id: 77, port: 1, inPort: 2})[0]
	for c := 0; c <= 11; c++ {
		var rx *port.Rx
		if c == 0 {
			rx = &x
		}
		b.cycle(rx, nil, nil, takes)
		require.Equal(t, c == 11, b.seen.noteValid, "note, cycle %d", c)
	}
	require.Equal(t, port.Note{Id: 77, Port: 1, Verdict: port.VerdictAdmit, Len: 30, Depth: 30, PortBytes: 30},
		b.seen.note)
	for c := 0; c <= 26; c++ {
		var g *port.Grant
		if c == 0 {
			g = &port.Grant{Port: 1}
		}
		b.cycle(nil, g, nil, takes)
		require.Equal(t, c == 6, b.seen.grValid, "gr, cycle %d", c)
		if c == 6 {
			require.Equal(t, port.Gr{Port: 1, Id: 77, Len: 30}, b.seen.gr)
		}
		require.Equal(t, c == 26, b.seen.txValid, "tx, cycle %d", c)
	}
	require.Equal(t, port.Tx{Data: x.Data, Keep: x.Keep, Last: true, Port: 1}, b.seen.tx)

	// Beats after the first: 3 cycles for the trimmer's head, 1 for intmd's.
	b = newBench(t, DefaultSpec())
	b.offer(packet(64*5, header{port: 1}))
	b.idle(20)
	for c := 0; c <= 35; c++ {
		var g *port.Grant
		if c == 0 {
			g = &port.Grant{Port: 1}
		}
		b.cycle(nil, g, nil, takes)
		require.Equal(t, c >= 26+3+1 && c < 26+3+1+5, b.seen.txValid, "tx, cycle %d", c)
	}
}

// While grants stay ahead, the reader passes one beat per cycle without a bubble.
func TestReaderWithoutBubble(t *testing.T) {
	b := newBench(t, DefaultSpec())
	for i := range 8 {
		b.offer(packet(64*3, header{port: uint8(i % 2)}))
	}
	b.idle(20)
	valid := ""
	for c := range 60 {
		var g *port.Grant
		if c < 8 {
			g = &port.Grant{Port: uint8(c % 2)}
		}
		b.cycle(nil, g, nil, takes)
		if b.seen.txValid {
			valid += "x"
		} else if valid != "" {
			valid += "."
		}
	}
	require.Regexp(t, "^x{24}\\.+$", valid)
}

func TestLongestPacket(t *testing.T) {
	b := newBench(t, DefaultSpec())
	notes := b.offer(packet(144*64, header{id: 5, port: 1}))
	more, _ := b.idle(12)
	require.Equal(t, []port.Note{{Id: 5, Port: 1, Verdict: port.VerdictAdmit, Len: 9216, Depth: 9216, PortBytes: 9216}},
		append(notes, more...))
	require.Equal(t, 1, b.m.SlotsInUse())
	notes = b.offer(packet(144*64+1, header{id: 6, port: 1}))
	more, _ = b.idle(12)
	require.Equal(t, []port.Note{{Id: 6, Port: 1, Cls: 0, Refused: true}}, append(notes, more...))
	require.Equal(t, 1, b.m.SlotsInUse(), "a packet too long leaves the buffer")

	b.cycle(nil, &port.Grant{Port: 1}, nil, takes)
	beats := 0
	for range 250 {
		b.cycle(nil, nil, nil, takes)
		if b.seen.txValid {
			beats++
		}
	}
	require.Equal(t, 144, beats)
	require.Zero(t, b.m.SlotsInUse())
}

// A full buffer stops rx at the first beat of a packet and drops nothing; the lowest slot is taken.
func TestFullBuffer(t *testing.T) {
	b := newBench(t, Spec{NumPorts: 2, Depth: 64, Slots: 4})
	for i := range 4 {
		require.Equal(t, i, b.m.SlotsInUse())
		b.offer(packet(100, header{id: uint32(i), port: uint8(i % 2)}))
		b.idle(12)
	}
	more := append(packet(10, header{id: 10}), packet(10, header{id: 11})...)
	b.offer(more)
	b.idle(20)
	b.cycle(&more[0], nil, nil, takes)
	require.False(t, b.seen.rxReady, "two beats wait in the FIFO")
	b.cycle(nil, &port.Grant{Port: 1}, nil, takes) // packet 1, slot 1
	var notes []port.Note
	for range 40 {
		b.cycle(nil, nil, nil, takes)
		if b.seen.noteValid {
			notes = append(notes, b.seen.note)
		}
	}
	require.Len(t, notes, 1)
	require.Equal(t, uint32(10), notes[0].Id)
	require.Equal(t, record{id: 10, beats: 1, len: 10}, b.m.buffer.records[1])
	require.Equal(t, 4, b.m.SlotsInUse())
}

func TestDropFreesTheSlot(t *testing.T) {
	b := newBench(t, DefaultSpec())
	b.write(port.TargetEgress, pe.RegDropLow, 99)
	b.offer(packet(100, header{id: 1}))
	notes, _ := b.idle(12)
	require.Equal(t, []port.Note{{Id: 1, Verdict: port.VerdictDrop, Cause: port.CauseLimit, Len: 100}}, notes)
	require.Zero(t, b.m.SlotsInUse())
	b.offer(packet(99, header{id: 2}))
	b.idle(12)
	require.Equal(t, 1, b.m.SlotsInUse())
}

// The decisions of egress reach the packet: it is trimmed and marked, and telemetry is inserted by port.
func TestTrimMarkInsert(t *testing.T) {
	b := newBench(t, DefaultSpec())
	b.write(port.TargetEgress, pe.RegTrim, 300)
	b.write(port.TargetEgress, pe.RegECNMode, 1)
	b.write(port.TargetEgress, pe.RegKDet, 0)
	big := frames.Frame{UETType: 2, Class: 2, Body: make([]byte, 200)}
	b.offer(beatsOf(rubbish, big.Bytes(), header{id: 1, port: 3, trimmable: true, ect: true}))
	b.offer(beatsOf(rubbish, big.Bytes(), header{id: 2, port: 3, trimmable: true, ect: true})) // over 300: trimmed
	small := frames.Frame{UETType: 7, Body: frames.Telemetry(7, 0, 1, 0)}
	b.offer(beatsOf(rubbish, small.Bytes(), header{id: 3, port: 3, inPort: 2}))
	b.idle(20)
	entry := b.ask(port.Cfg{Target: port.TargetIntmd, Kind: uint8(pi.KindEntryRead), Port: 3})
	require.Equal(t, uint64((244+64+62)/80), entry.Data&0xFFFF, "the queue as the verdicts reported it")

	var grs []port.Gr
	var last []port.Tx
	for c := range 60 {
		var g *port.Grant
		if c < 6 {
			g = &port.Grant{Port: 3}
		}
		b.cycle(nil, g, nil, takes)
		if b.seen.grValid && !b.seen.gr.Empty {
			grs = append(grs, b.seen.gr)
		}
		if b.seen.txValid && b.seen.tx.Last {
			last = append(last, b.seen.tx)
		}
	}
	require.Equal(t, []port.Gr{
		{Port: 3, Cls: 1, Id: 2, Len: 64, Trimmed: true, PortBytes: 244 + 62},
		{Port: 3, Id: 1, Len: 244, Ce: true, Depth: 62, PortBytes: 62},
		{Port: 3, Id: 3, Len: 62},
	}, grs)
	require.Len(t, last, 3)
	require.Equal(t, [3]bool{false, false, true}, [3]bool{last[0].Inserted, last[1].Inserted, last[2].Inserted})
	require.Equal(t, uint8(1), last[2].Hops)
	counters := b.m.Trimmer().Counters()
	require.Equal(t, [3]uint32{3, 1, 1},
		[3]uint32{counters[pt.WordFrames], counters[pt.WordTrimmed], counters[pt.WordMarked]})
	tx, ql, _ := b.m.Intmd().Table().Live(3)
	require.Equal(t, [2]uint32{244 + 64 + 62, 0}, [2]uint32{tx, ql})
}

func TestCfg(t *testing.T) {
	b := newBench(t, Spec{NumPorts: 2, Depth: 4, Slots: 4})
	for _, tc := range []struct {
		name string
		ev   port.Cfg
		ok   bool
		data uint64
	}{
		{"target 3", port.Cfg{Target: 3, Kind: 4, Port: 9}, false, 0},
		{"a packet is not for cfg to make", port.Cfg{Target: port.TargetEgress, Kind: 0, Port: 1}, false, 0},
		{"egress, unknown kind", port.Cfg{Target: port.TargetEgress, Kind: 5}, false, 0},
		{"egress, CFG_READ", port.Cfg{Target: port.TargetEgress, Kind: uint8(pe.KindCfgRead), Addr: pe.RegKDet}, true,
			300000},
		{"egress, class 3", port.Cfg{Target: port.TargetEgress, Kind: uint8(pe.KindRead), Cls: 3}, false, 0},
		{"egress, LOAD", port.Cfg{Target: port.TargetEgress, Kind: uint8(pe.KindLoad), Port: 1, Cls: 2, Addr: pe.WordMarks,
			Data: 9}, true, 0},
		{"egress, READ", port.Cfg{Target: port.TargetEgress, Kind: uint8(pe.KindRead), Port: 1, Cls: 2, Addr: pe.WordMarks},
			true, 9},
		{"trimmer, kind 0", port.Cfg{Target: port.TargetTrimmer, Kind: 0}, false, 0},
		{"trimmer, CFG_READ", port.Cfg{Target: port.TargetTrimmer, Kind: uint8(pt.KindCfgRead), Addr: pt.RegUdpPort}, true,
			4793},
		{"intmd, port out of range", port.Cfg{Target: port.TargetIntmd, Kind: uint8(pi.KindRateWrite), Port: 2}, false, 0},
		{"intmd, RATE_WRITE", port.Cfg{Target: port.TargetIntmd, Kind: uint8(pi.KindRateWrite), Port: 1, Data: 5}, true, 0},
		{"intmd, STEP", port.Cfg{Target: port.TargetIntmd, Kind: uint8(pi.KindCfgWrite), Addr: pi.RegStep}, true, 0},
		{"intmd, TIME", port.Cfg{Target: port.TargetIntmd, Kind: uint8(pi.KindCfgWrite), Addr: pi.RegTime, Data: 0xABCDEF},
			true, 0},
		{"intmd, ENTRY_READ of 64 bits", port.Cfg{Target: port.TargetIntmd, Kind: uint8(pi.KindEntryRead), Port: 1}, true,
			5<<60 | 0xABCDEF<<36},
	} {
		want := port.Cfgr{Target: tc.ev.Target, Kind: tc.ev.Kind, Port: tc.ev.Port, Refused: !tc.ok, Data: tc.data}
		require.Equal(t, want, b.ask(tc.ev), tc.name)
	}
}

// One cfg event at a time: the next leaves its FIFO when the response was taken. A response of egress that waits at
// cfgr holds back the notes after it.
func TestCfgOneAtATime(t *testing.T) {
	b := newBench(t, DefaultSpec())
	read := port.Cfg{Target: port.TargetEgress, Kind: uint8(pe.KindRead), Addr: pe.WordPackets}
	x := packet(10, header{})[0]
	const stuck = takes &^ port.InCfgrReady
	b.cycle(nil, nil, &read, stuck)
	b.cycle(&x, nil, &read, stuck)
	for range 30 {
		b.cycle(nil, nil, &read, stuck)
		require.False(t, b.seen.noteValid)
	}
	require.True(t, b.seen.cfgrValid)
	require.False(t, b.seen.cfgReady, "two more wait")
	require.Zero(t, b.seen.cfgr.Data)
	b.cycle(nil, nil, nil, takes)
	b.cycle(nil, nil, nil, takes)
	require.False(t, b.seen.cfgrValid)
	b.cycle(nil, nil, nil, takes)
	require.True(t, b.seen.noteValid, "taken behind the response, a note a cycle later")
	var data []uint64
	for range 30 {
		b.cycle(nil, nil, nil, takes)
		if b.seen.cfgrValid {
			data = append(data, b.seen.cfgr.Data)
		}
	}
	require.Equal(t, []uint64{1, 1}, data)
}

// Full output FIFOs stall their blocks and nothing is lost.
func TestNotesAndGrantsHoldBack(t *testing.T) {
	b := newBench(t, DefaultSpec())
	for range 60 {
		x := packet(10, header{})[0]
		b.cycle(&x, nil, nil, high)
	}
	// 4 notes, 8 in egress, 2 in its FIFO, 8 requests, 2 beats.
	require.Equal(t, 4+8+2+8, b.m.SlotsInUse())
	notes, _ := b.idle(40)
	require.Len(t, notes, 4+8+2+8+2)
	granted := 0
	for range 60 {
		b.cycle(nil, &port.Grant{Port: 1}, nil, high)
		if b.seen.grantReady {
			granted++
		}
	}
	require.Equal(t, 4+8+2, granted)
	_, grs := b.idle(60)
	require.Len(t, grs, granted)
}

func TestReset(t *testing.T) {
	b := newBench(t, Spec{NumPorts: 3, Depth: 4, Slots: 4})
	b.write(port.TargetTrimmer, pt.RegUdpPort, 1)
	b.offer(packet(300, header{port: 1}))
	b.idle(20)
	b.cycle(nil, &port.Grant{Port: 1}, nil, takes)
	b.offer(packet(300, header{port: 1})[:3])
	b.cycle(nil, nil, &port.Cfg{Target: 3}, takes)
	b.cycle(nil, nil, nil, 0)
	require.Zero(t, b.out[0])
	require.Zero(t, b.m.SlotsInUse())
	require.Equal(t, uint32(4793), b.m.Trimmer().Config()[pt.RegUdpPort])
	for range 3 {
		b.cycle(nil, nil, nil, takes)
		require.Zero(t, b.out[0])
	}
	for range 60 {
		b.cycle(nil, nil, nil, takes)
		require.Equal(t, port.OutRxReady|port.OutGrantReady|port.OutCfgReady, b.out[0], "nothing in flight is left")
	}
	b.offer(packet(20, header{id: 9})) // the next beat starts a packet
	notes, _ := b.idle(13)
	require.Equal(t, []port.Note{{Id: 9, Verdict: port.VerdictAdmit, Len: 20, Depth: 20, PortBytes: 20}}, notes)
}

func TestSpec(t *testing.T) {
	require.NoError(t, DefaultSpec().Validate())
	for _, tc := range []struct {
		s   Spec
		err string
	}{
		{Spec{0, 64, 4}, "NumPorts 0: want 1 to 64"},
		{Spec{4, 3, 4}, "Depth 3: want a power of two from 2 to 4096"},
		{Spec{4, 64, 1}, "Slots 1: want a power of two from 2 to 1024"},
		{Spec{4, 64, 48}, "Slots 48: want a power of two from 2 to 1024"},
		{Spec{4, 64, 2048}, "Slots 2048: want a power of two from 2 to 1024"},
	} {
		_, err := New(tc.s)
		require.EqualError(t, err, "switchport: "+tc.err)
	}
	m, err := New(DefaultSpec())
	require.NoError(t, err)
	require.Equal(t, DefaultSpec(), m.Spec())
}

func busy() (recs [][port.InWords]uint64) {
	for i := range 200 {
		f := frames.Frame{UETType: 2, Body: make([]byte, []int{20, 400, 1000, 4000}[i%4])}
		for _, x := range beatsOf(rubbish, f.Bytes(), header{port: uint8(i % 4), trimmable: true, ect: true}) {
			var rec [port.InWords]uint64
			port.PackRx(&x, rec[:])
			port.PackGrant(&port.Grant{Port: uint8(i % 4)}, rec[:])
			rec[0] |= port.InRxValid | port.InGrantValid | takes
			recs = append(recs, rec)
		}
	}
	return recs
}

func BenchmarkCycle(b *testing.B) {
	x := newBench(b, DefaultSpec())
	recs := busy()
	cycles, next, sent := 0, 0, 0
	b.ReportAllocs()
	for b.Loop() {
		x.m.Cycle(recs[next][:], x.out[:])
		if x.out[0]&port.OutRxReady != 0 {
			if next++; next == len(recs) {
				next = 0
			}
		}
		if x.out[0]&port.OutTxValid != 0 {
			sent++
		}
		cycles++
	}
	b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
	b.ReportMetric(float64(sent)/float64(cycles), "beats/cycle")
}

func TestCycleAllocatesNothing(t *testing.T) {
	b := newBench(t, DefaultSpec())
	recs := busy()
	i := 0
	require.Zero(t, testing.AllocsPerRun(3000, func() { b.m.Cycle(recs[i%len(recs)][:], b.out[:]); i++ }))
	recs[0][0] = 0
	require.Zero(t, testing.AllocsPerRun(10, func() { b.m.Cycle(recs[0][:], b.out[:]) }))
}

package ackgen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// A packet is judged by the registers in force in the cycle in which its last beat issues. A write that is accepted in
// cycle c ends in c+3 and is in force from c+4 on.
func TestRegistersOfTheLastBeat(t *testing.T) {
	write := port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegUdpPort, Data: 5}
	for issue, passed := range map[int]bool{2: true, 3: true, 4: false, 5: false} {
		b := newBench(t, 16).opens()
		f := plain.Packet{Padding: 150, PDS: data(2, 0, 100, 7, 1)}
		beats := beatsOf(rubbish, f.Bytes(), 0)
		require.Len(t, beats, 4)
		for c := range 40 { // the last beat is accepted in cycle 4, and issues in 5
			var rx *port.Rx
			var cfg *port.Cfg
			if c >= 1 && c < 5 {
				rx = &beats[c-1]
			}
			if c == 5-issue {
				cfg = &write
			}
			b.cycle(rx, cfg, takes)
		}
		require.Equal(t, passed, b.m.receiver.counters[port.WordAccepted] == 1, "%d", issue)
		require.Equal(t, !passed, b.m.receiver.counters[port.WordOtherPort] == 1, "%d", issue)
	}
}

// A job uses the registers of its start, also for what is added to the size: here a write that comes between the last
// beat and the job.
func TestRegistersOfTheJob(t *testing.T) {
	b := newBench(t, 16).opens()
	b.run(one(0, 100, 7, 1), []port.Cfg{{}, {Kind: port.KindCfgWrite, Addr: port.RegNominal, Data: 100}}, takes, 60)
	require.Equal(t, uint32(120), b.m.receiver.Words(0).Rcvd)
}

// A packet is counted DECIDE cycles after its last beat issues, here in cycle 8, and its job in the cycle in which that
// ends, here 14. An access that ends in the cycle of the count: a READ has the count before, a LOAD is counted on.
func TestCounters(t *testing.T) {
	for _, tc := range []struct {
		name   string
		ends   int // the access
		ev     port.Cfg
		answer uint32
		after  uint32
	}{
		{"READ before", 7, port.Cfg{Kind: port.KindRead, Addr: port.WordFrames}, 0, 1},
		{"READ as it is counted", 8, port.Cfg{Kind: port.KindRead, Addr: port.WordFrames}, 0, 1},
		{"READ a cycle later", 9, port.Cfg{Kind: port.KindRead, Addr: port.WordFrames}, 1, 1},
		{"LOAD before", 7, port.Cfg{Kind: port.KindLoad, Addr: port.WordFrames, Data: 100}, 0, 101},
		{"LOAD as it is counted", 8, port.Cfg{Kind: port.KindLoad, Addr: port.WordFrames, Data: 100}, 0, 101},
		{"LOAD of the last value", 8, port.Cfg{Kind: port.KindLoad, Addr: port.WordFrames, Data: 1<<32 - 1}, 0, 0},
		{"LOAD after", 9, port.Cfg{Kind: port.KindLoad, Addr: port.WordFrames, Data: 100}, 0, 100},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t, 16).opens()
			beat := one(0, 100, 7, 1)[0]
			for c := range 40 {
				var rx *port.Rx
				var cfg *port.Cfg
				if c == 0 {
					rx = &beat
				}
				if c == tc.ends-3 {
					cfg = &tc.ev
				}
				b.cycle(rx, cfg, takes)
				if b.out[0]&port.OutCfgrValid != 0 {
					require.Equal(t, tc.ends+1, c)
					var r port.Cfgr
					port.UnpackCfgr(b.out[:], &r)
					require.Equal(t, port.Cfgr{Kind: tc.ev.Kind, Data: tc.answer}, r)
				}
			}
			require.Equal(t, tc.after, b.m.receiver.counters[port.WordFrames])
			require.Equal(t, uint32(1), b.m.receiver.counters[port.WordAccepted])
		})
	}
	b := newBench(t, 16).opens()
	for c := range 20 {
		var rx *port.Rx
		if c == 0 {
			rx = &one(0, 100, 7, 1)[0]
		}
		b.cycle(rx, nil, takes)
		require.Equal(t, c >= 14, b.m.receiver.counters[port.WordAccepted] == 1, "cycle %d", c)
		require.Equal(t, c >= 14, b.m.receiver.Words(0).Cack == 100, "cycle %d", c)
	}
}

// p and tick count from the first cycle after a reset. A shorter TICK ends a longer period at once, from the cycle
// after its write ends.
func TestTime(t *testing.T) {
	b := newBench(t, 4)
	require.Equal(t, Instant{Phase: 4}, b.m.time)
	write := func(v uint32) {
		b.run(nil, []port.Cfg{{Kind: port.KindCfgWrite, Addr: port.RegTick, Data: v}}, takes, 4)
	}
	write(3) // ends in the fourth of these cycles, which still has 128
	require.Equal(t, Instant{Phase: 8}, b.m.time)
	for _, want := range []Instant{{1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}} {
		b.cycle(nil, nil, takes)
		require.Equal(t, want, b.m.time)
	}
	write(1)
	require.Equal(t, Instant{3, 2}, b.m.time)
	for i := range uint32(5) {
		b.cycle(nil, nil, takes)
		require.Equal(t, Instant{4 + i, 0}, b.m.time)
	}
	b.m.time.Tick = 1<<32 - 1
	b.cycle(nil, nil, takes)
	require.Equal(t, Instant{}, b.m.time)
}

// Service time is from the issue of the last beat, here in cycle 1, to the end of the job, here in 14.
func TestServiceTimeOfAJob(t *testing.T) {
	for tick, want := range map[uint32]uint16{1: 13, 2: 6, 3: 4, 13: 1, 14: 1, 6: 2, 7: 1} {
		for phase := range tick {
			b := newBench(t, 4).opens()
			b.m.receiver.cfg[port.RegTick] = tick
			b.m.time.Phase = phase
			s := b.run(one(fAr, 100, 7, 1), nil, takes, 30)
			d := s.tx[1].Data[0] // its bytes 2 and 3 are those from 42 + 24 on
			got := uint16(d>>16&0xFF)<<8 | uint16(d>>24&0xFF)
			require.Equal(t, want, got, "TICK %d, phase %d", tick, phase)
		}
	}
}

// A reset forgets everything: beats, packets, the job that runs, answers and responses, registers, counters and PDCs.
func TestReset(t *testing.T) {
	for at := range 60 {
		b := newBench(t, 16)
		cfgs := []port.Cfg{{Kind: port.KindCfgWrite, Addr: port.RegTick, Data: 5},
			{Kind: port.KindCfgWrite, Addr: port.RegMpr, Data: 5}, {Kind: port.KindRead, Addr: port.WordFrames},
			{Kind: port.KindRead}, {Kind: port.KindRead}, {Kind: port.KindRead}, {Kind: port.KindRead}}
		f := plain.Packet{Padding: 200, PDS: data(2, fSyn, 100, 8, 0)}
		beats := append(beatsOf(rubbish, f.Bytes(), 1), many(4, fSyn|fAr)...) // the first packet has four beats
		beats = append(append(beats, port.Rx{Last: true}), many(20, fAr)...)
		b.run(beats, cfgs, []uint64{takes, high, high | port.InTxReady, high | port.InIndReady}[at%4], at)
		b.cycle(&beats[0], &cfgs[0], takes&^high)
		require.Zero(t, b.out[0])
		require.Equal(t, DefaultConfig(), b.m.receiver.Config())
		require.Equal(t, Counters{}, b.m.receiver.Counters())
		fifo, credits, inds, answers := b.m.InUse()
		require.Equal(t, [4]int{}, [4]int{fifo, credits, inds, answers})
		require.Equal(t, Instant{}, b.m.time)
		for range 16 {
			b.cycle(&beats[0], &cfgs[0], takes)
			require.Zero(t, b.out[0])
		}
		b.now = 0
		s := b.run(one(fSyn, 100, 7, 0), nil, takes, 60)
		require.Equal(t, []int{16}, s.indAt, "reset after %d cycles", at)
		require.Equal(t, []port.Ind{{Tag: 100, Verdict: port.VerdictAccepted, Pdcid: 1, PSN: 100, Opened: true,
			Answered: true}}, s.ind)
		require.Len(t, s.tx, 2)
		require.Empty(t, s.cfgr)
		for k := 1; k < 16; k++ {
			w := b.m.receiver.Words(k)
			for addr := range port.WordFrames {
				require.Zero(t, w.Word(addr), "word %d of PDC %d", addr, k)
			}
		}
		require.Equal(t, Counters{port.WordFrames: 1, port.WordAccepted: 1, port.WordOpens: 1, port.WordAckCcs: 1},
			b.m.receiver.Counters())
	}
}

// Frames of any length are taken.
func TestLongFrames(t *testing.T) {
	for _, padding := range []int{0, 70000} {
		f := plain.Packet{V6: true, Checksum: true, Tags: []uint16{0x88A8, 0x8100}, Padding: padding}
		f.PDS = append(data(2, fSyn, 100, 7, 0), make([]byte, 65535-8-12)...)
		b := newBench(t, 4)
		s := b.run(beatsOf(rubbish, f.Bytes(), 9), nil, takes, 4000)
		require.Zero(t, s.rxLow)
		require.Len(t, s.ind, 1)
		require.Equal(t, uint32(65535+40), b.m.receiver.Words(0).Rcvd)
	}
}

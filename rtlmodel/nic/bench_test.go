package nic

import (
	"testing"

	"github.com/stretchr/testify/require"

	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// BenchmarkIdle is a cycle in which nothing happens.
func BenchmarkIdle(b *testing.B) {
	m := newBench(b, DefaultSpec())
	in := [port.InWords]uint64{takes}
	b.ReportAllocs()
	for b.Loop() {
		m.m.Cycle(in[:], m.out[:])
	}
}

// busy returns a cycle in which a beat leaves most of the time, and counts the beats: the packets of 1,024 bytes
// and the answers of a NIC come back to itself.
func busy(t testing.TB) (cycle func(), beats *int) {
	m := newBench(t, DefaultSpec())
	m.must(register(port.TargetSource, ps.RegPayload, 10))
	m.must(register(port.TargetWindow, pc.RegMaxWnd, 1_000_000))
	for c := range 4 {
		m.address(c, v4(0, false, 1, 1), form(34, false, false, 1))
		m.must(window(pc.KindOpen, c))
		for k := range 4 {
			m.must(source(ps.KindOpen, 4*c+k, 0))
			m.must(source(ps.KindMessage, 4*c+k, 1<<31-1))
		}
	}
	in, back := [port.InWords]uint64{}, port.Rx{}
	beats = new(int)
	cycle = func() {
		x := m.m.Tx()
		if in[0] = takes &^ port.InTxReady; x != nil && m.m.RxReady() {
			back = port.Rx{Data: x.Data, Keep: x.Keep, Last: x.Last}
			port.PackRx(&back, in[:])
			in[0] |= port.InTxReady | port.InRxValid
			*beats++
		}
		m.m.Cycle(in[:], m.out[:])
	}
	for range 10_000 {
		cycle()
	}
	return cycle, beats
}

func TestCyclesDoNotAllocate(t *testing.T) {
	cycle, beats := busy(t)
	*beats = 0
	require.Zero(t, testing.AllocsPerRun(3000, cycle))
	require.NotZero(t, *beats)
	m := newBench(t, DefaultSpec())
	in := [port.InWords]uint64{takes}
	require.Zero(t, testing.AllocsPerRun(3000, func() { m.m.Cycle(in[:], m.out[:]) }))
}

func BenchmarkBusy(b *testing.B) {
	cycle, beats := busy(b)
	*beats = 0
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		cycle()
		n++
	}
	b.ReportMetric(float64(*beats)/float64(n), "beats/op")
}

package beats

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

type beat struct{ number, packet int }

func newPorts(sweep int) *Ports[beat, int, int, int] {
	p := &Ports[beat, int, int, int]{}
	p.InitPorts(Sizes{InFIFO: 2, Store: 16, HeadBeats: 3, Release: 4, Out: 8, Emit: 2, CfgCredits: 4, CfgLatency: 2})
	p.ResetPorts(sweep)
	return p
}

// The bytes of a beat leave as they came in; the first byte is the lowest byte of word 0.
func TestBytes(t *testing.T) {
	src := make([]byte, Size)
	for i := range src {
		src[i] = byte(i)
	}
	var d Data
	Set(&d, src)
	require.Equal(t, uint64(0x0706050403020100), d[0])
	require.Equal(t, uint64(0x3f3e3d3c3b3a3938), d[7])
	dst := make([]byte, Size)
	Get(&d, dst)
	require.Equal(t, src, dst)
}

// Count looks at keep in the last beat only, and counts the ones below its lowest zero.
func TestCount(t *testing.T) {
	for _, c := range []struct {
		keep uint64
		last bool
		want int
	}{{0, true, 0}, {0, false, 64}, {1, true, 1}, {0b1011, true, 2}, {1<<63 - 1, true, 63}, {^uint64(0), true, 64},
		{^uint64(1), true, 0}} {
		require.Equal(t, c.want, Count(c.keep, c.last), "keep %#x last %v", c.keep, c.last)
	}
}

// Seen uses the length field only while the packet continues.
func TestSeen(t *testing.T) {
	seen, frame := Seen(2, 0b111, true, 9000)
	require.Equal(t, [2]int{67, 67}, [2]int{seen, frame})
	seen, frame = Seen(2, 0b111, false, 9000)
	require.Equal(t, [2]int{128, 9000}, [2]int{seen, frame})
}

// The ports accept nothing during the sweep, and a reset starts the sweep again.
func TestSweep(t *testing.T) {
	p := newPorts(3)
	for range 2 {
		for range 3 {
			require.False(t, p.Up() || p.RxReady() || p.CfgReady())
			p.TickPorts()
		}
		require.True(t, p.Up() && p.RxReady() && p.CfgReady())
		*p.Store.Accept() = beat{}
		*p.AcceptCfg() = 1
		p.TickPorts()
		fifo, _, _ := p.InUse()
		require.Equal(t, 1, fifo)
		p.ResetPorts(3)
		fifo, store, out := p.InUse()
		require.Equal(t, [3]int{}, [3]int{fifo, store, out})
	}
}

// For packets of every length: the number of each beat, the beat that completes the head, and that a beat leaves the
// store no earlier than 4 cycles after the issue that releases it.
func TestIssue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := newPorts(0)
	released := map[beat]int{} // cycle from which it may leave
	var want, left []beat
	packet, number, length := 0, 0, 1
	for cycle := range 4000 {
		if p.Store.CanIssue() {
			b := *p.Store.Issued(0)
			last := b.packet < 0
			b.packet = max(b.packet, -b.packet)
			index, complete := p.Issue(last)
			require.Equal(t, min(b.number, 3), index)
			require.Equal(t, b.number == 2 || last && b.number < 2, complete)
			switch {
			case complete:
				for i := range b.number + 1 {
					released[beat{i, b.packet}] = cycle + 4
				}
			case index == 3:
				released[b] = cycle + 4
			}
		}
		if p.Store.Avail() && r.IntN(3) > 0 {
			b := *p.Store.Front()
			b.packet = max(b.packet, -b.packet)
			require.Contains(t, released, b)
			require.LessOrEqual(t, released[b], cycle)
			left = append(left, b)
			p.Store.Pop()
		}
		if p.RxReady() && r.IntN(4) > 0 {
			if number == 0 {
				packet++
				length = 1 + r.IntN(6)
			}
			b := beat{number, packet}
			want = append(want, b)
			if number++; number == length {
				b.packet, number = -packet, 0 // the sign marks the last beat
			}
			*p.Store.Accept() = b
		}
		p.TickPorts()
	}
	require.Greater(t, len(left), 1000)
	require.Equal(t, want[:len(left)], left)
}

// A beat at tx and a response at cfgr appear when they are due, stay while they wait and go when they are taken.
func TestOutputs(t *testing.T) {
	p := newPorts(0)
	*p.AcceptCfg() = 7
	p.TickPorts()
	*p.Out.Push() = 5
	*p.Lane.Issue() = *p.Lane.Head() + 1
	require.Nil(t, p.Tx())
	p.TickPorts()
	require.Nil(t, p.Tx())
	require.Nil(t, p.Cfgr())
	p.TickPorts()
	for range 3 {
		require.Equal(t, 5, *p.Tx())
		require.Equal(t, 8, *p.Cfgr())
		p.TickPorts()
	}
	p.TakeTx()
	p.TakeCfgr()
	p.TickPorts()
	require.Nil(t, p.Tx())
	require.Nil(t, p.Cfgr())
}

package net

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// ends are hosts that count what arrives, and send nothing.
type ends struct {
	net     *Network
	arrived int
}

// Receive implements hosts.
func (e *ends) Receive(i int32) {
	e.arrived++
	e.net.Pool.Release(i)
}

// AheadOfReceive implements hosts.
func (e *ends) AheadOfReceive(*Packet) uint64 { return 0 }

// AheadOfTransmit implements hosts.
func (e *ends) AheadOfTransmit(int32) uint64 { return 0 }

// Transmit implements hosts.
func (e *ends) Transmit(int32) {}

// Ends implements hosts.
func (e *ends) Ends(int32) (src, dst, ccc int32) { return 0, 1, 0 }

// bench is a network in which one switch port is kept from transmitting, so that its queues can be
// filled by hand.
type bench struct {
	*Network
	ends *ends
	draw *kernel.Streams
	pi   int32
	p    *Port
}

// laid returns the network of a spec with nothing in it.
func laid(t *testing.T, spec settings.Spec) *bench {
	t.Helper()
	require.NoError(t, spec.Validate())
	layout, err := spec.Layout()
	require.NoError(t, err)
	b := &bench{draw: &kernel.Streams{Seed: spec.Seed}, pi: -1}
	b.Network = New(&spec, layout, Books{kernel.NewWheel(10), &account.Counters{}, &account.Bytes{}, b.draw.Of})
	b.ends = &ends{net: b.Network}
	b.NIC = b.ends
	b.BuildFailures()
	return b
}

func newBench(t *testing.T, lastHop bool, edit func(*settings.Spec)) *bench {
	spec := settings.DefaultSpec()
	spec.K = 4
	if edit != nil {
		edit(&spec)
	}
	b := laid(t, spec)
	for i := b.hosts; i < len(b.Ports); i++ {
		if p := &b.Ports[i]; p.lastHop == lastHop {
			p.Waking = true
			b.pi, b.p = int32(i), p
			return b
		}
	}
	t.Fatal("no such port")
	return nil
}

// put brings a packet to the port.
func (b *bench) put(class uint8, size int32) int32 {
	i := b.Pool.Alloc()
	kind := PacketData
	if class == ClassHigh {
		kind = PacketAck
	}
	*b.Pool.At(i) = Packet{Kind: kind, Class: class, Size: size, Nominal: size, PSN: uint32(i)}
	b.enqueue(b.pi, i)
	return i
}

// fill puts packets into class until the next of 4096 bytes would not fit, then
// one that fits exactly.
func (b *bench) fill(class uint8) {
	q := &b.p.Q[class]
	for q.bytes+4096 <= b.p.Limit[class] {
		b.put(class, 4096)
	}
	if rest := b.p.Limit[class] - q.bytes; rest > 0 {
		b.put(class, int32(rest))
	}
}

// leave lets a bench's port send one packet and returns it.
func (b *bench) leave() *Packet {
	b.wheel.Advance(max(b.wheel.Now(), b.p.FreeAt))
	for c := range b.p.Q {
		if i := b.p.Q[c].head; i >= 0 {
			b.wake(b.pi)
			return b.Pool.At(i)
		}
	}
	return nil
}

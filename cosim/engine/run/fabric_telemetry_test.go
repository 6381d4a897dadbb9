package run_test

import (
	"encoding/binary"
	"sort"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	stimfabric "github.com/goldwire/goldwire/vectors/stim/fabric"
)

// watchedPort is what a simulation shows of one port.
type watchedPort struct {
	reports []portReport               // by ns, at most one per ns
	queue   []queueSpan                // in the order of time
	sent    []packetSent               // whole data packets
	own     map[packetID]net.INTRecord // the fabric's own telemetry, as returned to the sender of the packet
}

type portReport struct {
	ns        int64
	tx, queue int64
}

// queueSpan is a stretch of time that ends at the given time.
type queueSpan struct {
	until     units.Picos
	low, sent int64
}

type packetID struct {
	host int32
	psn  uint32
}

type packetSent struct {
	packetID
	ns   int64
	size int
}

// at returns the bytes waiting and sent just before a time.
func (w *watchedPort) at(t units.Picos) (queue, sent int64) {
	i := sort.Search(len(w.queue), func(i int) bool { return w.queue[i].until >= t })
	return w.queue[i].low, w.queue[i].sent
}

// watchPort simulates an incast with telemetry and watches the port to its receiver.
func watchPort(t *testing.T, length units.Picos) *watchedPort {
	t.Helper()
	spec, err := stimfabric.Switch.Spec("incast32", 1)
	require.NoError(t, err)
	spec.INT, spec.MaxTime = settings.INTData, length
	layout, err := spec.Layout()
	require.NoError(t, err)
	port := int32(layout.Hosts)
	require.EqualValues(t, 0, layout.Ports[port].To, "the first port of the first switch faces host 0")
	w := &watchedPort{own: map[packetID]net.INTRecord{}}
	total := int64(0)
	_, err = fabric.Run(t.Context(), spec, fabric.WithPortTap(func(e *net.PortEvent) {
		k := &e.Packet
		const low = 2 // class
		before, tx, queue := e.Queued[low], int64(0), int64(0)
		switch e.Kind {
		case net.PortArrive, net.PortDrop:
			if k.Class == low {
				queue = int64(k.Size)
			}
			if e.Kind == net.PortDrop {
				queue = -queue
			}
		case net.PortTrim:
			queue = -int64(k.Nominal)
		case net.PortDepart:
			tx = int64(k.Size)
			if k.Class == low {
				queue = -tx
				before += tx
			}
			if k.Kind == net.PacketData && !k.Trimmed {
				w.sent = append(w.sent, packetSent{packetID{k.Src, k.PSN}, int64(e.Time / units.Nanosecond), int(k.Size)})
			}
		}
		w.queue = append(w.queue, queueSpan{e.Time, before, total})
		total += tx
		ns := int64(e.Time / units.Nanosecond)
		if n := len(w.reports); n > 0 && w.reports[n-1].ns == ns {
			w.reports[n-1].tx += tx
			w.reports[n-1].queue += queue
		} else {
			w.reports = append(w.reports, portReport{ns, tx, queue})
		}
	}, port), fabric.WithTap(func(e *cc.Event) bool {
		if e.Kind == cc.KindAck && len(e.INT) > 0 {
			w.own[packetID{e.NIC, e.PSN}] = net.UnpackINT(e.INT[len(e.INT)-1])
		}
		return true
	}))
	require.NoError(t, err)
	return w
}

// requestOf returns a UET request of that many bytes with room for telemetry, made by the packet library.
func requestOf(t *testing.T, id packetID, size int) []byte {
	t.Helper()
	body := make([]byte, size-42)
	body[0] = 2 << 3
	binary.BigEndian.PutUint32(body[4:], id.psn)
	binary.BigEndian.PutUint16(body[12:], 0x494e)
	body[15], body[16], body[17] = 5, 0x12, ^byte(5) // room, form, complement of the room
	ip := &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolUDP, SrcIP: []byte{10, 0, 0, byte(id.host)},
		DstIP: []byte{10, 0, 1, 0}}
	udp := &layers.UDP{SrcPort: 49152, DstPort: 4793}
	require.NoError(t, udp.SetNetworkLayerForChecksum(ip))
	b := gopacket.NewSerializeBuffer()
	require.NoError(t, gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
		&layers.Ethernet{SrcMAC: make([]byte, 6), DstMAC: make([]byte, 6), EthernetType: layers.EthernetTypeIPv4}, ip, udp,
		gopacket.Payload(body)))
	return b.Bytes()
}

// telemetryBench drives intmd in real time, one cycle per nanosecond: events at the port are reported in the cycle in
// which they happen, and a packet's first beat comes when it departs.
type telemetryBench struct {
	t     *testing.T
	l     *event.Layout
	cycle func(in, out []uint64)
	in    []uint64
	out   []uint64
	now   int64 // cycles played
	tx    *packetTap
}

// play plays one cycle with an input record filled in by set.
func (b *telemetryBench) play(set func(in []uint64)) {
	clear(b.in)
	b.in[0] = intmd.InRstN | intmd.InTxReady | intmd.InCfgrReady
	if set != nil {
		set(b.in)
	}
	b.cycle(b.in, b.out)
	b.tx.cycle(uint64(b.now), b.in, b.out)
	b.now++
}

// cfg writes a register or a rate and returns the cycle in which that was accepted.
func (b *telemetryBench) cfg(c intmd.Cfg) int64 {
	for {
		b.play(func(in []uint64) {
			intmd.PackCfg(&c, in)
			in[0] |= intmd.InCfgValid
		})
		if b.out[0]&intmd.OutCfgReady != 0 {
			return b.now - 1
		}
	}
}

// decodeTelemetry checks the telemetry of every packet that leaves intmd against the port that it departed from. The
// clock starts shortly before it wraps, and so do the bytes sent, both in the entry's field and in the counter behind
// it.
func decodeTelemetry(t *testing.T, w *watchedPort, length int64, cycle func(in, out []uint64)) {
	t.Helper()
	const startTS, startTx = 1<<24 - 20_000, 1<<32 - 1_000_000&^127
	l := layoutOf(t, intmd.BlockName)
	b := &telemetryBench{t: t, l: l, cycle: cycle, in: make([]uint64, l.In.Words), out: make([]uint64, l.Out.Words),
		tx: newPacketTap(l, "tx", false)}
	for range 2 {
		b.play(func(in []uint64) { in[0] &^= intmd.InRstN })
	}
	b.cfg(intmd.Cfg{Kind: intmd.KindCfgWrite, Addr: intmd.RegMode, Data: 3})
	b.cfg(intmd.Cfg{Kind: intmd.KindRateWrite, Port: 0, Data: 4})
	// contract.md, "Clock": accepted in cycle a, the clock has the value in cycle a+2.
	clock := b.cfg(intmd.Cfg{Kind: intmd.KindCfgWrite, Addr: intmd.RegTime, Data: startTS}) + 2
	b.play(func(in []uint64) {
		intmd.PackCnt(&intmd.Cnt{Port: 0, Op: intmd.OpSet, TxBytes: startTx}, in)
		in[0] |= intmd.InCntValid
	})
	for range 20 {
		b.play(nil)
	}
	base := b.now // cycle of the simulation's time 0
	var frame []byte
	at, report, next, late := 0, 0, 0, 0
	for b.now-base < length {
		ns := b.now - base
		b.play(func(in []uint64) {
			if report < len(w.reports) && w.reports[report].ns == ns {
				r := &w.reports[report]
				intmd.PackCnt(&intmd.Cnt{Port: 0, Op: intmd.OpAdd, TxBytes: uint32(r.tx), Qlen: uint32(r.queue)}, in)
				in[0] |= intmd.InCntValid
			}
			if frame == nil && next < len(w.sent) && w.sent[next].ns <= ns {
				if w.sent[next].ns < ns {
					late++
				}
				frame, at = requestOf(t, w.sent[next].packetID, w.sent[next].size), 0
			}
			if frame != nil {
				x := intmd.Rx{Last: len(frame)-at <= 64, Len: uint16(len(frame)), Keep: ^uint64(0)}
				var beat [64]byte
				if n := copy(beat[:], frame[at:]); n < 64 {
					x.Keep = 1<<n - 1
				}
				for k := range x.Data {
					x.Data[k] = binary.LittleEndian.Uint64(beat[8*k:])
				}
				intmd.PackRx(&x, in)
				in[0] |= intmd.InRxValid
			}
		})
		if report < len(w.reports) && w.reports[report].ns == ns {
			require.NotZero(t, b.out[0]&intmd.OutCntReady)
			report++
		}
		if frame != nil && b.out[0]&intmd.OutRxReady != 0 {
			if at += 64; at >= len(frame) {
				frame = nil
				next++
			}
		}
	}
	require.Zero(t, late, "packets that had to wait for the one before")

	var before struct {
		e, own packet.Entry
		ok     bool
	}
	lag, own, same, wraps := int64(-1), 0, 0, 0
	for i, p := range b.tx.done {
		v := packet.Judge(p.bytes)
		require.True(t, v.Sound())
		tel, err := packet.ReadTelemetry(v.Payload, 0x494e)
		require.NoError(t, err)
		require.Len(t, tel.Entries, 1)
		e := packet.DecodeEntry(tel.Entries[0])
		require.Equal(t, 400.0, e.GbitPerS)
		stamped := (int64(e.TS)-startTS+1<<24)&(1<<24-1) + clock - base // ns in simulated time
		// Within one quantum of time: the entry holds the state one nanosecond before its time stamp.
		queue, sent := w.at(units.Picos(stamped-1) * units.Nanosecond)
		require.True(t, int64(e.Queue) <= queue && queue < int64(e.Queue)+packet.QueueQuantum,
			"packet %d: queue %d, decoded %d", i, queue, e.Queue)
		total := (startTx + sent) & (1<<27 - 1)
		require.True(t, int64(e.TxBytes) <= total && total < int64(e.TxBytes)+packet.TxQuantum,
			"packet %d: sent %d, decoded %d", i, total, e.TxBytes)
		// The fabric stamped the packet at its departure; the block does so a fixed time later, which no sender sees.
		if lag < 0 {
			lag = stamped - w.sent[i].ns
		}
		require.Equal(t, lag, stamped-w.sent[i].ns, "packet %d", i)
		rec, ok := w.own[w.sent[i].packetID]
		if !ok {
			continue // the ACK named another packet
		}
		own++
		ref := packet.DecodeEntry(rec.Pack())
		require.EqualValues(t, (e.TxBytes-startTx)&(1<<27-1), ref.TxBytes, "packet %d: bytes sent", i)
		if e.Queue == ref.Queue {
			same++
		}
		if before.ok {
			require.InDelta(t, ref.Elapsed(before.own), e.Elapsed(before.e), 1)
			require.Equal(t, ref.Sent(before.own), e.Sent(before.e))
			if e.Elapsed(before.e) > 0 {
				require.InEpsilon(t, ref.Rate(before.own), e.Rate(before.e), 1e-9+1/float64(e.Elapsed(before.e)))
			}
			if e.TS < before.e.TS {
				wraps |= 1
			}
			if e.TxBytes < before.e.TxBytes {
				wraps |= 2
			}
		}
		before.e, before.own, before.ok = e, ref, true
	}
	require.Greater(t, len(b.tx.done), int(length/200))
	require.Equal(t, 3, wraps, "clock and bytes sent both wrap")
	// For the others, a packet came in between the fabric's stamp and the block's.
	require.Greater(t, same, own/2)
	require.Greater(t, own, len(b.tx.done)/10)
	t.Logf("%d packets with telemetry, %d of them seen by their senders, %d with the very queue of the fabric's stamp; "+
		"lag %d ns", len(b.tx.done), own, same, lag)
}

// TestTelemetryIsTheFabricsOwn: what a sender decodes from the model's output equals the state of the simulated port at
// the time of the stamp, within one quantum of each field, across the wraps of clock and bytes, and equals what the
// fabric's own telemetry reports to its sender.
func TestTelemetryIsTheFabricsOwn(t *testing.T) {
	t.Parallel()
	const ns = 60_000
	k, err := block.Lookup(intmd.BlockName)
	require.NoError(t, err)
	m, err := k.NewModel(map[string]int{"NumPorts": 4})
	require.NoError(t, err)
	decodeTelemetry(t, watchPort(t, ns*units.Nanosecond*3/2), ns, m.Cycle)
}

// TestTelemetryOfTheRTLIsTheFabricsOwn does the same with the Verilated RTL.
func TestTelemetryOfTheRTLIsTheFabricsOwn(t *testing.T) {
	t.Parallel()
	const ns = 45_000
	dev := stepped(t, intmd.BlockName, map[string]int{"NumPorts": 4})
	decodeTelemetry(t, watchPort(t, ns*units.Nanosecond*3/2), ns, dev)
}

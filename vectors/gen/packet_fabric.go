package gen

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// DSCP of data, of control and of data that was trimmed on the way, as fabricFrame writes them.
const dscpData, dscpControl, dscpTrimmed, dscpLasthop = 8, 46, 16, 18

// fabricFrame is the frame of a packet of the fabric: its lengths are those of the simulation, its bytes ours.
// ACKs and requests carry an INT header, which a trimmed packet has lost.
func fabricFrame(r *rng, e *portEvent) frame {
	k := e.packet
	f := goodFrame(0, k.Flow%2 == 1, 0)
	f.uet, f.tos = 2, dscpData<<2|2
	f.sport = k.Entropy
	switch {
	case k.Kind == net.PacketAck:
		f.uet, f.tos = 8, dscpControl<<2
	case k.Kind == net.PacketNack:
		f.uet, f.tos = 9, dscpControl<<2
	case k.Kind == net.PacketAckReq:
		f.uet, f.tos = 11, dscpControl<<2
	case k.Trimmed && !e.cut && k.LastHop:
		f.tos = dscpLasthop<<2 | 2
	case k.Trimmed && !e.cut:
		f.tos = dscpTrimmed<<2 | 2
	}
	f.body = uetHeader(f.uet)
	size := e.size
	if e.cut {
		size = int(k.Nominal) // whoever cuts it has it whole
	}
	if !k.Trimmed || e.cut {
		f.withTelemetry(r, int(k.PSN%3), 5)
	}
	f.sized(size)
	return f
}

// openTrimmerFabric feeds the trimmer with the packets that leave a switch of the fabric, cut and marked as that
// switch decided.
func openTrimmerFabric(name string, o *Options) (Source, error) {
	spec, err := FabricSpec(BlockTrimmer, name, o.Seed)
	if err != nil {
		return nil, err
	}
	// A switch with shallow queues, which cuts balanced traffic now and then, too.
	spec.TrimAt, spec.TrimAtLastHop, spec.KMin, spec.KMax = 0.015, 0.02, 0.005, 0.012
	return newFeed(BlockTrimmer, name, trimmer.InWords, o, func(f *feed) error {
		r := seeded(o.Seed, BlockTrimmer, name, 1)
		var buf []byte
		var bt beat
		return portsOfFabric(f.ctx, spec, trimmerPorts, func(e *portEvent) bool {
			if e.kind != net.PortDepart {
				return true
			}
			fr := fabricFrame(&r, e)
			buf = fr.bytes(&r, buf)
			beats(&r, &bt, buf, false, func(i int, b *beat) {
				if w := f.put(laneRx, 0, !b.last); w != nil {
					trimmer.PackRx(&trimmer.Rx{Data: b.data, Keep: b.keep, Last: b.last, Trim: e.cut, LastHop: e.lastHop, Ce: e.packet.CE,
						Len: uint16(len(buf)), Tag: uint32(e.packet.Flow)}, w)
				}
			})
			return !f.enough()
		})
	})
}

// trimmerPorts is the number of ports whose packets a trimmer meets: those of a top-of-rack switch.
const trimmerPorts = 8

// openIntmdFabric feeds intmd with the packets that leave a switch of the fabric and with the counters of its ports as
// the fabric's own telemetry has them: bytes sent of all classes, bytes waiting of the low one.
func openIntmdFabric(name string, o *Options) (Source, error) {
	spec, err := FabricSpec(BlockIntmd, name, o.Seed)
	if err != nil {
		return nil, err
	}
	code := map[int]uint32{25: 0, 50: 1, 100: 2, 200: 3, 400: 4, 800: 5}[spec.LinkGbps]
	return newFeed(BlockIntmd, name, intmd.InWords, o, func(f *feed) error {
		ports := o.Params["NumPorts"]
		r := seeded(o.Seed, BlockIntmd, name, 1)
		var buf []byte
		var bt beat
		// Data carries telemetry as well as ACKs.
		if w := f.put(laneIntmdCfg, 0, false); w != nil {
			intmd.PackCfg(&intmd.Cfg{Kind: intmd.KindCfgWrite, Addr: intmd.RegMode, Data: 3}, w)
		}
		for p := range ports {
			if w := f.put(laneIntmdCfg, 0, false); w != nil {
				intmd.PackCfg(&intmd.Cfg{Kind: intmd.KindRateWrite, Port: uint8(p), Data: code}, w)
			}
		}
		return portsOfFabric(f.ctx, spec, ports, func(e *portEvent) bool {
			if tx, q := e.counters(); tx != 0 || q != 0 {
				if w := f.put(laneCnt, 0, false); w != nil {
					intmd.PackCnt(&intmd.Cnt{Port: uint8(e.port), Op: intmd.OpAdd, TxBytes: uint32(tx), Qlen: uint32(q)}, w)
				}
			}
			if e.kind != net.PortDepart {
				return !f.enough()
			}
			e.cut = false // what leaves is cut already
			fr := fabricFrame(&r, e)
			buf = fr.bytes(&r, buf)
			beats(&r, &bt, buf, false, func(i int, b *beat) {
				if w := f.put(laneRx, 0, !b.last); w != nil {
					intmd.PackRx(&intmd.Rx{Data: b.data, Keep: b.keep, Last: b.last, Len: uint16(len(buf)), InPort: uint8(e.in), OutPort: uint8(e.port)}, w)
				}
			})
			return !f.enough()
		})
	})
}

// counters returns by how much the event moves the bytes sent and the bytes of the low class that wait.
func (e *portEvent) counters() (tx, queue int) {
	low := e.class == egress.ClsLow
	switch {
	case e.kind == net.PortArrive && low:
		queue = e.size
	case e.kind == net.PortTrim:
		queue = -int(e.packet.Nominal)
	case e.kind == net.PortDrop && low:
		queue = -e.size
	case e.kind == net.PortDepart:
		tx = e.size
		if low {
			queue = -e.size
		}
	}
	return tx, queue
}

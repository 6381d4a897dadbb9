package gen

import (
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// fabricFrame is the frame of a packet of the fabric: its lengths are those of the simulation, its bytes ours.
// ACKs and requests carry an INT header.
func fabricFrame(r *rng, e *portEvent) frame {
	f := goodFrame(0, e.flow%2 == 1, 0)
	f.uet, f.tos = 2, 8<<2
	if e.ect {
		f.tos |= 2
	}
	f.sport = uint16(e.flow)
	if !e.data {
		f.uet, f.tos = 8, 46<<2
	}
	f.body = uetHeader(f.uet)
	f.withTelemetry(r, int(e.psn%3), 5)
	f.sized(e.size)
	return f
}

// openTrimmerFabric feeds the trimmer with the packets that pass a switch of the fabric. A packet is to be
// trimmed while the queue of its port is above the bandwidth-delay product, marked above half of it.
func openTrimmerFabric(name string, o *Options) (Source, error) {
	spec, err := FabricSpec(BlockTrimmer, name, o.Seed)
	if err != nil {
		return nil, err
	}
	bdp := int(int64(spec.LinkGbps) * int64(spec.EffectiveBaseRTT()) / 8000)
	return newFeed(BlockTrimmer, name, trimmer.InWords, o, func(f *feed) error {
		const ports = 4
		r := seeded(o.Seed, BlockTrimmer, name, 1)
		var queued [ports]int
		var sizes [ports][]int
		var buf []byte
		var bt beat
		return portsOfFabric(f.ctx, name, o.Seed, ports, func(e *portEvent) bool {
			if e.depart {
				queued[e.port] -= sizes[e.port][0]
				sizes[e.port] = sizes[e.port][1:]
				return !f.enough()
			}
			fr := fabricFrame(&r, e)
			buf = fr.bytes(&r, buf)
			trim := e.data && queued[e.port]+len(buf) > bdp
			ce := e.ect && queued[e.port] > bdp/2
			queued[e.port] += e.size
			sizes[e.port] = append(sizes[e.port], e.size)
			beats(&r, &bt, buf, false, func(i int, b *beat) {
				if w := f.put(laneRx, 0, !b.last); w != nil {
					trimmer.PackRx(&trimmer.Rx{Data: b.data, Keep: b.keep, Last: b.last, Trim: trim, LastHop: e.lastHop, Ce: ce,
						Len: uint16(len(buf)), Tag: uint32(e.flow)}, w)
				}
			})
			return !f.enough()
		})
	})
}

// openIntmdFabric feeds intmd with the packets that pass a switch of the fabric and the counters of its ports.
func openIntmdFabric(name string, o *Options) (Source, error) {
	spec, err := FabricSpec(BlockIntmd, name, o.Seed)
	if err != nil {
		return nil, err
	}
	code := map[int]uint32{25: 0, 50: 1, 100: 2, 200: 3, 400: 4, 800: 5}[spec.LinkGbps]
	return newFeed(BlockIntmd, name, intmd.InWords, o, func(f *feed) error {
		ports := o.Params["NumPorts"]
		r := seeded(o.Seed, BlockIntmd, name, 1)
		sizes := make([][]int, ports)
		var buf []byte
		var bt beat
		for p := range ports {
			if w := f.put(laneIntmdCfg, 0, false); w != nil {
				intmd.PackCfg(&intmd.Cfg{Kind: intmd.KindRateWrite, Port: uint8(p), Data: code}, w)
			}
		}
		report := func(port, tx, q int) {
			if w := f.put(laneCnt, 0, false); w != nil {
				intmd.PackCnt(&intmd.Cnt{Port: uint8(port), Op: intmd.OpAdd, TxBytes: uint32(tx), Qlen: uint32(q)}, w)
			}
		}
		return portsOfFabric(f.ctx, name, o.Seed, ports, func(e *portEvent) bool {
			if e.depart {
				n := sizes[e.port][0]
				sizes[e.port] = sizes[e.port][1:]
				report(e.port, n, -n)
				return !f.enough()
			}
			fr := fabricFrame(&r, e)
			buf = fr.bytes(&r, buf)
			report(e.port, 0, e.size)
			sizes[e.port] = append(sizes[e.port], e.size)
			in := e.src % ports
			beats(&r, &bt, buf, false, func(i int, b *beat) {
				if w := f.put(laneRx, 0, !b.last); w != nil {
					intmd.PackRx(&intmd.Rx{Data: b.data, Keep: b.keep, Last: b.last, Len: uint16(len(buf)), InPort: uint8(in), OutPort: uint8(e.port)}, w)
				}
			})
			return !f.enough()
		})
	})
}

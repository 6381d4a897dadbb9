package gen

import (
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
)

// openIntmdFabric feeds intmd with the packets that leave a switch of the fabric and with the counters of its ports as
// the fabric's own telemetry has them: bytes sent of all classes, bytes waiting of the low one.
func openIntmdFabric(o *Options, name string) (Source, error) {
	spec, err := SwitchSpec(name, o.Seed)
	if err != nil {
		return nil, err
	}
	code := map[int]uint32{25: 0, 50: 1, 100: 2, 200: 3, 400: 4, 800: 5}[spec.LinkGbps]
	return newFeed(intmd.BlockName, name, intmd.InWords, o, func(f *feed) error {
		ports := o.Params["NumPorts"]
		r := seeded(o.Seed, intmd.BlockName, name, 1)
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
			if tx, q := counters(e); tx != 0 || q != 0 {
				if w := f.put(laneCnt, 0, false); w != nil {
					intmd.PackCnt(&intmd.Cnt{Port: uint8(e.port), Op: intmd.OpAdd, TxBytes: uint32(tx), Qlen: uint32(q)}, w)
				}
			}
			if e.kind != fabric.PortDepart {
				return !f.enough()
			}
			e.cut = false // what leaves is cut already
			fr := fabricFrame(&r, e)
			buf = fr.bytes(&r, buf)
			beats(&r, &bt, buf, false, func(i int, b *beat) {
				if w := f.put(laneIntmdRx, 0, !b.last); w != nil {
					intmd.PackRx(&intmd.Rx{Data: b.data, Keep: b.keep, Last: b.last, Len: uint16(len(buf)), InPort: uint8(e.in), OutPort: uint8(e.port)}, w)
				}
			})
			return !f.enough()
		})
	})
}

// counters returns by how much the event moves the bytes sent and the bytes of the low class that wait.
func counters(e *portEvent) (tx, queue int) {
	low := e.class == egress.ClsLow
	switch {
	case e.kind == fabric.PortArrive && low:
		queue = e.size
	case e.kind == fabric.PortTrim:
		queue = -int(e.packet.Nominal)
	case e.kind == fabric.PortDrop && low:
		queue = -e.size
	case e.kind == fabric.PortDepart:
		tx = e.size
		if low {
			queue = -e.size
		}
	}
	return tx, queue
}

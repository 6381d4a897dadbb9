// Package intmd turns the packets that leave simulated switches, and the counters of their ports, into the inputs of
// the block intmd.
package intmd

import (
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Sources lists the sources fabric:NAME of intmd.
var Sources = simulations.Simulated("N", open)

// simulations are those of any switch, and those whose senders read what this block writes.
var simulations = append(slices.Clone(fabric.Switch), fabric.Telemetered...)

// Input streams of intmd.
const laneRx, laneCnt, laneCfg = 0, 1, 2

// open feeds intmd with the packets that leave the switches of the fabric and with the counters of their ports as
// the fabric's own telemetry has them: bytes sent of all classes, bytes waiting of the low one.
func open(o *stim.Options, spec settings.Spec, name, part string) (stim.Source, error) {
	code := map[units.Gbps]uint32{25: 0, 50: 1, 100: 2, 200: 3, 400: 4, 800: 5}[spec.LinkGbps]
	ports := o.Params["NumPorts"]
	x := &leaving{}
	return fabric.NewFeed(fabric.SwitchBlock{Schema: intmd.Schema(), Ports: ports,
		Begin: func(f *fabric.Feed) func(*fabric.PortEvent) {
			if w := f.Put(laneCfg, 0, false); w != nil {
				intmd.PackCfg(&intmd.Cfg{Kind: intmd.KindCfgWrite, Addr: intmd.RegMode, Data: modeOf(spec.INT)}, w)
			}
			for p := range ports {
				if w := f.Put(laneCfg, 0, false); w != nil {
					intmd.PackCfg(&intmd.Cfg{Kind: intmd.KindRateWrite, Port: uint8(p), Data: code}, w)
				}
			}
			return func(e *fabric.PortEvent) { x.put(f, e) }
		}}, name, spec, o, part)
}

// leaving turns the events at a switch's ports into counts and into the packets that leave.
type leaving struct {
	buf []byte
	bt  frame.Beat
}

func (x *leaving) put(f *fabric.Feed, e *fabric.PortEvent) {
	if tx, q := counters(e); tx != 0 || q != 0 {
		if w := f.Put(laneCnt, 0, false); w != nil {
			intmd.PackCnt(&intmd.Cnt{Port: e.Port, Op: intmd.OpAdd, TxBytes: uint32(tx), Qlen: uint32(q)}, w)
		}
	}
	if e.Kind != net.PortDepart {
		return
	}
	e.Cut = false // what leaves is cut already
	fr := fabric.Frame(&f.Rand, e)
	x.buf = fr.Bytes(&f.Rand, x.buf)
	frame.Beats(&f.Rand, &x.bt, x.buf, false, func(i int, b *frame.Beat) {
		if w := f.Put(laneRx, 0, !b.Last); w != nil {
			intmd.PackRx(&intmd.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Len: uint16(len(x.buf)), InPort: e.In,
				OutPort: e.Port}, w)
		}
	})
}

// modeOf returns which packets get an entry: those that the run's senders read, and where they read none, all.
func modeOf(in settings.INTMode) uint32 {
	const acks, data = 1, 2
	switch in {
	case settings.INTAck:
		return acks
	case settings.INTData:
		return data
	}
	return acks | data
}

// counters returns by how much the event moves the bytes sent and the bytes of the low class that wait.
func counters(e *fabric.PortEvent) (tx, queue int) {
	low := e.Class == egress.ClsLow
	switch {
	case e.Kind == net.PortArrive && low:
		queue = int(e.Size)
	case e.Kind == net.PortTrim:
		queue = -int(e.Nominal)
	case e.Kind == net.PortDrop && low:
		queue = -int(e.Size)
	case e.Kind == net.PortDepart:
		tx = int(e.Size)
		if low {
			queue = -int(e.Size)
		}
	}
	return tx, queue
}

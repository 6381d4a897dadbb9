package trimmer

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
	"github.com/goldwire/goldwire/vectors/stim/traffic"
)

// openFabric feeds the trimmer with the packets that leave a switch of the fabric, cut and marked as that
// switch decided.
func openFabric(o *stim.Options, name string) (stim.Source, error) {
	spec, err := traffic.Switch.Spec(name, o.Seed)
	if err != nil {
		return nil, err
	}
	// A switch with shallow queues, which cuts balanced traffic now and then, too.
	spec.TrimAt, spec.TrimAtLastHop, spec.KMin, spec.KMax = 0.015, 0.02, 0.005, 0.012
	return traffic.NewFeed(trimmer.BlockName, name, trimmer.InWords, o, func(f *traffic.Feed) error {
		r := stim.Seeded(o.Seed, trimmer.BlockName, name, 1)
		var buf []byte
		var bt frame.Beat
		return traffic.Ports(f.Context, spec, trimmerPorts, func(e *traffic.PortEvent) bool {
			if e.Kind != net.PortDepart {
				return true
			}
			fr := traffic.Frame(&r, e)
			buf = fr.Bytes(&r, buf)
			frame.Beats(&r, &bt, buf, false, func(i int, b *frame.Beat) {
				if w := f.Put(laneRx, 0, !b.Last); w != nil {
					trimmer.PackRx(&trimmer.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Trim: e.Cut,
						LastHop: e.LastHop, Ce: e.Packet.CE,
						Len: uint16(len(buf)), Tag: uint32(e.Packet.Flow)}, w)
				}
			})
			return !f.Enough()
		})
	})
}

// trimmerPorts is the number of ports whose packets a trimmer meets: those of a top-of-rack switch.
const trimmerPorts = 8

package gen

import (
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// openTrimmerFabric feeds the trimmer with the packets that leave a switch of the fabric, cut and marked as that
// switch decided.
func openTrimmerFabric(o *Options, name string) (Source, error) {
	spec, err := SwitchSpec(name, o.Seed)
	if err != nil {
		return nil, err
	}
	// A switch with shallow queues, which cuts balanced traffic now and then, too.
	spec.TrimAt, spec.TrimAtLastHop, spec.KMin, spec.KMax = 0.015, 0.02, 0.005, 0.012
	return newFeed(trimmer.BlockName, name, trimmer.InWords, o, func(f *feed) error {
		r := seeded(o.Seed, trimmer.BlockName, name, 1)
		var buf []byte
		var bt beat
		return portsOfFabric(f.ctx, spec, trimmerPorts, func(e *portEvent) bool {
			if e.kind != fabric.PortDepart {
				return true
			}
			fr := fabricFrame(&r, e)
			buf = fr.bytes(&r, buf)
			beats(&r, &bt, buf, false, func(i int, b *beat) {
				if w := f.put(laneTrimmerRx, 0, !b.last); w != nil {
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

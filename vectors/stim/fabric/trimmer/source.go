// Package trimmer turns the packets that leave simulated switches into those that the block trimmer gets.
package trimmer

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// Sources lists the sources fabric:NAME of trimmer.
var Sources = fabric.Switch.Simulated("N", open)

// Input streams of trimmer.
const laneRx = 0

// open feeds the trimmer with the packets that leave the switches of the fabric, cut and marked as each switch decided.
func open(o *stim.Options, spec settings.Spec, name, part string) (stim.Source, error) {
	// Switches with shallow queues, which cut balanced traffic now and then, too.
	spec.TrimAt, spec.TrimAtLastHop, spec.KMin, spec.KMax = 0.015, 0.02, 0.005, 0.012
	var buf []byte
	var bt frame.Beat
	return fabric.NewFeed(fabric.SwitchBlock{Schema: trimmer.Schema(), Ports: trimmerPorts,
		Begin: func(f *fabric.Feed) func(*fabric.PortEvent) {
			return func(e *fabric.PortEvent) {
				if e.Kind != net.PortDepart {
					return
				}
				fr := fabric.Frame(&f.Rand, e)
				buf = fr.Bytes(&f.Rand, buf)
				frame.Beats(&f.Rand, &bt, buf, false, func(i int, b *frame.Beat) {
					if w := f.Put(laneRx, 0, !b.Last); w != nil {
						trimmer.PackRx(&trimmer.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Trim: e.Cut,
							LastHop: e.LastHop, Ce: e.CE,
							Len: uint16(len(buf)), Tag: uint32(e.Flow)}, w)
					}
				})
			}
		}}, name, spec, o, part)
}

// trimmerPorts is the number of ports whose packets a trimmer meets: those of a switch.
const trimmerPorts = 8

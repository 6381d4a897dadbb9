// Package fabric turns the simulated network into sources. NICSource serves the blocks of a NIC, which see the events
// of their contexts. Feed serves the blocks of a switch, which see the packets that enter and leave the ports of every
// switch, one switch per episode. Simulations run in their own goroutine, ahead of the reader. Each block has a folder
// below, which converts what the network shows; nothing else of vectors imports golden.
//
//	spec, err := fabric.Switch.Spec("incast32", seed)
//	src, err := fabric.NewFeed(fabric.SwitchBlock{Schema: egress.Schema(), Ports: 8,
//		Begin: func(f *fabric.Feed) func(*fabric.PortEvent) {
//			return func(e *fabric.PortEvent) { f.Put(lane, 0, false)[0] = uint64(e.Port) }
//		}}, "incast32", spec, o, "")
package fabric

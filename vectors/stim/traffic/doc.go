// Package traffic turns the simulated network into sources. NICSource serves the blocks of a NIC, which see the events
// of their contexts. Feed serves the blocks of a switch, which see the packets that enter and leave the ports of every
// switch, one switch per episode. Simulations run in their own goroutine, ahead of the reader.
//
//	spec, err := traffic.Switch.Spec("incast32", seed)
//	src, err := traffic.NewFeed(traffic.SwitchBlock{Name: "egress", Words: words, Ports: 8,
//		Begin: func(f *traffic.Feed) func(*traffic.PortEvent) {
//			return func(e *traffic.PortEvent) { f.Put(lane, 0, false)[0] = uint64(e.Port) }
//		}}, "incast32", spec, o, "")
package traffic

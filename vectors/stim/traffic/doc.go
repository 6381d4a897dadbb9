// Package traffic turns the simulated network into sources: NICSource for the blocks of a NIC, which see what happens
// in their contexts, and Feed with Ports for the blocks of a switch, which see the packets that enter and leave the
// ports of a top-of-rack switch. The simulation runs in a goroutine of its own, batches ahead of its reader.
//
//	spec, err := traffic.SwitchSpec("incast32", seed)
//	src, err := traffic.NewFeed(block, "incast32", words, o, func(f *traffic.Feed) error {
//		return traffic.Ports(f.Context, spec, ports, func(e *traffic.PortEvent) bool { ...; return !f.Enough() })
//	})
package traffic

// Package units converts what the simulated network has in SI units, picoseconds and multiples of the BDP to what
// the blocks have at their ports: registers, time stamps in ticks, events.
//
//	g, err := exact.Constants(units.ContextSI(cfg, 128))
//	file := units.RegisterFile(&g)              // of ccc, by address
//	err = units.CCCEvent(tap, ctx, 1000, &ev)   // an event of the network as one of ccc
//	rules, err := units.EgressRules(spec)       // registers of egress, by address
//
// It knows the registers of a block and no model of it.
package units

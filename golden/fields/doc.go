// Package fields converts what the simulated network has in SI units, picoseconds and multiples of the BDP to what
// the blocks have at their ports: registers, time stamps in ticks, events.
//
//	g, err := exact.Constants(fields.ContextSI(cfg, fields.NSCC, 128))
//	file := fields.RegisterFile(&g)              // of ccc, by address
//	err = fields.CCCEvent(tap, ctx, 1000, &ev)   // an event of the network as one of ccc
//	rules, err := fields.EgressRules(spec)       // registers of egress, by address
//
// It knows the registers of a block, but no model of it.
package fields

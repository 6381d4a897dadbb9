// Package timing has the directed cases about ports, hazards and resets that blocks with keyed events have in common:
// full rate, every distance between two events of one key, every kind after every kind, held-back responses, resets in
// the sweep and with events in flight. A block defines how its events are written (Keyed).
//
//	cases := append(timing.Ports(schema, newKeyed), timing.Resets(schema, newKeyed)...)
package timing

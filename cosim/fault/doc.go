// Package fault measures what a co-simulation is worth: it plants faults in copies of the RTL, one at a
// time, and counts those that a run finds.
//
// There are two classes. Hand-written faults (catalog/<block>.yaml) break one rule of the contract each, the
// way a designer might. Drawn faults come from a seeded generator over every statement of every module of
// the block (package sv finds them), but for what belongs to a block inside it that has faults of its own: operators swapped, constants off by one, conditions negated, arms of a
// choice swapped, registers held, bits stuck, wrong codes, part-selects shifted, the wrong signal of the same
// width.
//
//	d, err := fault.Load(root, "ccc")
//	faults := d.Draw(1)[:200]
//	dir, err := d.Plant(faults[16], "/tmp/rtl")   // a whole copy with this fault and no other
//
// Building each copy would take hours. A campaign builds one copy that holds all of them, each behind a guard
// on a number that the simulator takes on its command line (mutant schemata); only a fault that no guard can
// hold, such as a parameter, has a build of its own. Statements are guarded as a whole, by an if, so that no
// width or sign of the original expression depends on the guard.
//
// A fault that no stimulus finds is a survivor. Each has an argument in survivors.yaml why it is equivalent,
// keyed by the text of the fault: when the RTL changes, the argument goes stale, which is an error.
package fault

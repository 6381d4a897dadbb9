// Package fault measures how many errors a co-simulation finds: it plants faults in copies of the RTL, one at a time,
// and counts those that a run catches.
//
// There are two classes. Each hand-written fault (catalog/<block>.yaml) breaks one rule of the contract, as a designer
// might. Drawn faults come from a seeded generator over every statement of every module of the block (package sv finds
// them), except in inner blocks that have their own catalogue: operators swapped, constants off by one, conditions
// negated, arms of a choice swapped, registers held, bits stuck, wrong codes, part-selects shifted, the wrong signal of
// the same width.
//
//	d, err := fault.Load(root, "ccc")
//	faults := d.Draw(1)[:200]
//	dir, err := d.Plant(faults[16], "/tmp/rtl") // a whole copy with only this fault
//
// Building each copy would take hours. A campaign builds one copy with all faults, each behind a guard that tests a
// number from the simulator's command line (mutant schemata). Only a fault that cannot be guarded, such as a parameter,
// has a separate build. An if guards a whole statement, so no width or sign of the original expression depends on the
// guard.
//
// A fault that no stimulus finds is a survivor. For each survivor, survivors.yaml holds an argument why it is
// equivalent, keyed by the text of the fault. When the RTL changes, the argument goes stale, which is an error.
package fault

// Package dut knows which blocks there are and how to make the golden twin of each. A twin and a device
// behind the bridge are driven with the same packed cycle records, so that the rest of the harness never
// names a block.
//
//	k, err := dut.Lookup("ccc")
//	twin, err := k.NewTwin(map[string]int{"NumContexts": 64})
//	twin.Cycle(in, out)
package dut

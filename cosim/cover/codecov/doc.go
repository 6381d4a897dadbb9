// Package codecov reads, merges and shows the code coverage of designs: lines and branches as Verilator counts them,
// and toggles of ports and registers as the shell of the simulator samples them. All are points of one file, in
// Verilator's format, which verilator_coverage reads too; a comment in it names the build that it is of.
//
//	a, err := codecov.ReadFile("one.dat")
//	b, err := codecov.ReadFile("two.dat")
//	all, err := codecov.Merge(a, b) // an error for two builds of a block
//	fmt.Print(all.Text())
//
// Counting lines makes a simulation three to four times as slow, so that a run plays only the beginnings of its
// episodes over again on a build that does: a line may have been executed later, and none is made up. Directed cases
// are counted whole.
//
// A toggle is counted once a run, from the second change of its bit on: the value before the first may be one that the
// simulator drew. The shell looks at every cycle of the first 256 of an episode and then at one of 31, so a toggle
// may be missed and is never made up.
package codecov

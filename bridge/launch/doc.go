// Package launch builds the Verilated DUT of a block and starts it.
//
//	bin, err := launch.Build(ctx, launch.BuildSpec{Root: ".", Block: "ccc"})
//	p, err := launch.Spawn(ctx, bin, launch.DefaultSpawnSpec(), verify)
//
// A build is a directory under build/dut named by the block, a hash over the request (known sources, shell, flags,
// tools, processor) and a hash over everything that it was made from. The file "complete" in it, its stamp, lists the
// latter: every file that Verilator, the C++ compiler, the linker and make report to have read, with its content; the
// names that a search would have found before one of those; the variables of the environment that a part of the build
// names; and the binary's own sum. A build is used only while all of it holds. A build during which a file changes is
// not stamped: it is tried again, and is an error if the files keep changing. The same inputs never build twice, not
// even from two processes at once.
//
// Folders and programs carry the name of the process that made them (see owner.go). The next process kills and removes
// what a killed one left behind.
package launch

// Package launch builds the Verilated DUT of a block and starts it.
//
//	bin, err := launch.Build(ctx, launch.BuildSpec{Root: ".", Block: "ccc"})
//	p, err := launch.Spawn(ctx, bin, launch.DefaultSpawnSpec(), verify)
//
// A build is a directory under build/dut named by the block and a hash over everything it was made from:
// sources, shell, flags, tool versions and the processor it was tuned for. The same inputs never build
// twice, also not from two processes at once.
package launch

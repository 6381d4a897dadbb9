// Package affected finds the runs of a stage that a change can affect. It fingerprints the files that a run depends on,
// at a revision and in the working tree; a run whose two fingerprints are equal need not be repeated.
//
//	unchanged, err := affected.Unchanged(ctx, root, "origin/main", runs)
//	unchanged.Inputs["egress-all.random.seed1"] // fingerprint, "" for a run that must be run
//
// What a co-simulation of one of our blocks depends on:
//
//   - the modules that its top instantiates, through any number of others, found by name in hdl/rtl, and the generated
//     types, constants and ports of hdl/gen that they mention
//   - the folders of its model, schema and contract, stimulus and coverage, and those of other blocks that they import
//   - every file that its command line names
//   - everything else in the repository, as harness
//
// Only tests (_test.go), LICENSE, and Markdown that is not beside a schema are left out. A block's folder also counts
// as harness if a package outside the blocks imports it. A run of another kind, or of a dut.yaml, depends on
// everything. In doubt, nothing is unchanged: without git, or with links, submodules or ignored files outside build/ in
// the tree, there is an error and no fingerprint.
package affected

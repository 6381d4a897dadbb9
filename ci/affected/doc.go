// Package affected finds the runs of a stage that a change can affect: it fingerprints the files that a run depends on,
// at a revision and in the working tree, and a run whose two fingerprints are equal need not be run again.
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
// Left out are only tests (_test.go), LICENSE, and Markdown that is not beside a schema. The folder of a block is
// harness as well when a package that is not of a block imports it. A run of another kind, or of a dut.yaml, depends on
// everything. When in doubt, nothing is unchanged: without git, or with links, submodules or ignored files outside of
// build/ in the tree, there is an error and no fingerprint.
package affected

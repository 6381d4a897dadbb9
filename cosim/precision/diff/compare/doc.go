// Package compare holds two sides of goldwire diff compare against each other: tables of formats, stored baselines,
// vector files and revisions of the tree, on the same stimulus, and prints what came of it.
//
//	res, err := compare.Run(ctx, &compare.Spec{A: "cosim/precision/diff/testdata/ccc.json", B: "contract"})
//	err = res.WriteText(os.Stdout)
//	failed := res.Failed()
package compare

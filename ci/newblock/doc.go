// Package newblock tests that a block costs what README "Adding a block" lists and nothing else: testdata/toy holds a
// small block as those files, and the test adds it to a copy of the tree, builds the command and runs it.
package newblock

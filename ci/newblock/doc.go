// Package newblock tests that adding a block takes what "Adding a block" of CONTRIBUTING lists and nothing else.
// testdata/toy holds the files of a small block; the test adds them to a copy of the tree, builds the command and runs
// it.
package newblock

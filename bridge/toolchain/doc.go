// Package toolchain holds what differs between the versions of the tools that Goldwire runs: what each version can do
// (capability.go), and how its messages are read (message.go).
//
//	v, err := toolchain.Parse(toolchain.Verilator, "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)")
//	if toolchain.XMLTree.In(v) { // else --json-only
//
// A message is recognised by what every version prints: file, line, the class of the error, and a few words that have
// not changed. testdata/messages holds what the versions of Debian 12, 13 and unstable print for the same mistakes, so
// that a machine with one version tests them all.
package toolchain

// Package builtin holds the files of the repository that commands read while they run. They are built into the program,
// which therefore works in any folder. Verilator and the C++ compiler need them on disk: Open unpacks them.
//
//	root, err := builtin.Open() // ~/.cache/goldwire/files-3f0c9d2b71e845aa
//
// The folder carries the hash of the files in its name, belongs to the user alone, and appears with all its files or
// not at all. Each Open compares every file with the program's, and launch compares what each build has read: a folder
// that was changed is refused, because its RTL would pass for the program's. Builds go into its folder build/, which is
// the only one that may change.
package builtin

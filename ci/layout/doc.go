// Package layout holds the rules of the tree that the compiler does not enforce: which package may import which, what
// the top level may contain, how long a file and a line may be, how many files a package and how many methods a type
// may have, and that shared code and the C++ shell name no block. Violations older than their rule are counted in
// known.go. The tests apply the rules to this tree.
//
//	problems := layout.Imports(pkgs)   // one line each, naming package, import and rule
package layout

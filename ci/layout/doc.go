// Package layout holds the rules of the tree that the compiler does not enforce: which package may import which, what
// the top level may contain, how long a file and a line may be, how many files a package and how many methods a type
// may have, and that shared code and the C++ shell name no block. What broke a rule before there was one is counted in
// known.go. Its tests apply them to this tree.
//
//	problems := layout.Imports(pkgs)   // one line each, naming package, import and rule
package layout

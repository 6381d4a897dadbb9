// Package layout holds the rules of the tree that the compiler does not enforce: which package may import which, what
// the top level may contain, how long a file may be, and that the C++ shell names no block. Its tests apply them to
// this tree.
//
//	problems := layout.Imports(pkgs)   // one line each, naming package, import and rule
package layout

// Package ci is what continuous integration runs: the tool installer (tools) and the rules of the tree
// (layout). Nothing imports it.
package ci

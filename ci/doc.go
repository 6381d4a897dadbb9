// Package ci is what continuous integration runs: verification plans (plan), the campaigns of their stages (campaign),
// the tool installer (tools), the rules of the tree (layout). Only the commands import it.
package ci

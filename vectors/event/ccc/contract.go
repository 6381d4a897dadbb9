package ccc

import _ "embed"

//go:embed contract.md
var contractText string

// Contract returns the text of contract.md.
func Contract() string { return contractText }

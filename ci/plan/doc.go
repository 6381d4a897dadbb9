// Package plan reads verification plans: which rule of a contract is shown by which bins and directed cases
// (testpoints), which runs hit them (tests), and when those are run (stages). Check holds a plan against the contracts
// and the coverage of the blocks, so that no rule and no bin is left out unseen; Runs turns a stage into single runs.
// goldwire.yaml is the project's own plan.
package plan

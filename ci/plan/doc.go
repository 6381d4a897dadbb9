// Package plan reads verification plans: which bins and directed cases show each rule of a contract (testpoints), which
// runs hit them (tests), and when those are run (stages). Check compares a plan with the contracts and the coverage of
// the blocks, so that no rule and no bin is left out unnoticed; Runs turns a stage into single runs.
// goldwire.yaml is the project's own plan.
package plan

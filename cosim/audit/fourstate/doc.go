// Package fourstate drops each reset of a block's RTL, one at a time, and plays the block's exported bench on the copy
// in Icarus Verilog, where a register without a reset is unknown (X) until it is written.
//
// The bench compares with ===: every valid and ready in every cycle, payload while its valid is high. It drives X on
// the payload of a stream whose valid is low. The RTL itself must pass first.
package fourstate

// Package beats is what the models of the blocks that let packets pass have in common: the way of
// the beats through FIFO, store and output stage, the numbering and release of a packet's beats, the
// cfg stream beside them, and the bytes of a beat. What becomes of a packet is the block's own.
//
// Source: vectors/event/trimmer/contract.md and vectors/event/intmd/contract.md, "Beats" and
// "Timing".
package beats

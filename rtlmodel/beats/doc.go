// Package beats holds what the models of the packet blocks share: the path of the beats through FIFO, store and output
// stage, the numbering and release of a packet's beats, the cfg stream beside them, and the bytes of a beat. Each block
// decides for itself what to do with a packet.
//
// Source: vectors/event/trimmer/contract.md and vectors/event/intmd/contract.md, "Beats" and
// "Timing".
package beats

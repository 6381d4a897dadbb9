// Package ackparse is the stimulus of the block ackparse: acknowledgements, NACKs and control packets, damaged and
// sound, other packets among them, and accesses to registers and counters.
package ackparse

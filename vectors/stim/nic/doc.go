// Package nic makes the stimulus of the block nic: a host with messages, templates and commands for every part, sources
// that send to it, and destinations that acknowledge, refuse, lose and repeat.
//
// Most of a random episode is what the random sources of the blocks inside give, mixed and rewritten for the ports of
// the NIC: a record becomes the frame that holds it, an event of a block becomes the command that causes it.
package nic

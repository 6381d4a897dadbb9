// Package txpdc makes the stimulus of the block txpdc: a host with messages, destinations that acknowledge, refuse,
// lose and repeat, and a congestion control that lets contexts send.
package txpdc

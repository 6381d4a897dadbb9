// Package ackgen makes the stimulus of the block ackgen: requests and control packets of sources that lose, reorder,
// repeat and trim them, and what no source should send.
package ackgen

//go:build amd64 || arm64

package client

// pause tells the processor that this is a spin loop: less power, and more of a shared core for the peer.
//
//go:noescape
func pause()

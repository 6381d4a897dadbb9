//go:build !amd64 && !arm64

package client

func pause() {}

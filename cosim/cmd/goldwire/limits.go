//go:build cgo

package main

// limits.c is linked in: it runs before the Go runtime.

import "C"

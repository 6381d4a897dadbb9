//go:build cgo

package main

// limits.c is linked in: it runs before the Go runtime.

// void goldwire_stderr_done(void);
import "C"

// stderrDone waits until everything printed to stderr has been written. Nothing can be printed afterwards.
func stderrDone() { C.goldwire_stderr_done() }

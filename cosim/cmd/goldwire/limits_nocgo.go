//go:build !cgo

package main

func stderrDone() {}

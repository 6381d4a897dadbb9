//go:build !cgo

package main

const limitsChecked = false

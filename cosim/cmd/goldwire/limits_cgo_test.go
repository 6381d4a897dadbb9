//go:build cgo

package main

const limitsChecked = true

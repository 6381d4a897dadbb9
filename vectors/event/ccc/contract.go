package ccc

import (
	_ "embed"

	"github.com/goldwire/goldwire/vectors/event/formats"
)

//go:embed contract.md
var contractText string

// Contract returns the text of contract.md.
func Contract() string { return contractText }

//go:embed formats.yaml
var formatsText []byte

// Formats returns the number formats that contract.md gives the block, a new copy at each call.
func Formats() *formats.Table {
	t, err := formats.Parse(formatsText, Schema())
	if err != nil {
		panic(err) // a test parses the embedded text
	}
	return t
}

// StateLen returns the number of words that the state of a context with so many slots has, a last_rcvd for each slot.
func StateLen(slots int) int { return NumWords - 1 + slots }

// StateAt returns the address of the i-th of these words, and its slot, 0 for a word that has none.
func StateAt(i, slots int) (addr, slot int) {
	switch {
	case i < WordLastRcvd:
		return i, 0
	case i < WordLastRcvd+slots:
		return WordLastRcvd, i - WordLastRcvd
	}
	return i - slots + 1, 0
}

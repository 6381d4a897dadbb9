// Package vcd reads dumps of signals, value change dumps of IEEE 1364, and writes others with further signals in them.
//
//	r, closeFile, err := vcd.Open("failing.vcd")
//	for err == nil {
//		time, more, e := r.Next()
//		...
//		r.Value(id)
//	}
//
// Merge copies a dump and adds signals that a program knows: numbers, and texts, which GTKWave and Surfer both show.
// A text has no space in it, because readers disagree on how one is escaped.
package vcd

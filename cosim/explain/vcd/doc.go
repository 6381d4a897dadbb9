// Package vcd reads dumps of signals (value change dumps, IEEE 1364) and writes copies with more signals.
//
//	r, closeFile, err := vcd.Open("failing.vcd")
//	for err == nil {
//		time, more, e := r.Next()
//		...
//		r.Value(id)
//	}
//
// Merge copies a dump and adds signals that a program knows: numbers, and texts, which GTKWave and Surfer both show.
// A text does not contain spaces, because readers disagree on how to escape them.
package vcd

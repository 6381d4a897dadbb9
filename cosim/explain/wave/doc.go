// Package wave writes a file for a waveform viewer that shows where a design differs from its reference: the signals of
// the design, the expected outputs, a track of the differences, the events and responses as text, and the state of the
// context concerned. It knows a block only by its schema.
//
//	w := wave.New(block)
//	for each cycle {
//		w.Cycle(&wave.Cycle{N: n, In: in, Got: got, Want: want, Known: all, Compared: compared})
//	}
//	files, err := w.Write("build/ccc-random-7.vcd", dump, cursor)
//
// # Tracks
//
// All are in the scope goldwire, in the order of the schema:
//
//	difference  any, and one for each output: 1 differs, 0 agrees, x was not compared. text: the differences, as text
//	events      the events that each input stream took, as text
//	expected    the expected outputs; x where they are not known
//	design      the outputs of the design; x after it has stopped
//	input       the inputs
//	responses   the valid responses on each output stream as text: those expected, and those of the design
//	state       the state words of a context, in fields; x where no model shows them
//
// The scope TOP beside it is the design. A cycle takes 1,000 units of time; the clock rises after 500.
//
// A difference track is never 0 by default: a bit counts as compared only if a judge compared it. A file in which
// nothing was compared shows x throughout.
//
// The package also writes a save file for GTKWave (.gtkw) with a translation of codes for each enum, commands for
// Surfer (.sucl) and its mappings of the same codes (.surfer/mappings), which it reads when it is started in that
// folder.
package wave

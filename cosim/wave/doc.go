// Package wave writes a file for a viewer of waveforms that shows where a design and what supplies expected values
// differ: the signals of the design, and beside them what was expected, a track of the differences, the events and
// responses in words, and the state of the context concerned. It knows a block only by its schema.
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
//	difference  any, and one for each output: 1 differs, 0 agrees, x was not compared. text: what differs, in words
//	events      what each input stream took, in words
//	expected    the outputs as they should be; x where nothing is known
//	design      the outputs as the design gave them; x once it runs no further
//	input       the inputs
//	responses   what is valid on each output stream, in words: as expected, and as the design gave it
//	state       the state words of a context, in fields; x where no model shows them
//
// The scope TOP beside it is the design. A cycle takes 1,000 units of time; the clock rises after 500.
//
// A track of the differences is never 0 by default: a bit counts as compared only where a judge looked at it, so a file
// in which nothing was compared shows x throughout.
//
// Beside the file stand a save file for GTKWave (.gtkw) with a translation of codes for each enum, commands for Surfer
// (.sucl) and its mappings of the same codes (.surfer/mappings), which it reads when it is started in that folder.
package wave

// Package planted measures how good the tests of the congestion controls are: it plants small changes in the rules of a
// control, one at a time, and counts those that the control's own tests and scenarios catch.
//
//	cs, err := planted.Controls(root)             // one for each folder of golden/cc with rules
//	rep, err := planted.Measure(ctx, root, cs[0], planted.Options{Count: 40, Workers: 2})
//	rep.WriteText(os.Stdout)                      // a line for each survivor, and the sum
//
// From the command line, for all controls or some of them:
//
//	make planted                                  # 40 changes for each control; ARGS="-n 0 swift" plants all of one
//
// A change is a constant that differs a little, a comparison that is shifted or turned round, an operator or two
// operands exchanged, two statements or cases in the other order, an assignment, a guard or a clamp left out. The file
// on disk is never touched: the go command reads the changed text through -overlay. Rules are all functions and
// constants of the control's folder but those that list, check or name something (Fields, Validate, String).
//
// # Verdicts
//
//   - caught: a test of the folder fails, or a scenario of golden/cc/play does.
//   - endless: the tests took 30 s or 2 GB, as of an endless loop. It counts as caught and is shown apart.
//   - not compiled: it counts neither way, and another change takes its place.
//   - survived: everything passes. Changes that alter no result are listed in equivalent.txt, each with a reason; they
//     are not drawn, and one that a test catches after all is an error.
//
// Which changes are drawn depends on the seed and on the text of each change alone, so an edit of one rule leaves the
// others of the draw as they are. Nothing is measured when the tests do not pass without a change: that is an error.
package planted

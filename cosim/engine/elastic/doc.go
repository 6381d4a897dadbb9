// Package elastic compares a device that keeps its own time with what it should answer: transfer by
// transfer, not cycle by cycle.
//
// The device's own ready decides which events are accepted, and when. Each accepted event goes to an
// Expect, which gives the responses that are owed for it, at its own pace. What the device answers is
// matched with what is owed: in order on each stream, or in order among the responses with the same value
// of one field.
//
//	out, err := elastic.Play(ctx, dev, exp, episode, spec)
//	if err == nil && out.Finding != nil {
//		fmt.Println(out.Finding.Kind, out.Finding.Cycle)
//	}
//
// # The two sides
//
// A Device steps cycles on packed records; a session of bridge/client is one. An Expect takes packed events
// and yields packed responses; the model of a block is one (NewModel), and so can be a second device, a file
// of vectors, or a program on a socket. Every Expect keeps these rules:
//
//   - Reset is called with the device's reset and before the first event: what was accepted and not answered is
//     forgotten on both sides.
//   - Accept gets the transfers in the order in which the device accepted them, streams of one cycle in the
//     order of the schema and marked as a pair. It must not keep the words, which belong to the caller.
//   - Next is asked only when the device has shown a response, the episode is over, or a reset waited until the
//     device was silent. It waits as long as its source needs, and returns false only when nothing is owed for what
//     was accepted so far.
//
// A reset loses what is under way on both sides, and with it a response that would never have come. So half of
// the resets, drawn from the episode's name, and each before which the device had Spec.Flush cycles to answer,
// wait for what is owed.
//
// A response may show in the cycle in which its event is accepted: a design may be combinational. A response before any
// event was accepted belongs to none. ProbeReset asks, before anything is judged, whether the reset holds the design: a
// valid that shows in reset or right after it would be credited to the first event.
//
// # Several input streams
//
// Each stream offers its events by itself (stim.DriveSpec.ByLane), and the device decides in which order it takes
// them. What is owed may depend on that order and, for a design that arbitrates, even on the cycles in which events
// meet. PlayAgainst describes how a second device is held to the decisions of the first: by the same cycles where both
// keep the same time, else by the order of acceptance. The order of acceptance itself, and how long anything takes, are
// not compared: PlayExact does that.
//
// # Tolerances
//
// With a Spec.Judge a response need not be equal bit for bit (see
// cosim/engine/tolerance). With Spec.Resync the state of
// the device is read after each event, by events that are inserted (reads.go), compared, and then taken by the Expect
// (sync.go). A decision that differs is looked for in the states near the one before the event; where one of them gives
// the device's answer, that is what is owed, and the Expect goes on from it.
//
// A finding is data in the Outcome, a device that is stuck included. An error means that the harness or one of
// the sides broke.
package elastic

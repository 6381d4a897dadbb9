// Package cc puts congestion controls behind one interface. A sender gives a Control each event of
// its context and takes from the answer a window, a pacing rate or both, whether it may send, and
// when it wants to be called again. Rows lists the controls that need nothing from outside golden; those in fixed point
// and hardware have Rows of their own.
//
//	row, err := cc.Find("dcqcn", cc.Rows())
//	control, err := row.New(cc.Config{LinkGbps: 100, BaseRTT: 8 * units.Microsecond, ...})
//	out := control.Step(&cc.Event{Kind: cc.KindOpen})
//	if out.CanSend { ... } // at most at out.Rate, and call back at out.Timer
//
// The algorithms are in the packages below, each in its own units and without this interface: nscc, nscc/htsim, mnscc,
// smartt, swift (Swift, LSwift, MSwift), newreno, cubic, dctcp, hpcc (HPCC, FNCC, LHCS), dcqcn, rocc, timely and rccc
// (receiver credit, alone or beside a window). param names parameters and state, sack has a scoreboard and a
// retransmission timer, and play plays hand-written events through one control. A new one needs a package with its
// rules (doc.go, spec.go, state.go, step.go), a file here that translates events, as dcqcn.go, and a row in registry.go
// with what it needs of the network. account (driver.go) counts bytes in flight and those that an ACK newly
// acknowledges, so that only the algorithm is left to write. Outside this folder only the table in golden/README.md
// names it; the commands and their tests take names from Rows.
//
// A control with Losses finds its losses itself and replaces the sender's retransmission timer; packetCC (packets.go)
// does so for windows in packets. A run that does not offer what a control needs is refused, with the setting
// that would.
//
// An ACK with TxValid set, RtxCount 0 and Retx not set has an RTT sample: Time less TxTime. A receiver
// acknowledges several packets at once unless Needs.EveryAck asks for an ACK of each.
package cc

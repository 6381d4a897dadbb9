// Package cc puts congestion controls behind one interface. A sender gives a Control each event of
// its context and takes from the answer a window, a pacing rate or both, whether it may send, and
// when it wants to be called again. Rows lists the controls that need nothing from outside golden;
// those of fixed point and hardware bring a Row of their own.
//
//	row, err := cc.Find("dcqcn", cc.Rows())
//	control, err := row.New(cc.Config{LinkGbps: 100, BaseRTT: 8 * units.Microsecond, ...})
//	out := control.Step(&cc.Event{Kind: cc.KindOpen})
//	if out.CanSend { ... } // at most at out.Rate, and call back at out.Timer
//
// The algorithms are in the packages below, each in its own units and without this interface:
// nscc, nscc/htsim and dcqcn. A new one needs a file here that translates events, and a row in
// registry.go with what it needs of the network; nothing else names it.
package cc

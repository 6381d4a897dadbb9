// Package pathmodel is one long flow over paths of two delays, without a network: what theory has to say about a
// congestion control whose packets are sprayed while some of the paths are slow (seed 002, section II and appendix A).
// No packet is lost, each is acknowledged by itself, and late ones look like losses to a sender that counts
// duplicates.
//
//	s := pathmodel.DefaultSpec()
//	s.Paths = 100                           // one packet in 100 takes the slow path
//	res, err := pathmodel.Run(s, cc.NewReno(nil))
//	res.PerFast                             // packets acknowledged per round trip of a fast path
//	want := pathmodel.Reno(s.Slowness())    // 12.2, the closed form
//
// The control is any of golden/cc, by the same interface as in the simulated network. Closed forms are in theory.go.
package pathmodel

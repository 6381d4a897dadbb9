// Package htsim is NSCC as the public Ultra Ethernet reference simulator
// computes it, which differs from the specification in several places: strict
// comparisons at window ends, truncating stores, 32-bit accumulators that wrap,
// a NACK that reads inflight before its own subtraction.
//
// It exists so that traces recorded from that simulator replay bit for bit. The
// specification's rules are in the parent package and share no code with it.
//
// One text holds the rules for two ways of storing. IntState stores as the simulator does and
// reproduces every recorded value; RealState keeps real numbers and shows what
// the truncations cost.
//
//	p, err := htsim.Config{LinkGbps: 100, NetworkRTT: 14022720,
//		Target: 10517040, MTU: 4150, MSS: 4086}.Params()
//	s := htsim.NewIntState(&p)
//	out := s.Step(&p, &htsim.Event{Kind: htsim.ACK, Time: 14022720,
//		RTT: htsim.DataSample, RawRTT: 14022720, Newly: 4150, InFlight: 174300})
//	fmt.Println(out.Action, out.After.Cwnd)
package htsim

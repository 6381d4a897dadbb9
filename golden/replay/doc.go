// Package replay feeds a recorded trace of a congestion-control sender, row by
// row and open loop, to the golden model and reports every value that differs.
//
// A trace is CSV with a header of 58 named columns, one row per ACK, NACK or
// RTO; eleven columns are inputs, 40 are the outcome that is checked, the rest
// describe the packet. It may be compressed with gzip, xz or zstd, which is
// found from its first bytes. Memory grows with the number of flows, not rows.
//
//	cfg := replay.Config{Profile: "htsim", LinkGbps: 100, NetworkRTTPs: 14022720,
//		TargetPs: 10517040, MTU: 4150, MSS: 4086}
//	rep, err := replay.Replay(ctx, f, cfg)
//	if err != nil { ... }           // unreadable trace or impossible knobs
//	rep.WriteText(os.Stdout)
//	if !rep.Pass { os.Exit(1) }     // a mismatch is data, not an error
//
// A replay runs twice, side by side: in the recorder's integer arithmetic, which must reproduce every value, and in
// real arithmetic, where the actions must be the same and the window must stay within Config.RealTolerance.
package replay

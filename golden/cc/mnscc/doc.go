// Package mnscc is MNSCC in float64: NSCC with the median of its last queueing delays in place of the last one
// (congestion-control.md, section 2). It drives package nscc and changes none of its rules.
//
//	base, spec := nscc.DefaultSpec(), mnscc.DefaultSpec()
//	p, err := base.Params(nscc.Picosecond)
//	s := mnscc.NewState(&p)
//	r := s.OnACK(&spec, &p, &pdc, &nscc.Ack{...}) // of a single packet
//
// Each valid sample lowers base_rtt when it is the least, as in NSCC. Its delay joins a history, of which the newest
// max(min(floor(cwnd/MTU/2), 4), 1), none older than two times base_rtt plus the target, give the median. cwnd is that
// before the ACK. The history is not cleared by a cut.
//
// # Decisions
//
//   - The median stands for the delay in the quadrants, the sizes of the increase, the average delay and quick adapt.
//   - The mark is that of the ACK. An ACK without a valid sample adds nothing and is judged by NSCC's own rule.
//   - NACKs and losses are NSCC's.
package mnscc

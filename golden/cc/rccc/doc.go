// Package rccc is receiver credit as the public reference simulator does it (profile htsim; the specification's own
// pseudo-code is not public). A State is the sender's half, a Pacer the half of a receiving host. Sizes are bytes,
// credit is counted in quanta of 256 bytes.
//
//	spec := rccc.Spec{MaxWnd: 225_000, MTU: 4150}
//	s := rccc.NewState(&spec)                   // speculative credit of one largest window
//	s.OnData(1_000_000)
//	s.OnSend(4150, false, false)                // takes its size, also below 0
//	target := s.Target(&spec, spec.MaxWnd, 1)   // travels in the packet
//
//	p := rccc.NewPacer(units.Gbps(100).PerByte())
//	d := rccc.NewSender(7, spec.MaxWnd)
//	start := p.Target(&d, target)               // the first pull is due now
//	to, wait, ok := p.Next()                    // to.Granted travels to sender 7; the next is due after wait
//	s.OnCredit(&spec, to.Granted)
//
// # Decisions
//
//   - Credit numbers and targets have 24 bits, as on the wire, and are compared modulo 2^24, so a window must be below
//     2 GiB. Both ends begin 4,096 quanta before the wrap, so that runs of any length cross it.
//   - A pull grants up to 64 quanta whatever the packets carry. Four packets' payload would be 63 where that is 4,086
//     bytes; the reference's own counts of pulls are those of 64, which ours meet within 1 %, and of 63 within 2 %.
//   - A sender is in the active list at most once, but joins the idle list each time that its demand is met, as in the
//     reference simulator, up to 128 times. Each of these places is a slow pull: without the repeats a permutation has
//     a fifth fewer pulls than the reference's, and the same completion times.
//   - A credit request counts as a packet of a header's size in the backlog and the window, and takes no credit.
//   - A packet that a timer gives up while its sender speculates is resent from what is left of the speculative credit,
//     as the timer of the reference simulator does.
//   - Data that a sender no longer has leaves the backlog (OnData below 0).
//
// Source: uet-wire.md, section 4.
package rccc

// Package dcqcn is the reaction point of DCQCN in float64: a rate that a congestion notification
// packet (CNP) cuts by half of alpha, and that a timer and a byte counter bring back in three
// phases, fast recovery, additive and hyper increase. Rules and defaults are those of
// congestion-control.md, section 5. Time is picoseconds, rates are Gb/s of bytes on the wire.
//
//	spec := dcqcn.DefaultSpec(100)         // on a link of 100 Gb/s
//	s := dcqcn.NewState(&spec)
//	s.OnCNP(&spec, now)                    // rate 50, target 100, alpha 1
//	s.OnTimer(&spec, s.Next())             // whichever timer is due
//	s.OnSend(&spec, 4096)                  // bytes, for the byte counter
//
// The notification point, which sends CNPs, and RED marking belong to the network: see package
// fabric. So does retransmission; DCQCN assumes that it is rare.
package dcqcn

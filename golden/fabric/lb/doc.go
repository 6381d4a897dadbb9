// Package lb holds the load balancers of a sender: the rules by which a
// connection picks the entropy value of each packet, which the switches hash to
// a path. Each connection has a balancer of its own.
//
//	b, err := lb.New(lb.Bitmap, lb.Config{Paths: 64, Rand: rng})
//	e := b.Next(now)                  // entropy of the next packet
//	b.Feedback(e, lb.ECN, now)        // how it fared
//
// Two kinds leave the choice to others: ECMP keeps one entropy for ever, and AR
// asks the switches to choose (the caller marks the packets; the entropy only
// breaks ties).
//
// # Rationale
//
// The rules are those of the public reference simulator. Where it draws global
// random numbers, a balancer draws from the generator it is given.
package lb

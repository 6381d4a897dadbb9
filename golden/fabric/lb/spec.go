// Package lb holds the load balancers of a sender: the rules by which a connection picks the entropy value of each
// packet, which the switches hash to a path. Each connection has a balancer of its own.
//
//	b, err := lb.New(lb.Bitmap, lb.Config{Paths: 64, Rand: rng})
//	e := b.Next(now)                  // entropy of the next packet
//	b.Feedback(e, lb.ECN, now)        // how it fared
//
// Two kinds leave the choice to others: ECMP keeps one entropy for ever, and AR asks the switches to choose (the caller
// marks the packets; the entropy only breaks ties).
//
// # Rationale
//
// The rules are those of the public reference simulator. Where it draws global
// random numbers, a balancer draws from the generator it is given.
package lb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Kind names a load balancer.
type Kind string

// Load balancers. The empty kind is Oblivious.
const (
	Oblivious Kind = "oblivious" // all paths in turn, in an order drawn anew each turn
	Bitmap    Kind = "bitmap"    // in turn, but paths with penalties are passed over
	REPS      Kind = "reps"      // entropies of clean ACKs are reused
	Mixed     Kind = "mixed"     // recycled entropies first, else bitmap
	OPS       Kind = "ops"       // a random entropy per packet
	ECMP      Kind = "ecmp"      // one entropy per connection
	AR        Kind = "ar"        // the switches choose the shortest queue
)

// Kinds returns every kind in the order of the constants.
func Kinds() []Kind { return []Kind{Oblivious, Bitmap, REPS, Mixed, OPS, ECMP, AR} }

// Parse returns the kind of that name; it errors with the known names.
func Parse(name string) (Kind, error) {
	if slices.Contains(Kinds(), Kind(name)) {
		return Kind(name), nil
	}
	names := strings.Trim(strings.ReplaceAll(fmt.Sprint(Kinds()), " ", ", "), "[]")
	return "", fmt.Errorf("load balancer %q: want one of %s", name, names)
}

// Feedback is the fate of a packet.
type Feedback uint8

// Feedback to a balancer.
const (
	Good Feedback = iota
	ECN
	Nack
	Timeout
)

// Config is what a balancer is made with.
type Config struct {
	// Paths is the number of entropies in use, a power of two up to 2^15.
	Paths int
	// Label holds the connection's own entropy bits above those of the paths.
	Label uint16
	// Rand is drawn from as needed; connections may share it.
	Rand *rand.PCG
	// Freeze is how long, in picoseconds, a timeout keeps REPS to its cache.
	Freeze int64
}

// Balancer chooses the entropies of one connection. Times are picoseconds and never fall. Calls allocate nothing.
type Balancer interface {
	// Next returns the entropy of the packet about to be sent.
	Next(now int64) uint16
	// Probe returns the entropy of a packet that carries no data: one of the connection's, chosen without affecting
	// what Next will return.
	Probe() uint16
	// Feedback reports the fate of a packet with entropy e.
	Feedback(e uint16, f Feedback, now int64)
}

// New returns a balancer; it errors when the kind is unknown, the number of
// paths is not a power of two from 1 to 2^15, or there is no generator.
func New(kind Kind, c Config) (Balancer, error) {
	if c.Paths < 1 || c.Paths > 1<<15 || c.Paths&(c.Paths-1) != 0 {
		return nil, fmt.Errorf("load balancer %s: %d paths: want a power of two up to 32768", kind, c.Paths)
	}
	if c.Rand == nil {
		return nil, fmt.Errorf("load balancer %s: no random generator", kind)
	}
	turn := rotation{paths: uint16(c.Paths), label: c.Label, rand: c.Rand}
	switch kind {
	case Oblivious, "":
		return &turn, nil
	case Bitmap:
		return &bitmap{turn, make([]uint8, c.Paths)}, nil
	case REPS:
		return &reps{rotation: turn, freeze: c.Freeze}, nil
	case Mixed:
		return &mixed{bitmap: bitmap{turn, make([]uint8, c.Paths)}}, nil
	case OPS, AR:
		return &random{turn}, nil
	case ECMP:
		return fixed(uint16(c.Rand.Uint64())), nil
	}
	_, err := Parse(string(kind))
	return nil, err
}

package traffic

import (
	"fmt"
	"math/rand/v2"
)

// Message is one transfer. It begins at Start, or when all of After, which name
// earlier messages by index, have been delivered, whichever is later.
type Message struct {
	Src, Dst int32
	Bytes    int64
	Start    int64
	// Stop, when not 0, is when its sender sends nothing new: the message ends with what has been sent.
	Stop  int64
	After []int32
	// Conn numbers connections from 0 on without gaps; those of one connection
	// have the same ends.
	Conn int32
	// Mark distinguishes messages that are treated differently, such as elephants.
	Mark bool
	// LB and CC name the connection's load balancer and congestion control; empty
	// takes those of the run. The first message of a connection decides.
	LB, CC string
	// NoTrim is set when the connection's data is dropped where switches trim other data. The first message decides.
	NoTrim bool
	// Background messages load the network and are not measured.
	Background bool
	// ID is the message's number in the file it was read from.
	ID int32
}

// Converge returns messages from hosts 0 to n-1 to host n, each beginning
// stagger picoseconds after the one before.
func Converge(n int, bytes, stagger int64) []Message {
	var out []Message
	for i := range int32(n) {
		out = append(out, Message{Src: i, Dst: int32(n), Bytes: bytes, Start: int64(i) * stagger, Conn: i})
	}
	return out
}

// Derangement returns a permutation of n numbers that leaves none in place, for
// n of 2 or more.
func Derangement(r *rand.Rand, n int) []int {
	for {
		p := r.Perm(n)
		ok := true
		for i, v := range p {
			ok = ok && i != v
		}
		if ok {
			return p
		}
	}
}

// Mixture returns a permutation of hosts whose messages take the sizes in turn.
func Mixture(r *rand.Rand, hosts int, sizes []int64) []Message {
	var out []Message
	for h, d := range Derangement(r, hosts) {
		out = append(out, Message{Src: int32(h), Dst: int32(d), Bytes: sizes[h%len(sizes)], Conn: int32(h)})
	}
	return out
}

// Elephants returns a permutation among n random hosts, marked, of large bytes,
// beside one among all others of small bytes. It errors when either has fewer
// than two hosts.
func Elephants(r *rand.Rand, hosts, n int, large, small int64) ([]Message, error) {
	if n < 2 || hosts-n < 2 {
		return nil, fmt.Errorf("elephants: %d of %d hosts: want at least 2 and at least 2 others", n, hosts)
	}
	order := r.Perm(hosts)
	var out []Message
	group := func(members []int, bytes int64, mark bool) {
		for i, d := range Derangement(r, len(members)) {
			out = append(out, Message{
				Src: int32(members[i]), Dst: int32(members[d]), Bytes: bytes, Mark: mark, Conn: int32(len(out)),
			})
		}
	}
	group(order[:n], large, true)
	group(order[n:], small, false)
	return out, nil
}

// AllToAll returns a message from every host to every other, in shifted order;
// a host begins one when the one parallel places before is delivered.
func AllToAll(hosts int, bytes int64, parallel int) []Message {
	out := make([]Message, 0, hosts*(hosts-1))
	for h := range hosts {
		for shift := 1; shift < hosts; shift++ {
			i := int32(len(out))
			m := Message{Src: int32(h), Dst: int32((h + shift) % hosts), Bytes: bytes, Conn: i}
			if shift > parallel {
				m.After = []int32{i - int32(parallel)}
			}
			out = append(out, m)
		}
	}
	return out
}

// Ring returns steps rounds of a ring collective over the hosts in ring order:
// in each round every rank sends chunk bytes to the next, once it has those of
// the round before. An all-gather among n ranks takes n-1 rounds, an all-reduce, which is a reduce-scatter and an
// all-gather, twice as many.
func Ring(ring []int, chunk int64, steps int) []Message {
	n := len(ring)
	out := make([]Message, 0, n*steps)
	for s := range steps {
		for i := range n {
			m := Message{Src: int32(ring[i]), Dst: int32(ring[(i+1)%n]), Bytes: chunk, Conn: int32(i)}
			if s > 0 {
				m.After = []int32{int32((s-1)*n + (i+n-1)%n)}
			}
			out = append(out, m)
		}
	}
	return out
}

// HSDP returns one step of the parallel rings of hybrid sharded training: GPU i
// sends to GPU i + perServer modulo all. Servers of perServer GPUs each are
// placed at random on the hosts. It errors when hosts is not a multiple of
// perServer of at least two (seed 002, section IV).
func HSDP(r *rand.Rand, hosts, perServer int, bytes int64) ([]Message, error) {
	if perServer < 1 || hosts%perServer != 0 || hosts/perServer < 2 {
		return nil, fmt.Errorf("ring: %d GPUs per server on %d hosts: want a divisor that leaves two servers",
			perServer, hosts)
	}
	place := r.Perm(hosts / perServer)
	at := func(gpu int) int32 { return int32(place[gpu/perServer]*perServer + gpu%perServer) }
	var out []Message
	for i := range hosts {
		out = append(out, Message{Src: at(i), Dst: at((i + perServer) % hosts), Bytes: bytes, Conn: int32(i)})
	}
	return out, nil
}

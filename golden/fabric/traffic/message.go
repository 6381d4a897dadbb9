// Package traffic makes workloads: lists of messages between hosts, each with a
// size, a start or messages to wait for, and the connection that carries it.
//
//	r := rand.New(rand.NewPCG(seed, 1))
//	msgs := traffic.Ring(r.Perm(128), 8<<20, 2*127)
//
// Messages of one connection are sent in the order of the list. Times are picoseconds, sizes payload bytes. The
// flow-size tables are those published with the traffic generator of the HPCC authors' simulator.
package traffic

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/golden/fabric/lb"
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
	// Conn numbers connections from 0 on without gaps; those of one connection have the same ends.
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

// Converge returns messages from hosts 0 to n-1 to host n, each beginning stagger picoseconds after the one before.
func Converge(n int, bytes, stagger int64) []Message {
	var out []Message
	for i := range int32(n) {
		out = append(out, Message{Src: i, Dst: int32(n), Bytes: bytes, Start: int64(i) * stagger, Conn: i})
	}
	return out
}

// Derangement returns a permutation of n numbers that leaves none in place, for n of 2 or more.
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

// Elephants returns a permutation among n random hosts, marked, of large bytes, beside one among all others of small
// bytes. It errors when either has fewer than two hosts.
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

// Ring returns steps rounds of a ring collective over the hosts in ring order: in each round every rank sends chunk
// bytes to the next, once it has those of the round before. An all-gather among n ranks takes n-1 rounds, an
// all-reduce, which is a reduce-scatter and an all-gather, twice as many.
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

// HSDP returns one step of the parallel rings of hybrid sharded training: GPU i sends to GPU i + perServer modulo all.
// Servers of perServer GPUs each are placed at random on the hosts. It errors when hosts is not a multiple of perServer
// of at least two (seed 002, section IV).
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

// MaxBytes is the largest payload of a message, and MaxWant describes it.
const (
	MaxBytes = 1 << 40
	MaxWant  = "2^40, so that 32 bits number its packets of 256 bytes"
)

// Check returns an error, which names the message, when one of a list cannot be sent among that many hosts; what is the
// name of the list.
func Check(what string, list []Message, hosts int) error {
	for i := range list {
		if err := check(list, i, hosts); err != nil {
			return fmt.Errorf("%s[%d] (%d -> %d): %w", what, i, list[i].Src, list[i].Dst, err)
		}
	}
	return nil
}

func check(list []Message, i, hosts int) error {
	m := &list[i]
	inside := func(h int32) bool { return h >= 0 && int(h) < hosts }
	switch {
	case !inside(m.Src) || !inside(m.Dst):
		return fmt.Errorf("src, dst: there are hosts 0 to %d", hosts-1)
	case m.Src == m.Dst:
		return errors.New("dst: a host does not send to itself")
	case m.Bytes < 1 || m.Bytes > MaxBytes:
		return fmt.Errorf("bytes: %d bytes: want 1 to %s", m.Bytes, MaxWant)
	case m.Start < 0:
		return errors.New("the start lies before time 0")
	case m.Stop < 0 || m.Stop > 0 && m.Stop <= m.Start:
		return errors.New("stop: it lies before the start")
	case m.Stop > 0 && len(m.After) > 0:
		return errors.New("stop: a message that waits for others has none")
	case m.Conn < 0 || int(m.Conn) >= len(list):
		return fmt.Errorf("connection %d: want 0 to %d", m.Conn, len(list)-1)
	}
	if m.Stop > 0 {
		for k := range list {
			if k != i && list[k].Conn == m.Conn {
				return fmt.Errorf("stop: its connection is that of message %d, too; give it one of its own", k)
			}
		}
	}
	if m.LB != "" {
		if _, err := lb.Parse(m.LB); err != nil {
			return err
		}
	}
	for _, a := range m.After {
		if a < 0 || int(a) >= i {
			return fmt.Errorf("after: waits for %d, which is not an earlier one, counted from 0", a)
		}
	}
	return nil
}

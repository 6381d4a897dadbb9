package net

import "github.com/goldwire/goldwire/golden/fabric/kernel"

// Traffic classes, also the order of service: control first.
const (
	ClassHigh   = iota // control: ACK, NACK
	ClassMedium        // trimmed data, or data kept apart
	ClassLow           // trimmable data
	Classes
)

// ClassNames are the names of the traffic classes.
var ClassNames = [Classes]string{ClassHigh: "high", ClassMedium: "medium", ClassLow: "low"}

// Packet flags.
const (
	FlagCE      = 1 << iota // congestion experienced; echoed as M
	FlagRetx                // retransmission; echoed
	FlagAR                  // the sender asks for an ACK; ACK: it answers an ACK request
	FlagTrimmed             // payload cut off
	FlagLastHop             // ... in front of the destination
	FlagRestore             // ACK: restore cwnd
	FlagProbe               // ACK: of a probe
	FlagSteer               // switches choose the shortest queue

	FlagCredit = FlagRestore // data and credit request: it has a credit target
)

// Packet is one packet in the network, one line of the cache. Which fields mean
// something depends on its kind; the payload of data is nominal less headers.
type Packet struct {
	link    int32  // port whose link it is crossing, or came in by
	Dst     int32  // host
	PDC     int32  // index of the connection in the run
	Flow    int32  // -1 for none
	PSN     uint32 // data: its own; ACK, NACK, CNP: the referenced packet's
	Size    int32  // bytes on the link
	Nominal int32

	Cum      uint32 // ACK: every PSN before it has arrived; with FlagCredit: the credit target; credit: its number
	SackBase uint32 // ACK: PSN of bit 0 of sack
	Rcvd     uint32 // ACK: bytes accepted, modulo 2^32; the wire rounds them (cc.RcvdUnits)
	Sack     uint64
	Service  uint16
	Entropy  uint16
	OOO      uint16 // ACK: packets beyond cum
	Flows    uint16 // ACK: flows that the receiver is getting, for controls that need it
	Span     uint16 // to the receiver: see Opens; ACK: PSNs from cum on that the receiver accepts, at most 255
	Kind     PacketKind
	Class    uint8
	Flags    uint8
	Reason   uint8
	Pend     uint8
	NoTrim   bool // data: dropped where other data is trimmed
}

// Opens reports whether packet k, of a sender, opens its connection (syn): Span is then the number of PSNs from the
// connection's first to the packet's own, both included, and 0 once the sender has had an ACK.
func (k *Packet) Opens() bool { return k.Span > 0 }

// MaxOffset is the most that the PSN of a packet that opens may be beyond the connection's first: the header has twelve
// bits for it.
const MaxOffset = 1<<12 - 1

// Pool holds the packets of a run. It reuses the packet freed last, so it grows no larger than the most packets that
// the network held at once. The links of queues are in an array of their own: in the packets, joining a queue would
// load the cache line of the packet in front only to set its link.
type Pool struct {
	kernel.Table[Packet]
	next []int32 // in a queue or in the free list
	free int32
	live int
}

// Alloc returns the number of a packet whose content is undefined: the caller sets it as a whole.
func (p *Pool) Alloc() int32 {
	p.live++
	if i := p.free; i >= 0 {
		p.free = p.next[i]
		return i
	}
	p.next = append(p.next, -1)
	return p.Add()
}

// Put returns the number of a new packet with the headers of k, which carries nothing else.
func (s *Network) Put(k *Packet) int32 {
	i := s.Pool.Alloc()
	*s.Pool.At(i) = *k
	s.Fresh(i)
	return i
}

// Control is Put for a control packet, whose size it sets.
func (s *Network) Control(k *Packet) int32 {
	k.Size = int32(s.spec.CtlBytes)
	k.Nominal = k.Size
	return s.Put(k)
}

// Release gives packet i back.
func (p *Pool) Release(i int32) {
	p.live--
	p.next[i] = p.free
	p.free = i
}

// Inside calls f for each packet that is not free.
func (p *Pool) Inside(f func(k *Packet)) {
	freed := make([]bool, p.Len())
	for i := p.free; i >= 0; i = p.next[i] {
		freed[i] = true
	}
	for i := range freed {
		if !freed[i] {
			f(p.At(int32(i)))
		}
	}
}

// fifo is a first-in first-out queue of packets with its content and its greatest content in bytes.
type fifo struct {
	head, Tail  int32
	bytes, Peak int64
}

func (q *fifo) Empty() bool { return q.head < 0 }

func (q *fifo) push(p *Pool, i int32) {
	p.next[i] = -1
	if q.head < 0 {
		q.head = i
	} else {
		p.next[q.Tail] = i
	}
	q.Tail = i
	q.bytes += int64(p.At(i).Size)
	if q.bytes > q.Peak {
		q.Peak = q.bytes
	}
}

func (q *fifo) Pop(p *Pool) int32 {
	i := q.head
	q.head = p.next[i]
	q.bytes -= int64(p.At(i).Size)
	return i
}

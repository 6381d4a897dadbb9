package net

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
)

// Packet is one packet in the network, one line of the cache. Which fields mean
// something depends on its kind; the payload of data is nominal less headers.
type Packet struct {
	Next    int32 // in a queue or in the free list
	link    int32 // port whose link it is crossing, or came in by
	Dst     int32 // host
	PDC     int32 // index of the connection in the run
	Flow    int32
	PSN     uint32 // data: its own; ACK, NACK, CNP: the referenced packet's
	Size    int32  // bytes on the link
	Nominal int32

	Cum      uint32 // ACK: every PSN before it has arrived
	SackBase uint32 // ACK: PSN of bit 0 of sack
	Rcvd     uint32 // ACK: bytes accepted, modulo 2^32; the wire rounds them (cc.RcvdUnits)
	Sack     uint64
	Service  uint16
	Entropy  uint16
	OOO      uint16 // ACK: packets beyond cum
	Flows    uint16 // ACK: flows that the receiver is getting, for controls that need it
	Kind     PacketKind
	Class    uint8
	Flags    uint8
	Reason   uint8
	Pend     uint8
	NoTrim   bool // data: dropped where other data is trimmed
}

// Pool holds the packets of a run; freed ones are reused, last in first out, so that the pool stays as small as the
// network's greatest content.
type Pool struct {
	Pkts []Packet
	Free int32
	live int
}

func newPool(hint int) Pool { return Pool{Pkts: make([]Packet, 0, hint), Free: -1} }

// Alloc returns the index of a packet whose content is undefined: the caller
// sets it as a whole. Pointers into the pool end with the next alloc.
func (p *Pool) Alloc() int32 {
	p.live++
	if i := p.Free; i >= 0 {
		p.Free = p.Pkts[i].Next
		return i
	}
	p.Pkts = append(p.Pkts, Packet{})
	return int32(len(p.Pkts) - 1)
}

func (p *Pool) Release(i int32) {
	p.live--
	p.Pkts[i].Next = p.Free
	p.Free = i
}

// fifo is a first-in first-out queue of packets with its content and its
// greatest content in bytes.
type fifo struct {
	head, Tail  int32
	bytes, Peak int64
}

func (q *fifo) Empty() bool { return q.head < 0 }

func (q *fifo) push(p *Pool, i int32) {
	k := &p.Pkts[i]
	k.Next = -1
	if q.head < 0 {
		q.head = i
	} else {
		p.Pkts[q.Tail].Next = i
	}
	q.Tail = i
	q.bytes += int64(k.Size)
	if q.bytes > q.Peak {
		q.Peak = q.bytes
	}
}

func (q *fifo) Pop(p *Pool) int32 {
	i := q.head
	k := &p.Pkts[i]
	q.head = k.Next
	q.bytes -= int64(k.Size)
	return i
}

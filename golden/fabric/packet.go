package fabric

// packetKind says what a packet carries.
type packetKind uint8

const (
	pkData packetKind = iota
	pkAck
	pkNack
	pkProbe
	pkAckReq // control: asks for an ACK of every PSN up to its own
	pkCNP    // control: a marked packet came to the receiver
)

// Traffic classes, also the order of service: control first.
const (
	classHigh   = iota // control: ACK, NACK
	classMedium        // trimmed data, or data kept apart
	classLow           // trimmable data
	classes
)

// Packet flags.
const (
	flagCE      = 1 << iota // congestion experienced; echoed as M
	flagRetx                // retransmission; echoed
	flagAR                  // the sender asks for an ACK; ACK: it answers an ACK request
	flagTrimmed             // payload cut off
	flagLastHop             // ... in front of the destination
	flagRestore             // ACK: restore cwnd
	flagProbe               // ACK: of a probe
	flagSteer               // switches choose the shortest queue
)

// packet is one packet in the network, one line of the cache. Which fields mean
// something depends on its kind; the payload of data is nominal less headers.
type packet struct {
	next    int32 // in a queue or in the free list
	link    int32 // port whose link it is crossing, or came in by
	dst     int32 // host
	pdc     int32 // index of the connection in the run
	flow    int32
	psn     uint32 // data: its own; ACK, NACK, CNP: the referenced packet's
	size    int32  // bytes on the link
	nominal int32

	cum      uint32 // ACK: every PSN before it has arrived
	sackBase uint32 // ACK: PSN of bit 0 of sack
	rcvd     uint32 // ACK: bytes accepted, modulo 2^32; the wire rounds them (cc.RcvdUnits)
	sack     uint64
	service  uint16
	entropy  uint16
	ooo      uint16 // ACK: packets beyond cum
	kind     packetKind
	class    uint8
	flags    uint8
	reason   uint8
	pend     uint8
}

// pool holds the packets of a run; freed ones are used again, last in first
// out, so that the pool stays as small as the network's greatest content.
type pool struct {
	pkts []packet
	free int32
	live int
}

func newPool(hint int) pool { return pool{pkts: make([]packet, 0, hint), free: -1} }

// alloc returns the index of a packet whose content is undefined: the caller
// sets it as a whole. Pointers into the pool end with the next alloc.
func (p *pool) alloc() int32 {
	p.live++
	if i := p.free; i >= 0 {
		p.free = p.pkts[i].next
		return i
	}
	p.pkts = append(p.pkts, packet{})
	return int32(len(p.pkts) - 1)
}

func (p *pool) release(i int32) {
	p.live--
	p.pkts[i].next = p.free
	p.free = i
}

// fifo is a first-in first-out queue of packets with its content and its
// greatest content in bytes.
type fifo struct {
	head, tail  int32
	bytes, peak int64
}

func (q *fifo) empty() bool { return q.head < 0 }

func (q *fifo) push(p *pool, i int32) {
	k := &p.pkts[i]
	k.next = -1
	if q.head < 0 {
		q.head = i
	} else {
		p.pkts[q.tail].next = i
	}
	q.tail = i
	q.bytes += int64(k.size)
	if q.bytes > q.peak {
		q.peak = q.bytes
	}
}

func (q *fifo) pop(p *pool) int32 {
	i := q.head
	k := &p.pkts[i]
	q.head = k.next
	q.bytes -= int64(k.size)
	return i
}

package egress

import port "github.com/goldwire/goldwire/vectors/event/egress"

// Config holds the configuration registers by address.
type Config [port.NumRegs]uint32

// DefaultConfig returns the values after reset.
func DefaultConfig() (c Config) {
	for i := range c {
		c[i] = uint32(port.RegInfo[i].Reset)
	}
	return c
}

// Descriptor is a packet in a queue.
type Descriptor struct {
	ID      uint32
	Len     uint16 // bytes
	Trimmed bool   // by this block
	LastHop bool
	ECT     bool
}

// queue is one class of one port.
type queue struct {
	desc     []Descriptor // ring of Depth
	rd, wr   uint32       // wr - rd packets are held
	bytes    uint32
	deficit  uint32 // 24 bits
	enqPkts  uint32
	enqBytes uint32
	deqPkts  uint32
	deqBytes uint32
	trims    uint32
	drops    uint32
	marks    uint32
}

func (q *queue) packets() uint32    { return q.wr - q.rd }
func (q *queue) busy() bool         { return q.wr != q.rd }
func (q *queue) first() *Descriptor { return &q.desc[q.rd&uint32(len(q.desc)-1)] }

// egressPort is the state of one port.
type egressPort struct {
	class [port.Classes]queue
	bytes uint32
	ptr   uint8 // drr_ptr, 0 to 2
	xoff  bool
}

func (p *egressPort) busy() bool {
	return p.class[0].busy() || p.class[1].busy() || p.class[2].busy()
}

// Queues is the whole state of the block inside its ports; its methods execute events on that state, without timing. It
// is not safe for concurrent use.
type Queues struct {
	spec   Spec
	cfg    Config
	ports  []egressPort
	shared uint32 // bytes in all queues
	lfsr   uint32 // never 0
}

// NewQueues returns empty queues with the configuration after a reset. The spec must be valid.
func NewQueues(spec Spec) *Queues {
	q := &Queues{spec: spec, ports: make([]egressPort, spec.NumPorts)}
	desc := make([]Descriptor, spec.NumPorts*port.Classes*spec.Depth)
	for p := range q.ports {
		for c := range q.ports[p].class {
			q.ports[p].class[c].desc, desc = desc[:spec.Depth:spec.Depth], desc[spec.Depth:]
		}
	}
	q.Reset()
	return q
}

// Reset empties everything and sets the configuration to its values after a reset. It allocates nothing.
func (q *Queues) Reset() {
	q.cfg, q.shared, q.lfsr = DefaultConfig(), 0, 1
	for p := range q.ports {
		x := &q.ports[p]
		x.bytes, x.ptr, x.xoff = 0, 0, false
		for c := range x.class {
			x.class[c] = queue{desc: x.class[c].desc}
		}
	}
}

// Config returns the configuration after the events so far.
func (q *Queues) Config() Config { return q.cfg }

// SetConfig sets all registers at once. SEED does not affect the LFSR here, and nothing is re-evaluated.
func (q *Queues) SetConfig(c Config) {
	for i := range c {
		q.cfg[i] = c[i] & regMask(i)
	}
}

// Words returns the state words of a port and class as READ returns them, or the zero Words when there is no such port
// or class.
func (q *Queues) Words(p, c int) port.Words {
	if p < 0 || p >= len(q.ports) || c < 0 || c >= port.Classes {
		return port.Words{}
	}
	x := &q.ports[p]
	k := &x.class[c]
	return port.Words{
		Bytes: k.bytes, Packets: k.packets(),
		EnqPkts: k.enqPkts, EnqBytes: k.enqBytes,
		DeqPkts: k.deqPkts, DeqBytes: k.deqBytes,
		Trims: k.trims, Drops: k.drops, Marks: k.marks, Deficit: k.deficit,
		PortBytes: x.bytes, DrrPtr: port.Cls(x.ptr), Xoff: x.xoff,
		SharedBytes: q.shared, Lfsr: q.lfsr,
	}
}

// Packets appends the descriptors in a queue, oldest first, to dst and returns the result.
func (q *Queues) Packets(dst []Descriptor, p, c int) []Descriptor {
	k := &q.ports[p].class[c]
	for i := k.rd; i != k.wr; i++ {
		dst = append(dst, k.desc[i&uint32(len(k.desc)-1)])
	}
	return dst
}

// evaluateXoff sets the pause request of a port from the port's content.
func (q *Queues) evaluateXoff(x *egressPort) {
	if x.bytes >= q.cfg[port.RegXoff] {
		x.xoff = true
	} else if x.bytes <= q.cfg[port.RegXon] {
		x.xoff = false
	}
}

func regMask(addr int) uint32 { return uint32(1)<<port.RegInfo[addr].Width - 1 }

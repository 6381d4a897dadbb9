package trimmer

import (
	"github.com/goldwire/goldwire/rtlmodel/beats"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// Model is the clocked block. It is not safe for concurrent use.
type Model struct {
	beats.Ports[beat, port.Tx, port.Cfg, port.Cfgr]

	cfg      Config
	counters Counters

	pkt  packet // the packet of the next beat
	head [HeadBytes]byte

	tell   func(*event.Decision) // nil: nobody asks
	number uint64                // of the beat that left the store last, within its packet; kept for tell
}

// beat is an element of FIFO and store.
type beat struct {
	port.Rx
	first    bool // of its packet
	retained bool
	packet
}

// packet holds the data that the beats of a packet share once it is released.
type packet struct {
	res  Result
	side Side
	tag  uint32
	why  *event.Decision // for tell
}

// New returns a model in its power-on state.
func New() *Model {
	m := &Model{}
	m.InitPorts(beats.Sizes{
		InFIFO: port.InFIFODepth, Store: port.Store, HeadBeats: port.HeadBeats, Release: port.Release,
		Out: port.Out, Emit: port.Emit, CfgCredits: port.CfgCredits, CfgLatency: port.CfgLatency,
	})
	m.Reset()
	return m
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low.
func (m *Model) Reset() {
	m.cfg, m.counters = DefaultConfig(), Counters{}
	m.ResetPorts(1)
}

// issue moves a beat to the store. When the beat completes the head, it decides on the packet.
func (m *Model) issue() {
	b := m.Store.Issued(0)
	index, complete := m.Issue(b.Last)
	b.first, b.retained = index == 0, true
	if b.first {
		m.pkt = packet{side: Side{b.Trim, b.LastHop, b.Ce, b.Len, b.TrimSize}, tag: b.Tag}
	}
	if complete {
		m.release(index + 1)
	} else if index == port.HeadBeats {
		b.packet, b.retained = m.pkt, !m.pkt.res.Trimmed
	}
}

// release treats a packet. n of its beats have issued, the newest in this cycle.
func (m *Model) release(n int) {
	newest := m.Store.Issued(0)
	side := &m.pkt.side
	if side.Trim || side.CE || m.tell != nil {
		for i := range n {
			beats.Get(&m.Store.Issued(n-1-i).Data, m.head[64*i:])
		}
		a, f := beats.Seen(n, newest.Keep, newest.Last, side.Len)
		if m.tell == nil {
			m.pkt.res = treat(&m.cfg, m.head[:a], f, side)
		} else {
			was := m.head
			m.pkt.res = treat(&m.cfg, m.head[:a], f, side)
			m.explainRelease(was[:a], f)
		}
	}
	res := &m.pkt.res
	for i := range n {
		b := m.Store.Issued(n - 1 - i)
		b.packet = m.pkt
		switch {
		case res.Trimmed:
			m.cut(b, i)
		case res.Marked:
			beats.Set(&b.Data, m.head[64*i:])
		}
	}
}

// cut changes beat i of a trimmed packet to its form at tx.
func (m *Model) cut(b *beat, i int) {
	left := m.pkt.res.Size - 64*i
	if left <= 0 {
		b.retained = false
		return
	}
	b.Keep, b.Last = ^uint64(0), left <= 64
	if left < 64 {
		b.Keep = 1<<left - 1
		clear(m.head[m.pkt.res.Size : 64*i+64])
	}
	beats.Set(&b.Data, m.head[64*i:])
}

// pop removes the oldest beat from the store and, if it is retained, moves it to the output.
func (m *Model) pop() {
	b := m.Store.Front()
	m.Store.Pop()
	before := m.counters
	if b.first {
		m.counters.count(&b.res, b.side.LastHop)
	}
	if !b.retained {
		return
	}
	if m.tell != nil {
		m.explainPop(b, &before)
	}
	x := m.Out.Push()
	x.Data, x.Keep, x.Last = b.Data, b.Keep, b.Last
	x.Trimmed, x.Marked, x.Cause, x.Tag = b.res.Trimmed, b.res.Marked, b.res.Cause, b.tag
}

// Config returns the configuration after the events issued so far.
func (m *Model) Config() Config { return m.cfg }

// Counters returns the counters before the next cycle.
func (m *Model) Counters() Counters { return m.counters }

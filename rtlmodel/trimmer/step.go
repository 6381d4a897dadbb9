package trimmer

import (
	"encoding/binary"
	"math/bits"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// Model is the clocked block. It is not safe for use from several goroutines at once.
type Model struct {
	cfg      Config
	counters Counters
	up       bool
	store    clk.Store[beat]
	tx       clk.Emitter[port.Tx]
	lane     clk.Lane[port.Cfg, port.Cfgr]

	index int    // of the next beat that issues, in its packet; stays at HEAD_BEATS from there on
	pkt   packet // that the next beat belongs to
	head  [HeadBytes]byte
}

// beat is an element of the FIFO and the store.
type beat struct {
	port.Rx
	first    bool // of its packet
	retained bool
	packet
}

// packet is what the beats of a packet share once it is released.
type packet struct {
	res  Result
	side Side
	tag  uint32
}

// New returns a model in its power-on state.
func New() *Model {
	m := &Model{}
	m.store.Init(port.InFIFODepth, port.Store, port.Release)
	m.tx.Init(port.Out, port.Emit)
	m.lane.Init(port.InFIFODepth, port.CfgCredits, port.CfgLatency)
	m.Reset()
	return m
}

// Reset returns to the power-on state: as after one cycle of rst_n low.
func (m *Model) Reset() {
	m.cfg, m.counters, m.up, m.index = DefaultConfig(), Counters{}, false, 0
	m.store.Reset()
	m.tx.Reset()
	m.lane.Reset()
}

// Cycle is one clock cycle. in is an input record of port.InWords words, out is filled with the
// output record of port.OutWords words: readies and valids always, payload only when valid, else 0.
// It allocates nothing.
func (m *Model) Cycle(in, out []uint64) {
	ctl := in[0]
	clear(out[:port.OutWords])
	if ctl&port.InRstN == 0 {
		m.Reset()
		return
	}
	if m.RxReady() {
		out[0] |= port.OutRxReady
		if ctl&port.InRxValid != 0 {
			port.UnpackRx(in, m.AcceptRx())
		}
	}
	if m.CfgReady() {
		out[0] |= port.OutCfgReady
		if ctl&port.InCfgValid != 0 {
			port.UnpackCfg(in, m.AcceptCfg())
		}
	}
	if x := m.Tx(); x != nil {
		port.PackTx(x, out)
		out[0] |= port.OutTxValid
		if ctl&port.InTxReady != 0 {
			m.TakeTx()
		}
	}
	if r := m.Cfgr(); r != nil {
		port.PackCfgr(r, out)
		out[0] |= port.OutCfgrValid
		if ctl&port.InCfgrReady != 0 {
			m.TakeCfgr()
		}
	}
	m.Tick()
}

// issue moves a beat to the store and, with the beat that completes the head, decides on the packet.
func (m *Model) issue() {
	b := m.store.Issued(0)
	b.first, b.retained = m.index == 0, true
	if b.first {
		m.pkt = packet{side: Side{b.Trim, b.LastHop, b.Ce, b.Len}, tag: b.Tag}
	}
	last := b.Last
	switch {
	case m.index >= port.HeadBeats:
		b.packet, b.retained = m.pkt, !m.pkt.res.Trimmed
		m.store.Issue(1)
	case last || m.index == port.HeadBeats-1:
		m.release(m.index + 1)
		m.store.Issue(m.index + 1)
	default:
		m.store.Issue(0)
	}
	if last {
		m.index = 0
	} else if m.index < port.HeadBeats {
		m.index++
	}
}

// release treats a packet of which n beats have issued, the newest in this cycle.
func (m *Model) release(n int) {
	newest := m.store.Issued(0)
	side := &m.pkt.side
	if side.Trim || side.CE {
		for i := range n {
			bytesOf(m.store.Issued(n-1-i), m.head[64*i:])
		}
		a, f := 64*n, int(side.Len)
		if newest.Last {
			a = 64*(n-1) + bits.TrailingZeros64(^newest.Keep)
			f = a
		}
		m.pkt.res = treat(&m.cfg, m.head[:a], f, side)
	}
	res := &m.pkt.res
	for i := range n {
		b := m.store.Issued(n - 1 - i)
		b.packet = m.pkt
		switch {
		case res.Trimmed:
			m.cut(b, i)
		case res.Marked:
			setBytes(b, m.head[64*i:])
		}
	}
}

// cut makes beat i of a trimmed packet what it is at tx.
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
	setBytes(b, m.head[64*i:])
}

// bytesOf writes the 64 bytes of a beat.
func bytesOf(b *beat, dst []byte) {
	_ = dst[63]
	for i, w := range b.Data {
		binary.LittleEndian.PutUint64(dst[8*i:], w)
	}
}

func setBytes(b *beat, src []byte) {
	_ = src[63]
	for i := range b.Data {
		b.Data[i] = binary.LittleEndian.Uint64(src[8*i:])
	}
}

// pop takes the oldest beat out of the store, to the output if it is retained.
func (m *Model) pop() {
	b := m.store.Front()
	m.store.Pop()
	if b.first {
		m.counters.count(&b.res, b.side.LastHop)
	}
	if !b.retained {
		return
	}
	x := m.tx.Push()
	x.Data, x.Keep, x.Last = b.Data, b.Keep, b.Last
	x.Trimmed, x.Marked, x.Cause, x.Tag = b.res.Trimmed, b.res.Marked, b.res.Cause, b.tag
}

// Config returns the configuration as the events issued so far left it.
func (m *Model) Config() Config { return m.cfg }

// Counters returns the counters before the next cycle.
func (m *Model) Counters() Counters { return m.counters }

// InUse returns the beats in the rx FIFO, in the store and between store and tx.
func (m *Model) InUse() (fifo, store, out int) {
	fifo, store = m.store.InUse()
	return fifo, store, m.tx.Len()
}

package switchport

import (
	"fmt"
	"math/bits"

	pe "github.com/goldwire/goldwire/vectors/event/egress"
	pi "github.com/goldwire/goldwire/vectors/event/intmd"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// request offers the oldest request to egress. Call it only when no cfg event is offered to egress.
func (m *Model) request() {
	if !m.requests.Valid() || !m.egress.EnqReady() {
		return
	}
	r := m.requests.Front()
	m.requests.Take()
	*m.egress.AcceptEnq() = pe.Enq{
		Kind: pe.KindEnq, Port: r.port, Cls: pe.Cls(r.cls), Len: r.len,
		Trimmable: r.trimmable, TrimSize: r.trimSize, Ect: r.ect, LastHop: r.lastHop, Id: uint32(r.slot),
	}
	m.why.offered(true)
}

// verdict moves a verdict of egress to note. reported means that the reader uses intmd.cnt in this cycle.
func (m *Model) verdict(reported bool) {
	r := m.egress.Enqr()
	if r == nil || r.Kind != pe.KindEnq || m.notes.Full() {
		return
	}
	queued := r.Verdict == pe.VerdictAdmit || r.Verdict == pe.VerdictTrim
	if queued && reported {
		return
	}
	slot := int(r.Id)
	*m.notes.Push() = port.Note{
		Id: m.buffer.records[slot].id, Port: r.Port, Verdict: port.Verdict(r.Verdict), Cause: port.Cause(r.Cause),
		Cls: port.Cls(r.Cls), Len: r.Len, Trimmed: r.Trimmed, Depth: r.Depth, PortBytes: r.PortBytes,
		Xoff: r.Xoff, Refused: r.Refused,
	}
	m.buffer.judge(slot)
	if queued {
		*m.intmd.AcceptCnt() = pi.Cnt{Port: r.Port, Op: pi.OpAdd, Qlen: uint32(r.Len)}
	} else {
		m.buffer.release(slot)
	}
	m.egress.TakeEnqr()
}

// reader is the packet being read.
type reader struct {
	busy   bool
	slot   int
	number int   // of the next beat
	side   pt.Rx // the sideband that accompanies every beat
}

// read passes the next beat of the packet to the trimmer's feed. When there is no packet, or when its last beat leaves,
// it takes the packet of the next grant from egress. A packet waits until its verdict is taken: its slot must not be
// reused before the note has been made from it. read returns whether it reported to intmd.
func (m *Model) read() (reported bool) {
	r := &m.reader
	idle := !r.busy
	if r.busy && !m.feed.Full() {
		b := m.buffer.beat(r.slot, r.number)
		x := m.feed.Push()
		*x = r.side
		x.Data, x.Keep, x.Last = b.data, b.keep, b.last
		if r.number++; r.number == m.buffer.records[r.slot].beats {
			m.buffer.release(r.slot)
			r.busy, idle = false, true
		}
	}
	d := m.egress.Deqr()
	if !idle || d == nil || m.grs.Full() {
		return false
	}
	sends := !d.Empty && !d.Refused
	if sends && !m.buffer.isJudged(int(d.Id)) {
		return false
	}
	m.egress.TakeDeqr()
	g := m.grs.Push()
	*g = port.Gr{
		Port: d.Port, Empty: d.Empty, Refused: d.Refused, Cls: port.Cls(d.Cls), Len: d.Len, Trimmed: d.Trimmed, Ce: d.Ce,
		Depth: d.Depth, PortBytes: d.PortBytes, Xoff: d.Xoff,
	}
	if !sends {
		return false
	}
	rec := &m.buffer.records[d.Id]
	g.Id = rec.id
	*r = reader{busy: true, slot: int(d.Id), side: pt.Rx{
		Trim: d.Trimmed, LastHop: d.LastHop, Ce: d.Ce, Len: rec.len,
		Tag: uint32(d.Len)<<16 | uint32(rec.inPort)<<8 | uint32(d.Port),
	}}
	if d.Trimmed {
		r.side.TrimSize = d.Len & 0x1FF
	}
	*m.intmd.AcceptCnt() = pi.Cnt{Port: d.Port, Op: pi.OpAdd, TxBytes: uint32(d.Len), Qlen: -uint32(d.Len)}
	return true
}

// forward moves beats from the feed to the trimmer and from the trimmer to intmd. A packet that leaves the trimmer with
// a length other than the booked one is an error of this model, not of its input.
func (m *Model) forward() {
	if m.feed.Valid() && m.trimmer.RxReady() {
		*m.trimmer.AcceptRx() = *m.feed.Front()
		m.feed.Take()
	}
	if x := m.trimmer.Tx(); x != nil && m.intmd.RxReady() {
		*m.intmd.AcceptRx() = pi.Rx{
			Data: x.Data, Keep: x.Keep, Last: x.Last,
			Len: uint16(x.Tag >> 16), InPort: uint8(x.Tag >> 8), OutPort: uint8(x.Tag),
		}
		if m.left += 64; x.Last {
			m.left += bits.TrailingZeros64(^x.Keep) - 64
			if booked := int(x.Tag >> 16); m.left != booked || x.Cause != pt.CauseNone {
				panic(fmt.Sprintf("switchport model: %d bytes were booked, %d leave the trimmer (cause %v)",
					booked, m.left, x.Cause))
			}
			m.left = 0
		}
		m.trimmer.TakeTx()
	}
}

package intmd

import (
	"math/bits"

	"github.com/goldwire/goldwire/rtlmodel/beats"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// issue moves a beat to the store. When the beat completes the head, it decides on the packet.
func (m *Model) issue() {
	b := m.Store.Issued(0)
	index, complete := m.Issue(b.Last)
	b.first = index == 0
	if complete {
		m.release(index + 1)
	}
}

// release decides on a packet and edits its headers. n beats of the packet have issued, the newest in this cycle.
func (m *Model) release(n int) {
	newest, first := m.Store.Issued(0), m.Store.Issued(n-1)
	for i := range n {
		beats.Get(&m.Store.Issued(n-1-i).Data, m.head[64*i:])
	}
	a, f := beats.Seen(n, newest.Keep, newest.Last, first.Len)
	side := Side{Len: first.Len, InPort: first.InPort, OutPort: first.OutPort}
	if m.tell == nil {
		first.plan = decide(&m.cfg, m.spec.NumPorts, m.head[:a], f, &side)
	} else {
		was := m.head
		first.plan = decide(&m.cfg, m.spec.NumPorts, m.head[:a], f, &side)
		m.explainRelease(was[:a], f, &side, &first.plan)
	}
	if first.plan.Inserted {
		for i := range n {
			beats.Set(&m.Store.Issued(n-1-i).Data, m.head[64*i:])
		}
	}
}

// leaving is the packet whose beats leave the store.
type leaving struct {
	plan    plan
	outPort uint8
	number  int    // of the next beat
	entry   uint64 // as looked up
	shifted bool   // the entry is inserted; the bytes after it are shifted by 8
	carry   uint64 // the 8 bytes pushed out of the previous beat, the first byte lowest
	due     bool   // x: an added beat is due
	left    int    // bytes of the added beat
}

// emit moves a beat to the output if one may leave. It reports whether the beat was the first of a packet and whether
// it was an added beat.
func (m *Model) emit() (first, added bool) {
	l := &m.leave
	if m.Out.Full() || !l.due && !m.Store.Avail() {
		return false, false
	}
	x := m.Out.Push()
	if l.due {
		*x = port.Tx{Data: [8]uint64{l.carry}, Keep: 1<<l.left - 1, Last: true}
		l.due, added = false, true
	} else {
		b := m.Store.Front()
		m.Store.Pop()
		if first = b.first; first {
			*l = leaving{plan: b.plan, outPort: b.OutPort}
			if l.plan.Inserted {
				l.entry = m.table.Entry(int(l.plan.Index))
			}
		}
		x.Data, x.Keep, x.Last = b.Data, b.Keep, b.Last
		if l.plan.Inserted {
			l.beat(x, beats.Count(b.Keep, b.Last))
		}
		l.number++
	}
	x.OutPort, x.Inserted, x.Cause, x.Hops = l.outPort, l.plan.Inserted, l.plan.Cause, l.plan.Hops
	if m.tell != nil {
		m.explainEmit(added)
	}
	return first, added
}

// beat turns the next beat of a packet with an insertion, which has n valid bytes, into the output beat with the same
// number.
func (l *leaving) beat(x *port.Tx, n int) {
	start := 64 * l.number
	if s := l.plan.sumAt; s >= start && s < start+64 && s != 0 {
		patchBE16(&x.Data, s-start, l.plan.checksum(l.entry))
	}
	for i := n / 8; i < 8; i++ { // bytes that are not valid
		if keep := n - 8*i; keep > 0 {
			x.Data[i] &= 1<<(8*keep) - 1
		} else {
			x.Data[i] = 0
		}
	}

	at := l.plan.at - start
	switch {
	case l.shifted:
		out := x.Data[7]
		copy(x.Data[1:], x.Data[:7])
		x.Data[0], l.carry = l.carry, out
	case at <= n: // the entry starts in this beat or directly after it
		l.carry = splice(&x.Data, at, bits.ReverseBytes64(l.entry))
		l.shifted = true
	}
	if l.shifted {
		n += port.HopBytes
	}
	x.Keep = ^uint64(0)
	if !x.Last {
		return
	}
	if n > 64 {
		x.Last, l.due, l.left = false, true, n-64
	} else if n < 64 {
		x.Keep = 1<<n - 1
	}
}

// splice inserts 8 bytes, the first byte lowest in v, at byte at, 0 to 64, and returns the 8 bytes that leave the beat
// at its end.
func splice(data *[8]uint64, at int, v uint64) (out uint64) {
	i, s := at/8, 8*(at%8)
	if i == 8 {
		return v
	}
	w := data[i]
	low := w & (1<<s - 1)
	next := v>>1>>(63-s) | w&^(1<<s-1) // the rest of v and of the word into which it was inserted
	data[i] = low | v<<s
	for i++; i < 8; i++ {
		data[i], next = next, data[i]
	}
	return next
}

// patchBE16 writes a big-endian number at byte i, which must be even.
func patchBE16(data *[8]uint64, i int, v uint16) {
	s := 8 * (i % 8)
	data[i/8] = data[i/8]&^(0xFFFF<<s) | uint64(bits.ReverseBytes16(v))<<s
}

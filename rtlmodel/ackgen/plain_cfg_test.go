package ackgen

import port "github.com/goldwire/goldwire/vectors/event/ackgen"

// truth is a bit as a number.
var truth = map[bool]uint32{true: 1}

// word returns a word of a PDC as READ gives it.
func (c *plainPDC) word(addr int) uint32 {
	switch {
	case addr == 0:
		return truth[c.valid] + truth[c.ipv6]*2 + truth[c.rod]*4 + truth[c.started]*8 + truth[c.asking]*16 +
			truth[c.ce]*32 + uint32(c.spdcid)*65536
	case addr == 1:
		return uint32(c.cack)
	case addr < 10:
		v := uint32(0)
		for i, arrived := range c.seen[32*(addr-2):][:32] {
			if arrived {
				v += 1 << i
			}
		}
		return v
	case addr < 14:
		return uint32([]int{c.rcvd, c.pending, c.asked, c.start}[addr-10])
	case addr < 18:
		v := uint32(0)
		for _, b := range c.src[4*(17-addr):][:4] {
			v = v<<8 + uint32(b)
		}
		return v
	}
	return truth[c.wantClose] + truth[c.refuse]*2
}

// load writes a word of a PDC.
func (c *plainPDC) load(addr int, v uint32) {
	on := func(i int) bool { return v>>i%2 == 1 }
	switch {
	case addr == 0:
		c.valid, c.ipv6, c.rod, c.started, c.asking, c.ce = on(0), on(1), on(2), on(3), on(4), on(5)
		c.spdcid = int(v >> 16)
	case addr == 1:
		c.cack = int(v)
	case addr < 10:
		for i := range 32 {
			c.seen[32*(addr-2)+i] = on(i)
		}
	case addr < 14:
		*[]*int{&c.rcvd, &c.pending, &c.asked, &c.start}[addr-10] = int(v)
	case addr < 18:
		for i := range 4 {
			c.src[4*(17-addr)+i] = byte(v >> (8 * (3 - i)))
		}
	default:
		c.wantClose, c.refuse = on(0), on(1)
	}
}

// configure executes a cfg event.
func (r *plainReceiver) configure(e port.Cfg) port.Cfgr {
	out := port.Cfgr{Kind: e.Kind}
	a, d, k := int(e.Addr), e.Data, int(e.PDC)
	width := []int{16, 8, 4, 8, 32, 16, 8, 6, 6, 6, 16, 8}
	switch {
	case e.Kind == 1 && a < 19 && k < len(r.pdc):
		r.pdc[k].load(a, d)
	case e.Kind == 1 && a >= 19 && a < 44:
		r.counter[a] = d
	case e.Kind == 2 && a < 19 && k < len(r.pdc):
		out.Data = r.pdc[k].word(a)
	case e.Kind == 2 && a >= 19 && a < 44:
		out.Data = r.counter[a]
	case e.Kind == 3 && a < 12 && !(a == 3 && d%256 == 0) && !(a == 10 && d%65536 == 0):
		r.reg[a] = uint32(uint64(d) % (1 << width[a]))
	case e.Kind == 4 && a < 12:
		out.Data = r.reg[a]
	default:
		out.Refused = true
	}
	return out
}

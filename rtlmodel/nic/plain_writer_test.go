package nic

import (
	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// settle is "Settle" and "note".
func (b *plainGlue) settle(then func(func())) {
	if b.order.n() == 0 {
		return
	}
	e := b.order.oldest()
	event := e.act == nil || eventOf(e.act.Kind)
	packet := e.act != nil && (e.act.Kind == ps.ActionSent || e.act.Kind == ps.ActionClosing)
	switch {
	case event && !b.ccc.RspValid():
		return
	case event && !b.txpdc.ViewReady():
		b.met["settle waits for txpdc"]++
		return
	case e.act != nil && b.notes.n() >= port.Notes:
		b.met["notes full"]++
		return
	case packet && b.packets.n() >= port.Packets:
		b.met["packets full"]++
		return
	}
	then(func() {
		b.order.leave()
		var w pc.Response
		if event {
			b.ccc.TakeRsp(&w)
			*b.txpdc.AcceptView() = ps.View{Kind: uint8(w.Kind), Ctx: w.Ctx, CanSend: w.CanSend, Refused: w.Refused}
		}
		if e.act == nil {
			b.rsp, b.reply = port.Response{Target: b.current.Target, Kind: b.current.Kind, Index: b.current.Index,
				Refused: w.Refused, Missing: w.NoContext, Data: w.Data}, true
			return
		}
		a := *e.act
		ar := a.Kind == ps.ActionSent && (a.Ar || w.AckRequest)
		n := port.Note{Kind: port.Act(a.Kind), PDC: a.PDC, Now: a.Now, PSN: a.PSN, Size: a.Size, IsRtx: a.IsRtx,
			Syn: a.Syn, Eom: a.Eom, Code: a.Code, Done: a.Done, AckedPkts: a.AckedPkts, UnmarkPkts: a.UnmarkPkts, M: a.M,
			Retx: a.Retx, Tx: a.Tx, Ar: ar, Entropy: a.Entropy}
		if a.Tx {
			n.Found, n.RTTValid, n.RTT = e.rsp.Found, e.rsp.RTTValid, e.rsp.RTT
		}
		if event {
			n.Window, n.Action, n.LB, n.State, n.Cwnd = true, uint8(w.Action), uint8(w.LB), uint8(w.State), w.Cwnd
			n.Inflight, n.Delay, n.CanSend, n.Missing = w.Inflight, w.Delay, w.CanSend, w.NoContext || w.Refused
		}
		b.notes.add(n)
		if packet {
			b.packets.add(plainPacket{a, ar})
		}
	})
}

// make is "Writer".
func (b *plainGlue) make(t int, then func(func()), counts *[2]bool) {
	idle := b.frame == nil
	if !idle && b.beats.n() >= port.Feed {
		b.met["feed full"]++
	}
	if !idle && b.beats.n() < port.Feed {
		x := port.Tx{Tag: uint32(b.pdc)}
		for i := range 64 {
			if at := 64*b.j + i; at < len(b.frame) {
				x.Data[i/8] |= uint64(b.frame[at]) << (i % 8 * 8)
				x.Keep |= 1 << i
			}
		}
		x.Last = len(b.frame) <= 64*b.j+64
		then(func() {
			b.beats.add(plainBeat{t, x})
			b.j++
			if x.Last { // one that starts in this cycle comes after this
				b.frame = nil
			}
		})
		idle = x.Last
	}
	if !idle || b.packets.n() == 0 {
		return
	}
	if b.frame != nil {
		b.met["packet after packet"]++
	}
	p := b.packets.oldest()
	then(b.packets.leave)
	ctx := int(p.act.PDC / 4)
	frame := b.build(p)
	if counts[0] = frame == nil; counts[0] {
		return
	}
	counts[1] = true
	spray := b.spray[ctx] + 1
	then(func() { b.frame, b.pdc, b.j = frame, p.act.PDC, 0 })
	if c := b.cmd; b.out || c.n() == 0 || !b.clears(c.oldest(), ctx) {
		then(func() { b.spray[ctx] = spray })
	} else {
		b.met["spray cleared and counted"]++
	}
}

// clears reports whether a command is a LOAD of the form of a context that is not refused.
func (b *plainGlue) clears(c port.Cmd, ctx int) bool {
	return c.Target == 5 && c.Kind == 1 && c.Addr == 16 && int(c.Index) == ctx && formAllowed(c.Data)
}

func formAllowed(data uint64) bool {
	size, ipv6 := data%64, data>>6%2 == 1
	return size == 0 || size <= 62 && (size >= 54 || !ipv6 && size >= 34)
}

// build is "Packets"; nil where the form has size 0.
func (b *plainGlue) build(p plainPacket) (f []byte) {
	ctx := int(p.act.PDC / 4)
	word := b.template[[2]int{ctx, 16}]
	h, ipv6, native, entropy := int(word%64), word>>6%2 == 1, word>>7%2 == 1, uint16(word>>16)
	if h == 0 {
		return nil
	}
	for i := range h {
		f = append(f, byte(b.template[[2]int{ctx, i / 4}]>>(i%4*8)))
	}
	be16 := func(v int) { f = append(f, byte(v>>8), byte(v)) }
	put16 := func(at, v int) { f[at], f[at+1] = byte(v>>8), byte(v) }
	sent := p.act.Kind == ps.ActionSent
	d := 0
	if sent && int(p.act.Size) > b.header {
		d = int(p.act.Size) - b.header
	}
	u := 8
	if native {
		u = 4
	}
	total := u + 16 + d
	if ipv6 {
		put16(h-40+4, total)
	} else {
		ip := h - 20
		put16(ip+2, 20+total)
		x := 0xFFFF - (int(f[ip+10])<<8 + int(f[ip+11])) + (20+total)%65536
		x = x%65536 + x/65536
		put16(ip+10, 0xFFFF-x)
	}
	e := 0
	for bit := range 16 {
		from := entropy
		if b.reg[0]>>bit%2 == 1 {
			from = b.spray[ctx]
		}
		e |= int(from) & (1 << bit)
	}
	be16(e)
	if !native {
		be16(int(b.reg[1]))
		be16(total)
	}
	be16(0)
	flag := func(on bool, v int) int {
		if on {
			return v
		}
		return 0
	}
	if sent {
		be16(13*2048 + flag(p.act.IsRtx, 0x10) + flag(p.ar, 8) + flag(p.act.Syn, 4))
		be16(0xFF80)
	} else {
		be16(11*2048 + 4*128 + flag(p.act.IsRtx, 0x10))
		be16(0)
	}
	be16(int(p.act.PSN >> 16))
	be16(int(p.act.PSN))
	be16(int(p.act.PDC) + 1)
	if sent && p.act.Syn {
		be16(int(p.act.PSNOffset))
	} else {
		be16(int(p.act.Peer))
	}
	be16(flag(sent, ctx%256*256))
	be16(0)
	f = append(f, make([]byte, d)...)
	for len(f) < 60 {
		f = append(f, 0)
	}
	return f
}

// port is "tx".
func (b *plainGlue) port(t int, in plainIn, o *plainOut, then func(func())) {
	answer := b.ackgen.Tx()
	offered := b.beats.n() > 0 && b.beats.oldest().made+port.Write <= t
	chosen := b.turn
	if chosen == "NONE" {
		if answer != nil {
			chosen = "ANSWER"
		} else if offered {
			chosen = "PACKET"
		}
	} else if chosen == "PACKET" && answer != nil {
		b.met["answer waits"]++
	}
	next := chosen
	switch {
	case chosen == "ANSWER" && answer != nil:
		o.txValid = true
		o.tx = port.Tx{Data: answer.Data, Keep: answer.Keep, Last: answer.Last, Tag: answer.Tag, Answer: true}
		if in.txReady {
			then(b.ackgen.TakeTx)
		}
	case chosen == "PACKET" && offered:
		o.txValid, o.tx = true, b.beats.oldest().tx
		if in.txReady {
			then(b.beats.leave)
		}
	}
	if o.txValid && in.txReady && o.tx.Last {
		next = "NONE"
	}
	then(func() { b.turn = next })
}

// writer is "Access to the writer".
func (b *plainGlue) writer(c port.Cmd, then func(func())) (r port.Response) {
	index, addr := int(c.Index), int(c.Addr)
	none := addr > 18 || addr < 17 && index >= b.spec.Contexts
	switch c.Kind {
	case 1:
		if r.Refused = none || addr == 16 && !formAllowed(c.Data); r.Refused {
			return r
		}
		then(func() {
			switch addr {
			case 17:
				b.unaddressed = uint32(c.Data)
			case 18:
				b.written = uint32(c.Data)
			case 16:
				b.template[[2]int{index, 16}] = uint32(c.Data) & 0xFFFF00FF
				b.spray[index] = 0
			default:
				b.template[[2]int{index, addr}] = uint32(c.Data)
			}
		})
	case 2:
		if r.Refused = none; !none {
			r.Data = uint64(b.template[[2]int{index, addr}])
			switch addr {
			case 17:
				r.Data = uint64(b.unaddressed)
			case 18:
				r.Data = uint64(b.written)
			}
		}
	case 3:
		if r.Refused = addr >= 2; !r.Refused {
			then(func() { b.reg[addr] = c.Data % 65536 })
		}
	case 4:
		if r.Refused = addr >= 2; !r.Refused {
			r.Data = b.reg[addr]
		}
	default:
		r.Refused = true
	}
	return r
}

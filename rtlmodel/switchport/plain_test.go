package switchport

import (
	"math/bits"

	"github.com/goldwire/goldwire/rtlmodel/egress"
	"github.com/goldwire/goldwire/rtlmodel/intmd"
	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	pe "github.com/goldwire/goldwire/vectors/event/egress"
	pi "github.com/goldwire/goldwire/vectors/event/intmd"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// plainGlue implements the glue of contract.md literally, around the models of the three blocks: lists that only grow,
// with the cycle in which each element came in and the number of those that left, and sets as maps. A cycle first
// decides everything that it does and then does it.
type plainGlue struct {
	spec    Spec
	egress  *egress.Model
	trimmer *trimmer.Model
	intmd   *intmd.Model
	t       int

	rx                      []port.Rx
	cfg                     []port.Cfg
	rxGone, cfgGone         int
	packet                  []port.Rx // all beats of the packet being written
	slot                    int       // its slot
	used                    map[int]bool
	judged                  map[int]bool
	content                 map[int][]port.Rx
	requests                []plainRequest
	regs                    map[int]trimmer.Config // the copies in force from a given cycle
	judgedBy                trimmer.Config         // of the packet being written
	requestsGone            int
	notes                   []port.Note
	grs                     []port.Gr
	notesGone, grsGone      int
	feed                    []pt.Rx
	feedAt                  []int
	feedGone                int
	reading                 []pt.Rx // beats still to be read of the packet being read
	readingSlot             int
	out, here               bool
	access                  port.Cfg
	packets, full, arbitral int // counts: packets written, no free slot, reader before verdict
	waits, justJudged       int // counts: an answer waits for its verdict, its verdict is taken in that cycle
}

type plainRequest struct {
	slot int
	enq  pe.Enq
	made int // cycle
}

func newPlain(spec Spec) *plainGlue {
	b := &plainGlue{spec: spec}
	b.reset()
	return b
}

func (b *plainGlue) reset() {
	e, _ := egress.New(egress.Spec{NumPorts: b.spec.NumPorts, Depth: b.spec.Depth})
	i, _ := intmd.New(intmd.Spec{NumPorts: b.spec.NumPorts})
	*b = plainGlue{
		spec: b.spec, egress: e, intmd: i, trimmer: trimmer.New(), used: map[int]bool{}, judged: map[int]bool{},
		content: map[int][]port.Rx{},
		regs:    map[int]trimmer.Config{0: trimmer.DefaultConfig()},
		packets: b.packets, full: b.full, arbitral: b.arbitral, waits: b.waits, justJudged: b.justJudged,
	}
}

type plainIn struct {
	rstN, rxValid, grantValid, cfgValid, txReady, noteReady, grReady, cfgrReady bool
	rx                                                                          port.Rx
	grant                                                                       port.Grant
	cfg                                                                         port.Cfg
}

type plainOut struct {
	rxReady, grantReady, cfgReady, txValid, noteValid, grValid, cfgrValid bool
	tx                                                                    port.Tx
	note                                                                  port.Note
	gr                                                                    port.Gr
	cfgr                                                                  port.Cfgr
}

func lengthOf(beats []port.Rx) int {
	return 64*(len(beats)-1) + bits.TrailingZeros64(^beats[len(beats)-1].Keep)
}

func bytesOf(beats []port.Rx) (frame []byte) {
	for _, x := range beats {
		for i := range 64 {
			frame = append(frame, byte(x.Data[i/8]>>(8*(i%8))))
		}
	}
	return frame[:lengthOf(beats)]
}

// copies returns the copied registers that are in force in cycle t.
func (b *plainGlue) copies(t int) trimmer.Config {
	for ; ; t-- {
		if c, ok := b.regs[t]; ok {
			return c
		}
	}
}

func (b *plainGlue) cycle(in plainIn) (o plainOut) {
	if !in.rstN {
		b.reset()
		return o
	}
	t, up := b.t, b.t >= b.spec.NumPorts
	b.t++
	var do []func() // what this cycle does, decided from its initial state
	then := func(f func()) { do = append(do, f) }

	// Ports.
	o.rxReady = up && len(b.rx)-b.rxGone < 2
	o.grantReady = b.egress.DeqReady()
	o.cfgReady = up && len(b.cfg)-b.cfgGone < 2
	if x := b.intmd.Tx(); x != nil {
		o.txValid = true
		o.tx = port.Tx{Data: x.Data, Keep: x.Keep, Last: x.Last, Port: x.OutPort, Inserted: x.Inserted, Hops: x.Hops}
		if in.txReady {
			then(b.intmd.TakeTx)
		}
	}
	if b.notesGone < len(b.notes) {
		o.noteValid, o.note = true, b.notes[b.notesGone]
		if in.noteReady {
			then(func() { b.notesGone++ })
		}
	}
	if b.grsGone < len(b.grs) {
		o.grValid, o.gr = true, b.grs[b.grsGone]
		if in.grReady {
			then(func() { b.grsGone++ })
		}
	}
	if in.rxValid && o.rxReady {
		then(func() { b.rx = append(b.rx, in.rx) })
	}
	if in.grantValid && o.grantReady {
		then(func() { *b.egress.AcceptDeq() = pe.Deq{Port: in.grant.Port} })
	}
	if in.cfgValid && o.cfgReady {
		then(func() { b.cfg = append(b.cfg, in.cfg) })
	}
	enqr, deqr := b.egress.Enqr(), b.egress.Deqr()

	// Cfg.
	egressBusy := false
	if b.out {
		c := port.Cfgr{Target: b.access.Target, Kind: b.access.Kind, Port: b.access.Port}
		var take func()
		switch tr, im := b.trimmer.Cfgr(), b.intmd.Cfgr(); {
		case b.here:
			c.Refused, take = true, func() {}
		case c.Target == 0 && enqr != nil && enqr.Kind != 0:
			c.Refused, c.Data, take = enqr.Refused, uint64(enqr.Data), b.egress.TakeEnqr
		case c.Target == 1 && tr != nil:
			c.Refused, c.Data, take = tr.Refused, uint64(tr.Data), b.trimmer.TakeCfgr
		case c.Target == 2 && im != nil:
			c.Refused, c.Data, take = im.Refused, im.Data, b.intmd.TakeCfgr
		}
		if take != nil {
			o.cfgrValid, o.cfgr = true, c
			if in.cfgrReady {
				then(take)
				then(func() { b.out = false })
			}
		}
	} else if b.cfgGone < len(b.cfg) {
		ev := b.cfg[b.cfgGone]
		leave := func(here bool) {
			then(func() { b.out, b.here, b.access, b.cfgGone = true, here, ev, b.cfgGone+1 })
		}
		switch {
		case ev.Target == 3 || ev.Target == 0 && ev.Kind == 0:
			leave(true)
		case ev.Target == 0:
			egressBusy = true
			if b.egress.EnqReady() {
				then(func() {
					*b.egress.AcceptEnq() = pe.Enq{Kind: pe.Kind(ev.Kind), Port: ev.Port, Cls: pe.Cls(ev.Cls), Addr: ev.Addr,
						Data: ev.Data}
				})
				leave(false)
			}
		case ev.Target == 1 && b.trimmer.CfgReady():
			then(func() { *b.trimmer.AcceptCfg() = pt.Cfg{Kind: pt.Kind(ev.Kind), Addr: ev.Addr, Data: ev.Data} })
			if ev.Kind == 3 && (ev.Addr < 2 && ev.Data <= 256 || ev.Addr == 2) {
				c := b.copies(t)
				c[ev.Addr] = ev.Data % 65536
				then(func() { b.regs[t+1] = c })
			}
			leave(false)
		case ev.Target == 2 && b.intmd.CfgReady():
			then(func() {
				*b.intmd.AcceptCfg() = pi.Cfg{Kind: pi.Kind(ev.Kind), Port: ev.Port, Addr: ev.Addr, Data: ev.Data}
			})
			leave(false)
		}
	}

	// Requests.
	if !egressBusy && b.requestsGone < len(b.requests) && b.requests[b.requestsGone].made+4 <= t && b.egress.EnqReady() {
		r := b.requests[b.requestsGone]
		then(func() { *b.egress.AcceptEnq() = r.enq; b.requestsGone++ })
	}

	// Reader.
	idle, reports := len(b.reading) == 0, false
	if !idle && len(b.feed)-b.feedGone < 4 {
		x, last, slot := b.reading[0], len(b.reading) == 1, b.readingSlot
		idle = last
		then(func() {
			b.feed, b.feedAt, b.reading = append(b.feed, x), append(b.feedAt, t), b.reading[1:]
			if last {
				delete(b.used, slot)
			}
		})
	}
	ready := idle && deqr != nil && len(b.grs)-b.grsGone < 4
	unjudged := ready && !deqr.Empty && !deqr.Refused && !b.judged[int(deqr.Id)]
	if unjudged {
		b.waits++
	}
	if ready && !unjudged {
		d := *deqr
		g := port.Gr{
			Port: d.Port, Empty: d.Empty, Refused: d.Refused, Cls: port.Cls(d.Cls), Len: d.Len, Trimmed: d.Trimmed, Ce: d.Ce,
			Depth: d.Depth, PortBytes: d.PortBytes, Xoff: d.Xoff,
		}
		if !d.Empty && !d.Refused {
			reports = true
			slot := int(d.Id)
			beats := b.content[slot]
			n, told := lengthOf(beats), 0
			if d.Trimmed {
				told = int(d.Len) % 512
			}
			g.Id = beats[0].Id
			then(func() {
				b.readingSlot, b.reading = slot, nil
				for _, x := range beats {
					b.reading = append(b.reading, pt.Rx{
						Data: x.Data, Keep: x.Keep, Last: x.Last, Trim: d.Trimmed, LastHop: d.LastHop, Ce: d.Ce, Len: uint16(n),
						TrimSize: uint16(told),
						Tag:      uint32(d.Len)*65536 + uint32(beats[0].InPort)*256 + uint32(d.Port),
					})
				}
				*b.intmd.AcceptCnt() = pi.Cnt{Port: d.Port, Op: pi.OpAdd, TxBytes: uint32(d.Len),
					Qlen: uint32(1<<32 - uint64(d.Len))}
			})
		}
		then(func() { b.grs = append(b.grs, g); b.egress.TakeDeqr() })
	}

	// Verdicts.
	if enqr != nil && enqr.Kind == 0 && len(b.notes)-b.notesGone < 4 {
		r := *enqr
		queued := r.Verdict == pe.VerdictAdmit || r.Verdict == pe.VerdictTrim
		if queued && reports {
			b.arbitral++
		} else {
			slot := int(r.Id)
			if unjudged && slot == int(deqr.Id) {
				b.justJudged++
			}
			then(func() {
				b.egress.TakeEnqr()
				b.judged[slot] = true
				b.notes = append(b.notes, port.Note{
					Id: b.content[slot][0].Id, Port: r.Port, Verdict: port.Verdict(r.Verdict), Cause: port.Cause(r.Cause),
					Cls: port.Cls(r.Cls), Len: r.Len, Trimmed: r.Trimmed, Depth: r.Depth, PortBytes: r.PortBytes,
					Xoff: r.Xoff, Refused: r.Refused,
				})
				if queued {
					*b.intmd.AcceptCnt() = pi.Cnt{Port: r.Port, Op: pi.OpAdd, Qlen: uint32(r.Len)}
				} else {
					delete(b.used, slot)
				}
			})
		}
	}

	// Writer.
	if b.rxGone < len(b.rx) {
		x, first := b.rx[b.rxGone], len(b.packet) == 0
		slot := b.slot
		if first {
			for slot = 0; b.used[slot]; slot++ {
			}
		}
		if slot == b.spec.Slots {
			b.full++
		} else if !x.Last || len(b.requests)-b.requestsGone < 8 {
			then(func() {
				b.rxGone++
				if first {
					delete(b.judged, slot)
				}
				b.slot, b.used[slot] = slot, true
				b.packet = append(b.packet, x)
				if len(b.packet) == 4 || x.Last && len(b.packet) < 4 {
					b.judgedBy = b.copies(t)
				}
				if !x.Last {
					return
				}
				h, n := b.packet[0], lengthOf(b.packet)
				e := pe.Enq{
					Port: h.Port, Cls: pe.Cls(h.Cls), Len: uint16(n), Trimmable: h.Trimmable, Ect: h.Ect, LastHop: h.LastHop,
					Id: uint32(slot),
				}
				if len(b.packet) > 144 {
					e.Cls, e.Len = 3, 0
				} else if _, res := trimmer.Trim(&b.judgedBy, bytesOf(b.packet),
					trimmer.Side{Trim: true, Len: uint16(n)}); res.Trimmed {
					e.TrimSize = uint16(res.Size)
				}
				b.requests = append(b.requests, plainRequest{slot, e, t})
				b.content[slot], b.packet = b.packet, nil
				b.packets++
			})
		}
	}

	// The blocks after the buffer.
	if b.feedGone < len(b.feed) && b.feedAt[b.feedGone]+2 <= t && b.trimmer.RxReady() {
		then(func() { *b.trimmer.AcceptRx() = b.feed[b.feedGone]; b.feedGone++ })
	}
	if x := b.trimmer.Tx(); x != nil && b.intmd.RxReady() {
		then(func() {
			*b.intmd.AcceptRx() = pi.Rx{
				Data: x.Data, Keep: x.Keep, Last: x.Last, Len: uint16(x.Tag / 65536), InPort: uint8(x.Tag / 256),
				OutPort: uint8(x.Tag),
			}
			b.trimmer.TakeTx()
		})
	}

	for _, f := range do {
		f()
	}
	b.egress.Tick()
	b.trimmer.Tick()
	b.intmd.Tick()
	return o
}

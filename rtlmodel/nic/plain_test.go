package nic

import (
	"github.com/goldwire/goldwire/rtlmodel/ackgen"
	"github.com/goldwire/goldwire/rtlmodel/ackparse"
	"github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/rtlmodel/txpdc"
	"github.com/goldwire/goldwire/rtlmodel/txstate"
	pg "github.com/goldwire/goldwire/vectors/event/ackgen"
	pp "github.com/goldwire/goldwire/vectors/event/ackparse"
	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
	pt "github.com/goldwire/goldwire/vectors/event/txstate"
)

// plainGlue implements contract.md literally, around the models of the five blocks: queues that only grow, with the
// number of elements that left, and packets as lists of all their bytes. A cycle first decides everything that it does
// and then does it.
type plainGlue struct {
	spec     Spec
	ackparse *ackparse.Model
	ackgen   *ackgen.Model
	txpdc    *txpdc.Model
	txstate  *txstate.Model
	ccc      *ccc.Model
	t        int

	cmd        queue[port.Cmd]
	out, reply bool
	current    port.Cmd
	rsp        port.Response

	pend, order queue[plainEntry]
	latest      uint64
	notes       queue[port.Note]
	packets     queue[plainPacket]

	template             map[[2]int]uint32 // by context and word
	spray                map[int]uint16    // by context
	reg                  [port.NumRegs]uint64
	header               int
	unaddressed, written uint32

	frame []byte // of the packet that the writer is busy with, nil when it is idle
	pdc   uint16
	j     int
	beats queue[plainBeat]
	turn  string

	met map[string]int
}

type queue[T any] struct {
	all  []T
	gone int
}

func (q *queue[T]) n() int    { return len(q.all) - q.gone }
func (q *queue[T]) oldest() T { return q.all[q.gone] }
func (q *queue[T]) add(x T)   { q.all = append(q.all, x) }
func (q *queue[T]) leave()    { q.gone++ }

// plainEntry is an action, or a command where act is nil.
type plainEntry struct {
	act *ps.Act
	rsp pt.Response
}

type plainPacket struct {
	act ps.Act
	ar  bool
}

type plainBeat struct {
	made int
	tx   port.Tx
}

func newPlain(spec Spec) *plainGlue {
	b := &plainGlue{spec: spec, met: map[string]int{}}
	b.reset()
	return b
}

func (b *plainGlue) reset() {
	g, _ := ackgen.New(ackgen.Spec{Pdcs: b.spec.Receives})
	s, _ := txpdc.New(txpdc.Spec{Contexts: b.spec.Contexts})
	t, _ := txstate.New(txstate.Spec{NumPdcs: 4 * b.spec.Contexts, Depth: 128})
	c, _ := ccc.New(ccc.Spec{NumContexts: b.spec.Contexts, NumPdcs: 4, NumProfiles: 4})
	*b = plainGlue{spec: b.spec, ackparse: ackparse.New(), ackgen: g, txpdc: s, txstate: t, ccc: c,
		template: map[[2]int]uint32{}, spray: map[int]uint16{}, reg: [port.NumRegs]uint64{0, 4793}, header: 64,
		turn: "NONE", met: b.met}
}

type plainIn struct {
	rstN, rxValid, cmdValid, txReady, indReady, noteReady, rspReady bool
	rx                                                              port.Rx
	cmd                                                             port.Cmd
}

type plainOut struct {
	rxReady, cmdReady, txValid, indValid, noteValid, rspValid bool
	tx                                                        port.Tx
	ind                                                       port.Ind
	note                                                      port.Note
	rsp                                                       port.Response
}

// refusedAtOnce is the first rule of "Commands", and the one on addr[5].
func refusedAtOnce(c port.Cmd) bool {
	in := func(kinds ...uint8) bool {
		for _, k := range kinds {
			if c.Kind == k {
				return true
			}
		}
		return false
	}
	switch c.Target {
	case 0, 4:
		return c.Addr >= 32
	case 1:
		return c.Addr >= 32 || !in(0, 1, 2, 3, 9, 10)
	case 2:
		return !in(3, 4, 5)
	case 3, 5:
		return false
	}
	return true
}

func eventOf(k ps.Action) bool { return k >= 1 && k <= 6 }

func (b *plainGlue) cycle(in plainIn) (o plainOut) {
	if !in.rstN {
		b.reset()
		return o
	}
	t, up := b.t, b.t >= max(512*b.spec.Contexts, b.spec.Receives)
	b.t++
	var do []func() // what this cycle does, decided from its initial state
	then := func(f func()) { do = append(do, f) }

	// Arrivals
	o.rxReady = up && b.ackparse.RxReady() && b.ackgen.RxReady()
	if o.rxReady && in.rxValid {
		x := in.rx
		then(func() {
			*b.ackparse.AcceptRx() = pp.Rx{Data: x.Data, Keep: x.Keep, Last: x.Last, Tag: x.Tag}
			*b.ackgen.AcceptRx() = pg.Rx{Data: x.Data, Keep: x.Keep, Last: x.Last, Tag: x.Tag}
		})
	}
	if r := b.ackparse.Rec(); r != nil && b.txpdc.RecReady() {
		r := *r
		then(func() {
			b.ackparse.TakeRec()
			*b.txpdc.AcceptRec() = ps.Rec{PdsType: ps.PdsType(r.PdsType), Entropy: r.Entropy, M: r.M, Retx: r.Retx,
				Probe: r.Probe, PSN: r.PSN, AckPSN: r.AckPSN, Spdcid: r.Spdcid, Dpdcid: r.Dpdcid, NackCode: r.NackCode,
				CcType: r.CcType, Mpr: r.Mpr, SackBase: r.SackBase, SackBitmap: r.SackBitmap,
				ServiceTime: r.ServiceTime, RC: r.RC, Pend: r.RcvCwndPend, RcvdBytes: r.RcvdBytes}
		})
	}
	if x := b.ackgen.Ind(); x != nil {
		o.indValid = true
		o.ind = port.Ind{Tag: x.Tag, Verdict: uint8(x.Verdict), NackCode: uint8(x.NackCode), Pdcid: x.Pdcid, PSN: x.PSN,
			Opened: x.Opened, Answered: x.Answered}
		if in.indReady {
			then(b.ackgen.TakeInd)
		}
	}

	// Commands
	var c port.Cmd
	head := !b.out && b.cmd.n() > 0
	if head {
		c = b.cmd.oldest()
	}
	at := func(target port.Target) bool { return head && !refusedAtOnce(c) && c.Target == target }
	offerWindow := at(port.TargetWindow) && b.order.n() < port.Order
	offerTime := at(port.TargetTimes) && b.pend.n() < port.Pend
	o.cmdReady = up && b.cmd.n() < 2
	if o.cmdReady && in.cmdValid {
		x := in.cmd
		then(func() { b.cmd.add(x) })
	}
	becomes := func(r port.Response) {
		then(func() {
			r.Target, r.Kind, r.Index = b.current.Target, b.current.Kind, b.current.Index
			b.rsp, b.reply = r, true
		})
	}
	leaves := func() {
		then(func() {
			b.cmd.leave()
			b.out, b.current = true, c
		})
	}
	counts := [2]bool{} // a packet that starts: unaddressed, written
	switch {
	case head && refusedAtOnce(c):
		leaves()
		becomes(port.Response{Refused: true})
	case at(port.TargetWriter):
		leaves()
		becomes(b.writer(c, then))
	case at(port.TargetSource) && b.txpdc.CmdReady():
		leaves()
		then(func() {
			*b.txpdc.AcceptCmd() = ps.Cmd{Kind: ps.Kind(c.Kind), PDC: c.Index, Addr: c.Addr, PSN: c.PSN, Data: uint32(c.Data)}
			if c.Kind == 3 && c.Addr == 1 {
				b.header = int(c.Data % 128)
			}
		})
	case at(port.TargetDestination) && b.ackgen.CfgReady():
		leaves()
		then(func() {
			*b.ackgen.AcceptCfg() = pg.Cfg{Kind: pg.Kind(c.Kind), PDC: c.Index, Addr: c.Addr, Data: uint32(c.Data)}
		})
	case at(port.TargetParser) && b.ackparse.CfgReady():
		leaves()
		then(func() { *b.ackparse.AcceptCfg() = pp.Cfg{Kind: pp.Kind(c.Kind), Addr: c.Addr, Data: uint32(c.Data)} })
	case offerWindow && b.ccc.EvReady():
		leaves()
		ev := pc.Event{Kind: pc.Kind(c.Kind), Ctx: c.Index, PDC: c.Slot, Profile: c.Profile, Addr: c.Addr, Data: c.Data,
			Now: b.latest}
		then(func() {
			b.ccc.AcceptEv(&ev)
			b.order.add(plainEntry{})
		})
	case offerTime && b.txstate.EvReady():
		leaves()
		ev := pt.Event{Kind: pt.Kind(c.Kind), PDC: c.Index, PSN: c.PSN, Now: c.Data % (1 << 48),
			LoadValid: c.Data>>48%2 == 1, LoadRtxCount: uint8(c.Data >> 49 % 4), TimeShift: uint8(c.Data % 8)}
		then(func() {
			b.txstate.AcceptEv(&ev)
			b.pend.add(plainEntry{})
		})
	}
	if r := b.txpdc.Rsp(); r != nil {
		becomes(port.Response{Refused: r.Refused, Busy: r.Busy, Data: uint64(r.Data)})
		then(b.txpdc.TakeRsp)
	}
	if r := b.ackgen.Cfgr(); r != nil {
		becomes(port.Response{Refused: r.Refused, Data: uint64(r.Data)})
		then(b.ackgen.TakeCfgr)
	}
	if r := b.ackparse.Cfgr(); r != nil {
		becomes(port.Response{Refused: r.Refused, Data: uint64(r.Data)})
		then(b.ackparse.TakeCfgr)
	}
	if o.rspValid = b.reply; o.rspValid {
		o.rsp = b.rsp
		if in.rspReady {
			then(func() { b.out, b.reply = false, false })
		}
	}

	// Acts
	if a := b.txpdc.Act(); a != nil {
		a := *a
		free := b.pend.n() < port.Pend && !offerTime
		if free && !(a.Tx && !b.txstate.EvReady()) {
			then(func() {
				b.txpdc.TakeAct()
				b.pend.add(plainEntry{act: &a})
				if a.Tx {
					b.txstate.AcceptEv(&pt.Event{Kind: map[ps.Action]pt.Kind{3: 0, 4: 1, 5: 2}[a.Kind], PDC: a.PDC, PSN: a.PSN,
						Now: a.Now, IsRtx: a.IsRtx, Retx: a.Retx, ServiceTime: a.ServiceTime})
				}
			})
		} else {
			b.met[map[bool]string{true: "act waits for txstate", false: "act waits"}[free]]++
		}
		if offerTime {
			b.met["act waits for a command"]++
		}
	}

	// Join
	if b.pend.n() > 0 {
		e := b.pend.oldest()
		switch {
		case e.act == nil && b.txstate.RspValid():
			then(func() {
				var r pt.Response
				b.txstate.TakeRsp(&r)
				b.pend.leave()
				found := uint64(0)
				if r.Found {
					found = 1
				}
				b.rsp, b.reply = port.Response{Target: b.current.Target, Kind: b.current.Kind, Index: b.current.Index,
					Refused: r.Refused, Missing: r.NoPDC, PSN: r.PSN, Data: uint64(r.RtxCount)<<49 + found<<48 + r.TxTime}, true
			})
		case e.act == nil:
		case b.order.n() >= port.Order:
			b.met["order full"]++
		case offerWindow:
			b.met["join waits for a command"]++
		case e.act.Tx && !b.txstate.RspValid(), eventOf(e.act.Kind) && !b.ccc.EvReady():
		default:
			then(func() {
				b.pend.leave()
				if e.act.Tx {
					b.txstate.TakeRsp(&e.rsp)
				}
				if eventOf(e.act.Kind) {
					b.ccc.AcceptEv(plainEvent(&e))
				}
				b.order.add(e)
				b.latest = e.act.Now
			})
		}
	}

	b.settle(then)
	b.make(t, then, &counts)
	b.port(t, in, &o, then)
	if o.noteValid = b.notes.n() > 0; o.noteValid {
		o.note = b.notes.oldest()
		if in.noteReady {
			then(b.notes.leave)
		}
	}

	for _, f := range do {
		f()
	}
	if counts[0] {
		b.unaddressed++
	}
	if counts[1] {
		b.written++
	}
	b.ackparse.Tick()
	b.ackgen.Tick()
	b.txpdc.Tick()
	b.txstate.Tick()
	b.ccc.Tick()
	return o
}

// plainEvent is the table of "Join".
func plainEvent(e *plainEntry) *pc.Event {
	a, r := e.act, e.rsp
	ev := pc.Event{Ctx: a.PDC / 4, Now: a.Now}
	slot := uint8(a.PDC % 4)
	switch a.Kind {
	case ps.ActionOpened:
		ev.Kind, ev.PDC, ev.Size = pc.KindBind, slot, a.Size
	case ps.ActionMessage:
		ev.Kind, ev.Size = pc.KindNewData, a.Size
	case ps.ActionSent:
		ev.Kind, ev.Size, ev.IsRtx = pc.KindSend, a.Size, a.IsRtx
	case ps.ActionAcked:
		ev.Kind, ev.PDC, ev.RcvdBytes, ev.AckedPkts = pc.KindAck, slot, a.RcvdBytes, uint16(a.AckedPkts)
		ev.UnmarkPkts, ev.UnmarkBytes, ev.M, ev.Entropy = uint16(a.UnmarkPkts), a.UnmarkBytes, a.M, a.Entropy
		ev.ServiceTime, ev.Retx, ev.Pend, ev.RC = a.ServiceTime, a.Retx, a.Pend, a.RC
		if a.Tx {
			ev.TxValid, ev.TxTime, ev.RtxCount = r.Found, r.TxTime, r.RtxCount
		}
	case ps.ActionNacked:
		ev.Kind, ev.Size, ev.M, ev.Entropy, ev.Retx = pc.KindNack, a.Size, a.M, a.Entropy, a.Retx
		ev.Reason, ev.TxValid, ev.TxTime, ev.RtxCount = pc.Reason(a.Code), r.Found, r.TxTime, r.RtxCount
	case ps.ActionLost:
		ev.Kind, ev.Size = pc.KindLoss, a.Size
	}
	return &ev
}

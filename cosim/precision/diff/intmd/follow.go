package intmd

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/golden/packet"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// reading is one entry that left in a packet.
type reading struct {
	packet uint64 // its number
	port   int    // whose entry it is
	moment        // exactly, and in counters at their formats
	word   uint64 // as the packet has it
	bytes  int    // of the packet as it leaves
}

// record is what happened at the ports in a cycle.
type record struct {
	rx, last, take, shown, answered bool
	inPort, outPort                 uint8
	cnt                             port.Cnt
	cfg                             port.Cfg
	hasCnt, hasCfg                  bool
}

// passing is a packet on its way.
type passing struct {
	beats, bytes    int
	whole           bool // its last beat came
	inPort, outPort uint8
	magic           uint16 // in force in the release cycle
	looked          bool   // the lookup cycle has been
	in, out         moment
	left            int // beats that have left
	decided, grows  bool
	frame           []byte
}

// follower finds the lookup cycle of every packet from what happens at the ports, by the equations of contract.md,
// "Beats" and "Timing". Whether a packet grows by a beat it learns from the packet as it leaves, so that it runs behind
// the ports by as much as that takes.
type follower struct {
	ledger *ledger
	ports  int
	read   func(*reading)
	parted string // the first thing that the contract does not have so

	events  uint64     // accepted: packets, reports and accesses
	number  uint64     // packets that have left
	packets []*passing // that came and have not left, oldest first
	spare   []*passing
	open    bool // the next beat belongs to the newest packet
	pending []record

	t               int // cycles with the block up
	sweep           int
	q, s, avail, w  int
	x               bool
	rel             [port.Release]int
	issuing, issued int // packet, and beats of it
	popping, popped int
	emits           []int // cycles in which the beats emitted and not taken were
	cnts            []port.Cnt
	cfgs            []port.Cfg
	credits         int
	empty           uint64 // packets counted as ones with an entry that ended before its place
}

func newFollower(l *ledger, ports int, read func(*reading)) *follower {
	f := &follower{ledger: l, ports: ports, read: read}
	f.reset()
	return f
}

// reset forgets what is in the block. Packets that have left were read by then.
func (f *follower) reset() {
	f.spare = append(f.spare, f.packets...)
	*f = follower{ledger: f.ledger, ports: f.ports, read: f.read, parted: f.parted, number: f.number, events: f.events,
		empty: f.empty, spare: f.spare, packets: f.packets[:0], pending: f.pending[:0], emits: f.emits[:0],
		cnts: f.cnts[:0], cfgs: f.cfgs[:0]}
	f.ledger.reset()
}

func (f *follower) part(format string, args ...any) {
	if f.parted == "" {
		f.parted = fmt.Sprintf(format, args...)
	}
}

func (f *follower) cycle(in, out []uint64) {
	if f.parted != "" {
		return
	}
	if in[0]&port.InRstN == 0 {
		f.reset()
		return
	}
	moved := func(from, to []uint64, valid, ready uint64) bool { return from[0]&valid != 0 && to[0]&ready != 0 }
	r := record{
		rx:       moved(in, out, port.InRxValid, port.OutRxReady),
		take:     moved(out, in, port.OutTxValid, port.InTxReady),
		answered: moved(out, in, port.OutCfgrValid, port.InCfgrReady),
		shown:    out[0]&port.OutTxValid != 0,
		hasCnt:   moved(in, out, port.InCntValid, port.OutCntReady),
		hasCfg:   moved(in, out, port.InCfgValid, port.OutCfgReady),
	}
	if r.hasCnt {
		port.UnpackCnt(in, &r.cnt)
	}
	if r.hasCfg {
		port.UnpackCfg(in, &r.cfg)
	}
	if r.rx {
		f.arrive(in, &r)
	}
	for _, ends := range [...]bool{r.last, r.hasCnt, r.hasCfg} {
		if ends {
			f.events++
		}
	}
	f.pending = append(f.pending, r)
	var gone *passing
	var last port.Tx
	if r.take {
		gone = f.leave(out, &last)
	}
	n := 0
	for n < len(f.pending) && f.parted == "" && f.step(&f.pending[n]) {
		n++
	}
	f.pending = append(f.pending[:0], f.pending[n:]...)
	if gone != nil && f.parted == "" {
		f.finish(gone, &last)
	}
}

func (f *follower) arrive(in []uint64, r *record) {
	var x port.Rx
	port.UnpackRx(in, &x)
	if !f.open {
		p := new(passing)
		if n := len(f.spare); n > 0 {
			p, f.spare = f.spare[n-1], f.spare[:n-1]
		}
		*p = passing{inPort: x.InPort, outPort: x.OutPort, frame: p.frame[:0]}
		f.packets = append(f.packets, p)
	}
	p := f.packets[len(f.packets)-1]
	p.beats++
	p.bytes += 64
	if f.open, r.last = !x.Last, x.Last; x.Last {
		p.bytes += bits.TrailingZeros64(^x.Keep) - 64
		p.whole = true
	}
}

// leave takes a beat at tx and returns its packet if that is the last one.
func (f *follower) leave(out []uint64, x *port.Tx) *passing {
	port.UnpackTx(out, x)
	if len(f.packets) == 0 {
		f.part("packet %d: a beat leaves before any came", f.number)
		return nil
	}
	p := f.packets[0]
	p.left++
	if p.left == p.beats && p.whole {
		p.decided, p.grows = true, !x.Last
	}
	n := 64
	if x.Last {
		n = bits.TrailingZeros64(^x.Keep)
	}
	var beat [64]byte
	for k, v := range x.Data {
		binary.LittleEndian.PutUint64(beat[8*k:], v)
	}
	p.frame = append(p.frame, beat[:n]...)
	if !x.Last {
		return nil
	}
	if !p.decided {
		f.part("packet %d: it ends with beat %d of %d", f.number, p.left, p.beats)
		return nil
	}
	return p
}

// step executes a cycle, or returns false where it must know first whether a packet grows.
func (f *follower) step(r *record) bool {
	if f.sweep < f.ports {
		f.sweep++
		if r.rx || r.hasCnt || r.hasCfg || r.shown {
			f.part("cycle %d after reset: something moves in the sweep of %d cycles", f.sweep-1, f.ports)
		}
		return true
	}
	emit := f.w < port.Out && (f.x || f.avail > 0)
	pop := emit && !f.x
	var p *passing
	ends := false
	if pop {
		p = f.packets[f.popping]
		if ends = p.whole && f.popped == p.beats-1; ends && !p.decided {
			return false
		}
	}
	if shown := len(f.emits) > 0 && f.emits[0]+port.Emit <= f.t; shown != r.shown {
		f.part("cycle %d after the sweep: a beat at tx: want %v (contract), got %v (model)", f.t, shown, r.shown)
		return true
	}
	f.issue(r)
	if pop {
		if f.popped == 0 {
			f.look(p)
		}
		if f.popped++; ends {
			f.popping, f.popped = f.popping+1, 0
		}
		f.s--
		f.avail--
	}
	if emit {
		f.x = ends && p.grows
		f.emits = append(f.emits, f.t)
		f.w++
	}
	if r.take {
		f.emits = append(f.emits[:0], f.emits[1:]...)
		f.w--
	}
	f.tables(r)
	f.t++
	return true
}

// issue moves the oldest beat from the FIFO to the store, and releases beats.
func (f *follower) issue(r *record) {
	n := 0
	if f.q > 0 && f.s < port.Store {
		p := f.packets[f.issuing]
		last := p.whole && f.issued == p.beats-1
		switch {
		case f.issued >= port.HeadBeats:
			n = 1
		case last || f.issued == port.HeadBeats-1:
			n = f.issued + 1
			p.magic = f.ledger.magic
		}
		if f.issued++; last {
			f.issuing, f.issued = f.issuing+1, 0
		}
		f.q--
		f.s++
	}
	if r.rx {
		f.q++
	}
	f.rel[f.t%port.Release] = n
	f.avail += f.rel[(f.t+1)%port.Release]
}

// look is the lookup cycle of a packet.
func (f *follower) look(p *passing) {
	p.looked = true
	if int(p.inPort) < f.ports {
		p.in = f.ledger.entry(int(p.inPort))
	}
	if int(p.outPort) < f.ports {
		p.out = f.ledger.entry(int(p.outPort))
	}
}

// tables executes clock and table, the oldest write and the oldest report, and takes what came.
func (f *follower) tables(r *record) {
	f.ledger.tick()
	if len(f.cfgs) > 0 && f.credits < port.CfgCredits {
		f.ledger.write(&f.cfgs[0])
		f.cfgs = append(f.cfgs[:0], f.cfgs[1:]...)
		f.credits++
	}
	if r.answered {
		f.credits--
	}
	if len(f.cnts) > 0 {
		f.ledger.report(&f.cnts[0])
		f.cnts = append(f.cnts[:0], f.cnts[1:]...)
	}
	if r.hasCfg {
		f.cfgs = append(f.cfgs, r.cfg)
	}
	if r.hasCnt {
		f.cnts = append(f.cnts, r.cnt)
	}
}

// finish reads the entry of a packet that has left.
func (f *follower) finish(p *passing, last *port.Tx) {
	number := f.number
	f.number++
	if !p.looked || f.popping == 0 {
		f.part("packet %d: it leaves earlier than the contract has it", number)
		return
	}
	f.packets = append(f.packets[:0], f.packets[1:]...)
	f.popping--
	f.issuing--
	f.spare = append(f.spare, p)
	if !last.Inserted {
		return
	}
	if len(p.frame) == p.bytes { // it ended before the place of the entry
		f.empty++
		return
	}
	v := packet.Judge(p.frame)
	tel, err := packet.ReadTelemetry(v.Payload, p.magic)
	if err != nil || len(tel.Entries) == 0 || int(last.Hops) != len(tel.Entries) {
		f.part("packet %d: an entry was inserted as hop %d, and a reader finds %d hops (%v)", number, last.Hops,
			len(tel.Entries), err)
		return
	}
	x := reading{packet: number, port: int(p.outPort), moment: p.out, word: tel.Entries[len(tel.Entries)-1],
		bytes: len(p.frame)}
	if kind := v.Payload[0] >> 3; kind == 7 || kind == 8 { // an ACK: by where it came in
		x.port, x.moment = int(p.inPort), p.in
	}
	if x.port >= f.ports {
		f.part("packet %d: it has an entry of port %d, of %d", number, x.port, f.ports)
		return
	}
	f.read(&x)
}

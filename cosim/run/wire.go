package run

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Frame is a packet at a block's output tx.
type Frame struct {
	Bytes []byte // from the Ethernet header on, without FCS
	Cycle uint64 // of its last beat, since the start of the run
}

// packetTap assembles packets from the beats of one stream.
type packetTap struct {
	data, keep int // words of a record
	buf        []byte
	open       bool
}

func newPacketTap(r *event.Record, stream string) *packetTap {
	return &packetTap{data: r.Slot(stream, "data").Word, keep: r.Slot(stream, "keep").Word}
}

// beat takes a transfer, the last one of a packet or not, and reports whether it is the first. The bytes it returns are
// valid until the next.
func (t *packetTap) beat(rec []uint64, last bool) (frame []byte, first bool) {
	if first = !t.open; first {
		t.buf = t.buf[:0]
	}
	at, n := len(t.buf), 64
	if cap(t.buf) < at+64 {
		t.buf = slices.Grow(t.buf, max(64, at)) // twice as much, not slices' quarter more: frames grow beat by beat
	}
	t.buf = t.buf[:at+64]
	to, from := (*[64]byte)(t.buf[at:]), (*[8]uint64)(rec[t.data:])
	for k, w := range from {
		binary.LittleEndian.PutUint64(to[8*k:], w)
	}
	if t.open = !last; last {
		n = bits.TrailingZeros64(^rec[t.keep])
	}
	t.buf = t.buf[:at+n]
	return t.buf, first
}

// give hands the frame over for good; the next one is assembled in spare.
func (t *packetTap) give(spare []byte) []byte {
	frame := t.buf
	t.buf = spare[:0]
	return frame
}

// Which packets the library judges: the first of a pass over a source, one in every libraryEvery after them, and all
// that packet.Plain does not accept. Their lengths and checksums are verified in every case.
const libraryFirst, libraryEvery = 512, 64

// wireWatch judges every packet that a block sends, with code that knows nothing of our hardware: packet.Plain checks
// lengths and checksums of all, a packet library checks a share of them and all that Plain does not accept. It hands
// out those that the device is known to have sent: device and model agree in every cycle up to the first that
// differs.
type wireWatch struct {
	idle
	of      *player // that counts the cycles; nil: from 0
	episode string
	rx, tx  *packetTap
	rxAt    int // places of the streams among inputs and outputs
	txAt    int
	// of the answers that give the order in which packets leave; -1: they leave in the order in which they came
	grAt     int
	id, gid  *event.Slot   // handles of packets and of answers
	none     []*event.Slot // set where an answer sends nothing
	booked   *event.Slot   // length in an answer
	inserted *event.Slot   // at tx: telemetry was inserted
	handle   uint64
	came     [][]byte            // in order, where packets leave in order
	byHandle map[uint64]wireSort // else
	order    []wireAnswer        // answers that send a packet
	left     []wirePacket        // packets that have left
	spare    [][]byte
	judged   uint64 // packets that have left
	count    int    // of them since the reset
	bad      *finding
	emit     func(Frame) error // nil for none
	from     uint64            // cycles of passes before this one
	pending  []Frame
	err      error
}

// wireAnswer sends a packet.
type wireAnswer struct {
	handle uint64
	booked int // bytes
}

// wirePacket has left.
type wirePacket struct {
	frame    []byte
	inserted bool
}

// wireSort is what came in under one handle.
type wireSort struct {
	n     int  // packets; several use one handle in turn
	sound bool // all of them
}

// newWireWatch returns nil where a block's output carries no packets.
func newWireWatch(e *engine) *wireWatch {
	l := e.judge.Layout()
	w := &wireWatch{rxAt: -1, txAt: -1, grAt: -1, emit: e.cfg.Frames, from: e.played, byHandle: map[uint64]wireSort{}}
	for i, s := range e.kind.Schema.StreamsOf(event.In) {
		if s.Name == "rx" && s.Field("data") != nil {
			w.rxAt, w.rx, w.id = i, newPacketTap(&l.In, "rx"), l.In.Slot("rx", "id")
		}
	}
	for i, s := range e.kind.Schema.StreamsOf(event.Out) {
		switch s.Name {
		case "tx":
			w.txAt, w.tx = i, newPacketTap(&l.Out, "tx")
		case "gr":
			w.grAt, w.gid, w.booked, w.inserted = i, l.Out.Slot("gr", "id"), l.Out.Slot("gr", "len"),
				l.Out.Slot("tx", "inserted")
			w.none = []*event.Slot{l.Out.Slot("gr", "empty"), l.Out.Slot("gr", "refused")}
		}
	}
	if w.rxAt < 0 || w.txAt < 0 {
		return nil
	}
	return w
}

func (w *wireWatch) begin(ep *stim.Episode) {
	w.episode = ep.Name
	w.reset(0)
}

func (w *wireWatch) reset(uint64) {
	w.count = 0
	w.rx.open, w.tx.open = false, false
	w.spare = append(w.spare, w.came...)
	for _, x := range w.left {
		w.spare = append(w.spare, x.frame)
	}
	w.came, w.left, w.order = w.came[:0], w.left[:0], w.order[:0]
	clear(w.byHandle)
}

// keep takes a finished frame from its tap, which goes on in storage used before.
func (w *wireWatch) keep(t *packetTap) []byte {
	var b []byte
	if n := len(w.spare); n > 0 {
		b, w.spare = w.spare[n-1], w.spare[:n-1]
	}
	return t.give(b)
}

func (w *wireWatch) accept(n uint64, s int, in []uint64, ends bool) {
	if s != w.rxAt {
		return
	}
	frame, first := w.rx.beat(in, ends)
	if first && w.grAt >= 0 {
		w.handle = w.id.Get(in)
	}
	switch {
	case !ends:
	case w.grAt >= 0:
		// Judged now: a packet that is dropped would otherwise be kept until the reset.
		before := w.byHandle[w.handle]
		w.byHandle[w.handle] = wireSort{before.n + 1, sound(frame) && (before.n == 0 || before.sound)}
	default:
		w.came = append(w.came, w.keep(w.rx))
		w.pair(n)
	}
}

func (w *wireWatch) respond(n uint64, s int, out []uint64, ends bool) {
	switch s {
	case w.grAt:
		for _, x := range w.none {
			if x.Get(out) != 0 {
				return
			}
		}
		w.order = append(w.order, wireAnswer{w.gid.Get(out), int(w.booked.Get(out))})
	case w.txAt:
		frame, _ := w.tx.beat(out, ends)
		if !ends {
			return
		}
		if w.emit != nil {
			w.pending = append(w.pending, Frame{append([]byte(nil), frame...), w.from + n})
		}
		w.left = append(w.left, wirePacket{w.keep(w.tx), w.inserted != nil && w.inserted.Get(out) != 0})
	default:
		return
	}
	w.pair(n)
}

// pair gives packets that have left to those they were: a cut packet leaves before its end has come in, and one
// of the switch port can leave before its answer is taken.
func (w *wireWatch) pair(n uint64) {
	for len(w.left) > 0 && len(w.came) > 0 {
		w.judge(n, w.left[0].frame, nil, func() bool { return sound(w.came[0]) })
		w.spare = append(w.spare, w.left[0].frame, w.came[0])
		w.left, w.came = append(w.left[:0], w.left[1:]...), append(w.came[:0], w.came[1:]...)
		w.count++
	}
	for len(w.left) > 0 && len(w.order) > 0 {
		handle := w.order[0].handle
		of := w.byHandle[handle]
		w.weigh(n, w.order[0], w.left[0])
		w.judge(n, w.left[0].frame, &handle, func() bool { return of.n > 0 && of.sound })
		if of.n--; of.n <= 0 {
			delete(w.byHandle, handle)
		} else {
			w.byHandle[handle] = of
		}
		w.spare = append(w.spare, w.left[0].frame)
		w.left, w.order = append(w.left[:0], w.left[1:]...), append(w.order[:0], w.order[1:]...)
		w.count++
	}
}

// weigh checks that a packet leaves with the bytes that were booked for it, and those of the entry inserted.
func (w *wireWatch) weigh(n uint64, a wireAnswer, x wirePacket) {
	want := a.booked
	if x.inserted {
		want += intmd.HopBytes
	}
	if len(x.frame) != want {
		w.found(n, x.frame, &a.handle, report.Field{Name: "length of the packet at tx in bytes", Want: fmt.Sprint(want),
			Got: fmt.Sprint(len(x.frame)), DiffLSB: fmt.Sprintf("%+d", len(x.frame)-want)},
			fmt.Sprintf("the packet leaves with %d bytes, and %d are booked for it", len(x.frame), want))
	}
}

// sound reports whether everything in a frame holds.
func sound(frame []byte) bool {
	if packet.Plain(frame) {
		return true
	}
	v := packet.Judge(frame)
	return v.Sound()
}

// judge checks that a packet that came in sound leaves sound. Handle is nil where packets leave in the order in which
// they came.
func (w *wireWatch) judge(n uint64, frame []byte, handle *uint64, was func() bool) {
	if w.judged++; w.judged > libraryFirst && w.judged%libraryEvery != 0 && packet.Plain(frame) {
		return
	}
	if v := packet.Judge(frame); !v.Sound() && w.bad == nil && was() {
		w.found(n, frame, handle, report.Field{Name: "tx_data", Want: "a sound packet, as it came in", Got: v.Fault()},
			"the packet came in sound and leaves with "+v.Fault())
	}
}

// frameShown is how many bytes of a packet a finding shows.
const frameShown = 256

// found keeps the first packet that is wrong.
func (w *wireWatch) found(n uint64, frame []byte, handle *uint64, field report.Field, text string) {
	if w.bad != nil {
		return
	}
	hex := fmt.Sprintf("%x", frame[:min(len(frame), frameShown)])
	if len(frame) > frameShown {
		hex += "..."
	}
	f := &finding{by: byPackets, episode: w.episode, at: n, fields: []report.Field{field},
		text:  "packets judged at the ports: " + text,
		place: fmt.Sprintf("packet %d at tx, counted from 0 since reset, %d bytes: %s", w.count, len(frame), hex),
		input: w.rxAt}
	if w.of != nil {
		f.at -= w.of.first
	}
	k := -1
	if handle == nil {
		number := w.count
		f.pick = func([]uint64) bool { k++; return k == number }
	} else {
		id, h := w.id, *handle // of those that had the handle, the last one
		f.pick = func(words []uint64) bool { return id.Get(words) == h }
	}
	w.bad = f
}

// cycle hands out what the device has compared by now.
func (w *wireWatch) cycle(n uint64, _, _ []uint64) {
	const inFlight = 5 << 16 // cycles; see the options of client
	if len(w.pending) == 0 || n&0xFFFF != 0 || n <= inFlight {
		return
	}
	if o := client.DefaultOptions(); o.Window*o.MaxBatch < inFlight {
		w.confirm(n - inFlight)
	}
}

// confirm hands out the packets of cycles before n of this pass: the device has agreed in all of them.
func (w *wireWatch) confirm(n uint64) {
	k := 0
	for k < len(w.pending) && w.pending[k].Cycle < w.from+n {
		if w.err == nil {
			w.err = w.emit(w.pending[k])
		}
		k++
	}
	w.pending = append(w.pending[:0], w.pending[k:]...)
}

// check returns the error of what takes the packets.
func (w *wireWatch) check() error {
	if w == nil || w.err == nil {
		return nil
	}
	return fmt.Errorf("frames of the device: %w", w.err)
}

package packets

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
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Frame is a packet at a block's output tx.
type Frame struct {
	Bytes []byte // from the Ethernet header on, without FCS
	Cycle uint64 // of its last beat, since the start of the run
}

// Which packets the library judges: the first of a pass over a source, then one in every libraryEvery, and all that
// packet.Plain does not accept. The lengths and checksums of every packet are verified.
const libraryFirst, libraryEvery = 512, 64

// Judge judges every packet that a block sends, with code that is independent of our hardware. packet.Plain checks the
// lengths and checksums of all packets; a packet library checks a share of them and all that Plain does not accept.
// Judge hands out the packets that the device is known to have sent: device and model agree in every cycle before the
// first difference.
type Judge struct {
	episode string
	first   uint64 // cycle at which the episode began
	rx, tx  *tap
	rxAt    int // indices of the streams among inputs and outputs
	txAt    int
	// index of the answers that give the order in which packets leave; -1 if packets leave in the order of arrival
	grAt     int
	id, gid  *event.Slot   // handles of packets and of answers
	none     []*event.Slot // one of them is set in an answer that sends nothing
	booked   *event.Slot   // length in an answer
	ntAt     int           // index of the verdicts on packets that came in; -1 for none
	nid      *event.Slot   // handles of verdicts
	verdict  *event.Slot
	inserted *event.Slot // at tx: telemetry was inserted
	answers  bool        // what leaves was made here
	made     *made       // packets that are no answers; nil where there are none
	handle   uint64
	came     [][]byte           // in order, if packets leave in order
	byHandle map[uint64]arrived // otherwise
	order    []answer           // answers that send a packet
	gone     []packetOut        // packets that have left
	spare    [][]byte
	judged   uint64 // packets that have left and were read
	count    int    // packets that have left since the reset
	bad      *Finding
	emit     func(Frame) error // nil for none
	from     uint64            // cycles of earlier passes
	pending  []Frame
	err      error
}

type answer struct {
	handle uint64
	booked int // bytes
}

// packetOut is a packet that has left.
type packetOut struct {
	frame    []byte
	inserted bool
}

// arrived describes the packets that came in under one handle.
type arrived struct {
	n int // packets; several use a handle in turn
	claim
}

// claim holds what was true of a packet when it came in and must be true when it leaves. Under one handle it is true of
// all packets.
type claim struct {
	sound  bool // all headers, lengths and checksums are correct
	summed bool // it has a UDP checksum
}

// New returns a judge of a block's packets, or nil if its output carries none. emit, which may be nil, gets the
// confirmed packets, with cycles that continue from from.
func New(b *event.Block, l *event.Layout, emit func(Frame) error, from uint64) *Judge {
	w := &Judge{rxAt: -1, txAt: -1, grAt: -1, ntAt: -1, emit: emit, from: from, byHandle: map[uint64]arrived{}}
	for i, s := range b.StreamsOf(event.In) {
		if s.Name == "rx" && s.Field("data") != nil {
			w.rxAt, w.rx, w.id = i, newTap(&l.In, "rx"), l.In.Slot("rx", "id")
		}
	}
	for i, s := range b.StreamsOf(event.Out) {
		switch s.Name {
		case "tx":
			w.txAt, w.tx = i, newTap(&l.Out, "tx")
		case "gr":
			w.grAt, w.gid, w.booked, w.inserted = i, l.Out.Slot("gr", "id"), l.Out.Slot("gr", "len"),
				l.Out.Slot("tx", "inserted")
			w.none = []*event.Slot{l.Out.Slot("gr", "empty"), l.Out.Slot("gr", "refused")}
		case "ind":
			w.answers = true
		case "note":
			w.ntAt, w.nid, w.verdict = i, l.Out.Slot("note", "id"), l.Out.Slot("note", "verdict")
			w.made = newMade(b, l)
		}
	}
	if w.rxAt < 0 || w.txAt < 0 {
		return nil
	}
	return w
}

// Begin begins an episode at a cycle.
func (w *Judge) Begin(n uint64, ep *stim.Episode) {
	w.episode, w.first = ep.Name, n
	w.Reset(n)
}

// Reset forgets the packets in flight.
func (w *Judge) Reset(uint64) {
	w.count = 0
	w.rx.open, w.tx.open = false, false
	w.spare = append(w.spare, w.came...)
	for _, x := range w.gone {
		w.spare = append(w.spare, x.frame)
	}
	w.came, w.gone, w.order = w.came[:0], w.gone[:0], w.order[:0]
	clear(w.byHandle)
	if w.made != nil {
		for _, x := range w.made.frames {
			w.spare = append(w.spare, x.bytes)
		}
		w.made.reset()
	}
}

// keep takes a finished frame from its tap, and gives the tap reused storage.
func (w *Judge) keep(t *tap) []byte {
	var b []byte
	if n := len(w.spare); n > 0 {
		b, w.spare = w.spare[n-1], w.spare[:n-1]
	}
	return t.give(b)
}

// Accept takes an incoming beat.
func (w *Judge) Accept(n uint64, s int, in []uint64, ends bool) {
	if w.made != nil && s == w.made.cmdAt {
		w.made.command(in)
	}
	if s != w.rxAt {
		return
	}
	if w.answers {
		if w.made != nil {
			if frame, _ := w.rx.beat(in, ends); ends {
				w.made.arrived(frame)
			}
		}
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
		before, now := w.byHandle[w.handle], claimOf(frame)
		if before.n > 0 {
			now = claim{now.sound && before.sound, now.summed && before.summed}
		}
		w.byHandle[w.handle] = arrived{before.n + 1, now}
	default:
		w.came = append(w.came, w.keep(w.rx))
		w.pair(n)
	}
}

// Respond takes an outgoing beat or an answer.
func (w *Judge) Respond(n uint64, s int, out []uint64, ends bool) {
	if w.made != nil && s == w.made.rspAt {
		w.made.answered()
		return
	}
	switch s {
	case w.grAt:
		for _, x := range w.none {
			if x.Get(out) != 0 {
				return
			}
		}
		w.order = append(w.order, answer{w.gid.Get(out), int(w.booked.Get(out))})
	case w.ntAt:
		if w.made != nil {
			w.made.take(out)
			w.matched(n)
			return
		}
		if v := switchport.Verdict(w.verdict.Get(out)); v != switchport.VerdictAdmit && v != switchport.VerdictTrim {
			w.leave(w.nid.Get(out)) // it is not queued
		}
		return
	case w.txAt:
		frame, _ := w.tx.beat(out, ends)
		if !ends {
			return
		}
		if w.emit != nil {
			w.pending = append(w.pending, Frame{append([]byte(nil), frame...), w.from + n})
		}
		if w.made != nil && w.made.answer.Get(out) == 0 {
			tag := w.made.tag.Get(out)
			w.made.frames = append(w.made.frames, sent{w.keep(w.tx), tag, w.made.cmds})
			w.matched(n)
			return
		}
		if w.answers {
			w.answered(n, frame)
			return
		}
		w.gone = append(w.gone, packetOut{w.keep(w.tx), w.inserted != nil && w.inserted.Get(out) != 0})
	default:
		return
	}
	w.pair(n)
	if w.grAt >= 0 {
		return
	}
	begun := len(w.came) // packets that may have left
	if w.rx.open {
		begun++
	}
	if len(w.gone) > begun {
		w.found(n, w.gone[begun].frame, nil, report.Field{Name: "tx_data",
			Want: "nothing: every packet that came in has left", Got: "a packet"}, "a packet leaves that never came in")
	}
}

// leave counts a packet with a handle out.
func (w *Judge) leave(handle uint64) {
	of := w.byHandle[handle]
	if of.n--; of.n <= 0 {
		delete(w.byHandle, handle)
	} else {
		w.byHandle[handle] = of
	}
}

// pair matches packets that have left with those that came in. A cut packet leaves before its end has come in, and a
// packet of the switch port can leave before its answer is taken.
func (w *Judge) pair(n uint64) {
	for len(w.gone) > 0 && len(w.came) > 0 {
		w.judge(n, w.gone[0].frame, nil, func() claim { return claimOf(w.came[0]) })
		w.spare = append(w.spare, w.gone[0].frame, w.came[0])
		w.gone, w.came = append(w.gone[:0], w.gone[1:]...), append(w.came[:0], w.came[1:]...)
		w.count++
	}
	for len(w.gone) > 0 && len(w.order) > 0 {
		handle := w.order[0].handle
		of := w.byHandle[handle]
		if of.n == 0 {
			w.found(n, w.gone[0].frame, &handle, report.Field{Name: "gr_id", Want: "the handle of a packet that came in",
				Got: fmt.Sprint(handle)}, fmt.Sprintf("a packet leaves with handle %d, under which none is in the block", handle))
		}
		w.weigh(n, w.order[0], w.gone[0])
		w.judge(n, w.gone[0].frame, &handle, func() claim { return of.claim })
		w.leave(handle)
		w.spare = append(w.spare, w.gone[0].frame)
		w.gone, w.order = append(w.gone[:0], w.gone[1:]...), append(w.order[:0], w.order[1:]...)
		w.count++
	}
}

// weigh checks that a packet leaves with the number of bytes that was booked for it, plus those of an inserted entry.
func (w *Judge) weigh(n uint64, a answer, x packetOut) {
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

// claimOf judges a packet that came in.
func claimOf(frame []byte) claim {
	if plain, summed := packet.Plain(frame); plain {
		return claim{true, summed}
	}
	v := packet.Judge(frame)
	return claim{v.Sound(), v.UDP && !v.NoUDPSum}
}

// judge checks that a packet that came in sound leaves sound, and that one with a UDP checksum leaves with one. Handle
// is nil where packets leave in the order in which they came.
func (w *Judge) judge(n uint64, frame []byte, handle *uint64, was func() claim) {
	w.judged++
	plain, summed := packet.Plain(frame)
	if w.judged > libraryFirst && w.judged%libraryEvery != 0 && plain && (summed || !was().summed) {
		return
	}
	if w.bad != nil {
		return
	}
	v, came := packet.Judge(frame), was()
	switch fault := v.Fault(); {
	case came.sound && fault != "":
		w.found(n, frame, handle, report.Field{Name: "tx_data", Want: "a sound packet, as it came in", Got: fault},
			"the packet came in sound and leaves with "+fault)
	case came.summed && v.NoUDPSum:
		w.found(n, frame, handle, report.Field{Name: "tx_data", Want: "a UDP checksum, as it came in", Got: "none"},
			"the packet came in with a UDP checksum and leaves without one")
	}
}

// frameShown is how many bytes of a packet a finding shows.
const frameShown = 256

// Finding is the first wrong packet.
type Finding struct {
	Episode string
	At      uint64 // cycle of the episode
	Place   string // which packet at the output
	Field   report.Field
	Text    string // in one line
	Input   int    // stream on which the packet came in
	// Pick reports whether the first transfer of a packet on that stream belongs to this packet. Call it in order; the
	// last match counts.
	Pick func(words []uint64) bool
}

// Found returns the first wrong packet, or nil.
func (w *Judge) Found() *Finding { return w.bad }

// Judged returns the number of packets judged.
func (w *Judge) Judged() uint64 { return w.judged }

// Skipped returns the number of packets that a block made and of which no more than the template was compared.
func (w *Judge) Skipped() uint64 {
	if w.made == nil {
		return 0
	}
	return w.made.skipped
}

// found keeps the first wrong packet.
func (w *Judge) found(n uint64, frame []byte, handle *uint64, field report.Field, text string) {
	if w.bad != nil {
		return
	}
	hex := fmt.Sprintf("%x", frame[:min(len(frame), frameShown)])
	if len(frame) > frameShown {
		hex += "..."
	}
	f := &Finding{Episode: w.episode, At: n - w.first, Field: field, Text: "packets judged at the ports: " + text,
		Place: fmt.Sprintf("packet %d at tx, counted from 0 since reset, %d bytes: %s", w.count, len(frame), hex),
		Input: w.rxAt}
	k := -1
	if handle == nil {
		number := w.count
		f.Pick = func([]uint64) bool { k++; return k == number }
	} else {
		id, h := w.id, *handle // the last packet with this handle
		f.Pick = func(words []uint64) bool { return id.Get(words) == h }
	}
	w.bad = f
}

// Cycle hands out the packets that the device has compared by now.
func (w *Judge) Cycle(n uint64, _, _ []uint64) {
	const inFlight = 5 << 16 // cycles; see the options of client
	if len(w.pending) == 0 || n&0xFFFF != 0 || n <= inFlight {
		return
	}
	if o := client.DefaultOptions(); o.Window*o.MaxBatch < inFlight {
		w.Confirm(n - inFlight)
	}
}

// Confirm hands out the packets of cycles before n of this pass, because the device has agreed in all of them.
func (w *Judge) Confirm(n uint64) {
	k := 0
	for k < len(w.pending) && w.pending[k].Cycle < w.from+n {
		if w.err == nil {
			w.err = w.emit(w.pending[k])
		}
		k++
	}
	w.pending = append(w.pending[:0], w.pending[k:]...)
}

// Check returns the error of emit.
func (w *Judge) Check() error {
	if w == nil || w.err == nil {
		return nil
	}
	return fmt.Errorf("frames of the device: %w", w.err)
}

// tap assembles packets from the beats of one stream.
type tap struct {
	data, keep int // words of a record
	buf        []byte
	open       bool // a packet continues
}

func newTap(r *event.Record, stream string) *tap {
	return &tap{data: r.Slot(stream, "data").Word, keep: r.Slot(stream, "keep").Word}
}

// beat takes a transfer; last marks the end of a packet. It returns the packet so far, valid until the next call, and
// reports whether the transfer is the packet's first.
func (t *tap) beat(rec []uint64, last bool) (frame []byte, first bool) {
	if first = !t.open; first {
		t.buf = t.buf[:0]
	}
	at, n := len(t.buf), 64
	if cap(t.buf) < at+64 {
		t.buf = slices.Grow(t.buf, max(64, at)) // double, instead of a quarter more as slices would: frames grow beat by beat
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

// give hands over the frame; the next one is assembled in spare.
func (t *tap) give(spare []byte) []byte {
	frame := t.buf
	t.buf = spare[:0]
	return frame
}

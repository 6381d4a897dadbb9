package switchport

import (
	"cmp"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/switchport"
)

// What the ports show of the rule that the reader waits for a packet's verdict. Cycles are counted from the reset's
// end. A note or an answer is first shown at an output in the cycle after the one in which it was made, if nothing was
// ahead of it.

// order is what the rule needs of the run so far.
type order struct {
	noteSince int  // the cycle in which the note at the output was first shown
	noteFresh bool // it was made in the cycle before that
	grSince   int
	grMoved   bool
	grFresh   bool    // the answer at the output was made in the cycle before it was first shown
	short     bool    // in the cycle before an answer was first shown that sends a packet of one beat
	begins    bool    // a packet's first beat is accepted in this cycle
	begun     [2]bool // in the cycle before, and in that before it
	notes     int     // noted at the beginning of the cycle before
	limit     int     // the answer at the output was made with this many notes made at the most
	exclusive int     // cfg events accepted that may hold grants up
	open      int     // of them, those without an answer
	issue     int     // of the last grant in egress
	port      uint8
	known     bool // issue is
	cut       bool // the last packet that was answered is trimmed
}

// verdictTime is when the note of a packet was made, shown and taken.
type verdictTime struct {
	number, since, taken int // number of the note since the reset, from 0
	fresh                bool
}

// arrival is when the answer to a grant comes to the reader.
type arrival struct {
	known     bool
	at        int
	exclusive int
	alone     bool // nothing is on its way to be read or to be answered
}

// answerTime is what is known of an answer when it is taken.
type answerTime struct {
	comes               arrival
	since, taken, limit int
}

// holdsGrants reports whether a cfg event holds grants up while it stands before egress.
func holdsGrants(x *switchport.Cfg) bool {
	k := egress.Kind(x.Kind)
	return x.Target == switchport.TargetEgress && (k == egress.KindCfgWrite || k == egress.KindLoad)
}

// show follows what stands at note and gr, before the transfers of the cycle are sorted.
func (w *watch) show(out []uint64) {
	o, t := &w.order, w.Streams.SinceReset()
	if out[0]&switchport.OutGrValid != 0 && (!w.grValid || o.grMoved) {
		o.grSince, o.grFresh = t, !w.grValid || o.grFresh && o.grSince == t-1
		// Its packet's note was there in the cycle before: among those that the FIFO holds, if it showed any.
		if o.limit = o.notes; w.noteValid {
			o.limit += switchport.Notes
		}
	}
	if out[0]&switchport.OutNoteValid != 0 && (!w.noteValid || w.noteMoved) {
		// A note that is taken as soon as it was made leaves the FIFO with what is made in that cycle, or empty.
		o.noteFresh = !w.noteValid || o.noteFresh && o.noteSince == t-1
		o.noteSince = t
	}
	o.grMoved = w.Moved(grStream)
	o.notes = w.noted
}

// freedTogether sorts cycles in which two slots were freed: that of a packet that is not queued, when its verdict is
// taken, and that of a packet of one beat, which is read in the cycle after its answer. Both were the cycle before this
// one; a packet that begins takes its slot in the cycle after that in which its first beat is accepted.
func (w *watch) freedTogether(hits cover.Hits, out []uint64) {
	o, t := &w.order, w.Streams.SinceReset()
	if o.short && out[0]&switchport.OutNoteValid != 0 && o.noteFresh && o.noteSince == t {
		if switchport.UnpackNote(out, &w.note); !noteQueued(&w.note) {
			// With two slots none was free: a packet that began waits.
			hits[w.freed.At1(cover.Bit(o.begun[1] && w.slots > 2))]++
		}
	}
	o.short = false
	if out[0]&switchport.OutGrValid != 0 && o.grFresh && o.grSince == t {
		switchport.UnpackGr(out, &w.gr)
		o.short = !w.gr.Empty && !w.gr.Refused && !w.gr.Trimmed && w.gr.Len <= 64
	}
	o.begun[0], o.begun[1], o.begins = o.begins, o.begun[0], false
}

// coming works out when the answer to the grant accepted in this cycle comes to the reader. It is not known while
// a register write may hold grants up or egress may have no credit for it.
func (w *watch) coming() arrival {
	o := &w.order
	none := len(w.grants) == 0
	issue := w.Streams.SinceReset() + 1
	if !none {
		gap := 1
		if o.port == w.req.Port {
			gap = egress.DeqGap
		}
		issue = max(issue, o.issue+gap)
	}
	o.known = (none || o.known) && o.open == 0 && len(w.grants) < egress.Credits
	o.issue, o.port = issue, w.req.Port
	return arrival{known: o.known, at: issue + egress.Latency, exclusive: o.exclusive, alone: none && w.readerIdle()}
}

// readerIdle reports whether every packet that was answered has left at tx, the last of them whole: what is cut
// off another is still read when its end has left. Answers wait longer among the sends, for their notes.
func (w *watch) readerIdle() bool { return len(w.sends) == len(w.outs) && !w.order.cut }

// answerWaiting sorts why the oldest grant has no answer: it has come to an idle reader with room at gr, so that only
// its packet's verdict is missing.
func (w *watch) answerWaiting(hits cover.Hits, in, out []uint64) {
	if len(w.grants) == 0 || !w.readerIdle() || out[0]&switchport.OutGrValid != 0 {
		return
	}
	if c := &w.grants[0].comes; !c.known || c.exclusive != w.order.exclusive || w.Streams.SinceReset() < c.at+2 {
		return
	}
	switch {
	case out[0]&switchport.OutCfgrValid != 0 && in[0]&switchport.InCfgrReady == 0 && len(w.cfg) > 0 &&
		w.cfg[0].Target == switchport.TargetEgress:
		hits[w.answerWaits.At1(1)]++
	case out[0]&switchport.OutNoteValid != 0 && in[0]&switchport.InNoteReady == 0:
		hits[w.answerWaits.At1(0)]++
	}
}

// verdictNow is that of the note taken in this cycle, which is counted already.
func (w *watch) verdictNow() verdictTime {
	return verdictTime{number: w.noted - 1, since: w.order.noteSince, taken: w.Streams.SinceReset(),
		fresh: w.order.noteFresh}
}

// answerNow is the answer taken in this cycle.
func (w *watch) answerNow(from *grantState) answerTime {
	c := from.comes
	c.known = c.known && c.exclusive == w.order.exclusive
	return answerTime{comes: c, since: w.order.grSince, taken: w.Streams.SinceReset(), limit: w.order.limit}
}

// judge compares an answer with the verdict of its packet: it must be made after the verdict was taken, and at once
// where nothing else can have delayed it.
func (w *watch) judge(hits cover.Hits, s *sending) {
	a, v := &s.answer, &s.p.verdict
	if v.number >= a.limit {
		w.Differ("packet %d was answered before its verdict was taken", s.p.side.Id)
	}
	hits[w.noteOrder.At1(1+cmp.Compare(a.taken, v.taken))]++
	if !v.fresh || !a.comes.known {
		return
	}
	made := v.since - 1
	hits[w.answerComes.At1(min(max(a.comes.at-made+1, 0), 3))]++
	if want := max(a.comes.at, made+1) + 1; a.comes.alone && a.since != want {
		w.Differ("packet %d is answered in cycle %d after the reset, and %d is when its verdict and its grant were there",
			s.p.side.Id, a.since, want)
	}
}

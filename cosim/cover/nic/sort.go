package nic

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/nic"
)

// held is which streams wait in this cycle.
type held struct {
	note, ind, rsp, rx bool
	rxFull, cmdFull    bool // it would not be taken
}

// look sees which streams wait.
func (w *watch) look(in, out []uint64) {
	outs := func(valid, ready uint64) bool { return out[0]&valid != 0 && in[0]&ready == 0 }
	w.waits = held{outs(nic.OutNoteValid, nic.InNoteReady), outs(nic.OutIndValid, nic.InIndReady),
		outs(nic.OutRspValid, nic.InRspReady), in[0]&nic.InRxValid != 0 && out[0]&nic.OutRxReady == 0,
		out[0]&nic.OutRxReady == 0, out[0]&nic.OutCmdReady == 0}
}

// sortNotes takes a note.
func (w *watch) sortNotes(hits cover.Hits, out []uint64) {
	if w.noteSince < 0 && out[0]&nic.OutNoteValid != 0 {
		w.noteSince = w.now
	}
	if !w.Moved(noteStream) {
		return
	}
	nic.UnpackNote(out, &w.note)
	n := &w.note
	waited := w.now - w.noteSince
	w.noteSince = -1
	if why := w.wrong(n); why != "" {
		w.Differ("note %+v: %s", *n, why)
		return
	}
	k := int(n.Kind) - 1
	hits[w.noteWaits.At2(k, cover.Band(waited, 1, 8, 64))]++
	if last := int(w.last.Kind) - 1; last >= 0 && k >= 2 && k < 7 {
		hits[w.follows.At2(last, k-2)]++
	}
	if k < 6 {
		w.canSend.Hit(hits, k, cover.Bit(n.CanSend), 0, 0)
		hits.If(n.Missing, w.missing.At(k, 0, 0, 0))
	}
	w.last = *n
	switch n.Kind {
	case nic.ActSent:
		w.sent.Hit(hits, cover.Bit(n.IsRtx), cover.Bit(n.Syn), cover.Bit(n.Eom), 0)
		hits[w.asks.At1(cover.First(!n.Ar, n.IsRtx || n.Eom))]++
	case nic.ActClosing:
		hits[w.closing.At1(cover.Bit(n.IsRtx))]++
	case nic.ActAcked:
		hits[w.acked.At2(cover.Band(int(n.AckedPkts), 1, 2, 64), cover.Bit(n.UnmarkPkts > 0))]++
		hits[w.rtt.At1(cover.First(!n.Tx, !n.Found, !n.RTTValid))]++
	case nic.ActNacked:
		hits[w.nacked.At2(cover.Bit(n.Found), cover.Bit(n.M))]++
	}
	if n.Kind == nic.ActSent || n.Kind == nic.ActClosing {
		w.packetNotes++
		w.dues = append(w.dues, due{*n, w.lowest(0)})
		hits.If(len(w.gones) > len(w.dues)-1, w.fact.PacketBeforeNote)
	}
	w.taken = append(w.taken, w.now)
	if len(w.taken) > 4096 {
		w.taken = append(w.taken[:0], w.taken[len(w.taken)-64:]...)
	}
}

// wrong returns why no NIC writes a note, or "".
func (w *watch) wrong(n *nic.Note) string {
	k := n.Kind
	is := func(kinds ...nic.Act) bool { return cover.Among(k, kinds...) < len(kinds) }
	window := k >= nic.ActOpened && k <= nic.ActLost
	switch {
	case k < nic.ActOpened || k > nic.ActStopped:
		return "an unknown kind"
	case int(n.PDC) >= w.pdcs:
		return "a PDC that is not there"
	case n.Now < w.last.Now:
		return "its time is before that of the note before"
	case n.Window != window, n.Tx != (k == nic.ActSent || k == nic.ActNacked) && k != nic.ActAcked:
		return "the blocks that had an event are not those of its kind"
	case !n.Tx && (n.Found || n.RTTValid || n.RTT != 0), !n.RTTValid && n.RTT != 0, k == nic.ActSent && n.RTTValid,
		n.RTTValid && !n.Found:
		return "an answer of txstate that was not given"
	case (!window || n.Missing) && (n.Action != 0 || n.State != 0 || n.Cwnd != 0 || n.Inflight != 0 || n.Delay != 0 ||
		n.CanSend), !window && (n.LB != 0 || n.Missing):
		return "an answer of ccc that was not given"
	case n.PSN != 0 && (is(nic.ActOpened, nic.ActMessage, nic.ActFreed, nic.ActStopped) || k == nic.ActAcked && !n.Tx):
		return "a PSN"
	case n.Size != 0 && !is(nic.ActOpened, nic.ActMessage, nic.ActSent, nic.ActNacked, nic.ActLost):
		return "a size"
	case n.IsRtx && !is(nic.ActSent, nic.ActClosing), (n.Syn || n.Ar || n.Eom) && k != nic.ActSent,
		n.Eom && n.IsRtx, k == nic.ActSent && (n.IsRtx || n.Eom) && !n.Ar:
		return "flags of a packet"
	case n.Code != 0 && !is(nic.ActNacked, nic.ActStopped):
		return "a code"
	case (n.Done || n.AckedPkts != 0 || n.UnmarkPkts != 0) && k != nic.ActAcked:
		return "packets that are acknowledged"
	case (n.M || n.Retx || n.Entropy != 0) && !is(nic.ActAcked, nic.ActNacked):
		return "fields of a record"
	}
	return ""
}

// sortPacket sorts a packet at tx that is that of its note. count is -1 where it is not known.
func (w *watch) sortPacket(hits cover.Hits, n *due, g *gone, x *template, s *shared, count, pds int) {
	family := cover.Bit(x.ipv6()) + 2*cover.Bit(x.native())
	hits[w.lastBytes.At2(family, (len(g.bytes)-1)%64)]++
	w.formSize.Hit(hits, family, x.size()-34, 0, 0)
	beats := (len(g.bytes) + 63) / 64
	if !w.beats.Hit(hits, cover.Band(beats, 2, 3, 4, 12, 13), cover.Bit(n.Kind == nic.ActClosing), 0, 0) {
		w.Differ("a CLOSE of %d bytes", len(g.bytes))
	}
	if n.Kind == nic.ActSent {
		hits.Near(w.payload.At1(0), int64(n.Size)-int64(s.header))
		hits.If(int(n.Size) < s.header-1, w.fact.HeaderOver)
	}
	if !x.ipv6() {
		ip := g.bytes[x.size()-20:]
		sum := be.Uint16(ip[10:])
		was := uint16(x.byte(x.size()-10))<<8 | uint16(x.byte(x.size()-9))
		carry := uint32(^was)+uint32(be.Uint16(ip[2:])) >= 1<<16
		hits[w.carry.At1([]int{2, 3, 1, 0}[cover.First(sum == 0, sum == 0xffff, carry)])]++
	}
	if count >= 0 {
		hits[w.spray.At2(cover.Bit(s.spray&0xff != 0)+2*cover.Bit(s.spray>>8 != 0), cover.Band(count, 1, 2, 256))]++
	}
	ctx := int(n.PDC) / nic.Slots
	hits[w.context.At2([]int{0, 1, 2}[cover.First(ctx == 0, ctx == w.contexts-1)], int(n.PDC)%nic.Slots)]++
	w.learn(hits, n, be.Uint16(g.bytes[pds+10:]))
}

// inFlight is the most actions between the job of one and its note.
const inFlight = 8 + nic.Pend + nic.Order + nic.Notes + 1

// learn compares what no note holds with the packet of the PDC before it: the peer, or where the PDC began.
func (w *watch) learn(hits cover.Hits, n *due, other uint16) {
	if n.Syn && other >= 1<<12 {
		w.Differ("note %+v: its packet has an offset of %#x", n.Note, other)
	}
	c := &w.knows[n.PDC]
	if w.lowest(inFlight) <= w.touched[n.PDC] && w.touched[n.PDC] > 0 {
		return
	}
	if !n.Syn {
		if c.hasPeer {
			hits[w.fact.PeerFollowed]++
			if c.peer != other {
				w.Differ("note %+v: its packet is for %d, the one before it for %d", n.Note, other, c.peer)
			}
		}
		c.peer, c.hasPeer = other, true
		return
	}
	start := (uint16(n.PSN) - other) & 0xfff
	if c.hasStart {
		hits[w.fact.StartFollowed]++
		if c.start != start {
			w.Differ("note %+v: by its packet the PDC began with %#x modulo 2^12, by the one before it with %#x", n.Note, start,
				c.start)
		}
	}
	c.start, c.hasStart = start, true
}

// indicate takes an indication.
func (w *watch) indicate(hits cover.Hits) {
	i := &w.ind
	v := int(i.Verdict) - 1
	if v < 0 || !w.verdict.Hit(hits, v, cover.Bit(i.Answered), 0, 0) || (i.NackCode != 0) != (i.Verdict == 6) {
		w.Differ("ind %+v: fields that do not go together", *i)
	}
	w.follow(i)
	if !i.Answered {
		return
	}
	w.inds = append(w.inds, *i)
	if w.out.open && !w.out.answer && len(w.answers) == 0 {
		w.midInd = append(w.midInd, w.out.beats)
	}
}

// Knowledge of a PDC that sources can open.
const (
	shut = iota
	open
	anything // a LOAD has changed it
)

// follow compares an indication with what those before it did to its PDC.
func (w *watch) follow(i *nic.Ind) {
	k := int(i.Pdcid) - 1
	if k >= w.receives {
		w.Differ("ind %+v: there is no such PDC", *i)
		return
	}
	if k < 0 {
		if i.Opened {
			w.Differ("ind %+v: it opened no PDC", *i)
		}
		return
	}
	was := w.pdcsOf[k]
	used := i.Verdict < 6
	if i.Opened && was == open || used && !i.Opened && was == shut {
		w.Differ("ind %+v: whether it opened the PDC does not follow from those before it", *i)
	}
	switch {
	case was == anything:
	case i.Verdict == 5:
		w.pdcsOf[k] = shut
	case i.Opened:
		w.pdcsOf[k] = open
	}
}

// pairAnswers compares answers at tx with the indications that announce them.
func (w *watch) pairAnswers(hits cover.Hits) {
	if len(w.answers) > 0 && len(w.inds) == 0 {
		hits[w.fact.AnswerBeforeInd]++
	}
	for len(w.answers) > 0 && len(w.inds) > 0 {
		a, i := w.answers.Pop(), w.inds.Pop()
		w.spare = append(w.spare, a.bytes)
		kind, code, psn, pdcid := answerOf(a.bytes, i.PSN)
		if a.tag != i.Tag || pdcid != i.Pdcid || (kind == 10) != (i.NackCode != 0) ||
			psn != i.PSN || kind == 10 && code != i.NackCode || kind != 7 && kind != 8 && kind != 10 {
			w.Differ("answer with tag %d, type %d, code %d, PSN %d, PDCID %d for ind %+v", a.tag, kind, code, psn, pdcid, i)
		}
	}
}

// answerOf reads an answer. The PSN is that of the packet that caused it; like, where the answer cannot name it.
func answerOf(b []byte, like uint32) (kind int, code uint8, psn uint32, pdcid uint16) {
	at := 12
	for t := be.Uint16(b[at:]); (t == 0x8100 || t == 0x88a8) && at < 20; t = be.Uint16(b[at:]) {
		at += 4
	}
	proto, upper := at+2+9, at+2+20
	if be.Uint16(b[at:]) == 0x86dd {
		proto, upper = at+2+6, at+2+40
	}
	if upper += 4; b[proto] == 17 {
		upper += 4
	}
	if len(b) < upper+12 {
		return 0, 0, 0, 0
	}
	h := b[upper:]
	if kind, psn = int(be.Uint16(h)>>11), be.Uint32(h[4:]); kind != 10 {
		off := int32(like - psn)
		if probe := h[1]&8 != 0; probe || off < -1<<15 || off >= 1<<15 {
			psn = like
		} else {
			psn += uint32(int32(int16(be.Uint16(h[2:]))))
		}
	}
	return kind, h[2], psn, be.Uint16(h[8:])
}

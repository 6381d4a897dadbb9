package txpdc

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// effect is what a job did, with its action and response.
type effect struct {
	act      txpdc.Act // none: kind 0
	rsp      txpdc.Response
	joined   bool
	why      int    // place of a refusal among refusals, of busy among states, of stray or stale among theirs
	count    int    // counter that it adds to, 0 for none
	more     int    // another
	before   pdc    // its PDC before the job
	over     int64  // of the timer
	at       int    // PSN from una on
	covered  [3]int // of an ACK: by PSN alone, by bitmap alone, by both; new ones
	beyond   bool   // its bitmap has bits of PSNs that are not outstanding
	shift    int
	rest     uint32 // of an OPEN
	distance int    // of a turn: slot from next on
	skipped  bool   // of a turn: a slot before it in the order had only fresh packets
}

// Why a command is refused.
const (
	badKind = iota
	badPDC
	badAddr
	badWord
	badLow
	badHigh
	badZero
	badTop
)

// refused returns why a command is refused, -1 where it is not.
func (x *nic) refused(e *txpdc.Cmd) int {
	a := int(e.Addr)
	mask := func(i int) uint64 { return uint64(e.Data) & (1<<txpdc.RegInfo[i].Width - 1) }
	memory := e.Kind == txpdc.KindLoad || e.Kind == txpdc.KindRead
	switch {
	case e.Kind < txpdc.KindLoad || e.Kind > txpdc.KindClose:
		return badKind
	case e.Kind == txpdc.KindCfgWrite || e.Kind == txpdc.KindCfgRead:
		switch {
		case a >= txpdc.NumRegs:
			return badAddr
		case e.Kind == txpdc.KindCfgRead:
		case a == txpdc.RegPayload && mask(a) < 7:
			return badLow
		case a == txpdc.RegPayload && mask(a) > 13:
			return badHigh
		case a >= txpdc.RegRto && mask(a) == 0:
			return badZero
		}
		return -1
	case int(e.PDC) >= len(x.pdcs) && !(memory && a >= txpdc.WordSent):
		return badPDC
	case memory && a >= txpdc.NumWords:
		return badAddr
	case e.Kind == txpdc.KindLoad && a == txpdc.WordCanSend:
		return badWord
	case e.Kind == txpdc.KindLoad && a == txpdc.WordOutstanding && e.Data&0xff > txpdc.Window:
		return badHigh
	case e.Kind == txpdc.KindMessage && e.Data == 0:
		return badZero
	case e.Kind == txpdc.KindMessage && e.Data>>31 != 0:
		return badTop
	}
	return -1
}

// States in which a command is busy.
const (
	isFree = iota
	isClosing
	isStopped
	hasLeft
	hasMore
	isValid
)

// busy returns the state that stops a command, -1 for none.
func (p *pdc) busy(k txpdc.Kind) int {
	switch {
	case k == txpdc.KindOpen && p.valid:
		return isValid
	case k == txpdc.KindOpen:
		return -1
	case !p.valid:
		return isFree
	case p.closing:
		return isClosing
	case p.stopped:
		return isStopped
	case p.left > 0:
		return hasLeft
	case k == txpdc.KindClose && p.n > 0:
		return hasMore
	}
	return -1
}

// command plays the job of a command.
func (x *nic) command(e *txpdc.Cmd, f *effect) {
	f.rsp = txpdc.Response{Kind: e.Kind, PDC: e.PDC}
	if f.why = x.refused(e); f.why >= 0 {
		f.rsp.Refused = true
		return
	}
	a := int(e.Addr)
	switch e.Kind {
	case txpdc.KindCfgWrite:
		x.regs[a] = uint64(e.Data) & (1<<txpdc.RegInfo[a].Width - 1)
		return
	case txpdc.KindCfgRead:
		f.rsp.Data = uint32(x.regs[a])
		return
	case txpdc.KindLoad, txpdc.KindRead:
		x.memory(e, f)
		return
	}
	p := &x.pdcs[e.PDC]
	f.before = *p
	if e.Kind == txpdc.KindClose && p.valid && p.stopped && p.n == 0 {
		p.valid = false
		f.act = x.act(txpdc.ActionFreed, int(e.PDC))
		return
	}
	if f.why = p.busy(e.Kind); f.why >= 0 {
		f.rsp.Busy = true
		return
	}
	switch e.Kind {
	case txpdc.KindOpen:
		f.rest = p.rcvd<<8 - p.sum
		*p = pdc{valid: true, syn: true, start: e.Data, una: e.Data, size: p.size, stamp: p.stamp}
		f.act = x.act(txpdc.ActionOpened, int(e.PDC))
		if f.rest < 256 {
			f.act.Size = f.rest
		}
	case txpdc.KindMessage:
		p.left = e.Data
		full := uint64(1) << x.regs[txpdc.RegPayload]
		f.act = x.act(txpdc.ActionMessage, int(e.PDC))
		f.act.Size = uint32(uint64(e.Data) + x.regs[txpdc.RegHeader]*((uint64(e.Data)+full-1)/full))
		f.joined = x.join(int(e.PDC) / txpdc.Slots)
	case txpdc.KindClose:
		if p.syn {
			p.valid = false
			f.act = x.act(txpdc.ActionFreed, int(e.PDC))
			return
		}
		p.closing, p.closedAt, p.tries = true, uint32(x.tick), 0
		f.act = x.closing(int(e.PDC))
	}
}

// closing is the action that sends a CLOSE.
func (x *nic) closing(k int) txpdc.Act {
	p := &x.pdcs[k]
	a := x.act(txpdc.ActionClosing, k)
	a.PSN, a.Peer = p.una, p.peer
	return a
}

// memory plays a LOAD or READ.
func (x *nic) memory(e *txpdc.Cmd, f *effect) {
	a := int(e.Addr)
	switch {
	case a >= txpdc.WordSent && e.Kind == txpdc.KindLoad:
		x.counts[a] = e.Data
	case a >= txpdc.WordSent:
		f.rsp.Data = x.counts[a]
	case a == txpdc.WordCanSend:
		c := &x.contexts[int(e.PDC)/txpdc.Slots]
		w := txpdc.Words{CanSend: c.can, Waits: c.waits, Queued: c.queued, Next: uint8(c.next)}
		f.rsp.Data = uint32(w.Word(a))
	case e.Kind == txpdc.KindRead:
		f.rsp.Data = x.pdcs[e.PDC].read(a, e.PSN)
	default:
		x.pdcs[e.PDC].load(a, e.PSN, e.Data)
		if a < txpdc.WordSize {
			f.joined = x.join(int(e.PDC) / txpdc.Slots)
		}
	}
}

// Kinds of events of ccc by which the scheduler decides.
const (
	viewSend  = uint8(ccc.KindSend)
	viewCfg   = uint8(ccc.KindCfgWrite)
	viewCfgTo = uint8(ccc.KindCfgRead)
	viewFree  = ccc.NumKinds // no kind, from there on
)

// applies reports whether a view changes a context.
func (x *nic) applies(v *txpdc.View) bool {
	return v.Kind != viewCfg && v.Kind != viewCfgTo && v.Kind < viewFree && !v.Refused && int(v.Ctx) < len(x.contexts)
}

// view plays the job of a view.
func (x *nic) view(v *txpdc.View, f *effect) {
	if !x.applies(v) {
		return
	}
	c := &x.contexts[v.Ctx]
	c.can = v.CanSend
	if v.Kind == viewSend {
		c.waits = false
	}
	f.joined = x.join(int(v.Ctx))
}

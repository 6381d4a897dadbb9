package ackgen

import (
	"github.com/goldwire/goldwire/rtlmodel/packet"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// Receiver is the whole state of the block inside its ports; its methods execute packets and cfg events on that state,
// without timing. It is not safe for concurrent use.
type Receiver struct {
	spec     Spec
	cfg      Config
	counters Counters
	pdcs     table
}

// NewReceiver returns a receiver without PDCs and with the configuration after a reset. The spec must be valid.
func NewReceiver(spec Spec) *Receiver {
	r := &Receiver{spec: spec}
	r.pdcs.init(spec.Pdcs)
	r.reset()
	r.pdcs.sweep()
	return r
}

func (r *Receiver) reset() {
	r.cfg, r.counters = DefaultConfig(), Counters{}
	r.pdcs.reset()
}

// Receive executes a whole frame, whose last beat issues at came and whose job ends at now, and counts it. The frame
// has 0 or more bytes and no FCS; it is not changed. If the frame is not dropped, it returns all of ind but its tag,
// and the answer, nil for none.
func (r *Receiver) Receive(frame []byte, came, now Instant) (reason Reason, ind port.Ind, reply []byte) {
	var w walk
	reason = w.decide(&r.cfg, frame, min(len(frame), packet.MaxFrame))
	r.counters.count(reason)
	if !reason.Passed() {
		return reason, ind, nil
	}
	var q request
	w.fields(frame, &q)
	q.came = came
	o := r.job(&q)
	if o.answer != 0 {
		var a answer
		r.build(&q, &o, now, &a)
		reply = a.bytes[:a.len]
	}
	return reason, o.indication(&q), reply
}

// Configure executes one cfg event and fills all of rsp. Source: contract.md, "cfg".
func (r *Receiver) Configure(ev *port.Cfg, rsp *port.Cfgr) {
	*rsp = port.Cfgr{Kind: ev.Kind}
	addr, k := int(ev.Addr), int(ev.PDC)
	switch ev.Kind {
	case port.KindLoad, port.KindRead:
		switch {
		case addr >= port.NumWords || addr < port.WordFrames && k >= r.spec.Pdcs:
			rsp.Refused = true
		case ev.Kind == port.KindRead:
			rsp.Data = r.word(k, addr)
		case addr < port.WordFrames:
			r.load(k, addr, ev.Data)
		default:
			r.counters[addr] = ev.Data
		}
	case port.KindCfgWrite:
		if addr >= port.NumRegs {
			rsp.Refused = true
			return
		}
		data := ev.Data & (1<<port.RegInfo[addr].Width - 1)
		if rsp.Refused = data == 0 && (addr == port.RegMpr || addr == port.RegTick); !rsp.Refused {
			r.cfg[addr] = data
		}
	case port.KindCfgRead:
		if rsp.Refused = addr >= port.NumRegs; !rsp.Refused {
			rsp.Data = r.cfg[addr]
		}
	default:
		rsp.Refused = true
	}
}

// word returns a word as READ gives it.
func (r *Receiver) word(k, addr int) uint32 {
	if addr >= port.WordFrames {
		return r.counters[addr]
	}
	var w port.Words
	r.pdcs.rows.Row(k).words(&w)
	return uint32(w.Word(addr))
}

// load writes a word of a PDC.
func (r *Receiver) load(k, addr int, data uint32) {
	var w port.Words
	p := r.pdcs.rows.Row(k)
	p.words(&w)
	w.SetWord(addr, uint64(data))
	p.setWords(&w)
	r.pdcs.changed(k)
}

// Config returns the configuration after the events so far.
func (r *Receiver) Config() Config { return r.cfg }

// Counters returns the counters after the packets and events so far.
func (r *Receiver) Counters() Counters { return r.counters }

// Words returns the state words of a PDC as READ returns them, with the counters; without a PDC of that number, the
// counters alone.
func (r *Receiver) Words(k int) (w port.Words) {
	if k >= 0 && k < r.spec.Pdcs {
		r.pdcs.rows.Row(k).words(&w)
	}
	for addr := port.WordFrames; addr < port.NumWords; addr++ {
		w.SetWord(addr, uint64(r.counters[addr]))
	}
	return w
}

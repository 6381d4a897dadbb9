package ackgen

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/rtlmodel/beats"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// StateOf fills words with the state after the jobs that have ended: for an access to a word of a PDC its words and the
// counters, for a packet, whose PDC its job finds, the counters. It returns "" for an access to a register.
func (m *Model) StateOf(lane int, in, words []uint64) string {
	k := -1
	if lane == 1 {
		var ev port.Cfg
		port.UnpackCfg(in, &ev)
		if k = concern(&ev); k < -1 {
			return ""
		}
	}
	return m.stateOf(k, words)
}

// concern returns the PDC of an access, -1 for a counter, -2 for anything else.
func concern(ev *port.Cfg) int {
	switch {
	case ev.Kind != port.KindLoad && ev.Kind != port.KindRead || ev.Addr >= port.NumWords:
		return -2
	case ev.Addr >= port.WordFrames:
		return -1
	}
	return int(ev.PDC)
}

func (m *Model) stateOf(k int, words []uint64) string {
	w := m.receiver.Words(k)
	for addr := range words {
		words[addr] = w.Word(addr)
	}
	if k < 0 || k >= m.spec.Pdcs {
		return "counters"
	}
	return fmt.Sprintf("pdc=%d", k)
}

// Explain has tell called with how each indication, each beat of an answer and each response at cfgr is decided from
// now on, in the cycle in which its job ends; nil ends it.
func (m *Model) Explain(tell func(*event.Decision)) { m.tell = tell }

// The rules of the contract, by name. The steps of the decision and of a job are numbered.
const (
	ruleBeats    = "beats"
	ruleTiming   = "timing"
	ruleDecision = "decision" // of its steps 1 to 8, which are ackparse's
	ruleFields   = "fields"
	ruleJob      = "job-of-a-packet"
	ruleAnswers  = "answers"
	ruleCfg      = "cfg"
	ruleWords    = "words"
)

func ruleOf(section string, n int) string { return fmt.Sprintf("%s/%d", section, n) }

// explain tells what the decision found in a packet that is not dropped, with the values in the order of the contract.
// f is its length F.
func (w *walk) explain(cfg *Config, frame []byte, f int) *event.Decision {
	d := event.NewDecision("ind")
	w.Explain(d, filter(cfg), frame, f, ruleBeats, func(int) string { return ruleDecision })
	b := frame[w.P:w.E]
	d.Value(ruleOf(ruleDecision, 9), "y", uint64(w.y))
	d.Value(ruleOf(ruleDecision, 9), "type", uint64(w.kind()))
	d.Value(ruleOf(ruleDecision, 10), "O", uint64(w.o))
	d.Value(ruleOf(ruleDecision, 10), "E - P", uint64(len(b)))
	if w.kind() == typeCP {
		d.Value(ruleOf(ruleDecision, 11), "ctl_type", uint64(w.ctl()))
	}
	d.Value(ruleOf(ruleDecision, 12), "be16[P+8]", uint64(be16(b, 8)))
	d.Value(ruleOf(ruleDecision, 12), "be16[P+10]", uint64(be16(b, 10)))
	return d
}

// explainFields tells the fields of a packet that its job uses.
func (r *Receiver) explainFields(d *event.Decision, q *request) {
	for _, x := range []struct {
		name string
		on   bool
	}{{"retx", q.retx}, {"ar", q.ar}, {"syn", q.syn}, {"rod", q.rod}, {"ce", q.ce}} {
		d.Flag(ruleFields, x.name, x.on)
	}
	d.Value(ruleFields, "psn", uint64(q.psn))
	if q.syn {
		d.Value(ruleFields, "psn_offset", uint64(q.psnOffset))
	} else {
		d.Value(ruleFields, "dpdcid", uint64(q.dpdcid))
	}
	d.Value(ruleFields, "dscp", uint64(q.dscp))
	d.Value(ruleFields, "stamp", uint64(q.came.Tick))
	d.Value(ruleFields, "phase", uint64(q.came.Phase))
}

// explainRequest is finish for a packet whose steps are told: of ind, then of each beat at tx.
func (m *Model) explainRequest() {
	q, r := &m.request, m.receiver
	d := q.why
	if d == nil { // decided before anybody asked
		d = event.NewDecision("ind")
	}
	r.explainFields(d, q)
	found := r.find(q)
	k := found.k
	d.Before, d.After = make([]uint64, port.NumWords), make([]uint64, port.NumWords)
	d.Concern = m.stateOf(k, d.Before)
	if q.syn {
		d.Value(ruleOf(ruleJob, 1), "s", uint64(q.start()))
	}
	d.Flag(ruleOf(ruleJob, 1), "opened", found.opened)
	if k >= 0 {
		p := *r.pdcs.rows.Row(k)
		if found.opened {
			p = q.opens()
		}
		d.Value(ruleOf(ruleJob, 1), "k", uint64(k))
		d.Value(ruleOf(ruleJob, 1), "start", uint64(p.start))
		d.Value(ruleJob, "u", uint64(p.cack+1))
		d.Value(ruleJob, "d modulo 2^32", uint64(uint32(p.distance(q))))
		d.Value(ruleJob, "size", uint64(r.size(q)))
		d.Flag(ruleOf(ruleJob, 2), "rod of the PDC", p.rod)
		if at := p.distance(q); at >= 0 && at < port.Seen {
			d.Flag(ruleOf(ruleJob, 3), "bit d of seen", p.seen.has(at))
			d.Flag(ruleOf(ruleJob, 3), "a bit of seen above d", p.seen.above(at))
		}
		for _, reg := range []int{port.RegControl, port.RegMpr, port.RegTrigger, port.RegMinAdd, port.RegTrimmed,
			port.RegTrimmedLasthop} {
			d.Value(ruleOf(ruleJob, 3), port.RegInfo[reg].Name, uint64(r.cfg[reg]))
		}
	}
	o, a := m.finish()
	m.stateOf(k, d.After)
	d.From(ruleBeats, "tag")
	d.From(ruleFields, "psn")
	d.From(ruleJob, "verdict", "nack_code", "pdcid", "opened", "answered")
	d.Check(o.k == k && o.opened == found.opened && (found.verdict == 0 || found == o))
	m.tell(d)
	if a != nil {
		m.explainAnswer(d, q, &o, a)
	}
}

// explainAnswer tells the beats of an answer: how its job came to it, as ind has it, and what it is made of.
func (m *Model) explainAnswer(ind *event.Decision, q *request, o *outcome, a *answer) {
	d := *ind
	d.Stream, d.By = "tx", map[string][]string{}
	d.Steps = slices.Clone(ind.Steps)
	b := a.bytes[a.e-a.o : a.e]
	d.Value(ruleAnswers, "type", uint64(o.answer))
	d.Value(ruleAnswers, "plen", uint64(a.e-a.h))
	base, sure := uint32(0), uint32(be16(b, 0)>>11) == uint32(o.answer)
	if o.answer != typeNack {
		p := m.receiver.pdcs.rows.Row(o.k) // as the job left it, but for pending and ce
		base = sackBase(q, p)
		sure = sure && be32(b, 4) == p.cack
		d.Value(ruleAnswers, "psn - cack modulo 2^32", uint64(q.psn-p.cack))
		if o.answer == typeAckCC {
			d.Value(ruleAnswers, "sack_base", uint64(base))
			d.Value(ruleAnswers, "v", uint64(m.time.since(q.came)))
			d.Value(ruleAnswers, "number of ones in seen", uint64(p.seen.ones()))
			sure = sure && be16(b, 14) == uint16(base-p.cack) && be16(b, 24) == uint16(serviceTime(q, m.time))
		}
	}
	d.From(ruleBeats, "tag")
	d.From(ruleAnswers, "data", "keep", "last")
	d.Check(sure)
	for sent := 0; sent < a.len; sent += beats.Size {
		x := d
		x.Steps = slices.Clone(d.Steps)
		x.Value(ruleBeats, "beat", uint64(sent/beats.Size))
		m.tell(&x)
	}
}

// explainAccess executes a cfg event and tells its response.
func (m *Model) explainAccess() {
	d := event.NewDecision("cfgr")
	k := concern(&m.ev)
	d.Before, d.After = make([]uint64, port.NumWords), make([]uint64, port.NumWords)
	d.Concern = m.stateOf(k, d.Before)
	m.receiver.Configure(&m.ev, m.cfgr.Push())
	m.stateOf(k, d.After)
	d.From(ruleCfg, "kind", "refused", "data")
	if m.ev.Kind == port.KindRead {
		by := ruleWords
		if k == -1 {
			by = ruleTiming
		}
		d.From(by, "data")
	}
	m.tell(d)
}

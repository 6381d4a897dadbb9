package ackparse

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// StateOf fills words with the counters, which all events share.
func (m *Model) StateOf(_ int, _, words []uint64) string {
	copy(words, m.counters.words())
	return "counters"
}

// Explain has tell called with how each record and each response at cfgr is decided from now on; nil ends it. A record
// is told in the cycle in which its packet is counted.
func (m *Model) Explain(tell func(*event.Decision)) { m.tell = tell }

// The rules of the contract, by name. Those of the decision are numbered.
const (
	ruleBeats  = "beats"
	ruleTiming = "timing"
	ruleRecord = "record"
	ruleCfg    = "cfg"
)

func rule(n int) string { return fmt.Sprintf("decision/%d", n) }

// explain tells how a packet that is passed on came to its record, with the values in the order of the contract. f is
// its length F.
func explain(cfg *Config, frame []byte, f int, rec *port.Rec) *event.Decision {
	d := event.NewDecision("rec")
	var w walk
	if !w.decide(cfg, frame, f).Passed() {
		d.Check(false)
		return d
	}
	w.Explain(d, filter(cfg), frame, f, ruleBeats, rule)
	b := frame[w.P:w.E]
	d.Value(rule(9), "y", uint64(w.y))
	d.Value(rule(9), "type", uint64(w.kind()))
	d.Value(rule(10), "O", uint64(w.o))
	d.Value(rule(10), "E - P", uint64(len(b)))
	w.explainFields(d, b)
	for _, field := range port.Schema().Stream(d.Stream).Fields {
		d.From(ruleRecord, field.Name)
	}
	d.From(ruleBeats, "tag")
	d.From(rule(3), "ipv6")
	d.From(rule(5), "native")
	var again port.Rec
	w.record(frame, &again)
	again.Tag = rec.Tag
	d.Check(again == *rec)
	return d
}

// explainFields tells what the fields that are not copied from the PDS header b are made of.
func (w *walk) explainFields(d *event.Decision, b []byte) {
	d.Value(rule(12), "be16[8]", uint64(be16(b, 8)))
	d.Value(rule(12), "be16[10]", uint64(be16(b, 10)))
	switch w.kind() {
	case port.PdsTypeAck, port.PdsTypeAckCc, port.PdsTypeAckCcx:
		d.Value(ruleRecord, "psn", uint64(be32(b, 4)))
		d.Flag(ruleRecord, "probe", w.flag(3))
		d.Value(ruleRecord, "be16[2]", uint64(be16(b, 2)))
	case port.PdsTypeCp:
		d.Value(rule(11), "ctl_type", uint64(w.next()))
		d.Flag(ruleRecord, "syn", w.flag(2))
	}
	switch w.kind() {
	case port.PdsTypeAckCc:
		d.Value(rule(11), "cc_type", uint64(b[12]>>4))
		d.Value(ruleRecord, "be16[14]", uint64(be16(b, 14)))
	case port.PdsTypeAckCcx:
		d.Value(ruleRecord, "be16[14]", uint64(be16(b, 14)))
		d.Value(ruleRecord, "ACK_STATE", uint64(w.o-24))
	case port.PdsTypeNackCcx:
		d.Value(ruleRecord, "NACK_STATE", uint64(w.o-16))
	}
}

// explainRec tells the record of a packet that is counted in this cycle.
func (m *Model) explainRec(d *decision) {
	why := d.why
	if why == nil { // decided before anybody asked
		why = event.NewDecision("rec")
	}
	after := m.counters
	after.count(d.verdict)
	why.Concern, why.Before, why.After = "counters", m.counters.words(), after.words()
	m.tell(why)
}

// explainCfg tells the response to a cfg event. before are the counters that the event found.
func (m *Model) explainCfg(kind port.Kind, before *Counters) {
	d := event.NewDecision("cfgr")
	d.Concern, d.Before, d.After = "counters", before.words(), m.counters.words()
	d.From(ruleCfg, "kind", "refused", "data")
	if kind == port.KindRead {
		d.From(ruleTiming, "data")
	}
	m.tell(d)
}

func (c *Counters) words() (out []uint64) {
	for _, v := range c {
		out = append(out, uint64(v))
	}
	return out
}

package txpdc

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Lanes of the input streams, in the order of the schema.
const (
	laneCmd = iota
	laneRec
	laneView
)

// StateOf fills words with the state after the jobs that have ended: that of the PDC of a command or a record, with its
// context and the row of its PSN, of the first PDC of the context of a view, or the counters alone. It returns "" for
// what concerns none.
func (m *Model) StateOf(lane int, in, words []uint64) string {
	switch lane {
	case laneCmd:
		var c port.Cmd
		port.UnpackCmd(in, &c)
		if k := concern(&c); k >= -1 {
			return m.stateOf(k, c.PSN, words)
		}
	case laneRec:
		var r port.Rec
		port.UnpackRec(in, &r)
		return m.stateOf(int(r.Dpdcid)-1, psnOf(&r), words)
	case laneView:
		var v port.View
		port.UnpackView(in, &v)
		return m.stateOf(int(v.Ctx)*port.Slots, 0, words)
	}
	return ""
}

// concern returns the PDC of a command, -1 for an access to a counter, -2 for anything else.
func concern(c *port.Cmd) int {
	switch c.Kind {
	case port.KindOpen, port.KindMessage, port.KindClose:
		return int(c.PDC)
	case port.KindLoad, port.KindRead:
		switch {
		case c.Addr < port.WordSent:
			return int(c.PDC)
		case c.Addr < port.NumWords:
			return -1
		}
	}
	return -2
}

// psnOf returns the PSN that a record is of.
func psnOf(r *port.Rec) uint32 {
	if isAck(r.PdsType) {
		return r.AckPSN
	}
	return r.PSN
}

func (m *Model) stateOf(k int, psn uint32, words []uint64) string {
	w := m.source.Words(k, psn)
	for addr := range words {
		words[addr] = w.Word(addr)
	}
	if k < 0 || k >= m.spec.Pdcs() {
		return "counters"
	}
	return fmt.Sprintf("pdc=%d", k)
}

// Explain has tell called with how each response and each action is decided from now on, in the cycle in which its job
// ends; nil ends it.
func (m *Model) Explain(tell func(*event.Decision)) { m.tell = tell }

// The rules of the contract, by name. The steps of ACK and NACK are numbered.
const (
	rulePDC     = "state-of-a-pdc"
	ruleJobs    = "timing/jobs-run-one-at-a-time"
	ruleCommand = "command"
	ruleAccess  = "command/load-read-cfg"
	ruleTurn    = "turn"
	ruleRecord  = "record"
	ruleAck     = "record/ack/"
	ruleNack    = "record/nack/"
	ruleTimer   = "timer"
)

// explain executes the job that ends, and makes a decision of each response and action.
func (m *Model) explain() {
	x := explanation{Decision: *event.NewDecision("act"), s: m.source}
	switch m.job {
	case ofView:
		m.execute()
		return
	case ofCommand:
		x.command(&m.command)
	case ofRecord:
		x.record(&m.record)
	case ofTurn:
		x.turned()
	case ofTimer:
		x.timed(m.time.tick)
	}
	x.Before, x.After = make([]uint64, port.NumWords), make([]uint64, port.NumWords)
	x.Concern = m.stateOf(x.k, x.psn, x.Before)
	rsp, act := m.execute()
	m.stateOf(x.k, x.psn, x.After)
	if rsp != nil {
		m.tell(x.response(rsp, act != nil))
	}
	if act != nil {
		x.action(m.job, act)
		x.Check(int(act.PDC) == x.k && (act.PSN == 0 || act.PSN == x.psn))
		m.tell(&x.Decision)
	}
}

// explanation is what becomes known of a job before it is executed.
type explanation struct {
	event.Decision

	s     *Source
	k     int    // PDC, -1 if it has none
	psn   uint32 // of the action, if it has one
	freed string // the rule by which a record frees the PDC
}

// pdc notes what the rules derive from the PDC, and returns it.
func (x *explanation) pdc() *pdc {
	p := x.s.pdcs.Row(x.k)
	x.Value(rulePDC, "una", uint64(p.una))
	x.Value(rulePDC, "n", uint64(p.n))
	x.Value(rulePDC, "limit", uint64(p.limit()))
	return p
}

func (x *explanation) reg(rule string, addr int) {
	x.Value(rule, port.RegInfo[addr].Name, uint64(x.s.cfg[addr]))
}

// command notes what a command meets.
func (x *explanation) command(c *port.Cmd) {
	x.k, x.psn = concern(c), c.PSN
	if c.Kind < port.KindOpen || x.k < 0 || x.k >= x.s.spec.Pdcs() {
		return
	}
	rule := ruleCommand + "/" + strings.ToLower(c.Kind.String())
	p := x.pdc()
	x.psn = p.una
	for _, flag := range []struct {
		name string
		on   bool
	}{{"valid", p.valid}, {"syn", p.syn}, {"closing", p.closing}, {"stopped", p.stopped}} {
		x.Flag(rule, flag.name, flag.on)
	}
	switch c.Kind {
	case port.KindOpen:
		x.Value(rule, "z", uint64(p.rcvd<<8-p.sum))
	case port.KindMessage:
		x.Value(rule, "left", uint64(p.left))
		x.reg(rule, port.RegPayload)
		x.reg(rule, port.RegHeader)
	}
}

// response returns how the response of a command is decided.
func (x *explanation) response(rsp *port.Response, acts bool) *event.Decision {
	d := x.Decision
	d.Stream, d.By = "rsp", map[string][]string{}
	d.From(ruleCommand, "kind", "pdc", "refused", "busy", "data")
	switch {
	case rsp.Refused:
	case rsp.Kind < port.KindOpen:
		d.From(ruleAccess, "data")
	default:
		d.From(ruleCommand+"/"+strings.ToLower(rsp.Kind.String()), "busy")
	}
	d.Check(acts == (rsp.Kind >= port.KindOpen && !rsp.Refused && !rsp.Busy))
	return &d
}

// record notes what a record meets.
func (x *explanation) record(r *port.Rec) {
	if x.k = x.s.find(r); x.k < 0 {
		return
	}
	x.Value(ruleRecord, "k", uint64(x.k))
	x.psn = psnOf(r)
	p := x.pdc()
	x.Flag(ruleRecord, "closing", p.closing)
	if isAck(r.PdsType) {
		x.freed = ruleAck + "1"
		n := p.covered(r)
		x.Value("record/ack", "d modulo 2^32", uint64(uint32(p.advance(r))))
		x.Value(ruleAck+"4", "PSNs in N", uint64(n.ones()))
		x.Value(ruleAck+"4", "of them marked", uint64(n.and(p.marked).ones()))
		x.Value(ruleAck+"7", "rcvd", uint64(p.rcvd))
		return
	}
	x.freed = ruleNack + "1"
	i := r.PSN - p.una
	x.Value(ruleNack+"2", "i", uint64(i))
	if i < uint32(p.n) {
		flight := p.flight()
		x.Flag(ruleNack+"2", "refuses", p.refuses(r.NackCode, int(i)))
		x.Flag(ruleNack+"3", "in flight", flight.has(int(i)))
		x.Flag(ruleNack+"3", "resent", p.resent.has(int(i)))
	}
}

// turned notes what a turn finds.
func (x *explanation) turned() {
	c := int(*x.s.ready.Front())
	if x.k = -1; !x.s.eligible(c) {
		return
	}
	slot := x.s.pick(c)
	x.k = c*port.Slots + slot
	p := x.pdc()
	i, again := p.lost()
	if !again {
		i = p.n
	}
	x.psn = p.una + uint32(i)
	x.Value(ruleTurn, "c", uint64(c))
	x.Value(ruleTurn, "next", uint64(x.s.contexts.Row(c).next))
	x.Value(ruleTurn, "slot", uint64(slot))
	x.Flag(ruleTurn, "again", again)
	x.Value(ruleTurn, "i", uint64(i))
	if !again {
		x.Value(ruleTurn, "left", uint64(p.left))
		x.reg(ruleTurn, port.RegPayload)
		x.reg(ruleTurn, port.RegHeader)
	}
}

// timed notes what the timer finds.
func (x *explanation) timed(now uint64) {
	x.k = x.s.scan
	p := x.pdc()
	x.psn = p.una
	x.Value(ruleTimer, "scan", uint64(x.k))
	x.Flag(ruleTimer, "stopped", p.stopped)
	x.Flag(ruleTimer, "closing", p.closing)
	x.Value(ruleTimer, "tries", uint64(p.tries))
	x.Value(ruleTimer, "RTO * 2^min(tries, 6)", uint64(x.s.timeout(p)))
	if p.closing {
		x.Value(ruleTimer, "now - closed_at modulo 2^32", uint64(uint32(now)-p.closedAt))
	} else if i := x.s.expired(x.k, now); i >= 0 {
		x.psn += uint32(i)
		x.Value(ruleTimer, "i", uint64(i))
		x.Flag(ruleTimer, "resent", p.resent.has(i))
		x.Value(ruleTimer, "now - stamp modulo 2^32", uint64(uint32(now)-x.s.row(x.k, x.psn).stamp))
	}
}

// action notes which rules an action has its fields from.
func (x *explanation) action(j job, act *port.Act) {
	x.From(ruleJobs, "now")
	switch j {
	case ofCommand:
		rule := ruleCommand + "/" + map[port.Action]string{port.ActionOpened: "open", port.ActionMessage: "message",
			port.ActionClosing: "close", port.ActionFreed: "close"}[act.Kind]
		x.From(rule, "kind")
		x.From(ruleCommand, "pdc")
		switch act.Kind {
		case port.ActionOpened, port.ActionMessage:
			x.From(rule, "size")
		case port.ActionClosing:
			x.From(rule, "psn", "is_rtx", "peer")
		}
	case ofTurn:
		x.From(ruleTurn, "kind", "pdc", "psn", "size", "is_rtx", "syn", "psn_offset", "ar", "eom", "peer", "tx")
	case ofRecord:
		x.From(ruleRecord, "pdc")
		x.answered(act)
	case ofTimer:
		x.From(ruleTimer, "kind", "pdc")
		switch act.Kind {
		case port.ActionAcked:
			x.From(ruleTimer, "acked_pkts", "unmark_pkts", "unmark_bytes", "rcvd_bytes", "done")
		case port.ActionClosing:
			x.From(ruleTimer, "psn", "is_rtx", "peer")
		case port.ActionLost:
			x.From(ruleTimer, "psn", "size")
		case port.ActionStopped:
			x.From(ruleTimer, "code")
		}
	}
}

// answered does the same for the action of a record.
func (x *explanation) answered(act *port.Act) {
	switch act.Kind {
	case port.ActionAcked:
		x.From(ruleAck+"9", "kind", "m", "retx", "entropy", "done")
		x.From(ruleAck+"5", "psn", "tx")
		x.From(ruleAck+"4", "acked_pkts", "unmark_pkts", "unmark_bytes")
		x.From(ruleAck+"7", "rcvd_bytes", "service_time", "pend", "rc")
	case port.ActionNacked:
		x.From(ruleNack+"3", "kind", "psn", "size", "tx", "code", "m", "retx", "entropy")
	case port.ActionStopped:
		x.From(ruleNack+"2", "kind", "code")
	case port.ActionFreed:
		x.From(x.freed, "kind")
	}
}

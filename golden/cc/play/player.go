package play

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/units"
)

// Options are what a file is played with.
type Options struct {
	CC   string             // the control; empty for that of the file
	Set  map[string]float64 // settings and parameters, over those of the file
	Rows []cc.Row           // the controls by name
}

// packet is a packet of the connection that is not acknowledged.
type packet struct {
	size int64
	at   units.Picos
	rtx  uint8
	lost bool
}

// player is the sender around one control.
type player struct {
	cfg     cc.Config
	control cc.Control
	inspect cc.Inspector // or nil
	packets map[uint32]*packet
	una     uint32
	nxt     uint32
	rcvd    uint32
	now     units.Picos
	out     cc.Out
	rep     *Report
}

// span is the most packet numbers that may be outstanding.
const span = 1 << 20

// optional is the path among the settings of a run of one that not every control reads, "" of others.
func optional(setting string) string {
	return map[string]string{"target": "target.us", "qa_gate": "qa_gate"}[setting]
}

// Run plays the events of a file. It errors with the line of what is wrong with it.
func Run(in io.Reader, o Options) (*Report, error) {
	lines, err := read(in)
	if err != nil {
		return nil, err
	}
	p := &player{packets: map[uint32]*packet{}, rep: &Report{Pass: true}}
	at := func(l *line, err error) error { return fmt.Errorf("line %d: %w", l.number, err) }
	first := &lines[0]
	if first.Ev != "open" {
		first = &line{Ev: "open"}
	}
	if err := p.open(first, o); err != nil {
		if first.number == 0 {
			return nil, err
		}
		return nil, at(first, err)
	}
	for i := range lines {
		l := &lines[i]
		times := 1
		if l.Times != nil {
			times = *l.Times
		}
		for n := range times {
			if err := p.advance(l, n); err != nil {
				return nil, at(l, err)
			}
			if l.Ev == "open" {
				p.row(l, "open")
			} else if err := p.play(l); err != nil {
				return nil, at(l, err)
			}
		}
		if err := p.expect(l); err != nil {
			return nil, at(l, err)
		}
	}
	return p.rep, nil
}

func (p *player) open(l *line, o Options) error {
	name := o.CC
	switch {
	case name == "" && l.CC == "":
		return errors.New("cc: which control? give --cc, or an open event with cc")
	case name == "":
		name = l.CC
	case l.CC != "" && l.CC != name:
		return fmt.Errorf("cc = %s: the events are played through %s", l.CC, name)
	}
	row, err := cc.Find(name, o.Rows)
	if err != nil {
		return err
	}
	p.cfg = cc.Config{LinkGbps: 100, BaseRTT: 12500 * units.Nanosecond, MTU: 4096, HeaderBytes: 64, QAGate: -1,
		AckTrigger: 1}
	set := maps.Clone(l.Set)
	if set == nil {
		set = map[string]float64{}
	}
	maps.Copy(set, o.Set)
	own := param.Of(&p.cfg) // what a context is created with
	for _, k := range slices.Sorted(maps.Keys(set)) {
		if f, err := param.Find(own, k); err == nil {
			if path := optional(k); path != "" && !slices.Contains(row.Reads, path) {
				return fmt.Errorf("%s: cc = %s does not read it", k, row.Name)
			}
			if err := f.Set(set[k]); err != nil {
				return err
			}
			delete(set, k)
		}
	}
	p.cfg.MaxWnd = int64(1.5 * float64(p.cfg.LinkGbps) * 125 * p.cfg.BaseRTT.Micros())
	if p.control, err = row.New(p.cfg); err != nil {
		return err
	}
	p.inspect, _ = p.control.(cc.Inspector)
	for _, k := range slices.Sorted(maps.Keys(set)) {
		fields := own
		if p.inspect != nil {
			fields = append(fields, p.inspect.Params()...)
		}
		if err := param.Set(fields, k, set[k]); err != nil {
			return err
		}
	}
	if p.inspect != nil {
		if err := p.inspect.Validate(); err != nil {
			return err
		}
	}
	p.rep.CC, p.rep.About = row.Name, row.About
	p.step(p.event(cc.KindOpen))
	return nil
}

// advance brings the clock to an event, the nth of its repeats.
func (p *player) advance(l *line, n int) error {
	t := p.now
	switch {
	case n > 0 && l.Ev == "timer" && l.Every == 0:
		t = max(p.out.Timer, t)
	case n > 0:
		t += picos(l.Every)
	case l.T != nil:
		t = picos(*l.T)
	case l.DT != nil:
		t += picos(*l.DT)
	case l.Ev == "timer":
		t = max(p.out.Timer, t)
	}
	if t < p.now {
		return fmt.Errorf("t = %v: %v us have passed already", *l.T, p.now.Micros())
	}
	if t > 1e18 {
		return errors.New("t: want at most 1e12 us")
	}
	p.now = t
	return nil
}

func picos(us float64) units.Picos {
	return units.Picos(math.Round(min(us, 1e13) * float64(units.Microsecond)))
}

func (p *player) event(kind cc.Kind) *cc.Event {
	return &cc.Event{Kind: kind, Time: p.now, Una: p.una, Nxt: p.nxt, RcvdExact: p.rcvd, RcvdBytes: cc.RcvdUnits(p.rcvd)}
}

func (p *player) step(ev *cc.Event) { p.out = p.control.Step(ev) }

// oldest returns the first packet in flight.
func (p *player) oldest() (uint32, error) {
	for psn := p.una; psn != p.nxt; psn++ {
		if k := p.packets[psn]; k != nil && !k.lost {
			return psn, nil
		}
	}
	return 0, errors.New("psn: no packet is in flight; send one first")
}

func (p *player) play(l *line) error {
	ev := p.event(cc.KindTimer)
	switch l.Ev {
	case "state":
		return p.preset(l)
	case "data":
		if l.Size == nil {
			return errors.New("size: an event data needs it")
		}
		ev.Kind, ev.Size = cc.KindNewData, *l.Size
	case "send":
		return p.send(l)
	case "ack":
		return p.ack(l)
	case "nack":
		return p.refuse(l, cc.KindNack)
	case "loss":
		return p.refuse(l, cc.KindLoss)
	case "cnp":
		ev.Kind, ev.Port, ev.Fair = cc.KindCNP, l.Port, l.Fair
	case "credit":
		if l.Credit == nil {
			return errors.New("credit: an event credit needs the quanta granted since the opening")
		}
		ev.Kind, ev.Credit = cc.KindCredit, uint32(rccc.First.Plus(*l.Credit))
	case "timer":
		if p.out.Timer == 0 {
			return errors.New("timer: the control has asked for none")
		}
		if p.now < p.out.Timer {
			return fmt.Errorf("timer: it is due at %v us, not at %v", p.out.Timer.Micros(), p.now.Micros())
		}
	}
	p.step(ev)
	p.row(l, l.Ev)
	if l.Ev == "timer" {
		p.losses(l)
	}
	return nil
}

func (p *player) preset(l *line) error {
	if p.inspect == nil {
		return fmt.Errorf("state: %s shows none that could be set", p.rep.CC)
	}
	if len(l.Set) == 0 {
		return errors.New("set: names nothing")
	}
	for _, k := range slices.Sorted(maps.Keys(l.Set)) {
		if err := param.Set(p.inspect.State(), k, l.Set[k]); err != nil {
			return err
		}
	}
	p.row(l, "state")
	return nil
}

// send sends new packets, or one again.
func (p *player) send(l *line) error {
	size, n := int64(p.cfg.MTU), 1
	if l.Size != nil {
		size = *l.Size
	}
	if l.N != nil {
		n = *l.N
	}
	if l.PSN != nil && *l.PSN != p.nxt {
		k := p.packets[*l.PSN]
		switch {
		case l.N != nil:
			return errors.New("psn and n: give one of them")
		case k == nil:
			return fmt.Errorf("psn = %d: it is not outstanding, and the next new one is %d", *l.PSN, p.nxt)
		case !k.lost:
			return fmt.Errorf("psn = %d: it is in flight and not lost", *l.PSN)
		}
		k.lost, k.at, k.rtx = false, p.now, min(k.rtx+1, 2)
		ev := p.event(cc.KindSend)
		ev.PSN, ev.Size, ev.IsRtx, ev.TxValid, ev.TxTime, ev.RtxCount = *l.PSN, k.size, true, true, p.now, k.rtx
		p.step(ev)
		p.row(l, fmt.Sprintf("send %d again", *l.PSN))
		return nil
	}
	if n == 0 {
		return errors.New("n = 0: nothing is sent")
	}
	from := p.nxt
	for range n {
		if p.nxt-p.una >= span {
			return fmt.Errorf("n = %d: at most %d packets can be outstanding", n, span)
		}
		psn := p.nxt
		p.nxt++
		p.packets[psn] = &packet{size: size, at: p.now}
		ev := p.event(cc.KindSend)
		ev.PSN, ev.Size, ev.TxValid, ev.TxTime = psn, size, true, p.now
		p.step(ev)
	}
	what := fmt.Sprintf("send %d", from)
	if n > 1 {
		what = fmt.Sprintf("send %d-%d", from, p.nxt-1)
	}
	p.row(l, what)
	return nil
}

func (p *player) ack(l *line) error {
	acked := slices.Clone(l.Acked)
	if l.Acked == nil {
		n := 1
		if l.N != nil {
			n = *l.N
		}
		for psn := p.una; psn != p.nxt && len(acked) < n; psn++ {
			if p.packets[psn] != nil {
				acked = append(acked, psn)
			}
		}
		if len(acked) < n {
			return fmt.Errorf("n = %d: %d packets are outstanding", n, len(acked))
		}
	}
	for i, psn := range acked {
		if p.packets[psn] == nil || slices.Contains(acked[:i], psn) {
			return fmt.Errorf("acked: packet %d is not outstanding", psn)
		}
	}
	ev := p.event(cc.KindAck)
	ev.M, ev.Flows, ev.ServiceTime, ev.AckedPSNs = l.ECN, l.Flows, 1, acked
	if len(acked) > 0 {
		ev.PSN = acked[len(acked)-1]
	}
	if l.PSN != nil {
		if int32(*l.PSN-p.nxt) >= 0 {
			return fmt.Errorf("psn = %d: it was never sent; the next new one is %d", *l.PSN, p.nxt)
		}
		ev.PSN = *l.PSN
	}
	switch k := p.packets[ev.PSN]; {
	case l.Sample != nil && !*l.Sample:
	case l.RTT != nil:
		ev.TxValid, ev.TxTime = true, p.now-picos(*l.RTT)
	case k != nil && (l.PSN != nil || len(acked) > 0):
		ev.TxValid, ev.TxTime, ev.RtxCount, ev.Retx = true, k.at, k.rtx, k.rtx > 0
	}
	for _, psn := range acked {
		k := p.packets[psn]
		p.rcvd += uint32(k.size)
		if k.lost {
			ev.UnmarkPkts++
			ev.UnmarkBytes += k.size
		} else {
			ev.AckedPkts++
		}
		delete(p.packets, psn)
	}
	for p.una != p.nxt && p.packets[p.una] == nil {
		p.una++
	}
	ev.Una, ev.RcvdExact, ev.RcvdBytes = p.una, p.rcvd, cc.RcvdUnits(p.rcvd)
	if l.Una != nil {
		ev.Una = *l.Una
	}
	if l.Nxt != nil {
		ev.Nxt = *l.Nxt
	}
	for _, h := range l.INT {
		ev.Hops = append(ev.Hops, cc.Hop{Gbps: h.Gbps, TS: h.TS * 1000, Tx: h.Tx, Queue: h.Q})
	}
	p.step(ev)
	what := "ack"
	switch {
	case len(acked) == 1:
		what = fmt.Sprintf("ack %d", acked[0])
	case len(acked) > 1:
		what = fmt.Sprintf("ack %d..%d (%d)", acked[0], acked[len(acked)-1], len(acked))
	}
	if l.ECN {
		what += " ce"
	}
	p.row(l, what)
	p.losses(l)
	return nil
}

// losses gives the control back the packets that it gave up.
func (p *player) losses(l *line) {
	c, ok := p.control.(cc.Losses)
	if !ok {
		return
	}
	for _, x := range c.Lost() {
		if k := p.packets[x.PSN]; k != nil && !k.lost {
			p.lose(l, x.PSN, x.Cause, cc.KindLoss, "")
		}
	}
}

// refuse plays a NACK or a loss.
func (p *player) refuse(l *line, kind cc.Kind) error {
	psn, err := p.oldest()
	if l.PSN != nil {
		psn, err = *l.PSN, nil
		if k := p.packets[psn]; k == nil || k.lost {
			err = fmt.Errorf("psn = %d: it is not in flight", psn)
		}
	}
	if err != nil {
		return err
	}
	cause := cc.CauseTimeout
	if l.By == "hole" {
		cause = cc.CauseHole
	}
	p.lose(l, psn, cause, kind, l.Reason)
	return nil
}

// causes are the words for how a loss was found.
var causes = map[cc.Cause]string{cc.CauseTimeout: "timeout", cc.CauseHole: "hole", cc.CauseGivenUp: "given up"}

// lose makes a packet wait to be sent again.
func (p *player) lose(l *line, psn uint32, cause cc.Cause, kind cc.Kind, reason string) {
	k := p.packets[psn]
	k.lost = true
	ev := p.event(kind)
	ev.PSN, ev.Size, ev.TxValid, ev.TxTime, ev.RtxCount = psn, k.size, true, k.at, k.rtx
	what := fmt.Sprintf("loss %d (%s)", psn, causes[cause])
	if kind == cc.KindNack {
		ev.Reason, ev.M, ev.Retx = cc.ReasonTrimmed, l.ECN, k.rtx > 0
		if reason == "last_hop" {
			ev.Reason = cc.ReasonTrimmedLastHop
		}
		what = fmt.Sprintf("nack %d", psn)
	} else {
		ev.Cause = cause
	}
	p.step(ev)
	p.row(l, what)
}

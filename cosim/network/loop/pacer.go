package loop

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/golden/units"
	model "github.com/goldwire/goldwire/rtlmodel/credit"
	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// pacerSenders is the number of senders that a pacer has room for: the most of its block, as they only lengthen its
// reset.
const pacerSenders = port.MaxSenders

// MaxRest is the number of cycles of each rest of a pacer that are played on the device. A rest may last as long as the
// network, and its first cycles are those in which a design's counters still run.
const MaxRest = 4096

// pacer is the clocked model of the receiver's pacer at one host, reset and configured when the network begins. What
// arrives waits in a queue in front of it. A pull leaves at the end of the cycle in which it is at the port. The model
// is stepped when the network asks, and not while it rests, where nobody sees its cycles.
type pacer struct {
	spec    transport.PacerSpec
	model   *model.Model
	in      [port.InWords]uint64
	out     [port.OutWords]uint64
	cycle   uint64 // next one, of the network
	queue   []port.Event
	numbers map[int32]uint16 // of senders, in the block
	senders []int32
	pulls   []pull // that have left and were not asked for

	rtl   bool   // it is to be played on the device
	wants []want // what arrived then
	gave  []pull // ... and what the network got

	each func(in, out []uint64) bool // sees every cycle; false ends the pacer's time; nil for nobody
	over bool
	err  error // the first
}

// want is what a packet held, and the cycle in which it arrived.
type want struct {
	cycle   uint64
	sender  int32
	target  rccc.Number
	resends bool
}

// pull is a pull and the cycle in which it was at the port.
type pull struct {
	cycle   uint64
	sender  int32
	granted rccc.Number
}

// newPacer returns a pacer at the beginning of the network. each sees its reset, too; nil for nobody.
func newPacer(spec transport.PacerSpec, each func(in, out []uint64) bool) (*pacer, error) {
	regs, err := fields.CreditRegisters(spec.PerByte, spec.MaxWnd, fields.CreditCycle)
	if err != nil {
		return nil, err
	}
	if spec.Senders > pacerSenders {
		return nil, fmt.Errorf("%d senders: the block has at most %d", spec.Senders, pacerSenders)
	}
	p := &pacer{spec: spec, numbers: map[int32]uint16{}, each: each}
	if p.model, err = model.New(model.Spec{Senders: pacerSenders}); err != nil {
		return nil, err
	}
	for range 2 {
		p.play(0)
	}
	for addr, v := range regs {
		p.put(port.Event{Kind: port.KindCfgWrite, Addr: uint8(addr), Data: v})
	}
	for !p.over && (len(p.queue) > 0 || !p.model.Rests()) {
		p.step()
	}
	p.cycle = 0
	return p, p.err
}

func (p *pacer) put(ev port.Event) { p.queue = append(p.queue, ev) }

// play is a cycle with the control bits and payload of in.
func (p *pacer) play(control uint64) {
	p.in[0] |= control
	p.model.Cycle(p.in[:], p.out[:])
	if p.each != nil && !p.each(p.in[:], p.out[:]) {
		p.over = true
	}
	clear(p.in[:])
	p.cycle++
}

// step is a cycle out of reset.
func (p *pacer) step() {
	control := uint64(port.InRstN | port.InRspReady | port.InPullReady)
	if len(p.queue) > 0 {
		port.PackEvent(&p.queue[0], p.in[:])
		control |= port.InEvValid
	}
	p.play(control)
	if len(p.queue) > 0 && p.out[0]&port.OutEvReady != 0 {
		p.queue = p.queue[1:]
	}
	if p.out[0]&port.OutRspValid != 0 {
		var rsp port.Response
		port.UnpackResponse(p.out[:], &rsp)
		if (rsp.Refused || rsp.NoSender) && p.err == nil {
			p.err = fmt.Errorf("the block refuses %v of sender %d", rsp.Kind, rsp.Sender)
		}
	}
	if p.out[0]&port.OutPullValid != 0 {
		var x port.Pull
		port.UnpackPull(p.out[:], &x)
		p.pulls = append(p.pulls, pull{p.cycle - 1, p.senders[x.Sender], rccc.Number(x.Number)})
	}
}

// until steps the model up to a cycle.
func (p *pacer) until(cycle uint64) {
	for p.cycle < cycle && !p.over {
		if p.rests() {
			if p.rest(cycle); !p.over {
				p.cycle = cycle
			}
			return
		}
		p.step()
	}
}

// rests reports whether further cycles change nothing until something arrives.
func (p *pacer) rests() bool { return len(p.queue) == 0 && p.model.Rests() }

// rest steps the model through the cycles of a rest that each sees, up to a cycle. A pull in them is one that the
// design alone gives.
func (p *pacer) rest(cycle uint64) {
	if p.each == nil {
		return
	}
	for end := min(cycle, p.cycle+MaxRest); p.cycle < end && !p.over; {
		p.step()
	}
}

// arrive is the events of what a packet holds, from this cycle on.
func (p *pacer) arrive(sender int32, target rccc.Number, resends bool) {
	n, ok := p.numbers[sender]
	if !ok {
		n = uint16(len(p.senders))
		p.numbers[sender] = n
		p.senders = append(p.senders, sender)
		p.put(port.Event{Kind: port.KindOpen, Sender: n, Data: uint32(rccc.First)})
	}
	p.put(port.Event{Kind: port.KindTarget, Sender: n, Data: uint32(target)})
	if resends {
		p.put(port.Event{Kind: port.KindWant, Sender: n})
	}
}

// Wants implements transport.Pacer.
func (p *pacer) Wants(now units.Picos, sender int32, target rccc.Number, resends bool) {
	p.until(uint64(now / fields.CreditCycle))
	if p.rtl {
		p.wants = append(p.wants, want{p.cycle, sender, target, resends})
	}
	p.arrive(sender, target, resends)
}

// Due implements transport.Pacer.
func (p *pacer) Due() units.Picos {
	if len(p.pulls) > 0 {
		return units.Picos(p.pulls[0].cycle+1) * fields.CreditCycle
	}
	cycles, ok := p.model.Until()
	if !ok && len(p.queue) == 0 {
		return -1
	}
	return units.Picos(p.cycle+uint64(cycles)+1) * fields.CreditCycle
}

// Pull implements transport.Pacer.
func (p *pacer) Pull(now units.Picos) (int32, rccc.Number, bool) {
	p.until(uint64(now / fields.CreditCycle))
	if len(p.pulls) == 0 {
		return 0, 0, false
	}
	x := p.pulls[0]
	p.pulls = p.pulls[1:]
	if p.rtl {
		p.gave = append(p.gave, x)
	}
	return x.sender, x.granted, true
}

// replay plays what arrived at a pacer on a new one, whose every cycle each sees.
func (p *pacer) replay(each func(in, out []uint64) bool) (*pacer, error) {
	again, err := newPacer(p.spec, each)
	if err != nil {
		return nil, err
	}
	for i := range p.wants {
		w := &p.wants[i]
		again.until(w.cycle)
		again.arrive(w.sender, w.target, w.resends)
	}
	again.until(p.cycle)
	if _, due := again.model.Until(); !due && len(again.queue) == 0 {
		again.until(p.cycle + port.Slack + MaxRest) // the design might give a pull more than the model
	}
	return again, again.err
}

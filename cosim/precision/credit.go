package precision

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Credit is the sender's half of receiver credit as the float reference of golden/cc/rccc has it, around the rules of
// golden/cc/nscc.
type Credit struct {
	On   bool
	Spec rccc.Spec
}

// NewCredit returns the constants of registers in bytes.
func NewCredit(on bool, mtu, maxWnd int64) Credit {
	return Credit{on, rccc.Spec{MaxWnd: min(max(mtu, maxWnd), math.MaxInt32), MTU: mtu}}
}

// CreditOf returns the credit of a context's words.
func CreditOf(w *ccc.Words) rccc.State {
	return rccc.State{Credit: int64(w.Credit), Last: rccc.Number(w.LastPull), Speculating: w.Speculating,
		Backlog: int64(w.Backlog), RtxBacklog: int64(w.RtxBacklog)}
}

// Credited is what an event did to the credit.
type Credited struct{ SpecEnded, Granted, Saturated bool }

// Apply runs one event of the reference. The word is clamped to its 32 bits, which the reference's number does not
// need.
func (c *Credit) Apply(s *rccc.State, ev *ccc.Event) (did Credited) {
	if ev.Kind == ccc.KindOpen {
		*s = rccc.NewState(&c.Spec)
		s.Last = rccc.Number(ev.Credit)
		return did
	}
	if !c.On {
		return did
	}
	speculating := s.Speculating
	switch size := int64(ev.Size); ev.Kind {
	case ccc.KindNewData:
		s.OnData(size)
	case ccc.KindSend:
		s.OnSend(size, ev.IsRtx, ev.NoCredit)
	case ccc.KindAck:
		s.OnAck(int64(ev.UnmarkBytes))
	case ccc.KindNack:
		s.OnNack(size)
	case ccc.KindLoss:
		s.OnLoss(size)
	case ccc.KindCredit:
		did.Granted = s.OnCredit(&c.Spec, rccc.Number(ev.Credit)) == rccc.Granted
	}
	did.SpecEnded = speculating && !s.Speculating
	did.Saturated = s.Credit < math.MinInt32
	s.Credit = max(s.Credit, math.MinInt32)
	return did
}

// Blocked reports whether the context may not send for want of credit.
func (c *Credit) Blocked(s *rccc.State) bool { return c.On && !s.CanSend() }

// Asks reports whether credit wants the next packet to ask for an ACK.
func (c *Credit) Asks(s *rccc.State) bool { return c.On && s.AckReq() }

// ShareFrac is the number of fraction bits of a share.
const ShareFrac = 16

// Wanted returns 2^ShareFrac times the bytes that the target of a SEND asks for, which is exact. A share of 0 asks for
// all.
func (c *Credit) Wanted(s *rccc.State, noWindow bool, cwnd int64, share uint16) int64 {
	if noWindow {
		cwnd = cc.NoWindow
	}
	want := s.Want(&c.Spec, cwnd)
	if share == 0 {
		return want << ShareFrac
	}
	return want * int64(share)
}

// quanta returns the least number of quanta that hold so many bytes.
func quanta(bytes float64) int64 { return int64(math.Ceil(bytes / rccc.Quantum)) }

// credit compares word 15 and what the response has of it. All is exact but the target, whose bytes fixed point floors
// before it rounds them up to quanta.
func (s *Step) credit(ev *ccc.Event, k *Credit, p *nscc.Params, got *ccc.Words, rsp *ccc.Response, cwnd float64,
	want *rccc.State) {
	for at, v := range [...]struct{ want, got int64 }{
		{want.Credit, int64(got.Credit)}, {int64(want.Last), int64(got.LastPull)},
		{int64(flag(want.Speculating)), int64(flag(got.Speculating))},
	} {
		w := &s.worst[creditWord+at]
		w.Compared++
		w.MaxError = max(w.MaxError, math.Abs(float64(v.got-v.want)))
		if v.got != v.want {
			s.beyond(creditWord+at, ev, fmt.Sprintf("%s: want %d (float), got %d (model)", w.Name, v.want, v.got))
		}
	}
	if !k.On || ev.Kind != ccc.KindSend {
		if rsp.Target != 0 {
			s.beyond(target, ev, fmt.Sprintf("target: want 0 (float), got %d (model)", rsp.Target))
		}
		return
	}
	w := &s.worst[target]
	w.Compared++
	bytes := math.Ldexp(float64(k.Wanted(want, p.NoWindow, int64(cwnd), ev.Share)), -ShareFrac)
	floor, most := want.Last.Plus(quanta(math.Floor(bytes))), want.Last.Plus(quanta(bytes))
	switch x := rccc.Number(rsp.Target); {
	case x != floor && x != most:
		w.MaxError = max(w.MaxError, math.Abs(float64(x.Since(most))))
		s.beyond(target, ev, fmt.Sprintf("target: want %d (float), got %d (model)", most, x))
	case x != most:
		w.MaxError, w.Closest = 1, 1
	}
}

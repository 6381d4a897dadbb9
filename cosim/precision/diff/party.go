package diff

import (
	"github.com/goldwire/goldwire/cosim/precision"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Size is the number of contexts, of slots in each and of profiles of a block.
type Size struct{ Contexts, PDCs, Profiles int }

// SizeOf returns the size that parameters of the block ccc give.
func SizeOf(params map[string]int) Size {
	return Size{Contexts: params["NumContexts"], PDCs: params["NumPdcs"], Profiles: params["NumProfiles"]}
}

// Party is the block ccc in one arithmetic: registers and contexts around the rules of golden/cc/nscc. Source:
// contract.md, Dispatch.
type Party[N any] struct {
	num      arith.Numbers[N]
	size     Size
	regs     []arith.Registers
	params   []nscc.ParamsOf[N]
	credits  []precision.Credit
	contexts []Context[N]

	// Rules is what the rules answered to the last event, in the arithmetic's own numbers, and Ran reports whether
	// they were asked.
	Rules nscc.ResponseOf[N]
	Ran   bool
	Last  ccc.Response // of the last event

	// constant, if set, gives the number of a register whose word is raw in place of the arithmetic.
	constant func(profile, addr int, raw uint64) N
	// at, if set, has the times of the next event in place of its ticks.
	at *times[N]
}

// times are the time stamps of an event in ticks.
type times[N any] struct{ now, tx N }

// Context is one context of a party.
type Context[N any] struct {
	Valid   bool
	Profile uint8
	State   nscc.StateOf[N]
	Credit  rccc.State // its backlogs follow State
	pdcs    [ccc.MaxNumPdcs]nscc.PDC
}

// NewParty returns a block after reset.
func NewParty[N any](num arith.Numbers[N], size Size) *Party[N] {
	p := &Party[N]{num: num, size: size, regs: make([]arith.Registers, size.Profiles),
		params: make([]nscc.ParamsOf[N], size.Profiles), credits: make([]precision.Credit, size.Profiles),
		contexts: make([]Context[N], size.Contexts)}
	p.Reset()
	return p
}

// Reset resets the block.
func (p *Party[N]) Reset() {
	clear(p.contexts)
	for i := range p.regs {
		p.regs[i] = arith.Reset()
		p.derive(i)
	}
}

// derive computes the constants of a profile from its registers.
func (p *Party[N]) derive(profile int) {
	k := &p.params[profile]
	if p.constant == nil {
		*k = arith.Params(p.num, &p.regs[profile])
	} else {
		*k = arith.Params[N](constants[N]{p.num, profile, p.constant}, &p.regs[profile])
		k.Arith = p.num
	}
	p.credits[profile] = precision.NewCredit(k.RCCC, p.whole(k.MTU), p.whole(k.InitWnd))
}

func (p *Party[N]) whole(x N) int64 { return int64(p.num.Bits(x, 0)) }

// constants is an arithmetic in which the registers of a profile hold given numbers.
type constants[N any] struct {
	arith.Numbers[N]
	profile int
	of      func(profile, addr int, raw uint64) N
}

// Register returns the number of a register's word.
func (c constants[N]) Register(addr int, raw uint64) N { return c.of(c.profile, addr, raw) }

// Context returns a context, or nil when there is none of that number.
func (p *Party[N]) Context(ctx uint16) *Context[N] {
	if int(ctx) >= len(p.contexts) {
		return nil
	}
	return &p.contexts[ctx]
}

// Params returns the constants of a profile.
func (p *Party[N]) Params(profile uint8) *nscc.ParamsOf[N] { return &p.params[profile] }

// Words returns the words of a context, with the last_rcvd of slot pdc.
func (p *Party[N]) Words(c *Context[N], pdc uint8) ccc.Words {
	w := arith.WordsOf(p.num, &c.State)
	w.Profile = c.Profile
	w.Credit, w.LastPull, w.Speculating = int32(c.Credit.Credit), uint32(c.Credit.Last), c.Credit.Speculating
	if int(pdc) < p.size.PDCs {
		w.LastRcvd = c.pdcs[pdc].LastRcvd
	}
	return w
}

// Apply executes one event and fills in all of rsp.
func (p *Party[N]) Apply(ev *ccc.Event, rsp *ccc.Response) {
	p.Take(ev)
	*rsp = p.Last
}

// Take executes one event, whose response is Last.
func (p *Party[N]) Take(ev *ccc.Event) { p.apply(ev, &p.Last) }

func (p *Party[N]) apply(ev *ccc.Event, rsp *ccc.Response) {
	*rsp = ccc.Response{Kind: ev.Kind, Ctx: ev.Ctx, Entropy: ev.Entropy}
	p.Ran = false
	c := p.Context(ev.Ctx)
	switch {
	case ev.Kind >= ccc.NumKinds:
		rsp.Refused = true
	case ev.Kind == ccc.KindCfgWrite:
		rsp.Refused = !p.write(ev)
	case ev.Kind == ccc.KindCfgRead:
		if rsp.Refused = !p.hasRegister(ev); !rsp.Refused {
			profile := ev.Profile
			if ev.Addr == ccc.RegTimeShift {
				profile = 0
			}
			rsp.Data = p.num.RegisterWord(int(ev.Addr), p.regs[profile][ev.Addr])
		}
	case c == nil || !c.Valid && ev.Kind != ccc.KindOpen:
		rsp.NoContext = true
	case ev.Kind == ccc.KindOpen:
		if rsp.Refused = int(ev.Profile) >= p.size.Profiles; !rsp.Refused {
			now := p.num.Whole(int64(ev.Now))
			*c = Context[N]{Valid: true, Profile: ev.Profile, State: nscc.NewStateOf(&p.params[ev.Profile], now)}
			p.credits[ev.Profile].Apply(&c.Credit, ev)
			p.view(c, rsp)
		}
	case ev.Kind == ccc.KindClose:
		*c = Context[N]{}
	case p.refuses(c, ev):
		rsp.Refused = true
	default:
		p.onContext(c, ev, rsp)
	}
}

func (p *Party[N]) hasRegister(ev *ccc.Event) bool {
	return ev.Addr < ccc.NumRegs && (ev.Addr == ccc.RegTimeShift || int(ev.Profile) < p.size.Profiles)
}

// write takes a CFG_WRITE and reports whether it is allowed. TIME_SHIFT belongs to all profiles.
func (p *Party[N]) write(ev *ccc.Event) bool {
	if !p.hasRegister(ev) {
		return false
	}
	v := ev.Data & (1<<ccc.RegInfo[ev.Addr].Width - 1)
	if ev.Addr == ccc.RegMTU && v == 0 {
		return false
	}
	for i := range p.regs {
		if ev.Addr == ccc.RegTimeShift || i == int(ev.Profile) {
			p.regs[i][ev.Addr] = v
			p.derive(i)
		}
	}
	return true
}

// refuses reports whether an event names a word, a slot or a profile that does not exist, or is a pull without credit.
func (p *Party[N]) refuses(c *Context[N], ev *ccc.Event) bool {
	badSlot := int(ev.PDC) >= p.size.PDCs
	switch ev.Kind {
	case ccc.KindLoad, ccc.KindRead:
		if ev.Addr >= ccc.NumWords || ev.Addr == ccc.WordLastRcvd && badSlot {
			return true
		}
		var w ccc.Words
		w.SetWord(int(ev.Addr), ev.Data)
		return ev.Kind == ccc.KindLoad && int(w.Profile) >= p.size.Profiles
	case ccc.KindAck, ccc.KindBind:
		return badSlot
	case ccc.KindCredit:
		return !p.credits[c.Profile].On
	}
	return false
}

// loaded holds, by the address of a word, the values in it.
var loaded = func() (out [ccc.NumWords][]nscc.Value) {
	a := arith.Float{}
	for addr := range out {
		var w ccc.Words
		w.SetWord(addr, ^uint64(0))
		s := arith.StateOf(a, &w)
		for v := nscc.Value(0); v <= nscc.ValInflightPkts; v++ {
			if *s.Word(v) != 0 {
				out[addr] = append(out[addr], v)
			}
		}
	}
	return out
}()

func (p *Party[N]) load(c *Context[N], ev *ccc.Event) {
	var w ccc.Words
	w.SetWord(int(ev.Addr), ev.Data)
	s := arith.StateOf(p.num, &w)
	for _, v := range loaded[ev.Addr] {
		*c.State.Word(v) = *s.Word(v)
	}
	switch ev.Addr {
	case ccc.WordProfile:
		c.Profile = w.Profile
		c.State.TriggerQA, c.State.QAValid, c.State.Increase, c.State.CCC = s.TriggerQA, s.QAValid, s.Increase, s.CCC
	case ccc.WordLastRcvd:
		c.pdcs[ev.PDC].LastRcvd = w.LastRcvd
	case ccc.WordCredit:
		c.Credit = precision.CreditOf(&w)
	}
}

func (p *Party[N]) onContext(c *Context[N], ev *ccc.Event, rsp *ccc.Response) {
	switch ev.Kind {
	case ccc.KindLoad, ccc.KindRead:
		if ev.Kind == ccc.KindLoad {
			p.load(c, ev)
		}
		c.State = c.State.Loaded(&p.params[c.Profile])
		if ev.Kind == ccc.KindRead {
			w := p.Words(c, ev.PDC)
			rsp.Data = w.Word(int(ev.Addr))
		}
	default:
		p.Ran = true
		p.follow(c)
		credit := &p.credits[c.Profile]
		did := credit.Apply(&c.Credit, ev)
		c.State.CreditBlocked = credit.Blocked(&c.Credit)
		p.rules(c, ev)
		p.answer(ev, rsp)
		rsp.SpecEnded, rsp.Granted, rsp.Saturated = did.SpecEnded, did.Granted, rsp.Saturated || did.Saturated
		if credit.On && ev.Kind == ccc.KindSend {
			rsp.Target = p.target(c, ev)
		}
	}
	p.view(c, rsp)
}

// follow gives the credit of a context the backlogs of its state.
func (p *Party[N]) follow(c *Context[N]) {
	c.Credit.Backlog, c.Credit.RtxBacklog = p.whole(c.State.Backlog), p.whole(c.State.RtxBacklog)
}

// target returns the credit target of a packet that was sent.
func (p *Party[N]) target(c *Context[N], ev *ccc.Event) uint32 {
	want := p.credits[c.Profile].Wanted(&c.Credit, p.params[c.Profile].NoWindow, p.whole(c.State.Cwnd), ev.Share)
	x := p.num.Quantise(nscc.ValWant, p.num.Of(want, precision.ShareFrac))
	up := -p.whole(p.num.Sub(p.num.Whole(0), x))
	return uint32(c.Credit.Last.Plus((up + rccc.Quantum - 1) >> 8))
}

func (p *Party[N]) rules(c *Context[N], ev *ccc.Event) {
	a, s, k := p.num, &c.State, &p.params[c.Profile]
	now, size := a.Whole(int64(ev.Now)), a.Whole(int64(ev.Size))
	tx := nscc.TxOf[N]{Sample: nscc.None}
	if ev.TxValid {
		tx = nscc.TxOf[N]{TxTime: a.Whole(int64(ev.TxTime)), RtxCount: ev.RtxCount, Retx: ev.Retx}
	}
	if p.at != nil {
		now, tx.TxTime = p.at.now, p.at.tx
	}
	switch ev.Kind {
	case ccc.KindNewData:
		p.Rules = s.OnNewData(k, &nscc.NewDataOf[N]{Time: now, Bytes: size})
	case ccc.KindSend:
		p.Rules = s.OnSend(k, &nscc.SendOf[N]{Time: now, Size: size, IsRtx: ev.IsRtx})
	case ccc.KindAck:
		p.Rules = s.OnACK(k, &c.pdcs[ev.PDC], &nscc.AckOf[N]{
			Time: now, TxOf: tx, Service: ev.ServiceTime, RcvdBytes: ev.RcvdBytes, Marked: ev.M, Pend: ev.Pend, Restore: ev.RC,
			AckedPkts: a.Whole(int64(ev.AckedPkts)), UnmarkedPkts: a.Whole(int64(ev.UnmarkPkts)),
			UnmarkedBytes: a.Whole(int64(ev.UnmarkBytes)), Entropy: ev.Entropy,
		})
	case ccc.KindNack:
		p.Rules = s.OnNACK(k, &nscc.NackOf[N]{
			Time: now, TxOf: tx, Reason: nscc.Reason(ev.Reason), Size: size, Marked: ev.M, Entropy: ev.Entropy,
		})
	case ccc.KindLoss:
		p.Rules = s.OnInferredLoss(k, &nscc.LossOf[N]{Time: now, Size: size, Entropy: ev.Entropy})
	case ccc.KindBind:
		p.Rules = s.OnBind(k, &c.pdcs[ev.PDC], &nscc.BindOf[N]{Time: now, RcvdBytes: ev.RcvdBytes, Surplus: size})
	case ccc.KindSample:
		// Any number of ticks that a sample cannot have stands for the others.
		p.Rules = s.OnSample(k, &nscc.SampleOf[N]{Time: now, RTT: a.Whole(int64(min(ev.Data, 1<<ccc.TimeW)))})
	case ccc.KindCredit:
		p.Rules = s.OnCreditUpdate(k, s.CreditBlocked)
	}
}

func (p *Party[N]) answer(ev *ccc.Event, rsp *ccc.Response) {
	r := &p.Rules
	rsp.Action = precision.ActionOf(ev, r.Action)
	rsp.LB = ccc.LB(r.LB)
	rsp.Delay = uint32(p.num.Bits(r.Delay, 0))
	rsp.Saturated = r.Flags&(nscc.SatCounter|nscc.SatInc) != 0
	rsp.Underflow = r.Flags&nscc.Underflow != 0
	rsp.Stale = r.Flags&nscc.OldAck != 0
	rsp.RTTValid = r.HasRTT
	rsp.BaseFell = r.BaseFell
	rsp.RcvLimit = r.RcvLimited
	rsp.Saved, rsp.Restored = r.Saved, r.Restored
	rsp.QAWindow, rsp.QAFired, rsp.Ignored = r.QAWindow, r.QAFired, r.Ignored
	rsp.MDApplied, rsp.Fulfilled, rsp.EtaApplied = r.MDApplied, r.Fulfilled, r.EtaApplied
}

func (p *Party[N]) view(c *Context[N], rsp *ccc.Response) {
	s, k := &c.State, &p.params[c.Profile]
	rsp.State = ccc.State(s.CCC)
	rsp.Cwnd = uint32(p.num.Bits(s.Cwnd, 0))
	rsp.Inflight = int32(uint32(p.num.Bits(s.Inflight, 0)))
	rsp.BaseRTT = uint32(p.num.Bits(s.BaseRTT, 0))
	rsp.AvgDelay = p.num.Bits(s.AvgDelay, 16) & (1<<48 - 1)
	p.follow(c)
	credit := &p.credits[c.Profile]
	s.CreditBlocked = credit.Blocked(&c.Credit)
	rsp.CanSend, rsp.AckRequest = s.CanSend(k), s.AckRequest(k) || credit.Asks(&c.Credit)
}

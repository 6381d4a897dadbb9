package ccc

import (
	"fmt"
	"math/big"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// plainBlock is a deliberately simple implementation of contract.md: unbounded integers, state and registers by their
// schema names, and every rule in the order and wording of the contract.
type plainBlock struct {
	spec      Spec
	cfg       map[uint8]map[string]z // registers by profile, without TIME_SHIFT
	timeShift z
	ctx       map[uint16]map[string]z // valid contexts only
}

type z = *big.Int

func n[T int | uint8 | uint16 | uint32 | uint64 | int32](v T) z {
	if v < 0 {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(uint64(v))
}
func add(a, b z) z       { return new(big.Int).Add(a, b) }
func sub(a, b z) z       { return new(big.Int).Sub(a, b) }
func mul(a, b z) z       { return new(big.Int).Mul(a, b) }
func div(a, b z) z       { return new(big.Int).Div(a, b) } // floors for b > 0
func pow2(k int) z       { return new(big.Int).Lsh(n(1), uint(k)) }
func shr(a z, k int) z   { return div(a, pow2(k)) }
func mod2(a z, k int) z  { return new(big.Int).Mod(a, pow2(k)) }
func lt(a, b z) bool     { return a.Cmp(b) < 0 }
func eq(a z, v int) bool { return a.Cmp(n(v)) == 0 }
func zmin(a, b z) z      { return map[bool]z{true: a, false: b}[lt(a, b)] }
func zmax(a, b z) z      { return map[bool]z{true: b, false: a}[lt(a, b)] }
func top(k int) z        { return sub(pow2(k), n(1)) }

// slot returns the name of a context's last_rcvd for one PDC.
func slot(pdc int) string { return fmt.Sprintf("last_rcvd[%d]", pdc) }

func (p *plainBlock) reset() {
	p.cfg, p.ctx = map[uint8]map[string]z{}, map[uint16]map[string]z{}
	for profile := range uint8(p.spec.NumProfiles) {
		p.cfg[profile] = map[string]z{}
		for _, r := range port.Schema().Registers {
			if r.Name == "TIME_SHIFT" {
				p.timeShift = n(r.Reset)
			} else {
				p.cfg[profile][r.Name] = n(r.Reset)
			}
		}
	}
}

// run is one event in the plain implementation.
type run struct {
	p *plainBlock
	c map[string]z // registers of the context's profile
	s map[string]z // state of the context
	e port.Event
	r port.Response
}

func (x *run) sat(v z, bits int) z {
	if lt(top(bits), v) {
		x.r.Saturated = true
		return top(bits)
	}
	return v
}

func (x *run) sats32(v z) z {
	lo, hi := n(-1<<31), n(1<<31-1)
	if lt(v, lo) || lt(hi, v) {
		x.r.Saturated = true
	}
	return zmax(lo, zmin(hi, v))
}

func (x *run) sub0(a, b z) z {
	if lt(a, b) {
		x.r.Underflow = true
		return n(0)
	}
	return sub(a, b)
}

func wsub(a, b z) z               { return zmax(n(0), sub(a, b)) }
func (x *run) since(t z) z        { return mod2(sub(n(x.e.Now), t), 48) }
func (x *run) ctrl(bit uint) bool { return x.c["CTRL"].Bit(int(bit)) == 1 }

func (p *plainBlock) apply(e port.Event) port.Response {
	x := run{p: p, e: e}
	x.r.Kind, x.r.Ctx, x.r.Entropy = e.Kind, e.Ctx, e.Entropy
	refused := func() port.Response { x.r.Refused = true; return x.r }
	// 1
	if e.Kind >= 14 {
		return refused()
	}
	// 2
	if e.Kind == port.KindCfgWrite || e.Kind == port.KindCfgRead {
		x.config()
		return x.r
	}
	// 3
	if int(e.Ctx) >= p.spec.NumContexts {
		x.r.NoContext = true
		return x.r
	}
	// 4
	if e.Kind == port.KindOpen {
		if int(e.Profile) >= p.spec.NumProfiles {
			return refused()
		}
		x.open()
		x.view()
		return x.r
	}
	// 5
	x.s = p.ctx[e.Ctx]
	if x.s == nil {
		x.r.NoContext = true
		return x.r
	}
	// 6
	if e.Kind == port.KindClose {
		delete(p.ctx, e.Ctx)
		return x.r
	}
	// 7
	badSlot := int(e.PDC) >= p.spec.NumPdcs
	loadOrRead := e.Kind == port.KindLoad || e.Kind == port.KindRead
	if loadOrRead && (e.Addr >= 16 || e.Addr == 14 && badSlot) {
		return refused()
	}
	if e.Kind == port.KindLoad && e.Addr == 0 && int(e.Data/256%16) >= p.spec.NumProfiles {
		return refused()
	}
	if (e.Kind == port.KindAck || e.Kind == port.KindBind) && badSlot {
		return refused()
	}
	x.c = p.cfg[uint8(x.s["profile"].Uint64())]
	if e.Kind == port.KindCredit && !x.ctrl(1) {
		return refused()
	}
	// 8
	if e.Kind == port.KindLoad {
		x.word()
	}
	// 9
	x.c = p.cfg[uint8(x.s["profile"].Uint64())]
	for _, window := range []string{"cwnd", "max_wnd", "saved_cwnd"} {
		if window != "saved_cwnd" || !eq(x.s[window], 0) {
			x.s[window] = zmax(x.s[window], x.c["MTU"])
		}
	}
	// 10
	x.rest()
	x.view()
	return x.r
}

func (x *run) open() {
	x.c = x.p.cfg[x.e.Profile]
	x.s = map[string]z{}
	for _, w := range port.Schema().Words {
		for _, f := range w.Fields {
			x.s[f.Name] = n(0)
		}
	}
	delete(x.s, "last_rcvd")
	for pdc := range x.p.spec.NumPdcs {
		x.s[slot(pdc)] = n(0)
	}
	x.s["profile"] = n(x.e.Profile)
	x.s["max_wnd"] = zmax(x.c["MTU"], x.c["MAX_WND"])
	x.s["cwnd"] = x.s["max_wnd"]
	x.s["base_rtt"] = x.c["CONFIG_BASE_RTT"]
	x.s["last_adjust_time"], x.s["last_dec_time"] = n(x.e.Now), n(x.e.Now)
	x.s["credit"], x.s["last_pull"], x.s["speculating"] = x.most(), n(x.e.Credit), n(1)
	x.p.ctx[x.e.Ctx] = x.s
}

func (x *run) rest() {
	e, rtxBefore := x.e, x.s["rtx_backlog"]
	switch e.Kind {
	case port.KindRead:
		x.word()
	case port.KindBind:
		x.s[slot(int(e.PDC))] = n(e.RcvdBytes)
		x.s["inflight"] = x.sats32(add(x.s["inflight"], n(e.Size)))
	case port.KindSample:
		if rtt := n(e.Data); !lt(rtt, n(1)) && !lt(n(1<<31-1), rtt) {
			x.r.RTTValid = true
			x.base(rtt)
		}
	case port.KindNewData:
		x.s["backlog"] = x.sat(add(x.s["backlog"], n(e.Size)), 48)
	case port.KindSend:
		if e.IsRtx {
			x.s["waiting_rtx"] = x.sub0(x.s["waiting_rtx"], n(1))
			x.s["rtx_backlog"] = x.sub0(x.s["rtx_backlog"], n(e.Size))
		} else {
			x.s["backlog"] = x.sub0(x.s["backlog"], n(e.Size))
		}
		x.s["inflight"] = x.sats32(add(x.s["inflight"], n(e.Size)))
		x.s["inflight_pkts"] = x.sat(add(x.s["inflight_pkts"], n(1)), 32)
	case port.KindAck:
		x.ack()
	case port.KindNack:
		x.nack()
	case port.KindLoss:
		x.s["cwnd"] = zmax(x.c["MTU"], wsub(x.s["cwnd"], n(e.Size)))
		x.s["bytes_ignored"] = x.sat(add(x.s["bytes_ignored"], n(e.Size)), 32)
		x.s["inflight"] = x.sats32(sub(x.s["inflight"], n(e.Size)))
		x.mark()
		x.r.LB, x.r.Action = port.LBTimeout, port.ActionLossDec
	}
	x.credit(rtxBefore)
	if e.Kind != port.KindLoad && e.Kind != port.KindRead {
		x.update()
	}
}

func (x *run) config() {
	for _, r := range port.Schema().Registers {
		if r.Addr != int(x.e.Addr) {
			continue
		}
		set := x.p.cfg[x.e.Profile]
		if r.Name != "TIME_SHIFT" && set == nil {
			break
		}
		value := mod2(n(x.e.Data), r.Width)
		switch {
		case x.e.Kind == port.KindCfgRead && r.Name == "TIME_SHIFT":
			x.r.Data = x.p.timeShift.Uint64()
		case x.e.Kind == port.KindCfgRead:
			x.r.Data = set[r.Name].Uint64()
		case r.Name == "TIME_SHIFT":
			x.p.timeShift = value
		case r.Name == "MTU" && eq(value, 0):
			x.r.Refused = true
		default:
			set[r.Name] = value
		}
		return
	}
	x.r.Refused = true
}

// stored returns a state word of a valid context as stored. (A READ would apply the floor first.)
func (p *plainBlock) stored(ctx uint16, addr, pdc uint8) uint64 {
	x := run{p: p, s: p.ctx[ctx], e: port.Event{Kind: port.KindRead, Addr: addr, PDC: pdc}}
	x.word()
	return x.r.Data
}

// word writes a state word or reads it into the response.
func (x *run) word() {
	for _, w := range port.Schema().Words {
		if w.Addr != int(x.e.Addr) {
			continue
		}
		for _, f := range w.Fields {
			name := f.Name
			if name == "last_rcvd" {
				name = slot(int(x.e.PDC))
			}
			if x.e.Kind == port.KindRead {
				x.r.Data |= mod2(x.s[name], f.Width).Uint64() << f.LSB
				continue
			}
			v := mod2(shr(n(x.e.Data), f.LSB), f.Width)
			if f.Signed && !lt(v, pow2(f.Width-1)) {
				v = sub(v, pow2(f.Width))
			}
			x.s[name] = v
		}
	}
}

func (x *run) canSend() bool {
	fits := !lt(x.s["cwnd"], add(x.s["inflight"], x.c["MTU"]))
	return (x.noWindow() || fits) && (!x.creditOn() || lt(n(0), x.s["credit"]))
}

func (x *run) update() {
	s := port.StateActive
	if eq(x.s["backlog"], 0) && eq(x.s["waiting_rtx"], 0) {
		s = port.StatePending
		if eq(x.s["inflight_pkts"], 0) {
			s = port.StateIdle
		}
	} else if x.canSend() {
		s = port.StateReady
	}
	x.s["ccc_state"] = n(uint8(s))
}

func (x *run) view() {
	x.r.State = port.State(x.s["ccc_state"].Uint64())
	x.r.Cwnd = uint32(x.s["cwnd"].Uint64())
	x.r.Inflight = int32(x.s["inflight"].Int64())
	x.r.BaseRTT = uint32(x.s["base_rtt"].Uint64())
	x.r.AvgDelay = x.s["avg_delay"].Uint64()
	x.r.CanSend = x.canSend()
	full := lt(sub(x.s["cwnd"], x.s["inflight"]), x.c["MTU"]) || lt(x.s["cwnd"], x.c["ACK_GEN_TRIGGER"])
	wanting := eq(x.s["backlog"], 0) || !lt(n(0), x.s["credit"])
	x.r.AckRequest = !x.noWindow() && full || x.creditOn() && wanting
}

func (x *run) rtt(service z, usable bool) (raw z, ok bool) {
	raw = mod2(sub(sub(n(x.e.Now), n(x.e.TxTime)), service), 48)
	first := x.e.RtxCount == 0 && !x.e.Retx
	second := x.e.RtxCount == 1 && x.e.Retx
	return raw, x.e.TxValid && (first || second) && usable && !lt(raw, n(1)) && !lt(n(1<<31-1), raw)
}

func (x *run) base(raw z) {
	if lt(raw, x.s["base_rtt"]) {
		x.s["base_rtt"] = raw
		x.s["max_wnd"] = zmax(x.c["MTU"], zmin(x.c["MAX_WND"], shr(mul(x.c["MWND_RATE"], raw), 16)))
		x.r.BaseFell = true
	}
}

func (x *run) ewma(sample z) {
	diff := sub(mul(sample, pow2(16)), x.s["avg_delay"])
	x.s["avg_delay"] = add(x.s["avg_delay"], shr(mul(x.c["EWMA_GAIN"], diff), 24))
	if lt(x.s["avg_delay"], n(0)) || lt(top(48), x.s["avg_delay"]) {
		panic("avg_delay left UQ32.16")
	}
}

func (x *run) quickAdapt(loss, mark bool, qdelay z) (action port.Action) {
	gate := int(x.c["QA_GATE"].Int64())
	if x.ctrl(0) {
		return port.ActionNone
	}
	valid := eq(x.s["qa_valid"], 1)
	if lt(x.s["bytes_ignored"], x.s["bytes_to_ignore"]) && mark {
		action = port.ActionIgnore
		x.r.Ignored = true
	} else if !valid || x.over(x.s["qa_endtime"]) {
		x.r.QAWindow = true
		wanted := eq(x.s["trigger_qa"], 1) || loss || lt(x.c["QA_THRESHOLD"], qdelay)
		if valid && wanted && lt(x.s["achieved_bytes"], shr(x.s["max_wnd"], gate)) {
			action = port.ActionQA
			x.r.QAFired = true
			x.s["cwnd"] = zmax(x.s["achieved_bytes"], x.c["MTU"])
			x.s["bytes_to_ignore"] = zmax(x.s["inflight"], n(0))
			x.s["bytes_ignored"] = n(0)
			x.s["trigger_qa"] = n(0)
		}
		x.s["achieved_bytes"] = n(0)
		x.s["qa_endtime"] = mod2(add(n(x.e.Now), add(x.s["base_rtt"], x.c["TARGET_QDELAY"])), 48)
		x.s["qa_valid"] = n(1)
	}
	if action != port.ActionNone {
		x.s["inc_bytes"], x.s["received_bytes"] = n(0), n(0)
	}
	return action
}

func (x *run) over(t z) bool {
	ahead := mod2(sub(t, n(x.e.Now)), 48)
	bound := add(zmax(x.s["base_rtt"], x.c["CONFIG_BASE_RTT"]), x.c["TARGET_QDELAY"])
	return eq(ahead, 0) || lt(bound, ahead)
}

func (x *run) mark() {
	x.s["waiting_rtx"] = x.sat(add(x.s["waiting_rtx"], n(1)), 32)
	x.s["rtx_backlog"] = x.sat(add(x.s["rtx_backlog"], n(x.e.Size)), 32)
	x.s["inflight_pkts"] = x.sub0(x.s["inflight_pkts"], n(1))
}

func (x *run) nack() {
	x.s["inflight"] = x.sats32(sub(x.s["inflight"], n(x.e.Size)))
	if raw, ok := x.rtt(n(0), true); ok {
		x.r.RTTValid = true
		x.base(raw)
	}
	if x.e.Reason == 1 || x.e.Reason == 2 {
		x.ewma(x.c["CONFIG_BASE_RTT"])
		x.s["bytes_ignored"] = x.sat(add(x.s["bytes_ignored"], n(x.e.Size)), 32)
	}
	x.r.Action = port.ActionNoop
	if x.e.Reason == 1 || x.e.Reason == 2 && !x.ctrl(1) {
		x.s["trigger_qa"] = n(1)
		x.r.Action = x.quickAdapt(true, true, n(0))
		if x.r.Action == port.ActionNone {
			x.s["cwnd"] = zmax(x.c["MTU"], wsub(x.s["cwnd"], n(x.e.Size)))
			x.r.Action = port.ActionNackDec
		}
	}
	x.r.LB = port.LBNoECN
	if x.e.M {
		x.r.LB = port.LBECN
	}
	if x.e.Reason == 1 {
		x.r.LB = port.LBNack
	}
	x.mark()
}

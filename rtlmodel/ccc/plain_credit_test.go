package ccc

import port "github.com/goldwire/goldwire/vectors/event/ccc"

// The section "Receiver credit" in the plain implementation.

func (x *run) creditOn() bool { return x.ctrl(1) }
func (x *run) noWindow() bool { return x.ctrl(1) && x.ctrl(3) }
func (x *run) most() z        { return zmin(zmax(x.c["MTU"], x.c["MAX_WND"]), n(1<<31-1)) }

// credit executes what comes on top of an event; rtxBefore is rtx_backlog before the event.
func (x *run) credit(rtxBefore z) {
	if !x.creditOn() {
		return
	}
	switch x.e.Kind {
	case port.KindSend:
		if !x.e.NoCredit {
			x.s["credit"] = x.sats32(sub(x.s["credit"], n(x.e.Size)))
		}
		x.r.Target = x.target()
	case port.KindAck, port.KindNack:
		x.stop()
	case port.KindLoss:
		if lt(n(0), rtxBefore) {
			x.stop()
		}
	case port.KindCredit:
		x.stop()
		d := mod2(sub(n(x.e.Credit), x.s["last_pull"]), 24)
		if !lt(d, n(1)) && lt(d, pow2(23)) {
			x.s["credit"] = zmin(add(x.s["credit"], mul(n(256), d)), x.most())
			x.s["last_pull"] = n(x.e.Credit)
			x.r.Granted = true
		}
	}
}

func (x *run) stop() {
	if eq(x.s["speculating"], 1) {
		x.s["speculating"] = n(0)
		x.s["credit"] = zmin(x.s["credit"], n(0))
		x.r.SpecEnded = true
	}
}

func (x *run) target() uint32 {
	want := zmin(add(x.s["backlog"], x.s["rtx_backlog"]), x.most())
	if !x.noWindow() {
		want = zmin(want, add(x.s["cwnd"], x.c["MTU"]))
	}
	want = sub(want, x.s["credit"])
	if eq(x.s["speculating"], 1) && lt(n(0), x.s["backlog"]) {
		want = zmax(want, x.c["MTU"])
	}
	if x.e.Share > 0 {
		want = shr(mul(want, n(x.e.Share)), 16)
	}
	return uint32(mod2(add(x.s["last_pull"], div(add(want, n(255)), n(256))), 24).Uint64())
}

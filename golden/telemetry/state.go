package telemetry

// Stamp is one hop's telemetry in one ACK.
type Stamp[N any] struct {
	Rate  N // of the link, Gb/s
	TS    N // ns
	Tx    N // bytes sent
	Queue N // bytes waiting
}

// Span is after how much the numbers of a stamp come round; 0 for those that never do.
type Span[N any] struct{ TS, Tx N }

// Flow is one sender as it follows the telemetry of its path.
type Flow[N any] struct {
	State[N]
	num  Numbers[N]
	kind Kind
	span Span[N]
	spec Spec

	rtt, eta, zero, one, eight N
	wInit, wLeast, step        N // bytes; W_AI is step
	rsp                        Response[N]
}

// State is what a sender keeps. Source: congestion-control.md section 6: W = Wc = W_init; U = 1; inc = 0; last, L none.
type State[N any] struct {
	U     []N // HPCC: one, FNCC: of every hop
	W, Wc N   // bytes
	Stage int // inc
	Last  int64
	L     []Stamp[N]
}

// Hop is what an ACK says of one hop.
type Hop[N any] struct {
	Used  bool // time has passed between the two stamps
	DT    N    // ns
	Sent  N    // bytes
	Queue N    // min(q', q), bytes
	Rate  N    // tx rate, Gb/s
	Share N    // u_i: min(q', q)/(B T) + (tx' - tx)/(dt B)
}

// Response is what a sender made of an ACK.
type Response[N any] struct {
	First  bool // there was nothing to compare the stamps with: they were kept and nothing else was done
	Hops   []Hop[N]
	Hop    int  // the bottleneck; -1: no time passed at any hop
	U      N    // after the ACK
	Above  bool // U >= eta
	Cut    bool // the multiplicative branch was taken
	Commit bool // the window became the reference
}

// NewFlow returns a flow; Begin starts it.
func NewFlow[N any](num Numbers[N], kind Kind, spec Spec, span Span[N]) *Flow[N] {
	f := &Flow[N]{num: num, kind: kind, spec: spec, span: span, rtt: num.Whole(spec.RTT), zero: num.Whole(0),
		one: num.Whole(1), eight: num.Whole(8)}
	f.eta = num.Quo(num.Whole(spec.Eta[0]), num.Whole(spec.Eta[1]))
	return f
}

// Begin starts the flow anew with the rate of the sender's link in Gb/s, more than 0.
// W_init = B*T; W_AI = W_init (1 - eta)/N_cfg; bounds of W [100 Mb/s * T, W_init].
func (f *Flow[N]) Begin(gbitS N) {
	a := f.num
	f.wInit = a.Quo(a.Mul(gbitS, f.rtt), f.eight)
	f.wLeast = a.Quo(a.Mul(a.Whole(f.spec.FloorMbitS), f.rtt), a.Whole(8000))
	f.step = a.Quo(a.Mul(f.wInit, a.Sub(f.one, f.eta)), a.Whole(f.spec.Flows))
	f.State = State[N]{W: f.wInit, Wc: f.wInit}
}

// Forget makes the next ACK the first again: its stamps have nothing to be compared with.
func (f *Flow[N]) Forget() { f.L = f.L[:0] }

// Eta returns the utilisation aimed at.
func (f *Flow[N]) Eta() N { return f.eta }

// Window returns what follows from a reference window: that of the additive branch if cut is false, or else that of the
// multiplicative one at a utilisation, Wc/(U/eta) + W_AI, within the bounds.
func (f *Flow[N]) Window(wc N, cut bool, u N) N {
	a, w := f.num, wc
	switch {
	case cut && a.Cmp(u, f.zero) <= 0: // nothing was sent or queued for T and more: no window is too large
		return f.wInit
	case cut:
		w = a.Quo(a.Mul(w, f.eta), u)
	}
	w = a.Add(w, f.step)
	if a.Cmp(w, f.wLeast) < 0 {
		return f.wLeast
	}
	if a.Cmp(f.wInit, w) < 0 {
		return f.wInit
	}
	return w
}

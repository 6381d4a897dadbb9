package telemetry

// Ack takes the stamps of one ACK, seq being the bytes acknowledged and next those sent so far. The response is valid
// until the next ACK. Source: congestion-control.md section 6, ack(seq, L').
func (f *Flow[N]) Ack(seq, next int64, stamps []Stamp[N]) *Response[N] {
	r := &f.rsp
	*r = Response[N]{Hops: r.Hops[:0], Hop: -1}
	if len(f.L) != len(stamps) { // first ACK or other hop count
		r.First = true
		f.L = append(f.L[:0], stamps...)
		f.Last = next
		f.averages()
		r.U, _ = f.most()
		return r
	}
	for i := range stamps {
		r.Hops = append(r.Hops, f.hop(&stamps[i], &f.L[i]))
	}
	f.average(r)
	a := f.num
	r.Above = a.Cmp(r.U, f.eta) >= 0
	r.Cut = r.Above || f.Stage >= f.spec.MaxStage
	stage := 0
	if !r.Cut {
		stage = f.Stage + 1
	}
	f.W = a.Keep(f.Window(f.Wc, r.Cut, r.U))
	if r.Commit = seq > f.Last; r.Commit { // W follows every ACK, always from Wc
		f.Wc, f.Stage, f.Last = f.W, stage, next
	}
	f.L = append(f.L[:0], stamps...)
	return r
}

// averages makes one average for the path, or one for each hop, of 1.
func (f *Flow[N]) averages() {
	n := 1
	if f.kind == FNCC {
		n = len(f.L)
	}
	if len(f.U) != n {
		f.U = f.U[:0]
		for range n {
			f.U = append(f.U, f.one)
		}
	}
}

// apart returns x - before, of numbers that come round after span.
func (f *Flow[N]) apart(x, before, span N) N {
	d := f.num.Sub(x, before)
	if f.num.Cmp(d, f.zero) < 0 {
		return f.num.Add(d, span)
	}
	return d
}

// hop compares two stamps: u_i = min(q', q)/(B_i T) + (tx' - tx)/(dt B_i) where dt = ts' - ts > 0.
func (f *Flow[N]) hop(x, before *Stamp[N]) (h Hop[N]) {
	a := f.num
	h.DT, h.Sent = f.apart(x.TS, before.TS, f.span.TS), f.apart(x.Tx, before.Tx, f.span.Tx)
	h.Queue = x.Queue
	if a.Cmp(before.Queue, h.Queue) < 0 {
		h.Queue = before.Queue
	}
	if h.Used = a.Cmp(h.DT, f.zero) > 0; !h.Used {
		return h
	}
	h.Rate = a.Quo(a.Mul(f.eight, h.Sent), h.DT)
	h.Share = a.Quo(a.Add(a.Quo(a.Mul(f.eight, h.Queue), f.rtt), h.Rate), x.Rate)
	return h
}

// average moves U: HPCC by the largest u_i (first on ties), U = (1 - tau/T) U + (tau/T) u with tau = min(its dt, T);
// FNCC the U_j of every hop with dt > 0 in the same way, and U = max_j U_j.
func (f *Flow[N]) average(r *Response[N]) {
	a := f.num
	for i := range r.Hops {
		h := &r.Hops[i]
		if !h.Used {
			continue
		}
		if f.kind == FNCC {
			f.U[i] = f.toward(f.U[i], h)
		} else if r.Hop < 0 || a.Cmp(r.Hops[r.Hop].Share, h.Share) < 0 {
			r.Hop = i
		}
	}
	if f.kind == HPCC && r.Hop >= 0 {
		f.U[0] = f.toward(f.U[0], &r.Hops[r.Hop])
	}
	var most int
	if r.U, most = f.most(); f.kind == FNCC {
		r.Hop = most
	}
}

// most returns the largest average, the first on ties.
func (f *Flow[N]) most() (u N, at int) {
	u = f.U[0]
	for i, x := range f.U {
		if f.num.Cmp(u, x) < 0 {
			u, at = x, i
		}
	}
	return u, at
}

// toward returns an average moved by what a hop shows.
func (f *Flow[N]) toward(u N, h *Hop[N]) N {
	a, part := f.num, f.one
	if a.Cmp(h.DT, f.rtt) < 0 {
		part = a.Quo(h.DT, f.rtt)
	}
	return a.Keep(a.Add(a.Mul(a.Sub(f.one, part), u), a.Mul(part, h.Share)))
}

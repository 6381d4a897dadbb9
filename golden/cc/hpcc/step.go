package hpcc

import "github.com/goldwire/goldwire/golden/telemetry"

// Action is the rule that decided an event, by its name in reports.
type Action = string

// The rules.
const (
	None     = ""
	First    = "FIRST" // stamps with nothing to compare: they are kept
	Multiply = "MULT"  // the window follows the utilisation
	Add      = "ADD"   // an additive step
	LastHop  = "LHCS"  // LHCS
)

// Ack is an acknowledgement with telemetry.
type Ack struct {
	Now       float64 // us
	Seq, Next int64   // cumulative acknowledgement and next new packet
	Hops      []Hop   // with exact numbers
	Wire      []uint64
	Flows     float64 // LHCS: N, flows to the receiver
}

// OnAck takes an ACK with telemetry.
func (f *State) OnAck(s *Spec, e Ack) Action {
	hops, wire := e.Hops, false
	if len(hops) == 0 {
		var ok bool
		if hops, ok = f.unpack(e.Wire); !ok {
			return None
		}
		wire = true
	}
	if wire != f.wire {
		f.begin(s, wire)
	}
	if wire && f.begun && e.Now-f.heard > halfTurn(hops) {
		f.flow.Forget()
	}
	f.begun, f.heard = true, e.Now
	r := f.flow.Ack(e.Seq, e.Next, hops)
	if r.First {
		f.V = nil
		return First
	}
	if s.Kind == LHCS && f.fires(s, r.Hops, hops) {
		least := s.MinGbps * 125 * s.RTT
		w := hops[0].Rate * 125 * s.RTT * s.Share / max(1, e.Flows)
		w = min(max(w, least), s.Gbps*125*s.RTT)
		f.flow.W, f.flow.Wc, f.flow.Stage = w, w, 0
		return LastHop
	}
	if r.Cut {
		return Multiply
	}
	return Add
}

// fires reports whether the last hop is the most loaded and above the threshold.
func (f *State) fires(s *Spec, since []telemetry.Hop[float64], now []Hop) bool {
	if len(f.V) != len(now) {
		f.V = make([]float64, len(now))
	}
	most := 0
	for i, h := range since {
		if h.Used {
			rate := h.Rate / now[i].Rate
			if !s.Raw {
				rate = min(rate, 1)
			}
			f.V[i] = h.Queue/(now[i].Rate*125*s.RTT) + rate
		}
		if f.V[i] > f.V[most] {
			most = i
		}
	}
	return most == 0 && len(now) > 0 && f.V[0] > s.Fire
}

// rates are the rates of the wire's codes, Gb/s.
var rates = [...]float64{25, 50, 100, 200, 400, 800}

// unpack reads the wire's 64 bits of each hop: rate code 4, time 24, bytes sent 20, queue 16. It reports false without
// telemetry, or with a rate that no code stands for.
func (f *State) unpack(words []uint64) ([]Hop, bool) {
	f.stamps = f.stamps[:0]
	for _, w := range words {
		code := w >> 60
		if code >= uint64(len(rates)) {
			return nil, false
		}
		f.stamps = append(f.stamps, Hop{
			Rate: rates[code], TS: float64(w >> 36 & (1<<24 - 1)), Tx: float64(w>>16&(1<<20-1)) * 128,
			Queue: float64(w&(1<<16-1)) * 80,
		})
	}
	return f.stamps, len(words) > 0
}

// halfTurn is half the time after which the first of the hops' fields comes round, us.
func halfTurn(hops []Hop) float64 {
	turn := turnTS / 1000
	for i := range hops {
		turn = min(turn, turnTx/(hops[i].Rate*125))
	}
	return turn / 2
}

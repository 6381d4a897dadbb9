package hpcc

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/telemetry"
)

// Hop is one hop's telemetry: rate in Gb/s, time in ns, bytes.
type Hop = telemetry.Stamp[float64]

// State is one flow.
type State struct {
	flow   *telemetry.Flow[float64]
	wire   bool // the flow's telemetry is that of the wire
	begun  bool
	heard  float64 // time of the last ACK, us
	V      []float64
	stamps []Hop
}

// The wire's fields come round.
const (
	turnTS = float64(1 << 24)     // ns
	turnTx = float64(1<<20) * 128 // bytes
)

// NewState returns a flow that has seen no ACK.
func NewState(s *Spec) State {
	f := State{}
	f.begin(s, false)
	return f
}

// begin makes the flow anew, of exact telemetry or the wire's.
func (f *State) begin(s *Spec, wire bool) {
	span := telemetry.Span[float64]{}
	if wire {
		span = telemetry.Span[float64]{TS: turnTS, Tx: turnTx}
	}
	kind, spec := s.rules()
	f.flow = telemetry.NewFlow[float64](telemetry.Float{}, kind, spec, span)
	f.flow.Begin(s.Gbps)
	f.wire = wire
}

// W returns the window, bytes.
func (f *State) W() float64 { return f.flow.W }

// Rate returns the pacing rate, Gb/s: a window per base round trip.
func (f *State) Rate(s *Spec) float64 { return f.flow.W / s.RTT / 125 }

// U returns the utilisation, the largest of the hops' averages; 1 before an ACK.
func (f *State) U() float64 {
	if len(f.flow.U) == 0 {
		return 1
	}
	u := f.flow.U[0]
	for _, x := range f.flow.U {
		u = max(u, x)
	}
	return u
}

// Fields lists the state. The averages of hops that an ACK has shown are u0, u1 and so on.
func (f *State) Fields(s *Spec) []param.Field {
	x := f.flow
	out := []param.Field{
		{Name: "w", Unit: "bytes", Ptr: &x.W, Min: 1e-9, Max: math.Inf(1)},
		{Name: "wc", Unit: "bytes", Ptr: &x.Wc, Min: 1e-9, Max: math.Inf(1)},
		{Name: "u", Ptr: f.U}, {Name: "inc", Ptr: &x.Stage, Min: 0, Max: 1e6}, {Name: "last", Ptr: &x.Last},
	}
	for i := range x.U {
		out = append(out, param.Field{Name: "u" + string(rune('0'+i%10)), Ptr: &x.U[i], Min: 0, Max: math.Inf(1)})
	}
	return out
}

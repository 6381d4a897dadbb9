package fabric

// CCOut is the state of a congestion-control context after an event.
type CCOut struct {
	Cwnd     int64 // window, bytes
	Inflight int64 // bytes in flight, may be slightly negative
	CanSend  bool  // one more MTU fits the window
	AckReq   bool  // the next packet should ask for an ACK
	// Action is the rule that decided the event, for reports: empty when the
	// congestion control names none.
	Action string
}

// CC is one congestion-control context at the sender: float64, fixed point or
// hardware. Step is given every event of the context in order, the first of
// them KindOpen, and answers with the state after it. The event is read-only
// and reused. Step must be deterministic. A CC that fails keeps its error to
// itself and lets the tap, which follows each step, end the run.
type CC interface {
	Step(ev *TapEvent) CCOut
}

// Sampler is a CC that takes the round trips of probes, as the specification's base
// RTT does (3.6.13.9). Sample comes before the Step of the ACK that answers the
// probe; rtt is what the probe took, less the receiver's service time. A probe is
// smaller than the MTU, so that its round trip is shorter by what an MTU takes more
// on every link. Sample must be deterministic and changes neither window nor
// inflight: the answer of the Step that follows holds for both.
type Sampler interface {
	Sample(now, rtt Picos)
}

// CCConfig is what a context is created with.
type CCConfig struct {
	NIC, CCC   int32
	LinkGbps   int   // the slower of sender and receiver
	BaseRTT    Picos // config_base_rtt
	MTU        int   // largest nominal packet, bytes
	MaxWnd     int64 // 1.5 BDP, bytes; also the first window
	AckTrigger int64 // bytes after which the receiver acknowledges unasked
	Trim       bool  // switches trim

	HeaderBytes int   // of the MTU
	Target      Picos // target queueing delay, 0 for the default
	QAGate      int   // below 0 for the default
	// AvgWithoutSample judges ACKs without an RTT sample by the average delay.
	AvgWithoutSample bool
}

// CCFactory creates the congestion control of one context.
type CCFactory func(CCConfig) (CC, error)

// fixedWindow is a congestion control whose window never moves: the simplest
// sender that keeps the accounting of the specification (3.6.12.3 and
// 3.6.13.5), used to test hosts and network apart from any control law.
type fixedWindow struct {
	cwnd, mtu, trigger int64
	inflight           int64
	last               [maxPDCs]uint32
}

// FixedWindow returns a factory of contexts with a constant window in bytes; 0
// takes the context's MaxWnd. Windows below one MTU are raised to one.
func FixedWindow(cwnd int64) CCFactory {
	return func(cfg CCConfig) (CC, error) {
		w := cwnd
		if w == 0 {
			w = cfg.MaxWnd
		}
		return &fixedWindow{cwnd: max(w, int64(cfg.MTU)), mtu: int64(cfg.MTU), trigger: cfg.AckTrigger}, nil
	}
}

// Step implements CC.
func (f *fixedWindow) Step(ev *TapEvent) CCOut {
	switch ev.Kind {
	case KindSend:
		f.inflight += ev.Size
	case KindNack, KindLoss:
		f.inflight -= ev.Size
	case KindAck:
		delta := (ev.RcvdBytes - f.last[ev.PDC]) & 0xFFFFFF
		if delta < 1<<23 {
			f.last[ev.PDC] = ev.RcvdBytes
			f.inflight -= int64(delta) << 8
		}
		// The loss of an unmarked packet had taken its bytes out already.
		f.inflight += ev.UnmarkBytes
	}
	return CCOut{
		Cwnd: f.cwnd, Inflight: f.inflight,
		CanSend: f.inflight+f.mtu <= f.cwnd,
		AckReq:  f.cwnd-f.inflight < f.mtu || f.cwnd < f.trigger,
	}
}

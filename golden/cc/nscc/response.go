package nscc

// ResponseOf is what an event did. Sizes are bytes, times in the unit of Params.
type ResponseOf[N any] struct {
	Action     Action
	MDApplied  bool
	Fulfilled  bool
	EtaApplied bool
	QAFired    bool
	QAWindow   bool // the QA window ended in this event
	Ignored    bool // feedback from before the last quick adapt
	RcvLimited bool // rcv_cwnd_pend was not 0
	CanSend    bool
	AckRequest bool
	LB         Feedback
	CCC        CCCState
	Flags      Flags
	HasRTT     bool // RTT holds a sample
	AvgStepped bool // a sample, or the configured base RTT of a trim, entered the average
	BaseFell   bool // base_rtt was lowered
	Saved      bool // the window was saved for the end of receiver flow control
	Restored   bool // and taken back
	Entropy    uint16
	evaluated  uint16

	Cwnd     N
	Inflight N
	BaseRTT  N
	AvgDelay N
	RTT      N
	Delay    N // what the event was judged by
	Delta    N // newly received bytes
	// Fulfilling is the accumulated increase that was applied, bytes squared, FulfillingBy the window that divided it.
	Fulfilling, FulfillingBy N

	margins [NumThresholds]N
}

// Margin returns how far a comparison was from its threshold, positive above it,
// and whether the event made that comparison at all.
func (r *ResponseOf[N]) Margin(t Threshold) (N, bool) {
	return r.margins[t], r.evaluated>>t&1 == 1
}

// compare notes how far v is from a threshold, and returns it.
func (r *ResponseOf[N]) compare(p *ParamsOf[N], t Threshold, v, threshold N) N {
	m := p.sub(v, threshold)
	r.margins[t] = m
	r.evaluated |= 1 << t
	return m
}

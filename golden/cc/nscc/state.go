package nscc

// StateOf is one context: the common state of 3.6.12 and the NSCC source state of
// table 3-77. Sizes are bytes, times in the unit of the Params in use, counts in
// packets. All are whole except AvgDelay and IncBytes, unless the arithmetic leaves out the
// roundings to whole units, as float64 does with Params.Real.
type StateOf[N any] struct {
	// Common part.
	CCC          CCCState
	Backlog      N // new data not yet sent
	RtxBacklog   N // bytes marked for retransmission
	WaitingRtx   N // packets marked for retransmission
	InflightPkts N

	// NSCC source.
	Cwnd          N
	MaxWnd        N
	Inflight      N // signed
	SavedCwnd     N // 0 means none
	BaseRTT       N
	AvgDelay      N
	AchievedBytes N
	ReceivedBytes N
	BytesIgnored  N
	BytesToIgnore N
	IncBytes      N // bytes squared
	FiCount       N
	Increase      bool // fast increase is on
	TriggerQA     bool
	QAValid       bool // QAEnd holds a time
	QAEnd         N
	LastAdjust    N
	LastDec       N

	// CreditBlocked holds back a context whose receiver has given no credit; see
	// OnCreditUpdate. The receiver's algorithm itself is not part of NSCC.
	CreditBlocked bool
}

// NewStateOf returns a context as it is created at a time: the window at its
// maximum, base_rtt as configured, no feedback yet (table 3-77).
func NewStateOf[N any](p *ParamsOf[N], now N) StateOf[N] {
	return StateOf[N]{
		Cwnd:       p.InitWnd,
		MaxWnd:     p.greater(p.InitWnd, p.MTU),
		BaseRTT:    p.ConfigBaseRTT,
		LastAdjust: now,
		LastDec:    now,
	}.Loaded(p)
}

// Loaded returns a state as a context takes it when it is written from outside:
// its windows are at least one MTU.
func (s StateOf[N]) Loaded(p *ParamsOf[N]) StateOf[N] {
	s.floorWindows(p)
	return s
}

// floorWindows raises the windows to one MTU, a saved window only where there is
// one. Every event begins with it: the MTU may have grown since the last one, and
// a context whose window is below one MTU would never send again.
func (s *StateOf[N]) floorWindows(p *ParamsOf[N]) {
	s.Cwnd = p.greater(s.Cwnd, p.MTU)
	s.MaxWnd = p.greater(s.MaxWnd, p.MTU)
	if !p.isZero(s.SavedCwnd) {
		s.SavedCwnd = p.greater(s.SavedCwnd, p.MTU)
	}
}

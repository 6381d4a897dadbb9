package nscc

// CCCState is where a context stands towards the scheduler (3.6.12).
type CCCState uint8

// The states of update_state.
const (
	Idle    CCCState = iota // nothing to send, nothing outstanding
	Pending                 // nothing to send, acknowledgements outstanding
	Active                  // data to send, not allowed to
	Ready                   // on the scheduler's list
)

// String returns the specification's name.
func (c CCCState) String() string { return [...]string{"IDLE", "PENDING", "ACTIVE", "READY"}[c] }

// State is one context: the common state of 3.6.12 and the NSCC source state of
// table 3-77. Sizes are bytes, times in the unit of the Params in use, counts in
// packets; all are whole unless Params.Real is set, but for AvgDelay and
// IncBytes.
type State struct {
	// Common part.
	CCC          CCCState
	Backlog      float64 // new data not yet sent
	RtxBacklog   float64 // bytes marked for retransmission
	WaitingRtx   float64 // packets marked for retransmission
	InflightPkts float64

	// NSCC source.
	Cwnd          float64
	MaxWnd        float64
	Inflight      float64 // signed
	SavedCwnd     float64 // 0 means none
	BaseRTT       float64
	AvgDelay      float64
	AchievedBytes float64
	ReceivedBytes float64
	BytesIgnored  float64
	BytesToIgnore float64
	IncBytes      float64 // bytes squared
	FiCount       float64
	Increase      bool // fast increase is on
	TriggerQA     bool
	QAValid       bool // QAEnd holds a time
	QAEnd         float64
	LastAdjust    float64
	LastDec       float64

	// CreditBlocked holds back a context whose receiver has given no credit; see
	// OnCreditUpdate. The receiver's algorithm itself is not part of NSCC.
	CreditBlocked bool
}

// NewState returns a context as it is created at a time: the window at its
// maximum, base_rtt as configured, no feedback yet (table 3-77).
func NewState(p *Params, now float64) State {
	return State{
		Cwnd:       p.InitWnd,
		MaxWnd:     max(p.InitWnd, p.MTU),
		BaseRTT:    p.ConfigBaseRTT,
		LastAdjust: now,
		LastDec:    now,
	}.Loaded(p)
}

// Loaded returns a state as a context takes it when it is written from outside:
// its windows are at least one MTU.
func (s State) Loaded(p *Params) State {
	s.floorWindows(p)
	return s
}

// floorWindows raises the windows to one MTU, a saved window only where there is
// one. Every event begins with it: the MTU may have grown since the last one, and
// a context whose window is below one MTU would never send again.
func (s *State) floorWindows(p *Params) {
	s.Cwnd = max(s.Cwnd, p.MTU)
	s.MaxWnd = max(s.MaxWnd, p.MTU)
	if s.SavedCwnd != 0 {
		s.SavedCwnd = max(s.SavedCwnd, p.MTU)
	}
}

// PDC is what a source keeps for one packet delivery context: many share a CCC,
// and rcvd_bytes counts per PDC.
type PDC struct {
	LastRcvd uint32 // 24 bits, units of 256 bytes
}

const (
	rcvdUnit = 256
	rcvdMod  = 1 << 24
)

// Delta returns the newly received bytes that a raw rcvd_bytes field reports and
// advances the PDC. Half the range or more is a reordered old acknowledgement: it
// counts 0, changes nothing and returns old.
func (d *PDC) Delta(raw uint32) (bytes float64, old bool) {
	n := (raw - d.LastRcvd) & (rcvdMod - 1)
	if n >= rcvdMod/2 {
		return 0, true
	}
	d.LastRcvd = raw & (rcvdMod - 1)
	return float64(n) * rcvdUnit, false
}

// Limits of the stored counters. Adding saturates at the top and subtracting at
// 0, with a flag, so that no wrap can pass for a value.
const (
	maxCounter  = 1<<32 - 1
	maxBacklog  = 1<<48 - 1
	maxIncBytes = 1<<48 - 1
	maxInflight = 1<<31 - 1
	minInflight = -1 << 31
)

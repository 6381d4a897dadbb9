package nscc

// ParamsOf is a Spec derived for one unit of time. All times are in that unit and
// all sizes in bytes. The fields may be set one by one, for example from a NIC's
// registers, as long as MTU is at least 1 and TimeMod a power of two.
type ParamsOf[N any] struct {
	Arith Arith[N] // of the numbers below

	MTU           N
	InitWnd       N // MaxWnd: first cwnd and ceiling of max_wnd
	ConfigBaseRTT N
	Target        N
	Alpha         N // bytes per unit of time
	Fi            N
	Eta           N
	FiScale       N
	Gamma         N
	MaxMDJump     N
	QAGateDiv     N // 2^qa_gate
	QAThreshold   N // +Inf never fires
	QADisabled    bool
	AdjustBytes   N
	AdjustPeriod  N
	EWMAGain      N
	FastDelay     N
	WndRate       N // bytes of max_wnd per unit of base_rtt: 1.5 * slower link
	AckGenTrigger N
	RCCC          bool
	NoWindow      bool // the receiver's credit alone holds packets back
	// AvgWithoutSample judges an acknowledgement without an RTT sample by the
	// average delay instead of leaving the window alone.
	AvgWithoutSample bool
	ServiceUnit      N    // units of time in one unit of service_time, 128 ns
	TimeMod          N    // time stamps are modulo this, at most 2^52
	MaxSample        N    // RTT samples from here on are invalid
	Real             bool // no roundings in float64; another arithmetic rounds as it is made
}

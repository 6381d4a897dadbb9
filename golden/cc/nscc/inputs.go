package nscc

// TxOf is the stored transmit state of the packet an event refers to
// (pkt_tx_state) and what the event says about it.
type TxOf[N any] struct {
	Sample   SampleSource
	TxTime   N     // time stamp of the last transmission
	RtxCount uint8 // 0 never, 1 once, 2 more than once
	Retx     bool  // pds.flags.retx as echoed
	RawRTT   N     // Sample == Given only
}

// AckOf is an acknowledgement with NSCC state.
type AckOf[N any] struct {
	Time N
	TxOf[N]
	Service   uint16 // raw service_time, 128 ns; 0 and 0xFFFF give no sample
	RcvdBytes uint32 // raw field, 24 bits, 256 bytes
	Marked    bool   // pds.flags.m, for all bytes of the delta
	Pend      uint8  // rcv_cwnd_pend, 0 to 127
	Restore   bool   // rc
	AckedPkts N
	// UnmarkedPkts and UnmarkedBytes are packets this acknowledges that were
	// marked for retransmission and had not been resent.
	UnmarkedPkts  N
	UnmarkedBytes N
	Entropy       uint16
}

// NackOf is a negative acknowledgement of one packet.
type NackOf[N any] struct {
	Time N
	TxOf[N]
	Reason  Reason
	Size    N // nominal packet size
	Marked  bool
	Entropy uint16
}

// LossOf is a packet inferred lost, by timeout or otherwise.
type LossOf[N any] struct {
	Time    N
	Size    N
	Entropy uint16
}

// SendOf is a packet handed to the wire.
type SendOf[N any] struct {
	Time  N
	Size  N
	IsRtx bool
}

// BindOf gives a PDC's place in a context to a new PDC.
type BindOf[N any] struct {
	Time      N
	RcvdBytes uint32 // what the new PDC's counter starts from, 256 bytes
	// Surplus is what the former PDC took too much from inflight, because
	// rcvd_bytes is rounded up to 256 bytes: 0 to 255 bytes.
	Surplus N
}

// SampleOf is an RTT measured without an acknowledgement: by a probe, or cached
// from an earlier context to the same destination.
type SampleOf[N any] struct {
	Time N
	RTT  N
}

// NewDataOf adds to what a context has to send.
type NewDataOf[N any] struct {
	Time  N
	Bytes N
}

package txstate

// State is one entry: a packet in flight.
type State struct {
	TxTime   uint64 // time stamp of the last transmission, ticks modulo 2^48
	PSN      uint32
	RtxCount uint8 // 0 never, 1 once, 2 more than once retransmitted
	Valid    bool
}

// Config holds the configuration.
type Config struct {
	TimeShift uint8 // log2(128 ns / tick), 3 bits
}

// DefaultConfig returns the reset value: a tick of 1 ns.
func DefaultConfig() Config { return Config{TimeShift: 7} }

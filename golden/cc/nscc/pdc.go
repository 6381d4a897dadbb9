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
func (d *PDC) Delta(raw uint32) (bytes int64, old bool) {
	n := (raw - d.LastRcvd) & (rcvdMod - 1)
	if n >= rcvdMod/2 {
		return 0, true
	}
	d.LastRcvd = raw & (rcvdMod - 1)
	return int64(n) * rcvdUnit, false
}

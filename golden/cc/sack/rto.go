package sack

import "math"

const (
	maxBackoff = 6  // doublings: 64 times
	maxExpired = 24 // expiries in a row after which the timer stops
)

// Never is the time of a timer that does not run.
var Never = math.Inf(1)

// RTO is the retransmission timer of RFC 6298. Times are us.
type RTO struct {
	Min   float64 // least timeout
	First float64 // timeout before the first sample
	// Scan, when above 0, has the timer looked at only at its multiples.
	Scan float64

	Srtt, Var float64
	Sampled   bool
	Expired   int     // expiries since the last ACK of new data
	Due       float64 // Never when idle
}

// NewRTO returns a timer that is idle.
func NewRTO(least, first float64) RTO { return RTO{Min: least, First: first, Due: Never} }

// Sample takes a round trip: the first sets the averages; after that the variation moves before the mean.
func (r *RTO) Sample(rtt float64) {
	if !r.Sampled {
		r.Srtt, r.Var, r.Sampled = rtt, rtt/2, true
		return
	}
	r.Var = float64(3*r.Var/4) + math.Abs(r.Srtt-rtt)/4
	r.Srtt = float64(7*r.Srtt/8) + rtt/8
}

// Value returns the timeout without its doublings.
func (r *RTO) Value() float64 {
	if !r.Sampled {
		return r.First
	}
	return max(r.Min, r.Srtt+float64(4*r.Var))
}

// Restart restarts the timeout.
func (r *RTO) Restart(now float64) {
	if r.Expired >= maxExpired {
		r.Due = Never
		return
	}
	r.Due = now + r.Value()*float64(int(1)<<min(r.Expired, maxBackoff))
	if r.Scan > 0 {
		r.Due = math.Ceil(r.Due/r.Scan) * r.Scan
	}
}

// Acked ends the doublings: new data was acknowledged, and so much is outstanding still.
func (r *RTO) Acked(now float64, outstanding int) {
	r.Expired = 0
	r.Due = Never
	if outstanding > 0 {
		r.Restart(now)
	}
}

// Expire counts an expiry and restarts the timer with twice the timeout.
func (r *RTO) Expire(now float64) {
	r.Expired++
	r.Restart(now)
}

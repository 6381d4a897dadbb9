// Package result is the outcome of a run: the fate of every flow, counters and queues, with the
// checks that they balance (Result.Verify) and the figures of one or several runs (Summarise).
package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// FlowResult is the fate of one flow. Start, Delivered and Acked are times, -1 when it did not happen: Delivered is the
// last byte's arrival at the application, Acked its acknowledgement at the sender.
type FlowResult struct {
	ID        int32       `json:"id"`
	Src       int32       `json:"src"`
	Dst       int32       `json:"dst"`
	CCC       int32       `json:"ccc"`
	PDC       uint8       `json:"pdc"`
	Round     int32       `json:"round"`
	Bytes     int64       `json:"bytes"`
	Got       int64       `json:"got"` // bytes delivered to the application
	Rtx       int32       `json:"rtx"`
	Timeouts  int32       `json:"timeouts"`             // packets given up because the RTO had passed
	Nacks     int32       `json:"nacks"`                // that its sender acted on
	Probes    int32       `json:"probes"`               // sent while its packets were the oldest outstanding
	Spurious  int32       `json:"spurious"`             // packets, whole or trimmed, that came after their data had
	Why       string      `json:"unfinished,omitempty"` // why its last byte is not acknowledged
	Mark      bool        `json:"mark,omitempty"`       // an elephant
	Stopped   bool        `json:"stopped,omitempty"`    // by its stop time; Bytes is what it sent until then
	Name      int32       `json:"name"`                 // id in the file it came from, or ID
	Ideal     units.Picos `json:"ideal_ps"`             // completion time alone in the network
	Start     units.Picos `json:"start_ps"`
	Delivered units.Picos `json:"delivered_ps"`
	Acked     units.Picos `json:"acked_ps"`
	CC        string      `json:"cc,omitempty"` // congestion control and load balancer that the flow names itself
	LB        string      `json:"lb,omitempty"`
	// Background flows are not measured: completion times, slowdown and collective figures leave them out.
	Background bool   `json:"background,omitempty"`
	Sum        uint64 // checksum of what was delivered
	Want       uint64 // ... and of what the flow consists of
}

// Done reports whether the flow ended: every byte delivered, and acknowledged at
// the sender, which is when its completion time ends.
func (f *FlowResult) Done() bool { return f.Acked >= 0 }

// String names the flow, as in "flow 7 (host 3 ccc 0 pdc 1 -> host 90, round 0)".
func (f *FlowResult) String() string {
	return fmt.Sprintf("flow %d (host %d ccc %d pdc %d -> host %d, round %d)", f.ID, f.Src, f.CCC, f.PDC, f.Dst, f.Round)
}

// QueuePeak is the greatest content of one traffic class over all switch ports of one limit, in bytes.
type QueuePeak struct {
	Class string `json:"class"`
	Peak  int64  `json:"peak"`
	Limit int64  `json:"limit"`
}

// PortPauses are the PFC pauses at a port. Caused are those that a packet waiting in its queue brought about, Stopped
// those that held its link back.
type PortPauses struct {
	Port    string `json:"port"`
	Caused  uint64 `json:"caused"`
	Stopped uint64 `json:"stopped"`
}

// Result is the outcome of a run. It does not depend on the wall clock: two runs of one Spec give equal results.
type Result struct {
	Spec     settings.Spec    `json:"spec"`
	Time     units.Picos      `json:"time_ps"` // when the run ended
	Stopped  bool             `json:"stopped"` // by the tap
	Counters account.Counters `json:"counters"`
	Flows    []FlowResult     `json:"flows"`
	Queues   []QueuePeak      `json:"queues"`
	// Digest depends on time and headers of every arrival at a host: connection,
	// PSN, kind and flags, and all that an ACK or NACK holds.
	Digest uint64 `json:"digest"`

	// Bound is the least possible time from the first start to the last acknowledgement, with every queue empty.
	Bound units.Picos      `json:"bound_ps"`
	Depth *net.DepthSeries `json:"depth,omitempty"` // WithDepth
	// PauseCycle names ports each of which is paused by the queue of the next, the
	// last by that of the first: a deadlock, which ends the run.
	PauseCycle []string      `json:"pause_cycle,omitempty"`
	Pauses     []PortPauses  `json:"pauses,omitempty"` // of the ports that have any
	Slow       *SlowHosts    `json:"slow_hosts,omitempty"`
	Books      account.Bytes `json:"-"`
	DataInside uint64        `json:"-"` // data packets in the network at the end, trimmed ones too
	CtlInside  uint64        `json:"-"`
}

// AddPeak merges a queue's peak into the row of its class and limit.
func (r *Result) AddPeak(class string, peak, limit int64) {
	for i := range r.Queues {
		if q := &r.Queues[i]; q.Class == class && q.Limit == limit {
			q.Peak = max(q.Peak, peak)
			return
		}
	}
	r.Queues = append(r.Queues, QueuePeak{Class: class, Peak: peak, Limit: limit})
}

// Unfinished returns the flows that did not end.
func (r *Result) Unfinished() []FlowResult {
	var out []FlowResult
	for _, f := range r.Flows {
		if !f.Done() {
			out = append(out, f)
		}
	}
	return out
}

// FCT are completion times in microseconds, from start to the acknowledgement
// of the last byte at the sender, over the flows that got there.
type FCT Spread

// MarshalJSON writes the times as null when no flow got there.
func (f FCT) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Flows int    `json:"flows"`
		Mean  Figure `json:"mean"`
		P50   Figure `json:"p50"`
		P99   Figure `json:"p99"`
		Max   Figure `json:"max"`
	}{f.Flows, Figure(f.Mean), Figure(f.P50), Figure(f.P99), Figure(f.Max)})
}

// FCT returns the completion times of the run; percentiles are the smallest
// time that at least that share of the flows does not exceed.
func (r *Result) FCT() FCT {
	var all []float64
	sum := units.Picos(0)
	for i := range r.Flows {
		if f := &r.Flows[i]; f.Acked >= 0 && !f.Background {
			all = append(all, (f.Acked - f.Start).Micros())
			sum += f.Acked - f.Start
		}
	}
	if len(all) == 0 {
		return FCT{}
	}
	out := FCT(spread(all))
	out.Mean = sum.Micros() / float64(len(all))
	return out
}

// Verify returns nil when the run kept its books: every finished flow delivered every byte exactly once, no other flow
// more than its bytes, every data packet sent is accounted for, and no queue exceeded its limit. A flow that did not
// finish is an error, too, unless the tap stopped the run. It reports all that it finds, at most ten flows by name.
func (r *Result) Verify() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	bad := 0
	add := func(f *FlowResult, what string) {
		if bad++; bad <= 10 {
			wrong("%v: %s: %d of %d bytes", f, what, f.Got, f.Bytes)
		}
	}
	for i := range r.Flows {
		f := &r.Flows[i]
		switch {
		case f.Got > f.Bytes:
			add(f, "delivered more than once")
		case (f.Done() || f.Delivered >= 0) && (f.Got != f.Bytes || f.Sum != f.Want):
			add(f, "delivered other bytes than sent")
		case !f.Done() && !r.Stopped && f.Delivered >= 0:
			add(f, "not finished, all of it delivered but not acknowledged")
		case !f.Done() && !r.Stopped:
			add(f, "not finished")
		}
	}
	if bad > 10 {
		wrong("and %d more flows", bad-10)
	}
	c := &r.Counters
	seen := c.Delivered + c.Duplicates + c.TrimsArrived + c.OutOfRange + c.DataDrops + c.TrimDrops + c.DataLost +
		c.TrimLost + r.DataInside
	if sent := c.NewPackets + c.Retransmits + c.DataCopied; sent != seen {
		wrong("data packets: %d sent, %d accounted for", sent, seen)
	}
	b := &r.Books
	if seen := r.Delivered() + b.Lost + b.Inside; b.Sent != seen {
		wrong("payload: %d bytes sent, %d accounted for", b.Sent, seen)
	}
	// Control packets still inside may wait in the receiver's logic, not sent yet.
	ctl := c.Acks + c.Nacks + c.ProbesArrived + c.AckRequestsArrived + c.ClosesArrived + c.CNPsArrived +
		c.CreditsArrived + c.CreditRequestsArrived + c.CtlDrops + c.CtlLost
	if sent := c.CtlSent + c.CtlCopied; sent < ctl || sent > ctl+r.CtlInside {
		wrong("control packets: %d sent, %d seen, %d inside", sent, ctl, r.CtlInside)
	}
	if c.PFCOverruns > 0 {
		wrong("%d packets found a lossless queue full: raise pfc.headroom, or set it to 0", c.PFCOverruns)
	}
	if r.PauseCycle != nil {
		wrong("pause deadlock at %v: %s waits for %s: break the circle of routes, or raise pfc.xoff", r.Time,
			strings.Join(r.PauseCycle, " waits for "), r.PauseCycle[0])
	}
	if c.WindowBreaks > 0 {
		wrong("%d packets sent without room in the window", c.WindowBreaks)
	}
	for _, q := range r.Queues {
		if q.Peak > q.Limit {
			wrong("%s queue: %d bytes exceed the limit of %d", q.Class, q.Peak, q.Limit)
		}
	}
	if len(errs) > 0 {
		return fmt.Errorf("fabric result: %w", errors.Join(errs...))
	}
	return nil
}

// Delivered returns the payload bytes handed to applications.
func (r *Result) Delivered() int64 {
	n := int64(0)
	for i := range r.Flows {
		n += r.Flows[i].Got
	}
	return n
}

// SlowHosts are the hosts of one run whose memory drains slowly, and those of them that receive no flow, whose memory
// plays no part.
type SlowHosts struct {
	Seed  uint64  `json:"seed"`
	Hosts []int32 `json:"hosts"`
	Idle  []int32 `json:"idle"`
}

// String names the hosts, as in "3, 17 (17 receives nothing)".
func (s *SlowHosts) String() string {
	if len(s.Hosts) == 0 {
		return "none was drawn, so that slow_hosts has no effect"
	}
	list := func(hosts []int32) string {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(hosts), " ", ", "), "[]")
	}
	switch len(s.Idle) {
	case 0:
		return list(s.Hosts)
	case len(s.Hosts):
		return list(s.Hosts) + ": none of them receives anything, so that slow_hosts has no effect"
	case 1:
		return fmt.Sprintf("%s (%d receives nothing)", list(s.Hosts), s.Idle[0])
	}
	return fmt.Sprintf("%s (%s receive nothing)", list(s.Hosts), list(s.Idle))
}

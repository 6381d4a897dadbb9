package fabric

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/golden/units"
)

// Counters are what a run counted. Packets unless said otherwise.
type Counters struct {
	Events   uint64 `json:"events"`    // kernel events
	PktHops  uint64 `json:"pkt_hops"`  // packets, data and control, that came to a switch queue
	CCEvents uint64 `json:"cc_events"` // events of all contexts

	NewPackets     uint64 `json:"new"`
	Retransmits    uint64 `json:"rtx"`
	InferredLosses uint64 `json:"inferred_losses"` // given up without a NACK
	Timeouts       uint64 `json:"timeouts"`        // ... because the RTO had passed, the others by SLEEK
	Delivered      uint64 `json:"delivered"`       // data accepted by the receiver
	Duplicates     uint64 `json:"duplicates"`      // data that had arrived before
	TrimsArrived   uint64 `json:"trims_arrived"`
	DupTrims       uint64 `json:"dup_trims"` // ... of data that had arrived before

	ECN       uint64 `json:"ecn"`       // packets marked, each once
	ECNMarks  uint64 `json:"ecn_marks"` // marking decisions over all queues
	Trims     uint64 `json:"trims"`
	DataDrops uint64 `json:"data_drops"` // by a full low queue
	TrimDrops uint64 `json:"trim_drops"` // trimmed, then by a full medium queue
	CtlDrops  uint64 `json:"ctl_drops"`
	DataLost  uint64 `json:"data_lost"` // by a link
	TrimLost  uint64 `json:"trim_lost"`
	CtlLost   uint64 `json:"ctl_lost"`

	CtlSent    uint64 `json:"ctl_sent"`
	Acks       uint64 `json:"acks"`
	Nacks      uint64 `json:"nacks"`
	NacksStale uint64 `json:"nacks_stale"` // for packets not in flight, ignored

	AcksStale uint64 `json:"acks_stale"` // for connections that are over, ignored

	NoRoute       uint64 `json:"no_route"`     // packets at a switch without a way on, lost
	Pauses        uint64 `json:"pauses"`       // PFC frames
	Resumes       uint64 `json:"resumes"`      // ... that end a pause
	PFCOverruns   uint64 `json:"pfc_overruns"` // packets lost to a full lossless queue: none
	Recoveries    uint64 `json:"recoveries"`   // begun by SLEEK
	Probes        uint64 `json:"probes"`
	ProbesArrived uint64 `json:"probes_arrived"`

	AckRequests        uint64 `json:"ack_requests"` // for an ACK, by senders whose window is full
	AckRequestsArrived uint64 `json:"ack_requests_arrived"`

	CNPs        uint64 `json:"cnps"` // congestion notification packets
	CNPsArrived uint64 `json:"cnps_arrived"`

	WindowBreaks uint64 `json:"window_breaks"` // sends without room in the window: none
	GaveUp       uint64 `json:"gave_up"`       // connections without an answer to any retry

	FlowsDelivered uint64 `json:"flows_delivered"`
	FlowsAcked     uint64 `json:"flows_acked"`
}

// FlowResult is the fate of one flow. Start, Delivered and Acked are times, -1
// when it did not happen: Delivered is the last byte's arrival at the
// application, Acked its acknowledgement at the sender.
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
	Name      int32       `json:"name"`                 // id in the file it came from, or ID
	Ideal     units.Picos `json:"ideal_ps"`             // completion time alone in the network
	Start     units.Picos `json:"start_ps"`
	Delivered units.Picos `json:"delivered_ps"`
	Acked     units.Picos `json:"acked_ps"`
	sum       uint64      // checksum of what was delivered
	want      uint64      // ... and of what the flow consists of
}

// Done reports whether the flow ended: every byte delivered, and acknowledged at
// the sender, which is when its completion time ends.
func (f *FlowResult) Done() bool { return f.Acked >= 0 }

// String names the flow, as in "flow 7 (host 3 ccc 0 pdc 1 -> host 90, round 0)".
func (f *FlowResult) String() string {
	return fmt.Sprintf("flow %d (host %d ccc %d pdc %d -> host %d, round %d)", f.ID, f.Src, f.CCC, f.PDC, f.Dst, f.Round)
}

// QueuePeak is the greatest content of one traffic class over all switch ports
// of one limit, in bytes.
type QueuePeak struct {
	Class string `json:"class"`
	Peak  int64  `json:"peak"`
	Limit int64  `json:"limit"`
}

// Result is the outcome of a run. It holds nothing of the wall clock: two runs
// of one Spec give equal results.
type Result struct {
	Spec     Spec         `json:"spec"`
	Time     units.Picos  `json:"time_ps"` // when the run ended
	Stopped  bool         `json:"stopped"` // by the tap
	Counters Counters     `json:"counters"`
	Flows    []FlowResult `json:"flows"`
	Queues   []QueuePeak  `json:"queues"`
	// Digest depends on time and headers of every arrival at a host: connection,
	// PSN, kind and flags, and all that an ACK or NACK says.
	Digest uint64 `json:"digest"`

	// Bound is the least time from the first start to the last acknowledgement
	// were every queue empty.
	Bound units.Picos  `json:"bound_ps"`
	Depth *DepthSeries `json:"depth,omitempty"` // WithDepth
	// PauseCycle names ports each of which is paused by the queue of the next, the
	// last by that of the first: a deadlock, which ends the run.
	PauseCycle []string   `json:"pause_cycle,omitempty"`
	Slow       *SlowHosts `json:"slow_hosts,omitempty"`
	byteBooks  byteBooks
	dataInside uint64 // data packets in the network at the end, trimmed ones too
	ctlInside  uint64
}

var classNames = [classes]string{classHigh: "high", classMedium: "medium", classLow: "low"}

func (s *sim) result() *Result {
	r := &Result{Spec: s.spec, Time: s.now, Stopped: s.stop && s.deadlock == nil, Counters: s.count, Digest: s.digest, byteBooks: s.bytes}
	for _, p := range s.deadlock {
		r.PauseCycle = append(r.PauseCycle, s.net.Name(p))
	}
	r.Spec.Graph = nil
	if s.spec.topology() == Custom {
		r.Spec.Graph = s.spec.Graph
	}
	if s.depth != nil {
		r.Depth = &s.depth.series
	}
	payload := int64(s.spec.MTU - s.spec.HeaderBytes)
	r.Flows = make([]FlowResult, len(s.flows))
	ideal := make([]units.Picos, len(s.flows))
	for i := range s.flows {
		f := &s.flows[i]
		t := &s.tx[f.pdc]
		c := &s.ccc[t.ccc]
		want := uint64(0)
		for j := range f.packets {
			n := payload
			if j == f.packets-1 {
				n = f.last
			}
			want += deliverySum(int32(i), uint32(j), n)
		}
		ideal[i] = s.ideal(f, c.host, t.dst)
		r.Flows[i] = FlowResult{
			ID: int32(i), Src: c.host, Dst: t.dst, CCC: c.id, PDC: t.index, Round: f.round,
			Bytes: f.bytes, Got: f.delivered, Rtx: f.rtx,
			Timeouts: f.timeouts, Nacks: f.nacks, Probes: f.probes, Spurious: f.spurious, Why: s.whyUnfinished(int32(i)),
			Mark: f.mark, Name: f.name, Ideal: ideal[i], Start: f.start, Delivered: f.doneAt, Acked: f.ackedAt,
			sum: f.sum, want: want,
		}
	}
	for i := len(s.hosts); i < len(s.ports); i++ {
		p := &s.ports[i]
		for c := range p.q {
			r.addPeak(classNames[c], p.q[c].peak, p.limit[c])
		}
	}
	r.Bound = s.cctBound(ideal)
	r.Slow = s.slowHosts()
	s.countInside(r)
	return r
}

// addPeak merges a queue's peak into the row of its class and limit.
func (r *Result) addPeak(class string, peak, limit int64) {
	for i := range r.Queues {
		if q := &r.Queues[i]; q.Class == class && q.Limit == limit {
			q.Peak = max(q.Peak, peak)
			return
		}
	}
	r.Queues = append(r.Queues, QueuePeak{Class: class, Peak: peak, Limit: limit})
}

// countInside counts the packets that the network still holds.
func (s *sim) countInside(r *Result) {
	freed := make([]bool, len(s.pool.pkts))
	for i := s.pool.free; i >= 0; i = s.pool.pkts[i].next {
		freed[i] = true
	}
	for i := range s.pool.pkts {
		switch {
		case freed[i]:
		case s.pool.pkts[i].kind == pkData:
			r.dataInside++
			r.byteBooks.inside += s.payloadOf(&s.pool.pkts[i])
		default:
			r.ctlInside++
		}
	}
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
type FCT struct {
	Flows int     `json:"flows"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

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
	var all []units.Picos
	sum := units.Picos(0)
	for i := range r.Flows {
		if f := &r.Flows[i]; f.Acked >= 0 {
			all = append(all, f.Acked-f.Start)
			sum += f.Acked - f.Start
		}
	}
	n := len(all)
	if n == 0 {
		return FCT{}
	}
	slices.Sort(all)
	return FCT{Flows: n, Mean: sum.Micros() / float64(n), P50: rank(all, 50).Micros(), P99: rank(all, 99).Micros(), Max: all[n-1].Micros()}
}

// Verify returns nil when the run kept its books: every finished flow delivered
// every byte exactly once, no other flow more than its bytes, every data packet
// sent is accounted for, and no queue exceeded its limit. A flow that did not
// finish is an error, too, unless the tap stopped the run. It reports all that
// it finds, at most ten flows by name.
func (r *Result) Verify() error {
	var errs []error
	bad := 0
	add := func(f *FlowResult, what string) {
		if bad++; bad <= 10 {
			errs = append(errs, fmt.Errorf("%v: %s: %d of %d bytes", f, what, f.Got, f.Bytes))
		}
	}
	for i := range r.Flows {
		f := &r.Flows[i]
		switch {
		case f.Got > f.Bytes:
			add(f, "delivered more than once")
		case (f.Done() || f.Delivered >= 0) && (f.Got != f.Bytes || f.sum != f.want):
			add(f, "delivered other bytes than sent")
		case !f.Done() && !r.Stopped && f.Delivered >= 0:
			add(f, "not finished, all of it delivered but not acknowledged")
		case !f.Done() && !r.Stopped:
			add(f, "not finished")
		}
	}
	if bad > 10 {
		errs = append(errs, fmt.Errorf("and %d more flows", bad-10))
	}
	c := &r.Counters
	sent := c.NewPackets + c.Retransmits
	seen := c.Delivered + c.Duplicates + c.TrimsArrived + c.DataDrops + c.TrimDrops + c.DataLost + c.TrimLost + r.dataInside
	if sent != seen {
		errs = append(errs, fmt.Errorf("data packets: %d sent, %d accounted for", sent, seen))
	}
	b := &r.byteBooks
	if seen := r.delivered() + b.lost + b.inside; b.sent != seen {
		errs = append(errs, fmt.Errorf("payload: %d bytes sent, %d accounted for", b.sent, seen))
	}
	// Control packets still inside may wait in the receiver's logic, not sent yet.
	ctl := c.Acks + c.Nacks + c.ProbesArrived + c.AckRequestsArrived + c.CNPsArrived + c.CtlDrops + c.CtlLost
	if c.CtlSent < ctl || c.CtlSent > ctl+r.ctlInside {
		errs = append(errs, fmt.Errorf("control packets: %d sent, %d seen, %d inside", c.CtlSent, ctl, r.ctlInside))
	}
	if c.PFCOverruns > 0 {
		errs = append(errs, fmt.Errorf("%d packets found a lossless queue full: raise pfc.headroom, or set it to 0", c.PFCOverruns))
	}
	if r.PauseCycle != nil {
		errs = append(errs, fmt.Errorf("pause deadlock at %v: %s waits for %s: break the circle of routes, or raise pfc.xoff", r.Time, strings.Join(r.PauseCycle, " waits for "), r.PauseCycle[0]))
	}
	if c.WindowBreaks > 0 {
		errs = append(errs, fmt.Errorf("%d packets sent without room in the window", c.WindowBreaks))
	}
	for _, q := range r.Queues {
		if q.Peak > q.Limit {
			errs = append(errs, fmt.Errorf("%s queue: %d bytes exceed the limit of %d", q.Class, q.Peak, q.Limit))
		}
	}
	if len(errs) > 0 {
		return fmt.Errorf("fabric result: %w", errors.Join(errs...))
	}
	return nil
}

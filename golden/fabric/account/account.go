// Package account holds what a run counts: packets, events and payload bytes. Network and hosts write
// the same Counters and Bytes, and package result checks that they balance.
package account

import "reflect"

// Counters are what a run counted: packets, unless stated otherwise.
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
	DupTrims       uint64 `json:"dup_trims"`              // ... of data that had arrived before
	OutOfRange     uint64 `json:"out_of_range,omitempty"` // data beyond the PSN range of its receiver, refused

	ECN       uint64 `json:"ecn"`       // packets marked, each once
	ECNMarks  uint64 `json:"ecn_marks"` // marking decisions over all queues
	Trims     uint64 `json:"trims"`
	DataDrops uint64 `json:"data_drops"` // by a full low queue
	TrimDrops uint64 `json:"trim_drops"` // trimmed, then by a full medium queue
	CtlDrops  uint64 `json:"ctl_drops"`
	DataLost  uint64 `json:"data_lost"` // by a link
	TrimLost  uint64 `json:"trim_lost"`
	CtlLost   uint64 `json:"ctl_lost"`

	DataCopied uint64 `json:"data_copied,omitempty"` // by a link: packets more than were sent
	CtlCopied  uint64 `json:"ctl_copied,omitempty"`
	Delayed    uint64 `json:"delayed,omitempty"` // by a link

	CtlSent    uint64 `json:"ctl_sent"`
	Acks       uint64 `json:"acks"`
	Nacks      uint64 `json:"nacks"`
	NacksStale uint64 `json:"nacks_stale"` // for packets not in flight, ignored

	AcksStale uint64 `json:"acks_stale"` // for connections that are over, and those of CLOSE: of no concern to a context

	NoRoute       uint64 `json:"no_route"`     // packets at a switch without a way on, lost
	Pauses        uint64 `json:"pauses"`       // PFC frames
	Resumes       uint64 `json:"resumes"`      // ... that end a pause
	PFCOverruns   uint64 `json:"pfc_overruns"` // packets lost to a full lossless queue: none
	Recoveries    uint64 `json:"recoveries"`   // begun by SLEEK
	Probes        uint64 `json:"probes"`
	ProbesArrived uint64 `json:"probes_arrived"`

	AckRequests        uint64 `json:"ack_requests"` // for an ACK, by senders whose window is full
	AckRequestsArrived uint64 `json:"ack_requests_arrived"`

	Closes        uint64 `json:"closes"` // of connections whose last flow is acknowledged, each transmission
	ClosesArrived uint64 `json:"closes_arrived"`

	CNPs        uint64 `json:"cnps"` // congestion notification packets
	CNPsArrived uint64 `json:"cnps_arrived"`

	Credits               uint64 `json:"credits,omitempty"` // pulls
	CreditsArrived        uint64 `json:"credits_arrived,omitempty"`
	CreditRequests        uint64 `json:"credit_requests,omitempty"`
	CreditRequestsArrived uint64 `json:"credit_requests_arrived,omitempty"`

	WindowBreaks uint64 `json:"window_breaks"` // sends without room in the window: none
	GaveUp       uint64 `json:"gave_up"`       // connections without an answer to any retry

	FlowsDelivered uint64 `json:"flows_delivered"`
	FlowsAcked     uint64 `json:"flows_acked"`
}

// Bytes are payload bytes of data packets: of all transmissions and a link's copies, and of those that were lost,
// trimmed or delivered again; inside is what the network holds at the end.
type Bytes struct{ Sent, Lost, Inside int64 }

// Add adds what another part of the same run has counted.
func (c *Counters) Add(o *Counters) {
	to, from := reflect.ValueOf(c).Elem(), reflect.ValueOf(o).Elem()
	for i := range to.NumField() {
		to.Field(i).SetUint(to.Field(i).Uint() + from.Field(i).Uint())
	}
}

// Add adds the bytes of another part of the same run.
func (b *Bytes) Add(o *Bytes) {
	b.Sent, b.Lost, b.Inside = b.Sent+o.Sent, b.Lost+o.Lost, b.Inside+o.Inside
}

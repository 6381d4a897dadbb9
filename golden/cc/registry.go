package cc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/golden/cc/hpcc"
	"github.com/goldwire/goldwire/golden/cc/swift"
	"github.com/goldwire/goldwire/golden/units"
)

// Row describes one congestion control: everything that the simulator, its settings and its commands know about it.
type Row struct {
	Name  string
	About string
	New   Factory
	Needs Needs
	// Reads are the settings of a run that change it, by path.
	Reads []string
	// OwnLosses is set when it finds losses itself (Losses): the sender's timer and SLEEK leave it alone.
	OwnLosses bool
	// DestFlow is set when it follows what a slow receiver asks for (destination flow control).
	DestFlow bool
	// Windowless is set when it has a rate or credit, and no window.
	Windowless bool
	// Absolute is what it knows that does not scale with the rates and delays of a network, so that twice the rates and
	// half the delays do not halve completion times to the picosecond; empty for nothing.
	Absolute string
	// Share is the part of an idle path that its rules let one flow have in the long run; 0 for all of it.
	Share float64
	// NIC is set when it is a whole NIC in hardware, which a run makes for each host in place of senders and receivers.
	NIC bool
}

// Needs is what a control needs of switches and receivers. The zero value needs nothing.
type Needs struct {
	ECN bool // switches mark
	// INT is where switches must write telemetry: "data" (HPCC) or "ack" (FNCC).
	INT     string
	Retrace bool // ACKs go back by the way of the data
	// CNP is the least time between two congestion notification packets that a receiver of marked
	// packets sends for a connection; 0 for none. It goes with ECN.
	CNP        units.Picos
	SwitchRate bool // switches compute a rate for each flow (RoCC)
	EveryAck   bool // receivers acknowledge each packet
	Trim       bool // switches trim in place of dropping
	// OneConnection is set when it follows the packet numbers of one connection, and a context must not have more.
	OneConnection bool
	FlowCount     bool // its receivers write the number of their flows into ACKs (LHCS)
	Credit        bool // its receivers grant credit, for the credit targets in its packets (RCCC)
}

// Network is what a run offers.
type Network struct {
	ECN        bool
	INT        string
	Retrace    bool // also when there is only one way
	SwitchRate bool
	Trim       bool
	Credit     bool
	PDCs       int // connections of a context
}

// Check returns an error when a run does not offer what the control needs; it names the setting
// that would.
func (r *Row) Check(n Network) error {
	lack := ""
	switch {
	case (r.Needs.ECN || r.Needs.CNP > 0) && !n.ECN:
		lack = "needs ECN marks, and ecn = off: set ecn to probabilistic or deterministic"
	case r.Needs.INT != "" && r.Needs.INT != n.INT:
		lack = fmt.Sprintf("needs telemetry of switches in %s packets: set int to %s", r.Needs.INT, r.Needs.INT)
	case r.Needs.Retrace && !n.Retrace:
		lack = "needs ACKs that go back by the way of the data, or they bring telemetry of other ports: set retrace to on"
	case r.Needs.SwitchRate && !n.SwitchRate:
		lack = "needs switches that compute a rate for each flow: set fair_rate to on"
	case r.Needs.Trim && !n.Trim:
		lack = "needs switches that trim, and trim = off: set trim to on"
	case r.Needs.Credit && !n.Credit:
		lack = "needs receivers that grant credit, which only the simulated network has"
	case r.Needs.OneConnection && n.PDCs > 1:
		lack = fmt.Sprintf("follows one connection of a context, and nic.pdcs = %d: set nic.pdcs to 1", n.PDCs)
	default:
		return nil
	}
	return fmt.Errorf("cc = %s: %s", r.Name, lack)
}

// What is absolute in a wire's format.
const (
	service   = "the wire counts service time in units of 128 ns, at least one, which is taken off the round trip"
	telemetry = "telemetry has time stamps of whole nanoseconds"
)

// Default is the control of flows that do not name one.
const Default = "nscc"

// Rows returns the controls that every run knows, in alphabetical order.
func Rows() []Row {
	packets := Needs{EveryAck: true, OneConnection: true}
	marked := packets
	marked.ECN = true
	inAcks := Needs{INT: "ack", Retrace: true, EveryAck: true, OneConnection: true}
	lastHop := inAcks
	lastHop.FlowCount = true
	late := func(s *swift.Spec) { s.CutLate = true }
	lossy := func(name, about string, control Factory, needs Needs) Row {
		return Row{Name: name, About: about, New: control, Needs: needs, OwnLosses: true}
	}
	return []Row{
		lossy("cubic", "TCP Cubic: a cubic function of the time since the last loss, or Reno's window",
			Cubic(nil), packets),
		{
			Name: "dcqcn", About: "DCQCN: a rate that falls with each CNP and recovers by timer and byte counter",
			New: DCQCN(nil), Needs: Needs{ECN: true, CNP: 50 * units.Microsecond}, Windowless: true,
		},
		lossy("dctcp", "DCTCP: New Reno that cuts by the average share of marked packets", DCTCP(nil), marked),
		{Name: "fixed", About: "a constant window of 1.5 BDP", New: FixedWindow(0)},
		{
			Name: "fncc", About: "FNCC: HPCC with telemetry in ACKs and an average for each hop",
			New: HPCC(hpcc.FNCC, nil), Needs: inAcks, Absolute: telemetry, Share: 0.975,
		},
		{
			Name: "fncc-lhcs", About: "FNCC with last-hop congestion control, by the number of the receiver's flows",
			New: HPCC(hpcc.LHCS, nil), Needs: lastHop, Absolute: telemetry, Share: 0.975,
		},
		{
			Name: "hpcc", About: "HPCC: a window by the most utilised hop, from telemetry in data packets",
			New: HPCC(hpcc.HPCC, nil), Needs: Needs{INT: "data", EveryAck: true, OneConnection: true},
			Absolute: telemetry, Share: 0.975,
		},
		lossy("lswift", "LSwift: Swift that cuts only for five adjacent holes", Swift(swift.Loss, nil), packets),
		lossy("lswift-late", "LSwift that counts adjacent holes when they are resent, not at once",
			Swift(swift.Loss, late), packets),
		{
			Name: "mnscc", About: "MNSCC: NSCC by the median of its last queueing delays",
			New: MNSCC(nil), Needs: Needs{EveryAck: true}, DestFlow: true, Absolute: service,
			Reads: []string{"target.us", "qa_gate", "avg_without_sample", "ack_trigger"},
		},
		lossy("mswift", "MSwift: LSwift by the median of the last round trips", Swift(swift.Median, nil), packets),
		lossy("mswift-late", "MSwift that counts adjacent holes when they are resent, not at once",
			Swift(swift.Median, late), packets),
		lossy("mswift-p10", "MSwift by the 10th of 100 of the last round trips",
			Swift(swift.Median, func(s *swift.Spec) { s.Percentile = 10 }), packets),
		lossy("mswift-p90", "MSwift by the 90th of 100 of the last round trips",
			Swift(swift.Median, func(s *swift.Spec) { s.Percentile = 90 }), packets),
		lossy("newreno", "TCP New Reno: slow start, one packet per round trip, half for a loss",
			NewReno(nil), packets),
		{
			Name: Default, About: "NSCC in float64", New: NSCC(nil),
			Reads: []string{"target.us", "qa_gate", "avg_without_sample"}, DestFlow: true,
			Absolute: service,
		},
		{
			Name: "nscc+rccc", About: "NSCC beside receiver credit: a packet needs both; goes with ecn.last_hop = off",
			New: NSCCWithRCCC(), Needs: Needs{Credit: true},
			Reads: []string{"target.us", "qa_gate", "avg_without_sample"}, DestFlow: true, Absolute: service, Share: 0.99,
		},
		{
			Name: "nscc-htsim", About: "NSCC in the integers of the reference simulator", New: HtsimNSCC(nil),
			Reads:    []string{"target.us", "qa_gate"},
			Absolute: "a queueing delay below 1 us counts as none",
		},
		{
			Name: "rccc", About: "receiver credit (RCCC) by the rules of the reference simulator, without a window",
			New: RCCC(nil), Needs: Needs{Credit: true}, Windowless: true, Share: 0.99,
		},
		{
			Name: "rocc", About: "RoCC's host: a rate that the fair rates of switches set",
			New: RoCC(nil), Needs: Needs{SwitchRate: true}, Windowless: true,
			Absolute: "switches compute its rate every 40 us, from queues in units of 600 bytes, in units of 10 Mb/s",
		},
		{
			Name: "smartt", About: "SMaRTT: mark and round trip choose one of four changes of the window",
			New: SMaRTT(nil), Needs: Needs{ECN: true, EveryAck: true},
		},
		lossy("swift", "Swift: a window that follows the delay against a target scaled by the window",
			Swift(swift.Plain, nil), packets),
		{
			Name: "timely", About: "TIMELY: a rate that follows the gradient of the RTT between 50 and 500 us",
			New: TIMELY(nil), Windowless: true,
		},
	}
}

// Names returns the names of rows in their order.
func Names(rows []Row) []string {
	var out []string
	for i := range rows {
		out = append(out, rows[i].Name)
	}
	return out
}

// Find returns the row of a name; an empty one stands for the default. It errors with the known names.
func Find(name string, rows []Row) (*Row, error) {
	if name == "" {
		name = Default
	}
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == name }); i >= 0 {
		return &rows[i], nil
	}
	names := slices.Sorted(slices.Values(Names(rows)))
	return nil, fmt.Errorf("cc = %s: want one of %s", name, strings.Join(names, ", "))
}

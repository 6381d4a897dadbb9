package experiment

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// intBytes is what telemetry adds to HPCC's data and to FNCC's ACKs.
const intBytes = 42

// network001 returns the shared set-up of seed 001 for one of its controls: 1.5 us per link, 1518 bytes per packet and
// 64 per ACK besides telemetry, lossless by pauses at so many bytes of one input. "dcqcn-scaled" is DCQCN with the
// thresholds that grow with the rate.
func network001(control string, gbps int, xoff int64) settings.Spec {
	s := settings.DefaultSpec()
	s.LinkGbps, s.LinkLatency = units.Gbps(gbps), 1500*units.Nanosecond
	s.MTU, s.CtlBytes, s.Paths, s.LB = 1518, 64, 1, lb.ECMP
	s.Trim, s.PFC, s.XOff, s.XOn = false, true, xoff, xoff*4/5
	s.Workload, s.Incast, s.FlowBytes, s.Senders = settings.Incast, 1, 1_000_000, 2
	s.ECN, s.CC = settings.ECNOff, control
	switch control {
	case "hpcc":
		s.INT, s.INTFormat = settings.INTData, settings.INTExact
		s.MTU, s.HeaderBytes = s.MTU+intBytes, s.HeaderBytes+intBytes
	case "fncc", "fncc-lhcs":
		s.INT, s.INTFormat = settings.INTAck, settings.INTExact
		s.CtlBytes += intBytes
	case "rocc":
		s.FairRate = true
	case "dcqcn", "dcqcn-scaled":
		s.CC, s.ECN = "dcqcn", settings.ECNProbabilistic
		s.KMinBytes, s.KMaxBytes, s.PMax = 5000, 200_000, 0.01
		if control == "dcqcn-scaled" {
			s.KMinBytes, s.KMaxBytes, s.PMax = int64(4000*gbps), int64(16000*gbps), 0.2
		}
	}
	return s
}

const setup001 = "1.5 us per link, MTU 1518, PFC at 500 KB of one input, 42 bytes of telemetry on HPCC's data and " +
	"FNCC's ACKs, exact and read as packets leave"

// Times of the runs with two flows, in microseconds.
const (
	second001 = 300.0 // flow 1 begins
	end001    = 1000.0
	pauses001 = 500_000
	few001    = 100_000 // of the added run
)

// pair returns a flow from each of two hosts to a third; flow 1 begins at a time.
func pair(dst int32, second float64) []traffic.Message {
	const endless = 1 << 32
	stop := int64(end001 * float64(units.Microsecond))
	return []traffic.Message{
		{Src: 0, Dst: dst, Bytes: endless, Stop: stop, Conn: 0},
		{Src: 1, Dst: dst, Bytes: endless, Stop: stop, Start: int64(second * float64(units.Microsecond)), Conn: 1},
	}
}

// addWired adds a run of seed 001. Only runs that draw marks differ between seeds; the others are made once.
func (s *setup) addWired(label string, spec settings.Spec, flows []traffic.Message, w wired) {
	r := s.add(label, spec, flows)
	r.wired = &w
	if spec.ECN == settings.ECNOff && spec.Shape() != settings.FatTree {
		r.spec.Seed = 1
	}
}

func rateLabel(control string, gbps int, xoff int64) string {
	return fmt.Sprintf("%s %dG, pause at %d KB", control, gbps, xoff/1000)
}

var controls001 = []string{"fncc", "hpcc", "dcqcn", "dcqcn-scaled", "rocc"}

// addResponse adds the runs of one rate.
func (s *setup) addResponse(gbps int, xoff int64) {
	for _, control := range controls001 {
		spec := network001(control, gbps, xoff)
		spec.Topology, spec.Switches = settings.Dumbbell, 3
		s.addWired(rateLabel(control, gbps, xoff), spec, pair(2, second001), wired{Port: "sw0->sw1"})
	}
}

// places001 are where two flows meet.
var places001 = []struct {
	name, port string
	topology   settings.Topology
}{
	{"first", "sw0->sw1", settings.FirstHop},
	{"middle", "sw1->sw2", settings.MiddleHop},
	{"last", "sw2->host2", settings.LastHop},
}

func hopLabel(place, control string) string { return control + " at the " + place + " hop" }

// phase returns when flow 1 begins: five phases for seeds 1 to 5, and others between them, none twice, for more.
func phase(seed uint64) float64 {
	if seed >= 1 && seed <= 5 {
		return second001 + 2.5*float64(seed-1)
	}
	_, part := math.Modf((float64(seed) + 0.5) * math.Phi)
	return second001 + 10*part
}

// addHops adds the runs of some places.
func (s *setup) addHops(names ...string) {
	for _, p := range places001 {
		for _, n := range names {
			if n != p.name {
				continue
			}
			for _, control := range []string{"hpcc", "fncc", "fncc-lhcs"} {
				spec := network001(control, 100, pauses001)
				spec.Topology = p.topology
				s.addWired(hopLabel(p.name, control), spec, pair(2, phase(s.seed)), wired{Port: p.port})
			}
		}
	}
}

// ages001 are the ages of telemetry in microseconds, by switch.
var ages001 = map[string][3]float64{"hpcc": {10.89, 9.26, 7.64}, "fncc": {1.51, 3.01, 4.52}}

// step001 returns the time between two changes of the number of flows, in microseconds.
func step001(full bool) float64 {
	if full {
		return 100_000
	}
	return 1000
}

// joining returns four flows to one receiver, each joining a step after the one before and leaving in the same order.
func joining(step float64) []traffic.Message {
	var out []traffic.Message
	at := func(n int) int64 { return int64(float64(n) * step * float64(units.Microsecond)) }
	for i := range 4 {
		out = append(out, traffic.Message{
			Src: int32(i), Dst: 4, Bytes: 1 << 40, Start: at(i), Stop: at(4 + i), Conn: int32(i),
		})
	}
	return out
}

func seed001() []Experiment {
	return []Experiment{
		{
			ID: "001/response", Title: "response to a second flow", Source: "seed 001, section 5.1",
			Claim: "FNCC slows first, has the lowest peak and reaches the fair rate first and smoothly; RoCC does not converge",
			Small: "chain of three switches, two senders at the first, 100 Gb/s, flow 1 at 300 us, end at 1 ms; " + setup001,
			runs:  func(s *setup) { s.addResponse(100, pauses001) },
			judge: judgeResponse, figures: figuresResponse(100),
		},
		{
			ID: "001/line-rates", Title: "response at 200 and 400 Gb/s", Source: "seed 001, section 5.2",
			Claim: "FNCC has the shortest queue, the highest utilisation and the fewest pauses at 200 and 400 Gb/s",
			Small: "001/response at 200 and 400 Gb/s, and again with pauses at 100 KB of one input",
			runs: func(s *setup) {
				for _, gbps := range fast001 {
					s.addResponse(gbps, pauses001)
					s.addResponse(gbps, few001)
				}
			},
			judge: judgeLineRates, figures: figuresResponse(fast001...),
		},
		{
			ID: "001/int-age", Title: "age of telemetry", Source: "seed 001, section 5.4.1",
			Claim: "FNCC's gain is large at the first switch, middling at the second, marginal at the third",
			Small: "the chain of 001/response with one flow at 100 Gb/s, without the bytes of telemetry",
			runs: func(s *setup) {
				for _, control := range []string{"hpcc", "fncc"} {
					spec := network001(control, 100, pauses001)
					spec.MTU, spec.HeaderBytes, spec.CtlBytes = 1518, 64, 64
					spec.Topology, spec.Switches = settings.Dumbbell, 3
					s.addWired(control, spec, pair(2, second001)[:1], wired{Port: "sw0->sw1"})
				}
			},
			judge: judgeAge, figures: figuresAge,
		},
		{
			ID: "001/fairness", Title: "fairness of FNCC as flows join and leave", Source: "seed 001, section 5.3",
			Claim: "good fairness even at short time scales",
			Small: "chain of three switches, four senders at the first, 100 Gb/s, a flow joins every 1 ms, then they leave " +
				"in the same order; FNCC with LHCS; " + setup001,
			Full: "the same, every 100 ms",
			runs: func(s *setup) {
				for _, control := range []string{"fncc-lhcs", "hpcc"} {
					spec := network001(control, 100, pauses001)
					spec.Topology, spec.Switches, spec.Senders = settings.Dumbbell, 3, 4
					s.addWired(control, spec, joining(step001(s.full)), wired{Port: "sw0->sw1"})
				}
			},
			judge: judgeJoining, figures: figuresJoining,
		},
		{
			ID: "001/first-hop", Title: "congestion at the first hop", Source: "seed 001, section 5.4",
			Claim: "queue 37.5 % below HPCC's; the gain shrinks towards the receiver",
			Small: "three switches, two flows of 100 Gb/s meet in the first; flow 1 at 300 us and 0 to 10 us by seed; " +
				setup001,
			runs:  func(s *setup) { s.addHops("first", "middle") },
			judge: judgeFirstHop, figures: figuresHop("first"),
		},
		{
			ID: "001/middle-hop", Title: "congestion at the middle hop", Source: "seed 001, section 5.4",
			Claim: "queue 29.5 % below HPCC's; the gain shrinks towards the receiver",
			Small: "001/first-hop, but the flows meet in the second switch",
			runs:  func(s *setup) { s.addHops("middle", "last") },
			judge: judgeMiddleHop, figures: figuresHop("middle"),
		},
		{
			ID: "001/last-hop", Title: "congestion at the last hop", Source: "seed 001, section 5.4",
			Claim: "queue 8.4 % below HPCC's without LHCS, 38.5 % with it; with it the rate is at once 0.9 of the fair one, " +
				"and the rule ends when the congestion does",
			Small: "001/first-hop, but the flows meet in front of the receiver",
			runs:  func(s *setup) { s.addHops("first", "middle", "last") },
			judge: judgeLastHop, figures: figuresHop("last"),
		},
	}
}

// fast001 are the rates of 001/line-rates.
var fast001 = []int{200, 400}

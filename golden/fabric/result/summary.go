package result

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goldwire/goldwire/golden/units"
)

// Summary is a run, or several of one spec, in figures. Times are microseconds, rates Gb/s of payload. Seconds and
// RSSMB are of the machine, not of the simulation, and missing in Runs, which share both; all else depends on the spec
// alone. Figures over finished flows are null in JSON when no flow has finished.
type Summary struct {
	Seed  uint64 `json:"seed"` // of the first run
	Flows int    `json:"flows"`
	Done  int    `json:"done"`
	FCT   FCT    `json:"fct_us"`

	New uint64 `json:"new"`
	Rtx uint64 `json:"rtx"`
	// Why there is something to resend: NACKs that senders acted on, packets given up because the RTO had passed, and
	// those given up by SLEEK. An ACK that comes before the resend spares it, so that the sum is Rtx or more. Spurious
	// counts packets, whole or trimmed, that came after their data had.
	Nacks    uint64 `json:"nacks"`
	Timeouts uint64 `json:"timeouts"`
	Sleek    uint64 `json:"sleek"`
	Spurious uint64 `json:"spurious"`
	Probes   uint64 `json:"probes"`

	Trims   uint64 `json:"trims"`
	Drops   uint64 `json:"drops"`              // data and trimmed packets that a queue or a link lost
	CtlLost uint64 `json:"ctl_lost,omitempty"` // control packets, of those by a link
	Copied  uint64 `json:"copied,omitempty"`   // packets of any kind that a link doubled
	Delayed uint64 `json:"delayed,omitempty"`  // ... or delayed, each time
	ECN     uint64 `json:"ecn"`
	Pauses  uint64 `json:"pauses"`
	PktHops uint64 `json:"pkt_hops"`
	CNPs    uint64 `json:"cnps,omitempty"` // congestion notification packets

	CCEvents uint64 `json:"cc_events"` // of all contexts

	Credits        uint64 `json:"credits,omitempty"` // pulls
	CreditRequests uint64 `json:"credit_requests,omitempty"`
	// PausedBy are the pauses of each port that has any, over all runs; that with the most comes first.
	PausedBy []PortPauses `json:"pauses_by_port,omitempty"`

	// Slowdown is the completion time over the least possible alone in the network, by flow size.
	Slowdown []SizeBin `json:"slowdown"`
	// Groups are the completion times of flows that name a control or a balancer, are marked or in the background, by
	// size; none when all flows are alike. Error is the standard error of the mean over seeds, nil for one.
	Groups []Group    `json:"groups,omitempty"`
	Error  *ErrorOver `json:"standard_error,omitempty"`
	// CCT is the time from the first start to the last acknowledgement, and CCTBound what it cannot be less than: with
	// every queue empty, the busiest host link and the longest flow.
	CCT      Figure `json:"cct_us"`
	CCTBound Figure `json:"cct_bound_us"`
	Goodput  Figure `json:"goodput_gbps"` // payload of finished flows over CCT
	Jain     Figure `json:"jain"`         // of the flows' own rates, 1 when all are equal

	SimUs      float64  `json:"sim_us"`
	Unfinished []string `json:"unfinished"` // by name, all of them
	Seconds    float64  `json:"seconds,omitempty"`
	RSSMB      float64  `json:"rss_mb,omitempty"`

	Slow []SlowHosts `json:"slow_hosts,omitempty"` // of each run

	// Runs are the runs one by one, when there are several.
	Runs []Summary `json:"runs,omitempty"`
}

// Figure is a number that is null in JSON when it is 0, which means that there was nothing to measure.
type Figure float64

// MarshalJSON implements json.Marshaler.
func (f Figure) MarshalJSON() ([]byte, error) {
	if f == 0 {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// SizeBin is the slowdown of the flows of Low to High bytes, both included.
type SizeBin struct {
	Low  int64 `json:"low"`
	High int64 `json:"high"`
	Spread
}

// Summarise returns the figures of runs, pooled: flows of all of them, counters
// added up, figures of collectives averaged. elapsed is the wall time they took.
func Summarise(elapsed time.Duration, runs ...*Result) Summary {
	s := Summary{Unfinished: []string{}}
	var fct []float64
	var all []*FlowResult
	sum, rates, squares, ended := 0.0, 0.0, 0.0, Figure(0)
	for i, r := range runs {
		if i == 0 {
			s.Seed = r.Spec.Seed
		}
		if len(runs) > 1 {
			one := Summarise(0, r)
			one.RSSMB = 0
			s.Runs = append(s.Runs, one)
		}
		if s.addRun(r) {
			ended++
		}
		if r.Slow != nil {
			s.Slow = append(s.Slow, *r.Slow)
		}
		for i := range r.Flows {
			f := &r.Flows[i]
			all = append(all, f)
			if !f.Done() {
				s.Unfinished = append(s.Unfinished, fmt.Sprintf("seed %d: %v: %d of %d bytes: %s", r.Spec.Seed, f, f.Got,
					f.Bytes, f.Why))
				continue
			}
			if s.Done++; f.Background {
				continue
			}
			d := (f.Acked - f.Start).Micros()
			fct = append(fct, d)
			sum += d
			v := float64(f.Bytes) / d
			rates += v
			squares += float64(v * v)
		}
	}
	s.Flows = len(all)
	s.Groups, s.Error = groups(all), errorOver(s.Runs)
	if n := float64(len(fct)); n > 0 {
		s.FCT = FCT(spread(fct))
		s.FCT.Mean = sum / n // in the order of the flows
		s.Jain = Figure(rates * rates / (n * squares))
	}
	s.Slowdown, s.PausedBy = slowdown(all), pausedBy(runs)
	if ended > 0 {
		s.CCT /= ended
		s.CCTBound /= ended
		s.Goodput /= ended
	}
	if n := float64(len(runs)); n > 0 {
		s.SimUs /= n
	}
	s.Seconds, s.RSSMB = elapsed.Seconds(), PeakRSSMB()
	return s
}

// addRun adds the counters of one run, and its collective figures, which Summarise divides by the number of runs that
// have some: it returns whether this one does, because it finished a flow.
func (s *Summary) addRun(r *Result) bool {
	c := &r.Counters
	s.New += c.NewPackets
	s.Rtx += c.Retransmits
	s.Nacks += c.Nacks - c.NacksStale
	s.Timeouts += c.Timeouts
	s.Sleek += c.InferredLosses - c.Timeouts
	s.Spurious += c.Duplicates + c.DupTrims
	s.Probes += c.Probes
	s.Trims += c.Trims
	s.Drops += c.DataDrops + c.TrimDrops + c.DataLost + c.TrimLost
	s.CtlLost += c.CtlLost
	s.Copied += c.DataCopied + c.CtlCopied
	s.Delayed += c.Delayed
	s.ECN += c.ECN
	s.Pauses += c.Pauses
	s.PktHops += c.PktHops
	s.CCEvents += c.CCEvents
	s.CNPs += c.CNPs
	s.Credits += c.Credits
	s.CreditRequests += c.CreditRequests
	s.SimUs += r.Time.Micros()
	first, last, bytes := units.Picos(-1), units.Picos(0), int64(0)
	for i := range r.Flows {
		f := &r.Flows[i]
		if f.Acked < 0 || f.Background {
			continue
		}
		if first < 0 || f.Start < first {
			first = f.Start
		}
		last = max(last, f.Acked)
		bytes += f.Bytes
	}
	if last > 0 {
		s.CCT += Figure((last - first).Micros())
		s.CCTBound += Figure(r.Bound.Micros())
		s.Goodput += Figure(float64(bytes) * 8000 / float64(last-first))
	}
	return first >= 0
}

// pausedBy returns the pauses of each port over all runs: the most first, equals by name.
func pausedBy(runs []*Result) (out []PortPauses) {
	ports := map[string]PortPauses{}
	for _, r := range runs {
		for _, p := range r.Pauses {
			sum := ports[p.Port]
			ports[p.Port] = PortPauses{Port: p.Port, Caused: sum.Caused + p.Caused, Stopped: sum.Stopped + p.Stopped}
		}
	}
	for _, p := range ports {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b PortPauses) int {
		return cmp.Or(cmp.Compare(b.Caused+b.Stopped, a.Caused+a.Stopped), cmp.Compare(a.Port, b.Port))
	})
	return out
}

// slowdown sorts the finished flows into bins: one for each size when there are few sizes, else by powers of ten.
func slowdown(flows []*FlowResult) []SizeBin {
	sizes := map[int64]bool{}
	for _, f := range flows {
		if !f.Background {
			sizes[f.Bytes] = true
		}
	}
	const few = 8
	key := func(b int64) int64 {
		if len(sizes) <= few {
			return b
		}
		return powerOfTen(b)
	}
	groups := map[int64][]float64{}
	lows := map[int64]int64{}
	for _, f := range flows {
		if f.Acked < 0 || f.Ideal <= 0 || f.Background {
			continue
		}
		k := key(f.Bytes)
		groups[k] = append(groups[k], float64(f.Acked-f.Start)/float64(f.Ideal))
		if low, ok := lows[k]; !ok || f.Bytes < low {
			lows[k] = f.Bytes
		}
	}
	out := []SizeBin{}
	for _, k := range slices.Sorted(maps.Keys(groups)) {
		out = append(out, SizeBin{lows[k], k, spread(groups[k])})
	}
	return out
}

// WriteFlowsCSV writes one line per flow of the runs, with a header; times are picoseconds, -1 when it did not happen.
func WriteFlowsCSV(w io.Writer, runs ...*Result) error {
	rows := [][]string{{"seed", "flow", "name", "src", "dst", "bytes", "got", "rtx", "start_ps", "delivered_ps",
		"acked_ps", "ideal_ps", "timeouts", "nacks", "probes", "spurious", "unfinished"}}
	for _, r := range runs {
		for i := range r.Flows {
			f := &r.Flows[i]
			row := []string{strconv.FormatUint(r.Spec.Seed, 10)}
			for _, n := range []int64{int64(f.ID), int64(f.Name), int64(f.Src), int64(f.Dst), f.Bytes, f.Got,
				int64(f.Rtx), int64(f.Start), int64(f.Delivered), int64(f.Acked), int64(f.Ideal),
				int64(f.Timeouts), int64(f.Nacks), int64(f.Probes), int64(f.Spurious)} {
				row = append(row, strconv.FormatInt(n, 10))
			}
			rows = append(rows, append(row, f.Why))
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// PeakRSSMB returns the greatest resident memory that this process has had, in
// megabytes of 10^6 bytes, 0 where the system does not report it.
func PeakRSSMB() float64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if w := strings.Fields(in.Text()); len(w) == 3 && w[0] == "VmHWM:" {
			kb, err := strconv.ParseFloat(w[1], 64)
			if err != nil {
				return 0
			}
			return kb * 1024 / 1e6
		}
	}
	return 0
}

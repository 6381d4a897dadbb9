package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// resultJSON is the JSON form of one Result: its own keys, verdict, and the
// device under test as dut.
type resultJSON struct {
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
	*Result
	Simulator *struct{} `json:"simulator,omitempty"` // shadows Result's; see dut
	DUT       dutJSON   `json:"dut"`
}

// singleJSON is the JSON form of a Report of one Result: its keys, and the results like any other report.
type singleJSON struct {
	resultJSON
	Results []resultJSON `json:"results"`
}

type dutJSON struct {
	Simulator string `json:"simulator"`
	Version   string `json:"version"`
	Flags     string `json:"flags"`
}

// reportJSON is the JSON form of several Results: sums and the first failure
// under the same keys as a single one has, then the results.
type reportJSON struct {
	Verdict       Verdict      `json:"verdict"`
	Reason        string       `json:"reason"`
	Block         string       `json:"block"`
	Source        string       `json:"source"`
	Seed          uint64       `json:"seed"`
	Seeds         []uint64     `json:"seeds"`
	Tick          string       `json:"tick"`
	Transport     string       `json:"transport"`
	Events        uint64       `json:"events"`
	Cycles        uint64       `json:"cycles"`
	Responses     uint64       `json:"responses"`
	Compared      Compared     `json:"compared"`
	Episodes      int          `json:"episodes"`
	Mismatches    uint64       `json:"mismatches"`
	FirstMismatch *Mismatch    `json:"first_mismatch"`
	Float         *FloatDiff   `json:"float"`
	Coverage      *Coverage    `json:"coverage"`
	DUT           dutJSON      `json:"dut"`
	Reproduce     string       `json:"reproduce"`
	Results       []resultJSON `json:"results"`
	Seconds       float64      `json:"seconds"`
	EventsPerS    float64      `json:"events_per_s"`
	CyclesPerS    float64      `json:"cycles_per_s"`
}

// WriteJSON writes the report as one indented JSON object. Keys are only ever
// added. For one Result they are those of Result, with
//
//	verdict  "pass", "model only", "interrupted", "not run", "error", "empty", "bound exceeded" or "mismatch"
//	reason   why, in one line
//	dut      {simulator, version, flags} in place of Result.Simulator
//	results  a list with the same again, as every report has
//
// For several, the object holds verdict (the worst) and its reason, block, tick and transport
// (empty where the results differ), source (all of them, joined by commas), seeds (all of them), float (the
// worst figures, flips added up), sums of events, cycles, responses, compared, episodes, mismatches and
// seconds, the rates over those sums, coverage of all together (null when their bins differ or a run was not
// begun), and results, each as above. seed, dut, first_mismatch and reproduce are of one result: the first
// with a mismatch, or else the first with the worst verdict of those that began. Lists are never null. A value
// that JSON cannot hold (infinite) becomes the largest finite one.
func WriteJSON(w io.Writer, r *Report) error {
	var doc any = r.json()
	if len(r.Results) == 1 && r.Failure == "" {
		one := jsonOf(r.Results[0])
		doc = singleJSON{one, []resultJSON{one}}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // commands must stay readable
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("json report: %w", err)
	}
	return nil
}

func (r *Report) json() reportJSON {
	t := r.totals()
	d := reportJSON{Verdict: r.Verdict(), Reason: r.Reason(), Seeds: []uint64{}, Compared: t.compared,
		Block:     same(r, func(x *Result) string { return x.Block }),
		Tick:      same(r, func(x *Result) string { return x.Tick }),
		Transport: same(r, func(x *Result) string { return x.Transport }),
		Events:    t.events, Cycles: t.cycles, Responses: t.responses, Episodes: t.episodes,
		Mismatches: t.mismatches, Coverage: r.Coverage(), Results: []resultJSON{},
		Seconds: finite(t.seconds), EventsPerS: rate(t.events, t.seconds), CyclesPerS: rate(t.cycles, t.seconds)}
	if d.Coverage != nil {
		*d.Coverage = d.Coverage.filled()
	}
	var sources []string
	for i := range r.Results {
		x := &r.Results[i]
		d.Results = append(d.Results, jsonOf(*x))
		if !slices.Contains(sources, x.Source) {
			sources = append(sources, x.Source)
		}
		if !slices.Contains(d.Seeds, x.Seed) {
			d.Seeds = append(d.Seeds, x.Seed)
		}
		d.Float = worstFloat(d.Float, x.Float)
	}
	d.Source = strings.Join(sources, ",")
	if s := r.shown(); s != nil {
		x := jsonOf(*s)
		d.Seed, d.DUT, d.FirstMismatch, d.Reproduce = x.Seed, x.DUT, x.FirstMismatch, x.Reproduce
	}
	return d
}

// worstFloat returns the figures of two comparisons as one: the larger errors, the flips added up.
func worstFloat(a, b *FloatDiff) *FloatDiff {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	c := FloatDiff{
		Events: a.Events + b.Events, ActionFlips: a.ActionFlips + b.ActionFlips,
		PsActionFlips: a.PsActionFlips + b.PsActionFlips, PsUnexplained: a.PsUnexplained + b.PsUnexplained,
		MaxRelErrCwnd:   max(a.MaxRelErrCwnd, b.MaxRelErrCwnd),
		PsMaxRelErrCwnd: max(a.PsMaxRelErrCwnd, b.PsMaxRelErrCwnd),
		FlipsPer10k:     max(a.FlipsPer10k, b.FlipsPer10k), PsFlipsPer10k: max(a.PsFlipsPer10k, b.PsFlipsPer10k),
		Flips: []Flip{}, ErrHist: []HistBin{}, // those of each run are in its result
	}
	return &c
}

// jsonOf copies what it fills in, so that rendering changes no Result.
func jsonOf(r Result) resultJSON {
	r.Coverage = r.Coverage.filled()
	r.Cases = list(r.Cases)
	if r.Params == nil {
		r.Params = map[string]int{}
	}
	if r.FirstMismatch != nil {
		m := *r.FirstMismatch
		m.Fields, m.Shrunk, m.Window = list(m.Fields), list(m.Shrunk), append([]Row{}, m.Window...)
		for i := range m.Window {
			row := &m.Window[i]
			row.Inputs, row.Want, row.Got = list(row.Inputs), list(row.Want), list(row.Got)
		}
		r.FirstMismatch = &m
	}
	if r.Float != nil {
		f := *r.Float
		f.Flips, f.ErrHist = append([]Flip{}, f.Flips...), list(f.ErrHist)
		for i := range f.Flips {
			f.Flips[i].Distance = finite(f.Flips[i].Distance)
		}
		for _, x := range []*float64{&f.MaxRelErrCwnd, &f.FlipsPer10k, &f.PsFlipsPer10k, &f.PsMaxRelErrCwnd} {
			*x = finite(*x)
		}
		r.Float = &f
	}
	for _, x := range []*float64{&r.EventsPerCycle, &r.Seconds, &r.EventsPerS, &r.CyclesPerS} {
		*x = finite(*x)
	}
	return resultJSON{Verdict: r.Verdict(), Reason: r.Reason(), Result: &r,
		DUT: dutJSON{r.Simulator.Name, r.Simulator.Version, r.Simulator.Flags}}
}

func (c Coverage) filled() Coverage {
	c.Missed, c.Unreachable, c.Groups = list(c.Missed), list(c.Unreachable), list(c.Groups)
	return c
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func finite(x float64) float64 {
	if math.IsNaN(x) {
		return math.MaxFloat64
	}
	return min(max(x, -math.MaxFloat64), math.MaxFloat64)
}

func rate(n uint64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}

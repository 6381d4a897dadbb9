package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// resultJSON is the JSON form of one Result: its own keys, verdict, and the device under test as dut. Its sections are
// members beside them.
type resultJSON struct {
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
	Judged  string  `json:"judged"`
	*Result
	Simulator *struct{}       `json:"simulator,omitempty"` // shadows Result's; see dut
	DUT       dutJSON         `json:"dut"`
	Outcomes  []outcomeJSON   `json:"sections"`
	Metrics   []SectionMetric `json:"metrics"`
}

type outcomeJSON struct {
	Key     string  `json:"key"`
	Outcome Outcome `json:"outcome"`
	Why     string  `json:"why,omitempty"`
}

type dutJSON struct {
	Simulator string `json:"simulator"`
	Version   string `json:"version"`
	Flags     string `json:"flags"`
}

// reportJSON is the JSON form of several Results: sums and the first failure under the same keys as for a single
// Result, then the results.
type reportJSON struct {
	Verdict       Verdict           `json:"verdict"`
	Reason        string            `json:"reason"`
	Judged        string            `json:"judged"`
	Block         string            `json:"block"`
	Source        string            `json:"source"`
	Seed          uint64            `json:"seed"`
	Seeds         []uint64          `json:"seeds"`
	Tick          string            `json:"tick"`
	Transport     string            `json:"transport"`
	Events        uint64            `json:"events"`
	Cycles        uint64            `json:"cycles"`
	Responses     uint64            `json:"responses"`
	Compared      Compared          `json:"compared"`
	Episodes      int               `json:"episodes"`
	Mismatches    uint64            `json:"mismatches"`
	FirstMismatch *Mismatch         `json:"first_mismatch"`
	Coverage      *Coverage         `json:"coverage"`
	DUT           dutJSON           `json:"dut"`
	Reproduce     string            `json:"reproduce"`
	Results       []json.RawMessage `json:"results"`
	Seconds       float64           `json:"seconds"`
	EventsPerS    float64           `json:"events_per_s"`
	CyclesPerS    float64           `json:"cycles_per_s"`
}

// WriteJSON writes the report as one indented JSON object. Keys are only ever
// added. For one Result they are those of Result, with
//
//	verdict  "pass", "model only", "interrupted", "not run", "error", "empty", "bound exceeded" or "mismatch"
//	reason   why, in one line
//	judged   what took more than equal values, such as "within tolerances"; empty where all had to be equal
//	dut      {simulator, version, flags} in place of Result.Simulator
//	results  a list with the same again, as every report has
//	sections the outcome of each section: key, outcome ("within bounds", "out of bounds", "not measured",
//	         "nothing to measure", or empty without bounds) and why
//	metrics  the figures of all sections: section, name, what, value (null: not measured), unit, samples, at_most or
//	         at_least, verdict ("within", "beyond", "not measured" or "no bound")
//
// and the data of each section under its key, such as float and state of ccc.
//
// For several, the object holds verdict (the worst) and its reason, block, tick and transport
// (empty where the results differ), source (all of them, joined by commas), seeds (all of them), sections whose data of
// several runs can be joined, sums of events, cycles, responses, compared, episodes, mismatches and
// seconds, the rates over those sums, coverage of all together (null when their bins differ or a run was not
// begun), and results, each as above. seed, dut, first_mismatch and reproduce are of one result: the first
// with a mismatch, or else the first with the worst verdict of those that began. Lists are never null. A value
// that JSON cannot hold (infinite) becomes the largest finite one.
func WriteJSON(w io.Writer, r *Report) error {
	doc, err := r.json()
	if err != nil {
		return fmt.Errorf("json report: %w", err)
	}
	if err := EncodeJSON(w, doc); err != nil {
		return fmt.Errorf("json report: %w", err)
	}
	return nil
}

// EncodeJSON writes v indented. It leaves < > & unchanged, so that commands stay readable.
func EncodeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func (r *Report) json() (json.RawMessage, error) {
	results := []json.RawMessage{}
	for i := range r.Results {
		one, err := r.Results[i].json()
		if err != nil {
			return nil, err
		}
		results = append(results, one)
	}
	if len(r.Results) == 1 && r.Failure == "" {
		return withMembers(results[0], []member{{"results", results}})
	}
	head := r.head()
	head.Results = results
	return withMembers(head, r.joined())
}

func (r *Result) json() (json.RawMessage, error) {
	x := jsonOf(*r)
	var more []member
	for i := range r.Sections {
		s := &r.Sections[i]
		o, why := s.Outcome()
		x.Outcomes = append(x.Outcomes, outcomeJSON{s.Key, o, why})
		if s.Data != nil {
			more = append(more, member{s.Key, s.Data})
		}
	}
	return withMembers(x, more)
}

// joined returns the data of the sections that can be joined over all results, by key, in the order in which they first
// appear.
func (r *Report) joined() (out []member) {
	for i := range r.Results {
		for _, s := range r.Results[i].Sections {
			j, ok := s.Data.(Joiner)
			if !ok {
				continue
			}
			at := slices.IndexFunc(out, func(m member) bool { return m.key == s.Key })
			if at < 0 {
				out = append(out, member{s.Key, s.Data})
			} else {
				out[at].value = j.Join(out[at].value)
			}
		}
	}
	return out
}

// head returns the members that precede the results.
func (r *Report) head() reportJSON {
	t := r.totals()
	d := reportJSON{Verdict: r.Verdict(), Reason: r.Reason(), Judged: r.softened(""), Seeds: []uint64{},
		Compared: t.compared, Block: same(r, func(x *Result) string { return x.Block }),
		Tick:      same(r, func(x *Result) string { return x.Tick }),
		Transport: same(r, func(x *Result) string { return x.Transport }),
		Events:    t.events, Cycles: t.cycles, Responses: t.responses, Episodes: t.episodes,
		Mismatches: t.mismatches, Coverage: r.Coverage(),
		Seconds: Finite(t.seconds), EventsPerS: rate(t.events, t.seconds), CyclesPerS: rate(t.cycles, t.seconds)}
	if d.Coverage != nil {
		*d.Coverage = d.Coverage.filled()
	}
	var sources []string
	for i := range r.Results {
		x := &r.Results[i]
		if !slices.Contains(sources, x.Source) {
			sources = append(sources, x.Source)
		}
		if !slices.Contains(d.Seeds, x.Seed) {
			d.Seeds = append(d.Seeds, x.Seed)
		}
	}
	d.Source = strings.Join(sources, ",")
	if s := r.shown(); s != nil {
		x := jsonOf(*s)
		d.Seed, d.DUT, d.FirstMismatch, d.Reproduce = x.Seed, x.DUT, x.FirstMismatch, x.Reproduce
	}
	return d
}

// jsonOf copies what it fills in, so that rendering changes no Result.
func jsonOf(r Result) resultJSON {
	r.Coverage = r.Coverage.filled()
	r.Cases = NotNull(r.Cases)
	if r.Params == nil {
		r.Params = map[string]int{}
	}
	if r.FirstMismatch != nil {
		m := *r.FirstMismatch
		m.Fields, m.Shrunk, m.Window = NotNull(m.Fields), NotNull(m.Shrunk), append([]Row{}, m.Window...)
		for i := range m.Window {
			row := &m.Window[i]
			row.Inputs, row.Want, row.Got = NotNull(row.Inputs), NotNull(row.Want), NotNull(row.Got)
		}
		r.FirstMismatch = &m
	}
	for _, x := range []*float64{&r.EventsPerCycle, &r.Seconds, &r.EventsPerS, &r.CyclesPerS} {
		*x = Finite(*x)
	}
	return resultJSON{Verdict: r.Verdict(), Reason: r.Reason(), Judged: r.softened(""), Result: &r,
		DUT:     dutJSON{r.Simulator.Name, r.Simulator.Version, r.Simulator.Flags},
		Metrics: Figures(r.Sections), Outcomes: []outcomeJSON{}}
}

func (c Coverage) filled() Coverage {
	c.Missed, c.Unreachable, c.Groups = NotNull(c.Missed), NotNull(c.Unreachable), NotNull(c.Groups)
	return c
}

// NotNull returns s, or an empty list for nil: lists in JSON are never null.
func NotNull[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Finite returns x, or the nearest finite number if JSON cannot hold x; the largest for NaN.
func Finite(x float64) float64 {
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

// member is one key of a JSON object.
type member struct {
	key   string
	value any
}

// withMembers returns the JSON of an object with more members at its end. It errors if a key already exists, because
// one of the two values would be lost.
func withMembers(object any, more []member) (json.RawMessage, error) {
	text, err := compact(object)
	if err != nil {
		return nil, err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, err
	}
	out := bytes.TrimSuffix(text, []byte("}"))
	for _, m := range more {
		if _, twice := keys[m.key]; twice || m.key == "" {
			return nil, fmt.Errorf("section %q: its key is empty or taken; give it another", m.key)
		}
		value, err := compact(m.value)
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", m.key, err)
		}
		keys[m.key] = value
		if len(keys) > 1 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%q:%s", m.key, value)
	}
	return append(out, '}'), nil
}

// compact returns the JSON of a value. It leaves < and & unchanged, because commands contain them.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

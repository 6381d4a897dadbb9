package play

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Report is what a file gave.
type Report struct {
	CC    string `json:"cc"`
	About string `json:"about"`
	// Pass is true when every expectation held; Expected is their number.
	Pass     bool   `json:"pass"`
	Expected int    `json:"expectations"`
	Rows     []Row  `json:"rows"`
	Wrong    []Diff `json:"differences"`
}

// Row is the state after an event. A value that does not end is "inf" or "-inf".
type Row struct {
	Line    int     `json:"line"`
	Time    float64 `json:"t"` // us
	Event   string  `json:"event"`
	Action  string  `json:"action"`
	*Answer         // nil for an event state, which the control does not answer
	State   []Value `json:"state"` // in the order of the control
}

// Answer is what the control answered to an event.
type Answer struct {
	Window  Number `json:"window"`   // bytes
	Rate    Number `json:"rate"`     // Gb/s, 0 for none
	Flight  Number `json:"inflight"` // bytes
	CanSend bool   `json:"can_send"` // a packet fits the window
	Timer   Number `json:"timer"`    // us, 0 for none
}

// Value is one part of a state.
type Value struct {
	Name  string `json:"name"`
	Unit  string `json:"unit,omitempty"`
	Value Number `json:"value"`
}

// Diff is an expectation that did not hold.
type Diff struct {
	Line int    `json:"line"`
	Name string `json:"name"`
	Want string `json:"want"`
	Got  string `json:"got"`
}

// Number is a float64 that may be infinite.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if s := n.String(); strings.ContainsAny(s, "ifnN") {
		return []byte(`"` + s + `"`), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', -1, 64), nil
}

// String returns the number with at most six decimals.
func (n Number) String() string {
	switch v := float64(n); {
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	default:
		s := strconv.FormatFloat(v, 'f', 6, 64)
		return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
}

// row notes the state after an event.
func (p *player) row(l *line, what string) {
	r := Row{Line: l.number, Time: p.now.Micros(), Event: what}
	if l.Ev != "state" {
		r.Action, r.Answer = p.out.Action, &Answer{
			Window: Number(p.out.Cwnd), Rate: Number(p.out.Rate), Flight: Number(p.out.Inflight),
			CanSend: p.out.CanSend, Timer: Number(p.out.Timer.Micros()),
		}
		if p.out.Cwnd == cc.NoWindow {
			r.Window = Number(math.Inf(1))
		}
	}
	for _, f := range p.state() {
		r.State = append(r.State, Value{f.Name, f.Unit, Number(f.Get())})
	}
	p.rep.Rows = append(p.rep.Rows, r)
}

func (p *player) state() []param.Field {
	if p.inspect == nil {
		return nil
	}
	return p.inspect.State()
}

// expect holds the state after an event against what its line expects.
func (p *player) expect(l *line) error {
	last := &p.rep.Rows[len(p.rep.Rows)-1]
	tol := l.Tol
	if tol == 0 {
		tol = 1e-6
	}
	for _, name := range slices.Sorted(maps.Keys(l.Expect)) {
		want := l.Expect[name]
		if last.Answer == nil && slices.Contains(answers, name) {
			return fmt.Errorf("expect.%s: a state event has no answer: expect it of the next event", name)
		}
		p.rep.Expected++
		if name == "action" {
			text, ok := want.(string)
			if !ok {
				return fmt.Errorf("expect.action = %v: want a text", want)
			}
			// The rule of the event itself, of which losses may be rows that follow.
			got := last.Action
			for i := len(p.rep.Rows) - 1; l.Ev != "loss" && strings.HasPrefix(p.rep.Rows[i].Event, "loss "); i-- {
				got = p.rep.Rows[i-1].Action
			}
			p.compare(l, name, text, got, text == got)
			continue
		}
		w, err := number(want)
		if err != nil {
			return fmt.Errorf("expect.%s: %w", name, err)
		}
		if err := sensible(l.Tol, w); err != nil {
			return fmt.Errorf("expect.%s: %w", name, err)
		}
		got, err := p.value(last, name)
		if err != nil {
			return fmt.Errorf("expect.%w", err)
		}
		same := math.Abs(float64(got)-w) <= tol || math.IsInf(w, 0) && float64(got) == w
		p.compare(l, name, Number(w).String(), got.String(), same)
	}
	return nil
}

// sensible errors if a tolerance takes nearly any value for the expected one: more than half of it or, for 0, 1 and
// more.
func sensible(tol, want float64) error {
	most := math.Abs(want) / 2
	switch {
	case want == 0:
		most = math.Nextafter(1, 0)
	case math.IsInf(want, 0):
		return nil // only infinity is near it
	}
	if tol > most {
		return fmt.Errorf("tol = %v: it takes nearly any value for %v; give at most half of it, for 0 less than 1", tol,
			want)
	}
	return nil
}

func (p *player) compare(l *line, name, want, got string, same bool) {
	if !same {
		p.rep.Pass = false
		p.rep.Wrong = append(p.rep.Wrong, Diff{l.number, name, want, got})
	}
}

func number(v any) (float64, error) {
	switch x := v.(type) {
	case float64:
		return x, nil
	case bool:
		if x {
			return 1, nil
		}
		return 0, nil
	case string:
		switch x {
		case "inf":
			return math.Inf(1), nil
		case "-inf":
			return math.Inf(-1), nil
		}
	}
	return 0, fmt.Errorf("%v: want a number, true, false, \"inf\" or \"-inf\"", v)
}

// answers are the names that a row has besides those of the state.
var answers = []string{"action", "window", "rate", "inflight", "timer", "can_send"}

// value returns a value of a row by name. A row without an answer is asked for its state only.
func (p *player) value(r *Row, name string) (Number, error) {
	switch name {
	case "window":
		return r.Window, nil
	case "rate":
		return r.Rate, nil
	case "inflight":
		return r.Flight, nil
	case "timer":
		return r.Timer, nil
	case "can_send":
		if r.CanSend {
			return 1, nil
		}
		return 0, nil
	}
	var names []string
	if r.Answer != nil {
		names = append(names, answers...)
	}
	for _, v := range r.State {
		if v.Name == name {
			return v.Value, nil
		}
		names = append(names, v.Name)
	}
	return 0, fmt.Errorf("%s: not known: want one of %s", name, strings.Join(names, ", "))
}

// WriteText writes the table, then what differs from the file's expectations.
func (r *Report) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s\n", r.CC, r.About)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tw, "line\tt us\tevent\trule\twindow B\trate Gb/s\tcan send\ttimer us")
	for _, v := range r.Rows[0].State {
		fmt.Fprint(tw, "\t"+strings.TrimSpace(v.Name+" "+v.Unit))
	}
	fmt.Fprintln(tw)
	for i := range r.Rows {
		x := &r.Rows[i]
		fmt.Fprintf(tw, "%d\t%v\t%s\t%s\t", x.Line, Number(x.Time), x.Event, cmp.Or(x.Action, "-"))
		if a := x.Answer; a != nil {
			can := map[bool]string{true: "yes", false: "no"}[a.CanSend]
			fmt.Fprintf(tw, "%v\t%s\t%s\t%s", a.Window, none(a.Rate), can, none(a.Timer))
		} else {
			fmt.Fprint(tw, "-\t-\t-\t-")
		}
		for _, v := range x.State {
			fmt.Fprintf(tw, "\t%v", v.Value)
		}
		fmt.Fprintln(tw)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, d := range r.Wrong {
		fmt.Fprintf(w, "line %d: %s: want %s, got %s\n", d.Line, d.Name, d.Want, d.Got)
	}
	verdict := fmt.Sprintf("PASS: %d of %d expectations hold", r.Expected, r.Expected)
	switch {
	case r.Expected == 0:
		verdict = "the events expect nothing: no verdict"
	case !r.Pass:
		verdict = fmt.Sprintf("FAIL: %d of %d expectations do not hold", len(r.Wrong), r.Expected)
	}
	_, err := fmt.Fprintln(w, verdict)
	return err
}

func none(n Number) string {
	if n == 0 {
		return "-"
	}
	return n.String()
}

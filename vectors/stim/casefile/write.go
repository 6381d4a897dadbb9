package casefile

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// writer turns the lines of a scenario into items.
type writer struct {
	lang     *Language
	s        *stim.Script
	judge    *Judge
	fill     func(head string, fields map[string]uint64)
	frames   map[string]sent
	defaults map[string]map[string]uint64
	last     int // the item that gap and paired apply to
	depth    int
}

// maxDo is the deepest nesting of defines.
const maxDo = 20

// lines writes a run of lines that begin with these variables.
func (w *writer) lines(body []line, vars map[string]string) error {
	for i := range body {
		err := caught(func() { w.line(&body[i], vars) })
		if placed := (*lineError)(nil); err != nil && !errors.As(err, &placed) { // otherwise it names the innermost line
			err = &lineError{body[i].at, err}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lineError is an error in a line of a scenario file.
type lineError struct {
	at  string // file and line
	err error
}

func (e *lineError) Error() string { return e.at + ": " + e.err.Error() }

func (e *lineError) Unwrap() error { return e.err }

func (w *writer) line(l *line, vars map[string]string) {
	scope := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	text := must(substitute(l.text, vars, scope))
	words := strings.Fields(text)
	switch l.head {
	case "for":
		for _, round := range must(loop(text, scope)) {
			check(w.lines(l.body, with(vars, round)))
		}
	case "do":
		w.do(words[1:], vars, scope)
	case "let":
		for _, x := range words[1:] {
			name, v := assigned(x, scope)
			vars[name] = strconv.FormatInt(int64(v), 10)
		}
	case "default":
		w.setDefaults(words[1:], scope)
	case "reg":
		w.registers(l.at, words[1:], scope)
	case "gap":
		if w.s.Used == 0 {
			fail("gap: no item precedes it")
		}
		w.s.Items[w.last].Gap = uint16(small("gap", strings.Join(words[1:], ""), scope))
	case "reset":
		w.reset(words[1:], scope)
	case "gate":
		w.gate(words[1:], scope)
	case "seed", "ahead", "relief":
		w.recorded(l, text, scope)
	case "final", "found":
		w.reads(l.at, words, scope)
	case "frame":
		name, spec, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(text, "frame")), " ")
		w.frames[name] = w.frame(strings.TrimSpace(spec), scope)
	default:
		w.item(l.at, text, scope)
	}
}

// assigned reads name=value.
func assigned(x string, scope func(string) (string, bool)) (string, uint64) {
	name, text, ok := strings.Cut(x, "=")
	v, err := number(text, scope)
	if err != nil || !ok {
		fail("%q: want name=value: %w", x, err)
	}
	return name, v
}

// do writes the lines of a define.
func (w *writer) do(words []string, vars map[string]string, scope func(string) (string, bool)) {
	if len(words) == 0 {
		fail("do: want the name of a define")
	}
	d, ok := w.lang.defines[words[0]]
	if !ok {
		fail("do %s: no such define", words[0])
	}
	inner := with(vars, nil)
	for _, x := range words[1:] {
		name, text, ok := strings.Cut(x, "=")
		if !ok {
			fail("%q: want name=value", x)
		}
		inner[name] = text
		if v, err := number(text, scope); err == nil {
			inner[name] = strconv.FormatInt(int64(v), 10)
		}
	}
	if w.depth++; w.depth > maxDo {
		fail("do %s: it uses itself", words[0])
	}
	defer func() { w.depth-- }()
	check(w.lines(d.body, inner))
}

// setDefaults sets the fields that later lines of a head get if they do not name them.
func (w *writer) setDefaults(words []string, scope func(string) (string, bool)) {
	if len(words) == 0 {
		fail("default: want a stream or a kind")
	}
	head := words[0]
	if w.defaults[head] == nil {
		w.defaults[head] = map[string]uint64{}
	}
	port, _ := w.port(head)
	for _, x := range words[1:] {
		name, text, ok := strings.Cut(x, "=")
		if !ok || port == nil {
			fail("default %q: want name=value, of a stream or a kind", x)
		}
		w.defaults[head][name] = w.value(port, name, text, scope)
	}
}

// registers writes registers; after= and gap= apply to each.
func (w *writer) registers(at string, words []string, scope func(string) (string, bool)) {
	var mods, values []string
	for _, x := range words {
		name, _, ok := strings.Cut(x, "=")
		if !ok || name == "after" || name == "gap" {
			mods = append(mods, x)
		} else {
			values = append(values, x)
		}
	}
	for _, x := range values {
		name, text, _ := strings.Cut(x, "=")
		head, fields := w.register(name)
		v := must(number(text, scope))
		for f, v := range fields {
			head += " " + f + "=" + v
		}
		w.item(at, fmt.Sprintf("%s data=%d %s", head, int64(v), strings.Join(mods, " ")), scope)
	}
}

func (w *writer) register(name string) (head string, fields map[string]string) {
	if w.lang.Register != nil {
		var err error
		head, fields, err = w.lang.Register(name)
		check(err)
		return head, fields
	}
	r := w.lang.Block.Register(name)
	if r == nil {
		fail("register %q: unknown", name)
	}
	return "CFG_WRITE", map[string]string{"addr": fmt.Sprint(r.Addr)}
}

// reset puts rst_n low, delay cycles after the last item was accepted or, with in-sweep, at the start.
func (w *writer) reset(words []string, scope func(string) (string, bool)) {
	r := stim.Reset{After: w.s.Used, Low: 1}
	for _, x := range words {
		name, text, _ := strings.Cut(x, "=")
		if name == "in-sweep" {
			r.After = 0
			continue
		}
		v := must(number(text, scope))
		if int64(v) < 0 {
			fail("reset %q: want a number above 0", x)
		}
		switch name {
		case "delay":
			r.Delay = int(v)
		case "low":
			r.Low = int(v)
		case "after":
			r.After = int(v)
		default:
			fail("reset %q: want in-sweep, delay=, low= or after=", x)
		}
	}
	if r.Low == 0 {
		fail("reset: with low=0 it resets nothing")
	}
	w.s.Drive.Resets = append(w.s.Drive.Resets, r)
}

// gate drives the ports of a stream: "gate STREAM density N", "gate STREAM bursts ON OFF" or "gate STREAM chain CLOSE
// OPEN".
func (w *writer) gate(words []string, scope func(string) (string, bool)) {
	if len(words) < 3 {
		fail("gate: want a stream, and density N, bursts ON OFF or chain CLOSE OPEN")
	}
	var v []int
	for _, x := range words[2:] {
		v = append(v, int(must(number(x, scope))))
	}
	var g stim.Gate
	switch {
	case words[1] == "density" && len(v) == 1:
		g = stim.Density(v[0])
	case words[1] == "bursts" && len(v) == 2:
		g = stim.Bursts(v[0], v[1])
	case words[1] == "chain" && len(v) == 2 && v[0]|v[1] <= math.MaxUint16 && v[0] >= 0 && (v[1] > 0 || v[0]|v[1] == 0):
		g = stim.Gate{Close: uint16(v[0]), Open: uint16(v[1])}
	default:
		fail("gate %s: want density N, bursts ON OFF or chain CLOSE OPEN", words[1])
	}
	set := func(first *stim.Gate, more *[]stim.Gate, lane int) {
		if lane == 0 {
			*first = g
			return
		}
		for len(*more) < lane {
			*more = append(*more, stim.Gate{})
		}
		(*more)[lane-1] = g
	}
	d := &w.s.Drive
	switch p := w.lang.lay.Port(words[0]); {
	case p == nil:
		fail("gate: no stream %q", words[0])
	case p.Dir == event.In:
		set(&d.Idle, &d.IdleMore, p.Lane)
	default:
		set(&d.Stall, &d.StallMore, p.Lane)
	}
}

// port returns the input stream that a line's first word names, and the fields that the word sets.
func (w *writer) port(head string) (*event.Port, map[string]uint64) {
	if a, ok := w.lang.Aliases[head]; ok {
		head = a
	}
	if p := w.lang.lay.Port(head); p != nil && p.Dir == event.In {
		return p, map[string]uint64{}
	}
	ins := w.lang.lay.Inputs()
	for i := range ins {
		if f := w.lang.Block.Stream(ins[i].Name).Field("kind"); f != nil {
			if v := w.lang.Block.Enum(f.Enum).Value(head); v != nil {
				return &ins[i], map[string]uint64{"kind": v.Value}
			}
		}
	}
	return nil, nil
}

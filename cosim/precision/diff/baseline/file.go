package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Version is the version of the file.
const Version = 1

// Kind is what a line is about.
type Kind string

// The kinds. A Signal is a value of the rules or a register, an Output a field of the response that is a number, a
// Decision any other field of the response.
const (
	Signal   Kind = "signal"
	Output   Kind = "output"
	Decision Kind = "decision"
)

// File is a baseline.
type File struct {
	Version int    `json:"goldwire_baseline"`
	Block   string `json:"block"`
	Hashes
	Changed  []Setting  `json:"changed"` // formats that are not the contract's
	Stimulus []Stimulus `json:"stimulus"`
	Lines    []Line     `json:"lines"`
	Accepted []Accepted `json:"accepted"`
}

// Hashes are what a file was made with.
type Hashes struct {
	Schema   string `json:"schema"`
	Contract string `json:"contract"`
	Formats  string `json:"formats"` // the contract's table of formats
}

// Setting is a value whose format is not the contract's.
type Setting struct {
	Name     string `json:"name"`
	Contract string `json:"contract"`
	Format   string `json:"format"`
}

// Stimulus is what was played.
type Stimulus struct {
	Source string         `json:"source"`
	Seed   uint64         `json:"seed"`
	Events uint64         `json:"events"`
	TickNs int            `json:"tick_ns"`
	Params map[string]int `json:"params"`
	Hash   string         `json:"hash"` // of the events and the resets
}

// Line is one signal or decision on one source.
type Line struct {
	Source string  `json:"source"`
	Kind   Kind    `json:"kind"`
	Name   string  `json:"name"`
	Format string  `json:"format,omitempty"`
	Count  uint64  `json:"count"`  // numbers in the digest
	Digest string  `json:"digest"` // of the numbers, in the order of the events
	Step   Figures `json:"step"`   // each event from the state in fixed point
	Free   Figures `json:"free"`   // each arithmetic from its own state
	Bound  *Bound  `json:"bound,omitempty"`
}

// Figures are how far a line is from exact numbers.
type Figures struct {
	Compared uint64  `json:"compared"`
	Differ   uint64  `json:"differ"`         // of them not exact; of a decision: decided otherwise
	Max      float64 `json:"max,omitempty"`  // largest absolute error in the value's unit; 0 of a decision
	Bias     float64 `json:"bias,omitempty"` // mean error; 0 of a decision
}

// Bound is the largest error against exact numbers with which a changed line passes: in the value's unit, of a decision
// the number of events that are decided otherwise.
type Bound struct {
	Step float64 `json:"step"`
	Free float64 `json:"free"`
}

// Accepted is a difference that does not count: the line as it was found, in place of one with the digest Was.
type Accepted struct {
	Line
	Was  string `json:"was"`
	Who  string `json:"who"`
	When string `json:"when"`
	Why  string `json:"why"`
}

// Key is what a line is found by.
type Key struct {
	Source string
	Kind   Kind
	Name   string
}

// Key returns the line's key.
func (l *Line) Key() Key { return Key{l.Source, l.Kind, l.Name} }

func (k Key) String() string { return fmt.Sprintf("%s %s of %s", k.Kind, k.Name, k.Source) }

func (k Key) compare(o Key) int {
	return cmp.Or(strings.Compare(k.Source, o.Source), strings.Compare(string(k.Kind), string(o.Kind)),
		strings.Compare(k.Name, o.Name))
}

// Sort puts a file into the order in which it is written.
func (f *File) Sort() {
	slices.SortStableFunc(f.Changed, func(a, b Setting) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(f.Stimulus, func(a, b Stimulus) int { return strings.Compare(a.Source, b.Source) })
	slices.SortStableFunc(f.Lines, func(a, b Line) int { return a.Key().compare(b.Key()) })
	slices.SortStableFunc(f.Accepted, func(a, b Accepted) int { return a.Key().compare(b.Key()) })
}

// ErrFile is wrapped by every error about the text of a file.
var ErrFile = errors.New("not a baseline")

// Write writes the file sorted, one signal or decision a line.
func (f *File) Write(w io.Writer) error {
	f.Sort()
	if err := f.check(); err != nil {
		return err
	}
	var b bytes.Buffer
	line := func(format string, v any) error {
		text, err := plain(v)
		fmt.Fprintf(&b, format, text)
		return err
	}
	err := errors.Join(line("{\n  \"goldwire_baseline\": %s,\n", f.Version), line("  \"block\": %s,\n", f.Block),
		line("  \"schema\": %s,\n", f.Schema), line("  \"contract\": %s,\n", f.Contract),
		line("  \"formats\": %s,\n", f.Formats), list(&b, "changed", f.Changed, ","), list(&b, "stimulus", f.Stimulus, ","),
		list(&b, "lines", f.Lines, ","), list(&b, "accepted", f.Accepted, ""))
	if err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	b.WriteString("}\n")
	_, err = w.Write(b.Bytes())
	return err
}

// plain is JSON on one line with < > & as they are.
func plain(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

func list[T any](b *bytes.Buffer, name string, all []T, end string) error {
	fmt.Fprintf(b, "  %q: [", name)
	for i := range all {
		text, err := plain(&all[i])
		if err != nil {
			return err
		}
		sep := ","
		if i == len(all)-1 {
			sep = ""
		}
		fmt.Fprintf(b, "\n    %s%s", text, sep)
	}
	if len(all) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("]" + end + "\n")
	return nil
}

// Read returns the file of a text. It errors when the text is cut short, has unknown keys, or holds nothing that could
// be compared.
func Read(text []byte) (*File, error) {
	f := new(File)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	switch err := d.Decode(f); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: the file is empty", ErrFile)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w: the file is cut short", ErrFile)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: more text after the end", ErrFile)
	}
	f.Sort()
	return f, f.check()
}

// check returns an error when a file lacks what a comparison needs.
func (f *File) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrFile}, args...)...)
	}
	switch {
	case f.Version != Version:
		return bad("goldwire_baseline is %d; this program reads %d", f.Version, Version)
	case f.Block == "":
		return bad("no block")
	case f.Schema == "" || f.Contract == "" || f.Formats == "":
		return bad("a hash of schema, contract or formats is missing")
	case len(f.Stimulus) == 0:
		return bad("no stimulus: nothing was played")
	case len(f.Lines) == 0:
		return bad("no lines: no signal can be compared")
	}
	have := map[string]map[bool]bool{}
	for i := range f.Stimulus {
		s := &f.Stimulus[i]
		switch {
		case s.Source == "" || s.Hash == "":
			return bad("stimulus %q: source or hash is missing", s.Source)
		case have[s.Source] != nil:
			return bad("stimulus %s: given twice", s.Source)
		case s.Events == 0:
			return bad("stimulus %s: no events", s.Source)
		}
		have[s.Source] = map[bool]bool{}
	}
	for i := range f.Lines {
		l := &f.Lines[i]
		if err := l.check(); err != nil {
			return bad("%v: %v", l.Key(), err)
		}
		switch {
		case have[l.Source] == nil:
			return bad("%v: the file has no stimulus of that name", l.Key())
		case i > 0 && f.Lines[i-1].Key() == l.Key():
			return bad("%v: given twice", l.Key())
		}
		if l.Count > 0 {
			have[l.Source][l.Kind == Decision] = true
		}
	}
	for i := range f.Stimulus {
		switch h := have[f.Stimulus[i].Source]; {
		case !h[false]:
			return bad("stimulus %s: no signal with any number", f.Stimulus[i].Source)
		case !h[true]:
			return bad("stimulus %s: no decision", f.Stimulus[i].Source)
		}
	}
	for i := range f.Accepted {
		a := &f.Accepted[i]
		if err := a.check(); err != nil {
			return bad("accepted %v: %v", a.Key(), err)
		}
		if a.Was == "" || strings.TrimSpace(a.Who) == "" || a.When == "" || strings.TrimSpace(a.Why) == "" {
			return bad("accepted %v: was, who, when or why is missing", a.Key())
		}
		if i > 0 && f.Accepted[i-1].Key() == a.Key() {
			return bad("accepted %v: given twice", a.Key())
		}
	}
	return nil
}

func (l *Line) check() error {
	switch {
	case l.Kind != Signal && l.Kind != Output && l.Kind != Decision:
		return fmt.Errorf("kind %q: give %s, %s or %s", l.Kind, Signal, Output, Decision)
	case l.Name == "" || l.Digest == "":
		return errors.New("name or digest is missing")
	case l.Bound != nil:
		return l.Bound.check(l)
	}
	return nil
}

// check errors if the bound of a line is out of range, or so wide that hardly any change can be beyond it: more than
// half of the range of a value, or of the events with a decision.
func (b *Bound) check(l *Line) error {
	if !(b.Step >= 0 && b.Free >= 0) {
		return errors.New("bound: give numbers of 0 or more")
	}
	of, most := "the values", math.Exp2(31) // a value without format is an integer of 32 bits
	switch name, _, _ := strings.Cut(l.Format, ","); {
	case l.Count == 0:
		return nil
	case l.Kind == Decision:
		of, most = "the events", float64(max(l.Step.Compared, l.Free.Compared))/2
	case name != "":
		f, err := formats.ParseFormat(name)
		if err != nil {
			return err
		}
		most = math.Exp2(float64(f.Int)) / 2
	}
	if x := max(b.Step, b.Free); x > most {
		return fmt.Errorf("bound: %v takes more than half of %s, so that hardly any change would fail; give at most %v", x,
			of, most)
	}
	return nil
}

// SetBounds gives the lines with a name the bound given for it, and the others that of the same line in an older file,
// which may be nil; it returns how many were kept. It errors when there is no line of a name.
func (f *File) SetBounds(given map[string]Bound, old *File) (kept int, err error) {
	was := map[Key]*Bound{}
	if old != nil {
		for i := range old.Lines {
			was[old.Lines[i].Key()] = old.Lines[i].Bound
		}
	}
	used := map[string]bool{}
	for i := range f.Lines {
		l := &f.Lines[i]
		if b, ok := given[l.Name]; ok {
			if err := b.check(l); err != nil {
				return 0, fmt.Errorf("%v: %w", l.Key(), err)
			}
			l.Bound, used[l.Name] = &b, true
		} else if l.Bound = was[l.Key()]; l.Bound != nil {
			kept++
		}
	}
	for name := range given {
		if !used[name] {
			return 0, fmt.Errorf("bound %q: there is no signal and no decision of that name", name)
		}
	}
	return kept, nil
}

package report

import (
	"fmt"
	"strings"
)

// Result is one co-simulation run: what ran, the verdict and the measurements. Its JSON form is the
// machine interface of `goldwire cosim --json`; two identical runs give identical JSON apart from the fields under
// Timing (seconds, events_per_s, cycles_per_s).
type Result struct {
	Block     string         `json:"block"`
	Source    string         `json:"source"`
	Seed      uint64         `json:"seed"`
	Params    map[string]int `json:"params"`
	Tick      string         `json:"tick"`      // length of a tick, "1ns" or "128ns"
	Transport string         `json:"transport"` // unix, tcp or shm
	RTL       string         `json:"rtl"`       // "hdl/rtl" or the folder given with --rtl
	// dut.yaml, address or file of the reference; empty for the model
	Reference string `json:"reference,omitempty"`
	// output fields that the design does not have, STREAM.FIELD
	Uncompared []string `json:"uncompared,omitempty"`
	// OutputFields is the number of output fields of the block of a bound design; 0 for our design, of which all are
	// compared. Ignored are those that its tolerances ignore.
	OutputFields   int       `json:"output_fields,omitempty"`
	Ignored        []string  `json:"ignored,omitempty"`
	Masked         []Masked  `json:"masked,omitempty"`   // what the masks of the schema hid, by field
	Relaxed        []string  `json:"relaxed,omitempty"`  // handshake rules not enforced, STREAM.RULE
	Events         uint64    `json:"events"`             // accepted by the device
	Cycles         uint64    `json:"cycles"`             // clock cycles compared
	Responses      uint64    `json:"responses"`          // taken at the response port
	Stimulus       *Stimulus `json:"stimulus,omitempty"` // where it came from; nil for a source that no cache keeps
	Compared       Compared  `json:"compared"`           // with what the reference gave
	Episodes       int       `json:"episodes"`           // short runs, each from reset
	Mismatches     uint64    `json:"mismatches"`         // failing episodes
	FirstMismatch  *Mismatch `json:"first_mismatch"`
	Digest         string    `json:"digest"` // hash over every compared output word
	EventsPerCycle float64   `json:"events_per_cycle"`
	// Sections are the reports of comparisons other than the exact one; each has its own key in JSON.
	Sections []Section `json:"-"`
	// Due are the keys of the sections that the run must have: if one is missing, the run does not pass.
	Due         []string  `json:"-"`
	Coverage    Coverage  `json:"coverage"`
	Simulator   Simulator `json:"simulator"`
	SchemaHash  string    `json:"schema_hash"`
	Reproduce   string    `json:"reproduce"` // command that repeats this run
	Interrupted bool      `json:"interrupted"`
	// Broken is why the harness gave up, or empty. The result holds what was compared until then, but it is not a pass.
	Broken string `json:"broken,omitempty"`
	// NotRun is why a planned run did not begin, or empty. A result that a run returned never has it.
	NotRun    string `json:"not_run,omitempty"`
	Cases     []Case `json:"cases"`          // directed cases by name, or one row per episode group
	ModelOnly bool   `json:"model_only"`     // the model ran alone; nothing was compared
	Wave      string `json:"wave,omitempty"` // path of the waveform of a requested episode

	Seconds    float64 `json:"seconds"`
	EventsPerS float64 `json:"events_per_s"`
	CyclesPerS float64 `json:"cycles_per_s"`
}

// Section returns the section with a key, or nil if the result has none.
func (r *Result) Section(key string) *Section {
	for i := range r.Sections {
		if r.Sections[i].Key == key {
			return &r.Sections[i]
		}
	}
	return nil
}

// Stimulus is where the stimulus of a simulated network came from.
type Stimulus struct {
	Read bool   `json:"read"`           // from the cache; false if it was made
	Made string `json:"made,omitempty"` // when, as 2026-01-31T12:00:00Z; only if it was read
}

// String describes it for people. It returns "" for nil.
func (s *Stimulus) String() string {
	switch {
	case s == nil:
		return ""
	case !s.Read:
		return "made"
	}
	return "read from the cache (made " + s.Made + ")"
}

// Compared counts what was compared, at the place where it was compared: what agreed and, for a mismatch, the response
// that differs.
type Compared struct {
	Responses uint64 `json:"responses"` // matched with an expected one
	Fields    uint64 `json:"fields"`    // of these responses, without those that the design does not have
}

// Add adds the counts of another comparison.
func (c *Compared) Add(d Compared) {
	c.Responses += d.Responses
	c.Fields += d.Fields
}

// Simulator identifies the device side, from its hello.
type Simulator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Flags   string `json:"flags"`
}

// Masked is how many bits of a field's values were not compared because of the field's mask in the schema.
type Masked struct {
	Name   string `json:"name"` // STREAM.FIELD
	Hidden uint64 `json:"hidden"`
	Bits   uint64 `json:"bits"`
}

// String returns the hidden share.
func (m Masked) String() string {
	return fmt.Sprintf("%s %s of %s bits (%s)", m.Name, Count(m.Hidden), Count(m.Bits), percent(m.Hidden, m.Bits))
}

// masked lists the fields with masks, or returns "".
func (r *Result) masked() string {
	var all []string
	for i := range r.Masked {
		if r.Masked[i].Bits > 0 { // otherwise the field is not compared for another reason
			all = append(all, r.Masked[i].String())
		}
	}
	return strings.Join(all, "; ")
}

// Case is one named group of episodes.
type Case struct {
	Name    string `json:"name"`
	Events  uint64 `json:"events"`
	Cycles  uint64 `json:"cycles"`
	Failed  bool   `json:"failed"`
	Message string `json:"message,omitempty"`
}

// Mismatch is the first differing cycle of a failing episode.
type Mismatch struct {
	Expected string `json:"expected,omitempty"` // kind of the reference: against, golden or file; empty for the model
	FoundBy  string `json:"found_by,omitempty"` // observer that judged outputs on its own; empty for the comparison
	FoundIn  string `json:"found_in,omitempty"` // whose outputs it judged: "model", or "model and rtl", which agree
	Episode  string `json:"episode"`
	Seed     uint64 `json:"seed"`
	Cycle    uint64 `json:"cycle"` // since the start of the episode
	// the event whose response differs, in words; empty for a handshake difference
	Event    string   `json:"event"`
	Place    string   `json:"place,omitempty"` // beat and packet, where an output of packets differs
	Fields   []Field  `json:"fields"`          // every differing field of that cycle
	Window   []Row    `json:"window"`          // the cycles around it
	Shrunk   []string `json:"shrunk"`          // shortest event list that still fails, in words
	ShrunkTo int      `json:"shrunk_to"`       // its length
	// what differs first when that list is played: some of Fields or, without fields, the kind of failure
	ShrunkFields []string `json:"shrunk_fields,omitempty"`
	// how the reference came to its expectation; nil if unknown
	Explanation *Explanation `json:"explanation,omitempty"`
	Note        string       `json:"note,omitempty"` // additions, such as why it is not explained further
	Wave        string       `json:"wave"`           // path of the waveform of the failing window
	Reproduce   string       `json:"reproduce"`      // command that repeats just this episode
}

// Field is one compared output with both values.
type Field struct {
	Name    string `json:"name"`     // port name, e.g. rsp_cwnd
	Want    string `json:"want"`     // the model's, formatted by its type
	Got     string `json:"got"`      // the RTL's
	DiffLSB string `json:"diff_lsb"` // got - want in units of the last place
	// Byte is where bytes in wire order differ, as in "byte 19: want 76, got 77, and 2 more" or, for bytes of a packet,
	// "byte 83 of the packet (UDP payload, byte 41): want 76, got 77".
	Byte   string `json:"byte,omitempty"`
	Offset int    `json:"offset,omitempty"` // bytes of the packet before the first of these
}

// Row is one cycle of the window around a mismatch, with every output field side by side.
type Row struct {
	Cycle  uint64  `json:"cycle"`
	Inputs []Named `json:"inputs"`
	Want   []Named `json:"want"`
	Got    []Named `json:"got"`
	Differ bool    `json:"differ"`
}

// Named is a field name with its formatted value.
type Named struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Coverage is the functional coverage of the run.
type Coverage struct {
	Bins        int             `json:"bins"` // reachable bins
	Hit         int             `json:"hit"`
	Missed      []string        `json:"missed"`
	Unreachable []Unreachable   `json:"unreachable"`
	Groups      []CoverageGroup `json:"groups"`
	// missed bins that are corners of an input field of a user's schema
	Corners []string `json:"corners,omitempty"`
}

// Unreachable is a bin left out of the count, with the reason that a test checks.
type Unreachable struct {
	Bin   string `json:"bin"`
	Proof string `json:"proof"`
}

// CoverageGroup is the count of one family of bins.
type CoverageGroup struct {
	Name string `json:"name"`
	Bins int    `json:"bins"`
	Hit  int    `json:"hit"`
}

// Wanted returns the head of the column of expected values.
func (m *Mismatch) Wanted() string {
	if m.FoundBy != "" {
		return "want (" + m.FoundBy + ")"
	}
	if m.Expected == "" {
		return "want (model)"
	}
	return "want (" + m.Expected + ")"
}

// Given returns the head of the column of actual values.
func (m *Mismatch) Given() string {
	if m.FoundIn != "" {
		return "got (" + m.FoundIn + ")"
	}
	return "got (rtl)"
}

// Finder names the observer that found the mismatch, and its outputs; "" for the comparison of model and RTL.
func (m *Mismatch) Finder() string {
	switch {
	case m.FoundBy == "":
		return ""
	case m.FoundIn == "model":
		return "found by the " + m.FoundBy + " in the outputs of the model"
	}
	return "found by the " + m.FoundBy + " in outputs on which " + m.FoundIn + " agree"
}

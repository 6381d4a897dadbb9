package fault

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/audit/fault/sv"
)

// Class is one of the two classes of faults.
type Class string

// The classes.
const (
	Hand  Class = "hand"  // from the catalogue of the block
	Drawn Class = "drawn" // from the generator
)

// Fault is one change of one file of the RTL.
type Fault struct {
	Block    string
	Class    Class
	Number   int    // of a drawn fault: its position in the draw of its seed, from 1
	Seed     uint64 // seed of the draw
	Name     string // of a hand-written fault
	Rule     string // the rule of the contract that it breaks
	Why      string // the designer's mistake
	File     string
	Line     int
	Operator string // of a drawn fault
	Before   string // the text of the place on one line
	After    string // the same with the fault

	start, end int    // replaced bytes of the file
	text       string // the replacement
	module     *sv.Module
	site       *sv.Site // site of the guard; nil if the fault cannot be guarded
	alias      bool     // another name of the same signal: not a fault
}

// ID returns the fault's name on the command line: its name or its number.
func (f *Fault) ID() string {
	if f.Class == Hand {
		return f.Name
	}
	return fmt.Sprint(f.Number)
}

// String returns file, line and change on one line.
func (f *Fault) String() string {
	what := f.Name
	if f.Class == Drawn {
		what = fmt.Sprintf("%d %s", f.Number, f.Operator)
	}
	return fmt.Sprintf("%s %s:%d: %s  ->  %s", what, f.File, f.Line, f.Before, f.After)
}

// key identifies a drawn fault by content, so that it is recognised in another draw or after an edit elsewhere in the
// file.
type key struct{ file, operator, before, after string }

func (f *Fault) key() key { return key{f.File, f.Operator, f.Before, f.After} }

// place sets the text of the fault's place before and after the change.
func (f *Fault) place() {
	m := f.module
	f.File, f.Line = m.File, m.Line(f.start)
	from, to := f.start, f.end
	if f.site != nil {
		from, to = f.site.Start, f.site.End
		f.Line = f.site.Line
	}
	pre, post := "", ""
	if f.site != nil && f.site.Kind == sv.Port {
		pre, post = f.site.Instance+"."+f.site.Port+"(", ")"
	} else { // a whole line is clearer than a condition or a label alone
		from = strings.LastIndexByte(m.Text[:from], '\n') + 1
		to += strings.IndexByte(m.Text[to:]+"\n", '\n')
	}
	f.Before = pre + oneLine(m.Text[from:to]) + post
	f.After = pre + oneLine(m.Text[from:f.start]+f.text+m.Text[f.end:to]) + post
}

// oneLine joins the words of a text with single spaces, without comments.
func oneLine(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		code, _, _ := strings.Cut(line, "//")
		out = append(out, strings.Fields(code)...)
	}
	return strings.Join(out, " ")
}

// Module returns the name of the module that holds the fault.
func (f *Fault) Module() string { return f.module.Name }

// Original returns the text of the fault's file without the fault.
func (f *Fault) Original() string { return f.module.Text }

// Planted returns the same with the fault.
func (f *Fault) Planted() string {
	return f.module.Text[:f.start] + f.text + f.module.Text[f.end:]
}

package toolchain

import (
	"log/slog"
	"sync"
)

// Capability is something that not every version of a tool does, or that not every version does in the same way.
type Capability int

// Code that chooses a flag by the version asks with In. The other rows are there for the reader: what is done suits
// every version.
const (
	XMLTree Capability = iota
	JSONTree
	TraceVCD
	AssertsOn
	TimingImplied
	ExprCoverage
	SplitToggles
	CheckCells
	NoAnswer
	NoSeqCone
	BareStruct
	NoEarlyUse
	capabilities
)

// row is one capability. The versions are the first and the last that are known to have it; an empty first is the
// oldest that Goldwire works with, an empty last the newest.
type row struct {
	tool, what  string
	first, last string
	without     string // what is done with a version that does not have it
}

var rows = [capabilities]row{
	XMLTree:  {Verilator, "--xml-only", "", "5.044", "--json-only"},
	JSONTree: {Verilator, "--json-only", "5.022", "", "--xml-only"},
	TraceVCD: {Verilator, "--trace-vcd", "5.036", "", "--trace"},
	AssertsOn: {Verilator, "assertions count without --assert", "5.038", "",
		"a build always has --assert or --no-assert"},
	TimingImplied: {Verilator, "lint and JSON imply --timing", "5.044", "", "--no-timing is always given"},
	ExprCoverage:  {Verilator, "--coverage-expr", "5.034", "", "not asked for: lines and branches alone"},
	SplitToggles: {Verilator, "--coverage-toggle counts 0->1 and 1->0 apart", "5.040", "",
		"not asked for: the shell counts toggles"},
	CheckCells: {Yosys, "assert and assume are read as $check", "0.52", "",
		"they are counted after async2sync, which makes both forms one"},
	NoAnswer: {Yosys, "abc pdr gives no answer for a constant", "0.52", "",
		"the prepared network is read first: a constant is the answer"},
	NoSeqCone: {Yosys, "abc cone has no -s", "0.52", "", "outputs are taken apart before abc reads them"},
	BareStruct: {Yosys, "fails on a struct declared outside a package or module", "0.52", "0.52",
		"the generated structs stand outside; with GW_STRUCTS_IN_PACKAGE defined, in a package"},
	NoEarlyUse: {Icarus, "a name used ahead of its declaration is refused", "13.0", "",
		"`make lint` refuses it with any version"},
}

// The versions that Goldwire is tried with: an older Verilator is refused, a newer one may differ.
var (
	Oldest = map[string]Version{Verilator: of("5.006")}
	Newest = map[string]Version{Verilator: of("5.048"), Icarus: of("13.0"), Yosys: of("0.66")}
)

// In reports whether a version of the tool has the capability.
func (c Capability) In(v Version) bool {
	r := rows[c]
	return (r.first == "" || !v.Older(of(r.first))) && (r.last == "" || !of(r.last).Older(v))
}

// TooOld reports whether a version of a tool is older than any that works.
func TooOld(tool string, v Version) bool {
	oldest, ok := Oldest[tool]
	return ok && v.Older(oldest)
}

// warned holds the tools and versions that were warned of.
var warned sync.Map

// WarnNew logs, once in a process, that a version is newer than the newest that Goldwire was tried with.
func WarnNew(tool string, v Version) {
	newest, ok := Newest[tool]
	if !ok || !newest.Older(v) {
		return
	}
	if _, again := warned.LoadOrStore(tool+" "+v.Text, true); !again {
		slog.Warn(tool+" "+v.Text+" is newer than any that Goldwire was tried with", "newest", newest.Text)
	}
}

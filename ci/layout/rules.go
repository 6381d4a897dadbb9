package layout

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Module is the path of our own Go module.
const Module = "github.com/goldwire/goldwire"

// Import is the import of one of our packages by another, both relative to Module; File is the importing file.
type Import struct {
	From, To, File string
}

// rule lists which of our packages the packages under a folder may import, besides those under the folder itself. It
// applies to test files too: a test that needs both sides belongs where both may be imported.
type rule struct {
	from string
	may  []string
	why  string
}

// rules are searched in order and the first whose folder holds the importing package applies.
var rules = []rule{
	{"vectors/event", nil, "the shared vocabulary depends on nothing"},
	{"vectors/format", []string{"vectors/event"}, "it must be readable without any model"},
	{"vectors/stim", []string{"vectors/event", "golden", "rtlmodel"},
		"stimulus meets references and models, never the bridge"},
	{"vectors/drive", []string{"vectors/event", "vectors/stim", "rtlmodel"},
		"it plays stimulus on a model, never on the bridge"},
	{"vectors/record", []string{"vectors/event", "vectors/format", "vectors/stim", "vectors/drive", "rtlmodel"},
		"files are written of what a model answers, never of the bridge"},
	{"vectors/tool", []string{"vectors", "golden", "rtlmodel"},
		"it works on stored vectors and on models, never on the bridge"},
	{"vectors/export", []string{"vectors/event", "vectors/format"}, "it rewrites stored vectors"},
	{"rtlmodel", []string{"vectors/event"}, "a model is blind to golden and to the bridge"},
	{"golden/pathmodel", []string{"golden"}, "it plays the controls against theory and knows no network"},
	{"golden/experiment", []string{"golden"}, "it judges runs of the simulated network and knows no hardware"},
	{"golden/cc/planted", nil, "it changes rules as text, and runs their tests as processes"},
	{"golden", []string{"vectors/event"}, "the reference is written blind to the model"},
	{"bridge", []string{"vectors/event"}, "it moves packed words and knows no model"},
	{"cosim/block", []string{"vectors", "rtlmodel", "bridge", "cosim/cover", "cosim/precision", "cosim/report"},
		"it lists the blocks and what each brings along"},
	{"cosim/tolerance", []string{"vectors/event", "cosim/report"}, "it judges records and knows neither side"},
	{"cosim/bind", []string{"vectors/event", "bridge", "cosim/tolerance"},
		"it puts a design under a schema and knows no model"},
	{"cosim/elastic", []string{"vectors", "bridge", "cosim/block", "cosim/tolerance"},
		"it plays stimulus on a device and asks its caller what is owed"},
	{"cosim/codecov", []string{"vectors/event", "cosim/report"}, "it reads what a simulator left and starts none"},
	{"cosim/score", []string{"vectors/event"}, "a verdict sees records only"},
	{"cosim/cover", []string{"vectors/event"}, "coverage sees records only"},
	{"cosim/report", []string{"vectors/event", "cosim/score", "cosim/cover"}, "a report sees results, not what made them"},
	{"cosim/fabricreport", []string{"golden", "cosim/report", "cosim/loop"},
		"it shows what simulations gave and runs none"},
	{"cosim/experimentreport", []string{"golden/experiment", "cosim/report"},
		"it shows what experiments gave and runs none"},
	{"cosim/precision/ccc", []string{"vectors", "golden", "rtlmodel", "cosim/precision", "cosim/report"},
		"it follows the model for the comparison"},
	{"cosim/precision", []string{"vectors/event", "golden", "cosim/report"},
		"it compares states from its caller and knows no model"},
	{"cosim/diff", []string{"vectors", "golden", "rtlmodel", "cosim/block", "cosim/precision", "cosim/report",
		"cosim/revision", "cosim/score", "cosim/shrink"},
		"it holds arithmetics against each other and against the model, never against a device"},
	{"cosim/revision", nil, "it builds other revisions and runs none"},
	{"cosim/signals", []string{"cosim/vcd"}, "it compares files of signals and knows no block"},
	{"cosim/vcd", nil, "it reads and writes files of signals"},
	{"cosim/trace", []string{"vectors/event", "vectors/stim", "bridge/client", "cosim/elastic", "cosim/play",
		"cosim/wave"},
		"it plays one episode for a viewer, and judges nothing itself"},
	{"cosim/explain", []string{"vectors/event", "cosim/play", "cosim/report", "cosim/vcd"},
		"it asks the model and reads the contract, and judges nothing"},
	{"cosim/wave", []string{"vectors/event", "cosim/score", "cosim/vcd"}, "it shows records, not what made them"},
	{"cosim/shrink", []string{"vectors/event", "cosim/score"},
		"it shortens event lists and asks its caller for the verdict"},
	{"cosim/cmd", []string{"vectors", "golden", "rtlmodel", "bridge", "cosim", "ci/plan", "ci/campaign", "ci/history",
		"ci/reports", "ci/affected", "ci/triage", "ci/slurm"},
		"commands may call everything but the checks of the tree"},
	{"ci/plan", []string{"vectors/event/contract"}, "a plan is held against a catalogue that its caller makes"},
	{"ci/campaign", []string{"ci/plan", "cosim/report", "cosim/signals"},
		"it starts goldwire as a process and knows no block"},
	{"ci/slurm", []string{"ci/plan", "ci/campaign", "cosim/report"}, "it submits commands, and reads records"},
	{"ci/history", []string{"ci/plan", "ci/campaign", "cosim/report"}, "it keeps what campaigns gave and runs none"},
	{"ci/affected", []string{"ci/plan"}, "it reads the tree and git, and knows no block"},
	{"ci/reports", []string{"ci/plan", "ci/campaign", "ci/history", "cosim/report"},
		"it shows what campaigns gave and runs none"},
	{"ci/triage", []string{"ci/plan", "ci/campaign", "cosim/report", "cosim/revision", "vectors/event"},
		"it sorts what campaigns found and repeats it as processes"},
	{"cosim/loop", []string{"vectors", "golden", "rtlmodel", "bridge", "cosim/device", "cosim/play"},
		"it puts models and devices into the simulated network, and plays what the network gives them in lock step"},
	{"cosim/capture", []string{"golden"}, "it writes what the simulated network carries"},
	{"cosim/fabricplan", []string{"golden", "bridge/launch", "cosim/loop", "cosim/capture"},
		"it plans and makes runs of the simulated network"},
	{"cosim/device", []string{"vectors/event", "vectors/stim", "bridge", "cosim/bind", "cosim/elastic", "cosim/score"},
		"it starts a design and knows no model"},
	{"cosim/play", []string{"vectors", "rtlmodel", "bridge", "cosim/block", "cosim/elastic", "cosim/report"},
		"it plays stimulus on a model for whoever watches the ports"},
	{"cosim/packets", []string{"vectors/event", "vectors/stim", "golden", "bridge/client", "cosim/report"},
		"it judges packets by the ports alone"},
	{"cosim/watch", []string{"vectors", "cosim/block", "cosim/cover", "cosim/packets", "cosim/play", "cosim/report"},
		"it watches a model's ports and knows no device"},
	{"cosim/reference", []string{"vectors/event", "vectors/stim", "vectors/format", "bridge", "cosim/bind", "cosim/block",
		"cosim/device", "cosim/elastic", "cosim/play", "cosim/report"}, "it supplies expected values and knows no run"},
	{"cosim/run", []string{"vectors", "golden", "rtlmodel", "bridge", "cosim/block", "cosim/bind", "cosim/device",
		"cosim/elastic", "cosim/explain", "cosim/score", "cosim/codecov", "cosim/cover", "cosim/packets", "cosim/play",
		"cosim/precision", "cosim/reference", "cosim/shrink", "cosim/tolerance", "cosim/trace", "cosim/watch",
		"cosim/wave", "cosim/vcd", "cosim/report"},
		"all parties meet here, below the commands"},
	{"cosim/bench", []string{"vectors", "bridge", "cosim/block", "cosim/device", "cosim/play", "cosim/report", "cosim/run",
		"cosim/watch"},
		"it measures what a run is made of"},
	{"cosim/guide", []string{"vectors", "cosim/block", "cosim/cover", "cosim/play", "cosim/report"},
		"it searches on the model alone and knows no design"},
	{"cosim/fault", []string{"vectors", "bridge", "cosim/block", "cosim/guide", "cosim/run", "cosim/report"},
		"it plants faults and runs them like any other RTL"},
	{"cosim/fourstate", []string{"bridge/launch", "cosim/fault", "cosim/report", "vectors/format", "vectors/tool"},
		"it plays exported benches of some episodes in Icarus and knows no model"},
	{"cosim/prove", []string{"cosim/fault", "cosim/report"}, "it asks provers about the RTL and knows no model"},
	{"ci", []string{"vectors/event", "bridge/launch", "cosim/run", "cosim/report"},
		"ci drives runs, reads reports and finds the RTL"},
}

// under reports whether pkg is the folder dir or is inside it.
func under(pkg, dir string) bool {
	return pkg == dir || strings.HasPrefix(pkg, dir+"/")
}

// Imports returns one line per forbidden import, sorted: the file, the offending import, the rule.
func Imports(imports []Import) []string {
	var out []string
	for _, im := range imports {
		if msg := check(im); msg != "" {
			out = append(out, fmt.Sprintf("%s: %s imports %s: %s", im.File, im.From, im.To, msg))
		}
	}
	sort.Strings(out)
	return out
}

// stimulus is the folder with one folder of stimulus per block, and stimulusShared are the folders in it that all
// blocks share.
const stimulus = "vectors/stim"

var stimulusShared = []string{"cache", "casefile", "corpus", "frame", "schema", "timing", "traffic"}

// ofBlock returns the block whose stimulus a package holds, or "".
func ofBlock(pkg string) string {
	name, ok := strings.CutPrefix(pkg, stimulus+"/")
	if !ok || slices.Contains(stimulusShared, name) {
		return ""
	}
	name, _, _ = strings.Cut(name, "/")
	return name
}

// apart returns why a package of vectors may not import the stimulus of a block, or "". Tests may.
func apart(im Import) string {
	to := ofBlock(im.To)
	if to == "" || to == ofBlock(im.From) || !under(im.From, "vectors") || strings.HasSuffix(im.File, "_test.go") {
		return ""
	}
	return "only cosim/block, which lists the blocks, imports the stimulus of one"
}

func check(im Import) string {
	if msg := apart(im); msg != "" {
		return msg
	}
	if under(im.To, "ci") && !under(im.From, "ci") && !under(im.From, "cosim/cmd") {
		return "only the commands import ci"
	}
	for _, r := range rules {
		if !under(im.From, r.from) {
			continue
		}
		if under(im.To, r.from) {
			return ""
		}
		for _, dir := range r.may {
			if under(im.To, dir) {
				return ""
			}
		}
		may := "nothing else of ours"
		if len(r.may) > 0 {
			may = "only " + strings.Join(r.may, ", ")
		}
		return fmt.Sprintf("%s may import %s: %s", r.from, may, r.why)
	}
	return "no rule covers this folder: add one to ci/layout/rules.go"
}

// CoverCore returns one line per import by which the core of coverage would know a block. It must get each block's
// watcher passed in.
func CoverCore(imports []Import) []string {
	var out []string
	for _, im := range imports {
		if im.From == "cosim/cover" && im.To != "vectors/event" {
			out = append(out, fmt.Sprintf("%s: %s imports %s: the core of coverage knows no block", im.File, im.From, im.To))
		}
	}
	return out
}

// topLevel is everything that the root may contain besides dot files and build/, which git ignores.
var topLevel = map[string]bool{
	"rtlmodel": true, "golden": true, "vectors": true, "hdl": true, "bridge": true, "cosim": true, "ci": true,
	"go.mod": true, "go.sum": true, "Makefile": true, "README.md": true, "LICENSE": true, "build": true,
}

// TopLevel returns one line per name that the root must not contain.
func TopLevel(names []string) []string {
	var out []string
	for _, n := range names {
		if !strings.HasPrefix(n, ".") && !topLevel[n] {
			out = append(out, fmt.Sprintf("%s: the top level holds the seven folders, go.mod, go.sum, Makefile, "+
				"README.md and LICENSE only", n))
		}
	}
	sort.Strings(out)
	return out
}

// MaxLines is the maximum length of a hand-written source file.
const MaxLines = 500

// sourceExt lists the extensions of the files that Length checks.
var sourceExt = []string{".go", ".sv", ".svh", ".v", ".c", ".cpp", ".cc", ".h"}

// Length returns a line if a source file is longer than MaxLines. Generated files and test data may have any length.
func Length(path, text string) string {
	source := false
	for _, e := range sourceExt {
		source = source || strings.HasSuffix(path, e)
	}
	first, _, _ := strings.Cut(text, "\n")
	generated := strings.Contains(first, "Code generated") && strings.Contains(first, "DO NOT EDIT")
	if !source || generated || strings.Contains("/"+path, "/testdata/") {
		return ""
	}
	if n := strings.Count(text, "\n"); n > MaxLines {
		return fmt.Sprintf("%s: %d lines, at most %d: split it by idea", path, n, MaxLines)
	}
	return ""
}

// BlockName returns a line if a file of the C++ shell names a block. Only the generated port table may name one;
// otherwise the shell would have to change with every block.
func BlockName(path, text string, blocks []string) string {
	for i, line := range strings.Split(text, "\n") {
		for _, word := range strings.FieldsFunc(line, func(r rune) bool {
			return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
		}) {
			for _, b := range blocks {
				if word == b || strings.HasPrefix(word, b+"_") || strings.HasPrefix(word, "V"+b) {
					return fmt.Sprintf("%s:%d: names the block %s; only hdl/gen knows blocks", path, i+1, b)
				}
			}
		}
	}
	return ""
}

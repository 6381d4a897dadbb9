package layout

import (
	"fmt"
	"slices"
	"strings"
)

// Module is the path of our own Go module.
const Module = "github.com/goldwire/goldwire"

// Import is the import of one of our packages by another, both relative to Module; File is the importing file.
type Import struct {
	From, To, File string
}

// rule lists which of our packages the packages under a folder may import, besides those under the folder itself. It
// applies to test files too, apart from testModels: a test that needs both sides belongs where both may be imported.
type rule struct {
	from, may, why string // may: folders, parted by spaces
}

// rules are searched in order and the first whose folder holds the importing package applies.
var rules = []rule{
	{"vectors/event", "", "the shared vocabulary depends on nothing"},
	{"hdl", "", "it holds the files of the RTL and knows no Go"},
	{"vectors/format", "vectors/event", "it must be readable without any model"},
	{"vectors/stim/fabric", "vectors/event vectors/stim golden",
		"the simulated network becomes stimulus here, and nowhere else in vectors"},
	{"vectors/stim/ccc", "vectors/event vectors/stim rtlmodel/ccc", "the functional model aims its random events"},
	{"vectors/stim", "vectors/event", "stimulus knows no model, and the simulated network only in vectors/stim/fabric"},
	{"vectors/drive", "vectors/event vectors/stim", "it plays stimulus and knows no model"},
	{"vectors/record", "vectors/event vectors/format vectors/stim vectors/drive",
		"files are written of what a model of the caller's answers"},
	{"vectors/tool", "vectors", "it works on stored vectors, and on models of the caller's"},
	{"vectors/export", "vectors/event vectors/format", "it rewrites stored vectors"},
	{"rtlmodel", "vectors/event", "a model is blind to golden and to the bridge"},
	{"golden/pathmodel", "golden", "it plays the controls against theory and knows no network"},
	{"golden/experiment", "golden", "it judges runs of the simulated network and knows no hardware"},
	{"golden/cc/planted", "", "it changes rules as text, and runs their tests as processes"},
	{"golden", "vectors/event", "the reference is written blind to the model"},
	{"bridge", "vectors/event", "it moves packed words and knows no model"},

	{"cosim/report", "vectors/event cosim/engine/score cosim/cover", "a report sees results, not what made them"},
	{"cosim/cover/codecov", "vectors/event cosim/report", "it reads what a simulator left and starts none"},
	{"cosim/cover", "vectors/event", "coverage sees records only"},
	{"cosim/block", "vectors rtlmodel bridge cosim/cover cosim/precision cosim/report",
		"it lists the blocks and what each brings along"},

	{"cosim/device/bind", "vectors/event bridge cosim/engine/tolerance",
		"it puts a design under a schema and knows no model"},
	{"cosim/device/revision", "", "it builds other revisions and runs none"},
	{"cosim/device", "vectors/event vectors/stim bridge cosim/engine/elastic cosim/engine/score",
		"it starts a design and knows no model"},

	{"cosim/engine/score", "vectors/event", "a verdict sees records only"},
	{"cosim/engine/tolerance", "vectors/event cosim/report", "it judges records and knows neither side"},
	{"cosim/engine/elastic", "vectors bridge cosim/block cosim/engine/tolerance",
		"it plays stimulus on a device and asks its caller what is owed"},
	{"cosim/engine/shrink", "vectors/event cosim/engine/score",
		"it shortens event lists and asks its caller for the verdict"},
	{"cosim/engine/play", "vectors rtlmodel bridge cosim/block cosim/engine/elastic cosim/report",
		"it plays stimulus on a model for whoever watches the ports"},
	{"cosim/engine/packets", "vectors/event vectors/stim golden bridge/client cosim/report",
		"it judges packets by the ports alone"},
	{"cosim/engine/watch", "vectors cosim/block cosim/cover cosim/engine/packets cosim/engine/play cosim/report",
		"it watches a model's ports and knows no device"},
	{"cosim/engine/reference", "vectors bridge cosim/block cosim/device cosim/engine/elastic cosim/engine/play " +
		"cosim/report", "it supplies expected values and knows no run"},
	{"cosim/engine/run", "vectors golden rtlmodel bridge cosim/block cosim/device cosim/explain cosim/cover " +
		"cosim/engine cosim/precision cosim/report", "all parties meet here, below the commands"},

	{"cosim/explain/vcd", "", "it reads and writes files of signals"},
	{"cosim/explain/signals", "cosim/explain/vcd", "it compares files of signals and knows no block"},
	{"cosim/explain/wave", "vectors/event cosim/engine/score cosim/explain/vcd", "it shows records, not what made them"},
	{"cosim/explain", "vectors/event vectors/stim bridge/client cosim/engine/elastic cosim/engine/play cosim/report",
		"it plays an episode for its viewer and reads the contract, and judges nothing"},

	{"cosim/precision/ccc", "vectors golden rtlmodel cosim/precision cosim/report",
		"it follows the model for the comparison"},
	{"cosim/precision/diff", "vectors golden rtlmodel cosim/block cosim/device/revision cosim/precision cosim/report " +
		"cosim/engine/score cosim/engine/shrink",
		"it holds arithmetics against each other and against the model, never against a device"},
	{"cosim/precision", "vectors/event golden cosim/report", "it compares states from its caller and knows no model"},

	{"cosim/audit/bench", "vectors bridge cosim/block cosim/device cosim/engine cosim/report",
		"it measures what a run is made of"},
	{"cosim/audit/guide", "vectors cosim/block cosim/cover cosim/engine/play cosim/report",
		"it searches on the model alone and knows no design"},
	{"cosim/audit", "vectors bridge cosim/block cosim/engine/run cosim/report",
		"it plants faults and asks provers, as a user would"},

	{"cosim/network/capture", "golden", "it writes what the simulated network carries"},
	{"cosim/network/loop", "vectors golden rtlmodel bridge cosim/device cosim/engine/play",
		"it puts models and devices into the simulated network, and plays what the network gives them in lock step"},
	{"cosim/network/cost", "vectors/event golden bridge/toolchain cosim/network cosim/report",
		"it compares runs of the simulated network, and counts area as a user of Yosys would"},
	{"cosim/network", "golden bridge/launch cosim/report", "it plans, makes and shows runs of the simulated network"},

	{"cosim/cmd", "hdl vectors golden rtlmodel bridge cosim ci/plan ci/campaign ci/history ci/reports ci/affected " +
		"ci/triage ci/slurm", "commands may call everything but the checks of the tree"},

	{"ci/plan", "vectors/event/contract", "a plan is held against a catalogue that its caller makes"},
	{"ci/campaign", "ci/plan cosim/report cosim/explain/signals", "it starts goldwire as a process and knows no block"},
	{"ci/slurm", "ci/plan ci/campaign cosim/report", "it submits commands, and reads records"},
	{"ci/history", "ci/plan ci/campaign cosim/report", "it keeps what campaigns gave and runs none"},
	{"ci/affected", "ci/plan", "it reads the tree and git, and knows no block"},
	{"ci/reports", "ci/plan ci/campaign ci/history cosim/report", "it shows what campaigns gave and runs none"},
	{"ci/triage", "ci/plan ci/campaign cosim/report cosim/device/revision vectors/event",
		"it sorts what campaigns found and repeats it as processes"},
	{"ci", "vectors/event bridge/launch cosim/engine/run cosim/report", "ci drives runs, reads reports and finds the RTL"},
}

// testModels are the folders whose tests may import models, to play stimulus on one.
var testModels = []string{"vectors/stim", "vectors/drive", "vectors/record", "vectors/tool"}

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
	slices.Sort(out)
	return out
}

// stimulus is the folder with one folder of stimulus per block, and stimulusShared are the folders in it that all
// blocks share.
const stimulus = "vectors/stim"

var stimulusShared = []string{"cache", "casefile", "corpus", "edge", "fabric", "frame", "pcap", "schema", "timing"}

// ofBlock returns the block whose stimulus a package holds, or "". A block has a folder in vectors/stim/fabric, too.
func ofBlock(pkg string) string {
	name, ok := strings.CutPrefix(pkg, stimulus+"/")
	name = strings.TrimPrefix(name, "fabric/")
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
		folders := strings.Fields(r.may)
		if strings.HasSuffix(im.File, "_test.go") && slices.Contains(testModels, r.from) {
			folders = append(folders, "rtlmodel")
		}
		if slices.ContainsFunc(folders, func(dir string) bool { return under(im.To, dir) }) {
			return ""
		}
		may := "nothing else of ours"
		if len(folders) > 0 {
			may = "only " + strings.Join(folders, ", ")
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
	slices.Sort(out)
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

package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// BuildSpec describes the DUT to build.
type BuildSpec struct {
	Root   string         // root of the repository
	Block  string         // name of the block
	Schema *event.Block   // nil: loaded from vectors/event/<block>/schema.yaml under Root
	RTLDir string         // "": hdl/rtl under Root; its modules may be in folders, see ReadRTL
	Shell  string         // "": hdl/shell under Root
	Params map[string]int // overrides of the schema's defaults
	Trace  bool           // able to dump every signal as VCD, and memories of up to 64 words; slower even when it does not
	Assert bool           // with the RTL's assertions (GW_ASSERT)
	Lines  bool           // counting the lines and branches it executes, see SpawnSpec.Coverage
	// Toggles samples which bits of the ports and registers change.
	Toggles bool
	Opt     string // optimisation of the C++ compiler; "": that of OptEnv, or -O3
	OutDir  string // "": build/dut/<block>-<hash> under Root
	Jobs    int    // parallel compilers; 0: 2

	Foreign *Foreign // the user's design in place of RTLDir; nil for ours
}

// Binary is a built DUT with the contents of its hello.
type Binary struct {
	Path       string // executable
	Block      string
	SchemaHash string
	Params     string // "Name=value" of every parameter, sorted by name, joined by commas
	InWords    int    // 64-bit words of an input record
	OutWords   int
	Cached     bool   // found built
	Dir        string // working folder of its process; "": ours
	Origin     Origin // what it was made from

	// Loops are the combinational loops that Verilator saw, as file:line: signal. They matter when the model
	// does not settle.
	Loops []string
}

// OptEnv is the environment variable with the optimisation of builds that ask for none. The tests set it to -Og: they
// build many designs and run each for a moment. With -O0 they would run three times as long, and compile little faster.
const OptEnv = "GOLDWIRE_OPT"

// resolve fills the defaults and checks block and parameters against the schema.
func (s BuildSpec) resolve() (BuildSpec, string, error) {
	root, err := filepath.Abs(s.Root)
	if err != nil {
		return s, "", fmt.Errorf("root of the build: %w", err)
	}
	s.Root = root
	if s.Schema == nil {
		path := filepath.Join(root, "vectors", "event", s.Block, "schema.yaml")
		if _, err := os.Stat(path); err != nil || s.Block == "" {
			return s, "", &wire.Error{Kind: wire.ErrBlock, What: fmt.Sprintf("%q is unknown", s.Block),
				Mend: "choose one of " + strings.Join(knownBlocks(root), ", ")}
		}
		if s.Schema, err = event.Load(path); err != nil {
			return s, "", fmt.Errorf("schema of block %s: %w", s.Block, err)
		}
	}
	s.Block = s.Schema.Name
	def := func(p *string, parts ...string) error {
		if *p == "" {
			*p = filepath.Join(append([]string{root}, parts...)...)
		}
		*p, err = filepath.Abs(*p)
		if err == nil && strings.ContainsAny(*p, Unplain) {
			return &wire.Error{Kind: wire.ErrBuild, What: fmt.Sprintf("path %q has characters make cannot handle", *p),
				Mend: "move the tree to a path without spaces, quotes and other characters of the shell"}
		}
		return err
	}
	if err := def(&s.RTLDir, "hdl", "rtl"); err != nil {
		return s, "", err
	}
	if err := def(&s.Shell, "hdl", "shell"); err != nil {
		return s, "", err
	}
	if s.Opt == "" {
		s.Opt = "-O3"
		if s.Trace { // it plays one episode
			s.Opt = "-O1"
		}
		if opt := os.Getenv(OptEnv); opt != "" {
			if s.Opt = opt; !slices.Contains([]string{"-O0", "-Og", "-O1", "-O2", "-O3"}, opt) {
				return s, "", &wire.Error{Kind: wire.ErrBuild, What: fmt.Sprintf("%s is %q", OptEnv, opt),
					Mend: "set it to -O0, -Og, -O1, -O2 or -O3, or unset it"}
			}
		}
	}
	if s.Jobs <= 0 {
		s.Jobs = 2
	}
	params, err := wire.ParamText(s.Schema, s.Params)
	return s, params, err
}

func knownBlocks(root string) []string {
	files, _ := filepath.Glob(filepath.Join(root, "vectors", "event", "*", "schema.yaml"))
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(filepath.Dir(f)))
	}
	slices.Sort(names)
	if len(names) == 0 {
		return []string{"none: " + root + " holds no vectors/event/*/schema.yaml"}
	}
	return names
}

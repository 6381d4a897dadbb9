package planted

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Control is a folder of golden/cc whose rules are changed.
type Control struct {
	Name  string   // of the folder
	Files []string // that hold rules, from the root
	Flags []string // of its test binary
}

// folder is where the controls are, below the root of the repository.
const folder = "golden/cc"

// ruleFiles lists the files of folders where not every file holds rules of the control.
var ruleFiles = map[string][]string{
	// The float rules are generated; what runs is changed, not the text that they are generated from.
	"nscc": {"float_gen.go", "arith_float.go", "spec.go", "params.go", "pdc.go", "value.go"},
}

// alsoOf lists folders beside a control's own that hold rules of it; their tests are its tests too.
var alsoOf = map[string][]string{"hpcc": {"golden/telemetry"}}

// flags make the tests of a folder the same each time.
var flags = map[string][]string{
	"nscc": {"-rapid.seed=1", "-rapid.nofailfile"},
	"rccc": {"-rapid.seed=1", "-rapid.nofailfile"},
}

// helpers are the folders of golden/cc that hold no rules of a control.
var helpers = []string{"param", "planted", "play"}

// Controls returns the folders with rules in alphabetical order. Every folder of golden/cc is one, except helpers.
func Controls(root string) ([]Control, error) {
	dirs, err := os.ReadDir(filepath.Join(root, folder))
	if err != nil {
		return nil, fmt.Errorf("controls: %w", err)
	}
	var out []Control
	for _, d := range dirs {
		if !d.IsDir() || slices.Contains(helpers, d.Name()) {
			continue
		}
		c := Control{Name: d.Name(), Flags: flags[d.Name()]}
		own := path.Join(folder, c.Name)
		for _, f := range ruleFiles[c.Name] {
			c.Files = append(c.Files, path.Join(own, f))
		}
		dirs := alsoOf[c.Name]
		if c.Files == nil {
			dirs = slices.Concat([]string{own}, dirs)
		}
		for _, dir := range dirs {
			files, err := sources(root, dir)
			if err != nil {
				return nil, err
			}
			c.Files = append(c.Files, files...)
		}
		out = append(out, c)
	}
	return out, nil
}

// packages returns the folders of the control's files; the tests of each are run.
func (c *Control) packages() (out []string) {
	for _, f := range c.Files {
		if dir := path.Dir(f); !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// sources returns the Go files of a folder that are no tests.
func sources(root, dir string) (out []string, err error) {
	files, err := os.ReadDir(filepath.Join(root, dir))
	if err != nil {
		return nil, fmt.Errorf("controls: %w", err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".go") && !strings.HasSuffix(f.Name(), "_test.go") {
			out = append(out, path.Join(dir, f.Name()))
		}
	}
	return out, nil
}

// Changes returns every change of the control's rules.
func (c *Control) Changes(root string) (out []Change, err error) {
	for _, file := range c.Files {
		src, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, fmt.Errorf("rules of %s: %w", c.Name, err)
		}
		found, err := Changes(file, src)
		if err != nil {
			return nil, fmt.Errorf("rules of %s: %w", c.Name, err)
		}
		out = append(out, found...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("rules of %s: nothing to change in %s", c.Name, strings.Join(c.Files, ", "))
	}
	return out, nil
}

// Draw returns the changes in a random order, in which the place of each depends on its own key and on the seed only.
func Draw(all []Change, seed uint64) []Change {
	out := slices.Clone(all)
	place := func(c *Change) uint64 {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s", seed, c.Key())
		x := h.Sum64() // the last bytes of a text have little effect on its upper bits
		x = (x ^ x>>33) * 0xff51afd7ed558ccd
		return x ^ x>>33
	}
	slices.SortFunc(out, func(a, b Change) int {
		return cmp.Or(cmp.Compare(place(&a), place(&b)), strings.Compare(a.Key(), b.Key()))
	})
	return out
}

// Seed is that of the tests, and Least the part of the planted changes that the tests of each control must catch.
const (
	Seed  = 1
	Least = 0.95
)

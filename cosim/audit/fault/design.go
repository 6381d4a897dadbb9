package fault

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/audit/fault/sv"
	"github.com/goldwire/goldwire/vectors/stim/cache"
)

// ErrFault is wrapped by errors that name a fault, or a file of the RTL, that does not fit.
var ErrFault = errors.New("fault")

// Design is the RTL of one block, parsed for planting faults.
type Design struct {
	Root    string // of the repository
	Block   string
	RTL     *launch.RTL     // folder of the RTL
	Modules []*sv.Module    // modules of the block and those it instantiates, by file name
	inner   map[string]bool // files that only an inner block uses
	consts  map[string]constant
	members map[string]map[string]int // struct type -> member -> width

	stimulus *cache.Cache // see Spec.Stimulus
}

// constant is a localparam of the block's package.
type constant struct {
	name, group string // group: KIND for KIND_OPEN
	width       int    // 0: an int
	value       int64
}

// Load reads the modules of a block from hdl/rtl under root, and its constants and types from hdl/gen. It returns an
// error with file and line when a module is missing or uses syntax that package sv cannot read.
func Load(root, block string) (*Design, error) {
	rtl, err := launch.ReadRTL(filepath.Join(root, "hdl", "rtl"))
	if err != nil {
		return nil, fmt.Errorf("%w: block %s: %w", ErrFault, block, err)
	}
	d := &Design{Root: root, Block: block, RTL: rtl}
	queue, seen := []string{block}, map[string]bool{block: true}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		path := rtl.Module(name)
		if path == "" {
			return nil, fmt.Errorf("%w: module %s of block %s: no file of this name in %s", ErrFault, name, block, rtl.Dir)
		}
		text, err := os.ReadFile(filepath.Join(rtl.Dir, path))
		if err != nil {
			return nil, fmt.Errorf("%w: module %s of block %s: %w", ErrFault, name, block, err)
		}
		m, err := sv.Parse(filepath.Base(path), string(text))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFault, err)
		}
		if m.Name != name {
			return nil, fmt.Errorf("%w: %s holds module %s in place of %s", ErrFault, path, m.Name, name)
		}
		d.Modules = append(d.Modules, m)
		for _, sub := range m.Instances {
			if !seen[sub] {
				seen[sub] = true
				queue = append(queue, sub)
			}
		}
	}
	d.inner = innerFiles(d.Modules, block)
	slices.SortFunc(d.Modules, func(a, b *sv.Module) int { return strings.Compare(a.File, b.File) })
	return d, d.generated()
}

// innerFiles returns the files of a block's modules that are used only inside another block that has a catalogue.
// Faults there belong to that other block, whose stimulus reaches every corner of it.
func innerFiles(all []*sv.Module, block string) map[string]bool {
	inner, of := map[string]bool{}, map[string]*sv.Module{}
	for _, m := range all {
		inner[m.File], of[m.Name] = true, m
	}
	for queue := []string{block}; len(queue) > 0; queue = queue[1:] {
		m := of[queue[0]]
		_, err := catalogs.Open("catalog/" + queue[0] + ".yaml")
		if !inner[m.File] || err == nil && m.Name != block {
			continue
		}
		inner[m.File] = false
		queue = append(queue, m.Instances...)
	}
	return inner
}

// place returns the path of a module's file in a copy of the RTL in dir.
func (d *Design) place(dir string, m *sv.Module) string {
	return filepath.Join(dir, d.RTL.Module(m.Name))
}

// Module returns the module of a file name, which no two modules share, or nil.
func (d *Design) Module(file string) *sv.Module {
	if i := slices.IndexFunc(d.Modules, func(m *sv.Module) bool { return m.File == file }); i >= 0 {
		return d.Modules[i]
	}
	return nil
}

var (
	constLine = regexp.MustCompile(
		`(?m)^\s*localparam (?:int|logic(?: \[(\d+):0\])?) (\w+) = (?:(\d+)'[dh])?([0-9a-fA-F]+);`)
	structText = regexp.MustCompile(`(?s)typedef struct packed \{(.*?)\} (\w+);`)
	memberLine = regexp.MustCompile(`(?m)^\s*logic(?: \[(\d+):0\])? (\w+);`)
)

// generated reads the constants and struct types that the modules use.
func (d *Design) generated() error {
	gen := filepath.Join(d.Root, "hdl", "gen", d.Block)
	pkg, err := os.ReadFile(gen + "_pkg.sv")
	if err != nil {
		return fmt.Errorf("%w: constants of block %s: %w; run: make gen", ErrFault, d.Block, err)
	}
	d.consts = map[string]constant{}
	for _, f := range constLine.FindAllStringSubmatch(string(pkg), -1) {
		c := constant{name: f[2]}
		c.group, _, _ = strings.Cut(f[2], "_")
		if strings.Contains(f[0], "logic") {
			c.width = width(f[1])
		}
		base := 10
		if strings.Contains(f[0], "'h") {
			base = 16
		}
		if c.value, err = strconv.ParseInt(f[4], base, 64); err != nil {
			continue // wider than any constant that a statement uses alone: the schema hash
		}
		d.consts[d.Block+"_pkg::"+c.name] = c
	}
	types, err := os.ReadFile(gen + "_types.sv")
	if err != nil {
		return fmt.Errorf("%w: types of block %s: %w; run: make gen", ErrFault, d.Block, err)
	}
	d.members = map[string]map[string]int{}
	for _, f := range structText.FindAllStringSubmatch(string(types), -1) {
		of := map[string]int{}
		for _, x := range memberLine.FindAllStringSubmatch(f[1], -1) {
			of[x[2]] = width(x[1])
		}
		d.members[f[2]] = of
	}
	if len(d.consts) == 0 || len(d.members) == 0 {
		return fmt.Errorf("%w: %s_pkg.sv and %s_types.sv hold no constants or types of the expected form", ErrFault, gen, gen)
	}
	return nil
}

// width returns the number of bits of a range [hi:0]; 1 for no range.
func width(hi string) int {
	n, err := strconv.Atoi(hi)
	if err != nil {
		return 1
	}
	return n + 1
}

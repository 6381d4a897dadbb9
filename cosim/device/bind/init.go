package bind

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/toolchain"
	"github.com/goldwire/goldwire/vectors/event"
)

// InitSpec describes the design and the block that a first dut.yaml is written for.
type InitSpec struct {
	File    string         // source file of the top module
	Top     string         // "": the file's name without its ending
	Sources []string       // further sources, ahead of File; globs allowed
	Include []string       // include folders
	Blocks  []*event.Block // the block, or those to choose from
	Schema  string         // file of Blocks' only one, where it is of a schema of its own
	Out     string         // where the text will stand; "": the working folder. Paths are relative to it.
}

// Init returns the text of a first dut.yaml: what could be guessed from the module's ports, and comments
// for what could not. It errors when the design does not compile, and when of several blocks none has half its
// ports in the design.
func Init(ctx context.Context, spec InitSpec) ([]byte, error) {
	b := &Binding{File: spec.File, Top: spec.Top, lines: map[string]int{}, Block: &event.Block{}}
	if b.Top == "" {
		b.Top = strings.TrimSuffix(filepath.Base(spec.File), filepath.Ext(spec.File))
	}
	switch fi, err := os.Stat(spec.File); {
	case err != nil:
		return nil, fmt.Errorf("%w; name the file of the design's top module", err)
	case fi.IsDir():
		return nil, fmt.Errorf("%s: it is a folder; name the file of the design's top module in it", spec.File)
	case isYAML(spec.File):
		return nil, fmt.Errorf("%s: it is YAML; name the file of the design's top module", spec.File)
	}
	for _, s := range spec.Sources {
		files, err := filepath.Glob(s)
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("--source %s: no such file", s)
		}
		slices.Sort(files)
		b.Sources = append(b.Sources, files...)
	}
	b.Sources = append(b.Sources, spec.File)
	if b.Include = append(slices.Clone(spec.Include), filepath.Dir(spec.File)); isVHDL(spec.File) {
		b.Include, b.Top = nil, strings.ToLower(b.Top)
	}
	m, added, err := b.elaborateFound(ctx, spec)
	if err != nil {
		return nil, err
	}
	spec.Sources = append(added, spec.Sources...)
	if err := m.unfit(spec.File); err != nil {
		return nil, err
	}
	var best *guess
	for _, block := range spec.Blocks {
		for _, beats := range append([]int{0}, widths(block, m)...) {
			if g := guessMap(block, m, beats); best == nil || g.score > best.score {
				best = g
			}
		}
	}
	if best == nil {
		return nil, fmt.Errorf("no block to bind %s to", b.Top)
	}
	if len(spec.Blocks) > 1 && 2*best.found < best.all {
		return nil, fmt.Errorf("module %s matches none of the blocks: at best %d of the %d ports of %s are found by name; "+
			"name its block with --block NAME, or give a schema of your own with --schema FILE.yaml",
			b.Top, best.found, best.all, best.block.Name)
	}
	best.packages = added
	return best.text(b, spec)
}

func isYAML(path string) bool { return slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) }

func (g *guess) text(b *Binding, spec InitSpec) ([]byte, error) {
	var t bytes.Buffer
	p := func(format string, args ...any) { fmt.Fprintf(&t, format+"\n", args...) }
	dir, err := filepath.Abs(filepath.Dir(spec.Out))
	if err != nil {
		return nil, fmt.Errorf("dut.yaml: %w", err)
	}
	list := func(paths []string) string {
		out := make([]string, len(paths))
		for i, x := range paths {
			out[i] = x
			if abs, err := filepath.Abs(x); err == nil {
				if rel, err := filepath.Rel(dir, abs); err == nil {
					out[i] = rel
				}
			}
			out[i] = fmt.Sprintf("%q", out[i])
		}
		return strings.Join(out, ", ")
	}
	p("# First binding of module %s to the block %s, from its ports: guesses are marked.", b.Top, g.block.Name)
	p("# goldwire dut check lists what is missing; goldwire dut --help and cosim/device/bind explain each key.")
	p("%s", either(spec.Schema != "", "schema: "+list([]string{spec.Schema}), "block: "+g.block.Name))
	p("top: %s", inYAML(b.Top))
	p("sources: [%s]  # in compile order, globs allowed", list(append(slices.Clone(spec.Sources), spec.File)))
	if len(g.packages) > 0 {
		p("# Packages of sources that were found by name: %s", list(g.packages))
	}
	if len(b.Include) > 0 {
		p("include: [%s]", list(b.Include))
	}
	for _, t := range b.typeParams() {
		p("# Parameter %s is a type and keeps its default: to give another, wrap the design in a module that holds %s "+
			"#(.%s(TYPE)).", t, b.Top, t)
	}
	if len(g.params) > 0 {
		p("parameters:  # of the design: a number, or the name of a parameter of the block")
		for _, q := range g.params {
			p("  %s", q)
		}
	}
	if len(g.block.Params) > 0 {
		p("block_parameters:  # what the design was built for")
		for _, q := range g.block.Params {
			line := fmt.Sprintf("  %s: %d", q.Name, q.Default)
			if q.Doc != "" {
				line += "  # " + q.Doc
			}
			p("%s", line)
		}
	}
	p("%s", either(g.clock != "", "clock: "+inYAML(g.clock), "# clock: ?"))
	if g.reset.Port != "" {
		p("reset: {port: %s, active: %s, kind: %s}%s", inYAML(g.reset.Port), either(g.reset.High, "high", "low"),
			either(g.reset.Sync, "sync", "async"), g.resetWhy)
	} else {
		p("# reset: {port: ?, active: high, kind: async}")
	}
	if g.beats > 0 {
		p("beats: {width: %d}  # packets are cut anew at the edge: the block has %s", g.beats, bitsOf(blockBeats(g.block)))
	}
	if len(g.block.StreamsOf(event.In)) > 1 && g.beats == 0 {
		p("latency: exact  # cycle for cycle as the block's contract")
	} else {
		p("latency: elastic  # exact: cycle for cycle as the block's contract")
		p("order: stream  # in the order of events; context or tag with a key: in order among its values")
	}
	p("map:")
	for _, l := range g.lines {
		p("  %s", l)
	}
	if len(g.rest) > 0 {
		p("# Inputs of the design that nothing drives yet: map a field to each, or tie it.")
		p("# tie:")
		for _, r := range g.rest {
			p("#   %s", r)
		}
	}
	if len(g.spare) > 0 {
		p("# Outputs of the design that no field takes yet: %s", strings.Join(g.spare, ", "))
	}
	return t.Bytes(), nil
}

func either(c bool, yes, no string) string {
	if c {
		return yes
	}
	return no
}

// maxPackages bounds how many packages are looked for, and maxLooked how many files are looked through.
const maxPackages, maxLooked = 64, 2000

// elaborateFound reads a design whose packages may be among the files around it. It returns those it found, in compile
// order. For a design with interfaces it returns the ports all the same.
func (b *Binding) elaborateFound(ctx context.Context, spec InitSpec) (m *Module, found []string, err error) {
	for {
		m, err = b.Elaborate(ctx)
		if err == nil {
			return m, found, nil
		}
		if m := b.insideProbe(ctx, err); m != nil {
			return m, found, nil
		}
		name := missingPackage(err)
		if name == "" || len(found) == maxPackages {
			return nil, nil, err
		}
		file := findPackage(name, spec)
		if file == "" || slices.Contains(found, file) {
			return nil, nil, asked(err, name)
		}
		found = append([]string{file}, found...)
		b.Sources = append([]string{file}, b.Sources...)
	}
}

// missingPackage returns the first package that the compiler's errors report as missing, or "".
func missingPackage(err error) string {
	ps, _ := err.(Problems)
	for _, p := range ps {
		if p.kind == toolchain.NoPackage {
			return p.name
		}
	}
	return ""
}

// asked returns the errors about a package, with the places where it was looked for.
func asked(err error, name string) error {
	ps, _ := err.(Problems)
	for i := range ps {
		if p := ps[i]; p.kind == toolchain.NoPackage && p.name == name {
			p.Text = "package " + name + " is in no file around the design; give its file with --source"
			return Problems{p}
		}
	}
	return err
}

// findPackage returns the file with a package: in the folder of the design, those below it and beside it, and the
// include folders; "" when there is none.
func findPackage(name string, spec InitSpec) string {
	declared := regexp.MustCompile(`(?m)^\s*package\s+(?:automatic\s+|static\s+)?` + regexp.QuoteMeta(name) + `\s*;`)
	dir := filepath.Dir(spec.File)
	looked := 0
	for _, root := range append([]string{dir, filepath.Join(dir, "..")}, spec.Include...) {
		hit := ""
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // a file that cannot be read holds no package for us
			}
			if d.IsDir() {
				rel, _ := filepath.Rel(root, path)
				if strings.HasPrefix(d.Name(), ".") && path != root && d.Name() != ".." || strings.Count(rel,
					string(filepath.Separator)) > 1 {
					return fs.SkipDir
				}
				return nil
			}
			if !slices.Contains([]string{".sv", ".svh", ".v", ".vh", ".pkg"}, filepath.Ext(path)) {
				return nil
			}
			if looked++; looked > maxLooked {
				return fs.SkipAll
			}
			if text, err := os.ReadFile(path); err == nil && declared.Match(text) {
				hit = path
				return fs.SkipAll
			}
			return nil
		})
		if hit != "" {
			return hit
		}
	}
	return ""
}

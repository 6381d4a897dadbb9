package bind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/toolchain"
)

// Module is the design's top module as Verilator elaborated it.
type Module struct {
	Name   string
	Ports  []Port   // in the order of the module
	Params []string // names of its parameters
	Files  []string // every file it was read from, included ones too
	Edges  []Edge   // signals at whose edges its processes run

	Read time.Time // when Verilator began to read Files

	Synth string // the Verilog of a design in VHDL

	net *netlist
}

// Port is one port of a module. The bits of every type are counted from the least significant, 0.
type Port struct {
	Name    string
	Dir     string // in, out, inout
	Width   int    // 0 when it has none: unpacked arrays, reals, strings
	Left    int    // declared range of a plain vector; Width-1 and 0 of every other type
	Right   int
	Members []Member // of a packed struct
	Line    string   // file:line
	Type    string   // for messages
	Dims    [][2]int // of an unpacked array, as declared; nil for none
	Elem    int      // width of its elements
	Bus     *Bus     // of an interface
}

// Member is one member of a packed struct: Width bits from bit LSB on.
type Member struct {
	Name    string
	LSB     int
	Width   int
	Members []Member
}

// Edge is a signal that starts a process.
type Edge struct {
	Signal string
	Neg    bool
}

// Port returns the port of that name, or nil.
func (m *Module) Port(name string) *Port {
	for i := range m.Ports {
		if m.Ports[i].Name == name {
			return &m.Ports[i]
		}
	}
	return nil
}

// elaborateTimeout is far more than any design of this kind needs.
const elaborateTimeout = 2 * time.Minute

// Elaborate asks Verilator for the top module with all parameters applied. RTL that does not compile is a
// Problems with the compiler's messages and their places.
func (b *Binding) Elaborate(ctx context.Context) (*Module, error) {
	v, err := launch.FindVerilator(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := launch.PrivateDirIn("")
	if err != nil {
		return nil, fmt.Errorf("reading the design: %w", err)
	}
	defer os.RemoveAll(dir)
	tree, meta := filepath.Join(dir, "tree"), filepath.Join(dir, "meta")
	args := []string{"--xml-only", "--xml-output", tree}
	json := !toolchain.XMLTree.In(v.Version) // the older JSON trees have no types of struct members
	if json {
		args = []string{"--json-only", "--json-only-output", tree, "--json-only-meta-output", meta}
	}
	args = append(args, "--top-module", b.Top, "--no-timing", "--Mdir", dir, "-Wno-fatal", "-Wno-lint",
		"-Wno-style", "-Wno-UNOPTFLAT", "-Werror-MODDUP")
	args = append(args, b.designArgs()...)
	var synth, file string
	began := time.Now()
	if vhdl(b) {
		if synth, err = synthesize(ctx, b); err != nil {
			return nil, err
		}
		if file = filepath.Join(dir, "vhdl.v"); os.WriteFile(file, []byte(synth), 0o600) != nil {
			return nil, fmt.Errorf("reading the design: cannot write %s", file)
		}
		args = append(args, file)
	}
	ctx, cancel := context.WithTimeout(ctx, elaborateTimeout)
	defer cancel()
	// A value that is neither a number nor text nor a parameter of the block was reported.
	names := slices.DeleteFunc(sortedKeys(b.Parameters), func(n string) bool {
		return vhdl(b) || identifier(b.parameter(n))
	})
	var start time.Time
	for {
		all := slices.Clone(args)
		for _, name := range names {
			all = append(all, "-G"+encoded(name)+"="+b.parameter(name))
		}
		start = time.Now()
		cmd := v.Command(ctx, b.dir(), all...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("reading the design: %w", context.Cause(ctx))
		}
		// A parameter that the design lacks is reported when it is wired; its ports are useful all the same.
		gone := lost(out.String())
		if gone == nil || len(names) == 0 {
			return nil, b.compileProblems(out.String(), err)
		}
		left := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(gone, encoded(n)) })
		if len(left) == len(names) {
			left = nil
		}
		names = left
	}
	text, err := os.ReadFile(tree)
	if err != nil {
		return nil, fmt.Errorf("reading the design: %w", err)
	}
	var n *netlist
	if json {
		about, err := os.ReadFile(meta)
		if err != nil {
			return nil, fmt.Errorf("reading the design: %w", err)
		}
		n, err = readJSON(text, about)
		if err != nil {
			return nil, err
		}
	} else if n, err = readXML(text); err != nil {
		return nil, err
	}
	for id, f := range n.files {
		if !strings.HasPrefix(f, "<") && !filepath.IsAbs(f) {
			n.files[id] = filepath.Join(b.dir(), f)
		}
	}
	m, err := n.module(b.Top)
	if err != nil {
		return nil, err
	}
	if m.Read, m.net = start, n; vhdl(b) {
		m.ofVHDL(b, synth, file)
		m.Read = began
	}
	return m, nil
}

// lost returns the words of the error about parameters that the design lacks; nil for none.
func lost(out string) []string {
	for _, m := range toolchain.Messages(out) {
		if m.Kind() == toolchain.NoParameter {
			return strings.FieldsFunc(m.Text, func(r rune) bool { return strings.ContainsRune(" ,:'", r) })
		}
	}
	return nil
}

// designArgs are the sources, include folders, defines and flags, for Verilator, which runs in the folder of the
// dut.yaml: what a flag names is relative to that.
func (b *Binding) designArgs() []string {
	here := func(path string) string {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
		return path
	}
	var args []string
	for _, d := range b.Defines {
		args = append(args, "+define+"+d)
	}
	for _, i := range b.Include {
		args = append(args, "+incdir+"+here(i))
	}
	args = append(args, "+libext+.sv+.v")
	args = append(args, b.Flags...)
	for _, f := range b.Sources {
		if !isVHDL(f) {
			args = append(args, here(f))
		}
	}
	return args
}

// parameter returns the value of one of the design's parameters; a parameter of the block stands for its
// value in this binding.
func (b *Binding) parameter(name string) string {
	v := b.Parameters[name]
	if p := b.Block.Param(v); p != nil {
		if n, ok := b.BlockParams[v]; ok {
			return strconv.Itoa(n)
		}
		return strconv.Itoa(p.Default)
	}
	return v
}

// shownErrors bounds how many errors of the compiler are shown.
const shownErrors = 10

// compileProblems turns the compiler's output into problems.
func (b *Binding) compileProblems(out string, err error) error {
	var ps Problems
	for _, m := range toolchain.Messages(out) {
		if len(ps) == shownErrors {
			break
		}
		kind := m.Kind()
		switch {
		case m.Warning || kind == toolchain.Follows:
		case kind == toolchain.BadOption:
			b.problem(&ps, "verilator", "Verilator: %s", m.Text)
		case kind == toolchain.NoTop:
			b.problem(&ps, "top", "module %s is in none of the sources%s", b.Top, b.modules())
		case m.File != "" && kind != toolchain.Internal:
			p := Problem{File: shorten(m.File), Line: m.Line, Text: m.Text + fix(m), kind: kind, name: toolchain.Name(m.Text)}
			if kind == toolchain.Other || !slices.ContainsFunc(ps, p.again) {
				ps = append(ps, p)
			}
		}
	}
	if len(ps) == 0 {
		text := strings.TrimSpace(out)
		if text == "" {
			text = err.Error()
		}
		if i := strings.IndexByte(text, '\n'); i > 0 {
			text = text[:i]
		}
		return Problems{{File: b.File, Text: "Verilator: " + text}}
	}
	return ps
}

// again reports whether a problem is another one in other words: some versions report a package twice.
func (p Problem) again(q Problem) bool {
	return p.File == q.File && p.Line == q.Line && p.kind == q.kind && p.name == q.name
}

// fix returns the dut.yaml entry, or the change to the design, that removes a compiler error; "" when only the
// design's author knows it.
func fix(m toolchain.Message) string {
	switch m.Kind() {
	case toolchain.NoModule:
		return "; add its file to sources, or its folder to include"
	case toolchain.NoInclude:
		return "; add its folder to include"
	case toolchain.TopInterface:
		return "; wrap the design in a module with packed ports, which goldwire dut init prints"
	case toolchain.Duplicate:
		return "; keep one of the two in sources, since Verilator would take the first"
	case toolchain.NoPackage:
		return fmt.Sprintf("; add the file of package %s to sources, ahead of this one", toolchain.Name(m.Text))
	}
	return ""
}

var moduleLine = regexp.MustCompile(`(?m)^\s*module\s+(?:automatic\s+|static\s+)?(` + svName + `)`)

// shownModules bounds how many modules a hint names.
const shownModules = 12

// modules returns the hint that names the modules of the sources, or "".
func (b *Binding) modules() string {
	var names []string
	for _, s := range b.Sources {
		text, err := os.ReadFile(s)
		if err != nil {
			continue // the compiler has reported it
		}
		for _, m := range moduleLine.FindAllSubmatch(text, -1) {
			names = append(names, bare(string(m[1])))
		}
	}
	if len(names) == 0 {
		return ", which hold no module"
	}
	hint := meant(b.Top, names)
	more := ""
	if len(names) > shownModules {
		names, more = names[:shownModules], ", ..."
	}
	return "; they have " + strings.Join(names, ", ") + more + hint
}

// shorten returns a path relative to the working folder where that is shorter.
func shorten(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// ErrTree is returned when Verilator's description of the design cannot be read.
var ErrTree = errors.New("verilator's description of the design")

// Warnings returns the warnings of Verilator's linter about a design that compiles, each with its place and the name of
// the warning in brackets; the flags of the dut.yaml, such as -Wno-WIDTH, apply. The build itself shows none. It errors
// when Verilator cannot be run.
func (b *Binding) Warnings(ctx context.Context) ([]Problem, error) {
	if vhdl(b) {
		return nil, nil // its Verilog is GHDL's
	}
	v, err := launch.FindVerilator(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "goldwire-dut-")
	if err != nil {
		return nil, fmt.Errorf("warnings of the design: %w", err)
	}
	defer os.RemoveAll(dir)
	args := append([]string{"--lint-only", "--top-module", b.Top, "--no-timing", "--Mdir", dir,
		"-Wno-fatal"}, b.designArgs()...)
	for _, name := range sortedKeys(b.Parameters) {
		args = append(args, "-G"+encoded(name)+"="+b.parameter(name))
	}
	ctx, cancel := context.WithTimeout(ctx, elaborateTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, v.Path, args...)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("warnings of the design: %w", context.Cause(ctx))
	}
	var all []Problem
	for _, m := range toolchain.Messages(out.String()) {
		p := Problem{File: shorten(m.File), Line: m.Line, Text: m.Text + " [" + m.Class + "]"}
		if m.Warning && m.File != "" && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all, nil
}

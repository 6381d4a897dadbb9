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

	"github.com/goldwire/goldwire/bridge/launch"
)

// A design in VHDL is bound through GHDL's synthesis to Verilog, which has no parameters left: the generics are given
// to GHDL. Its text goes where the adapter's does; the files of the design are the VHDL.

func isVHDL(file string) bool {
	return slices.Contains([]string{".vhd", ".vhdl"}, strings.ToLower(filepath.Ext(file)))
}

func vhdl(b *Binding) bool { return slices.ContainsFunc(b.Sources, isVHDL) }

// readVHDL checks what a design in VHDL cannot have.
func readVHDL(b *Binding, ps *Problems) {
	if !vhdl(b) {
		return
	}
	if i := slices.IndexFunc(b.Sources, func(f string) bool { return !isVHDL(f) }); i >= 0 {
		b.problem(ps, "sources", "%s: a design is in VHDL or in Verilog; give all of its sources in one of the two",
			filepath.Base(b.Sources[i]))
	}
	if len(b.Defines) > 0 {
		b.problem(ps, "defines", "defines: VHDL has none; give generics under parameters")
	}
	if len(b.Include) > 0 {
		b.problem(ps, "include", "include: VHDL has none; list all files under sources, in compile order")
	}
	b.Top = strings.ToLower(b.Top) // as GHDL writes it
}

// ghdlLine matches an error of GHDL with its place; warnings have a word of their own before the text.
var ghdlLine = regexp.MustCompile(`(?m)^(.+?):(\d+):\d+:(?:error:)? (.*)$`)

// noGeneric matches GHDL's message about a generic that the entity lacks.
var noGeneric = regexp.MustCompile(`no generic "(.*)" for -g`)

// ghdlBits matches a constant of more than 32 bits as GHDL 2.0 writes it, which in Verilog is a string of characters
// (https://github.com/ghdl/ghdl/issues/2002).
var ghdlBits = regexp.MustCompile(`"[01XZ]+"`)

// synthesize returns a design in VHDL as Verilog. VHDL that does not compile is a Problems with GHDL's messages and
// their places.
func synthesize(ctx context.Context, b *Binding) (string, error) {
	ghdl, err := exec.LookPath("ghdl")
	if err != nil {
		return "", Problems{{File: b.File, Line: b.lines["sources"],
			Text: "sources are in VHDL, and GHDL, which reads it, is not installed; run: apt-get install ghdl"}}
	}
	dir, err := launch.PrivateDirIn("")
	if err != nil {
		return "", fmt.Errorf("reading the design: %w", err)
	}
	defer os.RemoveAll(dir)
	args := []string{"synth", "--std=08", "--out=verilog", "--workdir=" + dir}
	for _, name := range sortedKeys(b.Parameters) {
		args = append(args, "-g"+name+"="+strings.Trim(b.parameter(name), `"`))
	}
	args = append(args, b.Sources...)
	ctx, cancel := context.WithTimeout(ctx, elaborateTimeout)
	defer cancel()
	cmd := launch.Command(ctx, b.dir(), ghdl, append(args, "-e", b.Top)...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err = cmd.Run(); err == nil {
		return ghdlBits.ReplaceAllStringFunc(out.String(), func(text string) string {
			bits := strings.Trim(text, `"`)
			return fmt.Sprintf("%d'b%s", len(bits), bits)
		}), nil
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("reading the design: %w", context.Cause(ctx))
	}
	return "", ghdlProblems(b, said.String(), err)
}

// ghdlProblems turns GHDL's output into problems.
func ghdlProblems(b *Binding, said string, err error) error {
	var ps Problems
	if m := noGeneric.FindStringSubmatch(said); m != nil {
		key := ""
		for name := range b.Parameters {
			if strings.EqualFold(name, m[1]) {
				key = "parameters." + name
			}
		}
		b.problem(&ps, key, "entity %s has no generic %s", b.Top, m[1])
		return ps
	}
	if strings.Contains(said, "cannot find entity") {
		b.problem(&ps, "top", "entity %s is in none of the sources", b.Top)
		return ps
	}
	for _, m := range ghdlLine.FindAllStringSubmatch(said, shownErrors) {
		line, _ := strconv.Atoi(m[2])
		if !strings.HasPrefix(m[3], "warning") {
			ps = append(ps, Problem{File: shorten(m[1]), Line: line, Text: m[3]})
		}
	}
	if len(ps) > 0 {
		return ps
	}
	text, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if text == "" || strings.HasPrefix(text, "***") {
		text = errors.Join(errors.New("it broke down; check the values of the parameters"), err).Error()
		text = strings.ReplaceAll(text, "\n", ": ")
	}
	return Problems{{File: b.File, Text: "GHDL: " + text}}
}

// ofVHDL makes of the module in a file that GHDL wrote the design that it comes from.
func (m *Module) ofVHDL(b *Binding, synth, file string) {
	m.Synth, m.Params = synth, sortedKeys(b.Parameters) // GHDL has taken them
	m.Files = slices.DeleteFunc(m.Files, func(f string) bool { return f == file })
	m.Files = append(m.Files, b.Sources...)
	for i := range m.Ports {
		m.Ports[i].Line = shorten(b.Sources[len(b.Sources)-1])
	}
}

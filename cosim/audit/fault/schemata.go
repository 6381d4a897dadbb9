package fault

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/audit/fault/sv"
)

// PlusArg is the plusarg from which RTL with guarded faults reads the number of the selected fault.
const PlusArg = "gw_fault"

const guardFile = "gw_fault.svh"

// guardText holds the number of the selected fault, 0 for none. It is a variable, not a parameter: one build serves all
// faults.
const guardText = "`ifndef GW_FAULT_SVH\n`define GW_FAULT_SVH\npackage gw_fault_pkg;\n" +
	"  int selected = 0;\nendpackage\n`endif\n"

const guardInit = "  initial begin\n    if (!$value$plusargs(\"" + PlusArg +
	"=%d\", gw_fault_pkg::selected)) gw_fault_pkg::selected = 0;\n  end\n"

// IcarusTop is the module that PlantIcarus writes to the file IcarusTop.sv. It is a second top.
const IcarusTop = "gw_fault_top"

// icarusText holds the number for Icarus 11, which cannot assign a variable of a package. A number that is missing or
// malformed ends the simulation, so that no play without a fault is taken for one with it.
const icarusText = "module " + IcarusTop + ";\n  int selected;\n  initial begin\n" +
	"    if (!$value$plusargs(\"" + PlusArg + "=%d\", selected) || (^selected) === 1'bx) begin\n" +
	"      $display(\"give +" + PlusArg + "=N\");\n      $fatal;\n    end\n  end\nendmodule\n"

// weaving is how guarded faults read the number of the selected one.
type weaving struct {
	head, selected, init string // first line of a file, the variable, what the top module adds
	file, text           string // one more file
}

var (
	verilated = weaving{"`include \"" + guardFile + "\"\n", "gw_fault_pkg::selected", guardInit, guardFile, guardText}
	icarus    = weaving{"", IcarusTop + ".selected", "", IcarusTop + ".sv", icarusText}
)

// schemata is a copy of the RTL that holds many faults, each behind a guard on its number, from 1.
type schemata struct {
	*builds
	faults []*Fault
	lines  map[string]map[int]int // file -> line -> index of the fault on that line
}

// guardable reports whether the fault can be guarded.
func (f *Fault) guardable() bool {
	if f.site == nil {
		return false
	}
	if f.site.Kind != sv.Assign {
		return true
	}
	// The guarded form is a process, so the faulty text must still be an assignment.
	return strings.HasPrefix(f.siteText(), "assign ")
}

// siteText returns the text of the fault's site with the fault.
func (f *Fault) siteText() string {
	return f.module.Text[f.site.Start:f.start] + f.text + f.module.Text[f.end:f.site.End]
}

// writeSchemata writes the RTL of a design with the faults into dir. Fault i has the number i+1.
func (d *Design) writeSchemata(dir string, faults []*Fault) (*schemata, error) {
	lines, err := d.weave(dir, faults, verilated)
	return &schemata{builds: d.builds(dir), faults: faults, lines: lines}, err
}

// copied returns an error in a copy of the RTL.
func copied(err error) error {
	if err != nil {
		err = fmt.Errorf("copy of the RTL: %w", err)
	}
	return err
}

// weave writes the RTL with the faults behind guards into dir, and returns the fault on each line of each file.
func (d *Design) weave(dir string, faults []*Fault, w weaving) (map[string]map[int]int, error) {
	if err := d.copyTo(dir); err != nil {
		return nil, err
	}
	out := map[string]map[int]int{}
	for _, m := range d.Modules {
		text, lines := w.guarded(m, faults, m.Name == d.Block)
		out[m.File] = lines
		if err := os.WriteFile(d.place(dir, m), []byte(text), 0o644); err != nil {
			return nil, copied(err)
		}
	}
	return out, copied(os.WriteFile(filepath.Join(dir, w.file), []byte(w.text), 0o644))
}

// guarded returns the text of a module with its faults behind guards, and the fault on each line.
func (w weaving) guarded(m *sv.Module, faults []*Fault, top bool) (string, map[int]int) {
	at := map[*sv.Site][]int{}
	for i, f := range faults {
		if f.module == m {
			at[f.site] = append(at[f.site], i)
		}
	}
	if len(at) == 0 && !top {
		return m.Text, nil
	}
	var b strings.Builder
	lines := map[int]int{}
	b.WriteString(w.head)
	line := 1 + strings.Count(w.head, "\n")
	put := func(s string) {
		b.WriteString(s)
		line += strings.Count(s, "\n")
	}
	mark := func(s string, fault int) {
		for range 1 + strings.Count(s, "\n") {
			lines[line] = fault
			line++
		}
		b.WriteString(s + "\n")
	}
	sites := slices.Clone(m.Sites)
	slices.SortFunc(sites, func(a, b *sv.Site) int { return a.Start - b.Start })
	pos := 0
	for _, s := range sites {
		if at[s] == nil {
			continue
		}
		put(m.Text[pos:s.Start])
		pos = s.End
		w.guard(put, mark, m.Text[s.Start:s.End], s, faults, at[s])
	}
	put(m.Text[pos:m.End])
	if top {
		put(w.init)
	}
	put(m.Text[m.End:])
	return b.String(), lines
}

// guard writes one site: a chain of ifs for a statement, a chain of conditional operators for an expression.
func (w weaving) guard(put func(string), mark func(string, int), was string, s *sv.Site, faults []*Fault, at []int) {
	number := func(i int) string { return fmt.Sprintf("%s == 32'd%d", w.selected, i+1) }
	if s.Kind == sv.Cond || s.Kind == sv.Label || s.Kind == sv.Port {
		for _, i := range at {
			put("(" + number(i) + ") ?\n")
			mark("("+faults[i].siteText()+") :", i)
		}
		put("(" + was + ")")
		return
	}
	begin := "begin\n"
	if s.Kind == sv.Assign {
		begin, was = "always_comb begin\n", strings.TrimPrefix(was, "assign")
	}
	put(begin)
	for _, i := range at {
		put("if (" + number(i) + ") begin\n")
		text := faults[i].siteText()
		if s.Kind == sv.Assign {
			text = strings.TrimPrefix(text, "assign")
		}
		mark(text, i)
		put("end else ")
	}
	put("begin " + was + " end\nend")
}

// copyTo makes dir a copy of the RTL folder, with the modules as they were read: the folder may have changed since.
func (d *Design) copyTo(dir string) error {
	err := os.CopyFS(dir, os.DirFS(d.RTL.Dir))
	for _, m := range d.Modules {
		if err == nil {
			err = os.WriteFile(d.place(dir, m), []byte(m.Text), 0o644)
		}
	}
	return copied(err)
}

// Plant writes a whole copy of the RTL with only this fault to dir, which must be empty or not exist.
func (d *Design) Plant(f *Fault, dir string) error {
	if err := empty(dir); err != nil {
		return err
	}
	if err := d.copyTo(dir); err != nil {
		return err
	}
	return copied(os.WriteFile(d.place(dir, f.module), []byte(f.Planted()), 0o644))
}

// empty returns an error when a folder holds anything.
func empty(dir string) error {
	if old, err := os.ReadDir(dir); err == nil && len(old) > 0 {
		return fmt.Errorf("%w: folder %s is not empty; give a new one", ErrFault, dir)
	}
	return nil
}

// PlantGuarded writes a copy of the RTL with all the faults to dir, which must be empty or not exist. The simulator's
// command line selects one: +PlusArg=N selects faults[N-1]; without it none is selected. PlantGuarded returns an error
// for a fault that cannot be guarded. The copy is for Verilator.
func (d *Design) PlantGuarded(faults []*Fault, dir string) error {
	return d.plantAll(faults, dir, verilated)
}

// PlantIcarus is PlantGuarded for Icarus. The number must be given: +PlusArg=0 selects none. The module IcarusTop, in
// dir, must be compiled with the rest, as a top.
func (d *Design) PlantIcarus(faults []*Fault, dir string) error {
	return d.plantAll(faults, dir, icarus)
}

func (d *Design) plantAll(faults []*Fault, dir string, w weaving) error {
	if err := empty(dir); err != nil {
		return err
	}
	for _, f := range faults {
		if !f.guardable() {
			return fmt.Errorf("%w: %s cannot be guarded; plant it alone", ErrFault, f.ID())
		}
	}
	_, err := d.weave(dir, faults, w)
	return err
}

var errorPlace = regexp.MustCompile(`(\w+\.sv):(\d+):`)

// blamed returns the index of the fault to which a compiler message of the simulator points.
func (s *schemata) blamed(message string) (int, bool) {
	for _, f := range errorPlace.FindAllStringSubmatch(message, -1) {
		line, _ := strconv.Atoi(f[2])
		if i, ok := s.lines[f[1]][line]; ok {
			return i, true
		}
	}
	return 0, false
}

package prove

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A miter holds a module twice, with and without a fault, with the same inputs, and asserts that every output is the
// same in every cycle. What keeps it small:
//
//   - A register of both copies is one free input: its next values are compared in place of the register. That is the
//     step of an induction over time, whose base is that both copies start from the same state.
//   - Keep names registers that may differ: each copy has its own, from the same value. State names registers that are
//     one, but have their value in place of any.
//   - Cut names instances that neither copy has: their outputs are the same free inputs of both, and their inputs are
//     compared. Equal inputs from the same state on mean equal outputs.
//   - Late names such instances whose outputs may differ for so many cycles after a reset. Their reset is not compared.
//   - Care names outputs that are compared only while another output is high.
//   - When names registers and outputs that are the same only while a wire of the notes is 1: while it is 0 the second
//     copy has any value in place of the register, and its next value is compared if the wire can be 1 then.
//   - Lemma names wires of the notes that are 1 in any cycle: that is proven with the rest, by induction over time.
//
// The first cycle is one of reset.

// copyScript returns the commands that turn a module into one circuit: its instances that are cut become ports.
func (t tree) copyScript(r *Row, m mode, files []string) (string, error) {
	sources, libs, err := t.inputs()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "read_verilog -formal -sv -D%s%s %s %s\n", m, structs(), sources, strings.Join(files, " "))
	fmt.Fprintf(&b, "hierarchy -check -top %s %s\n", r.Top, libs)
	for _, inst := range r.boxes() {
		fmt.Fprintf(&b, "select -assert-min 1 */%[1]s\nsetattr -set keep_hierarchy 1 -set gw_cut 1 */%[1]s\n", inst)
	}
	b.WriteString("proc\nasync2sync\nautoname\nflatten\n") // names are the module's own as yet
	if n := len(r.boxes()); n > 0 {
		fmt.Fprintf(&b, "select -assert-min %[2]d %[1]s/a:gw_cut\nexpose -evert %[1]s/a:gw_cut\n", r.Top, n)
		fmt.Fprintf(&b, "hierarchy -top %s\n", r.Top)
	}
	for _, wire := range r.conditions() {
		fmt.Fprintf(&b, "select -assert-count 1 %[1]s/w:%[2]s\nexpose %[1]s/w:%[2]s\n", r.Top, wire)
	}
	b.WriteString("wreduce t:$mul t:$add t:$sub\nopt_expr -mux_undef\nmemory_map\nsetundef -undriven -anyseq\ndffunmap\n" +
		"formalff -clk2ff\nsetundef -anyseq\nopt_clean\ntechmap\nsetundef -anyseq\naigmap\n" +
		"write_aiger -ascii -symbols copy.aag\n")
	return b.String(), nil
}

// boxes returns the instances that a miter leaves out.
func (r *Row) boxes() []string {
	out := slices.Clone(r.Cut)
	for name := range r.Late {
		out = append(out, name[strings.LastIndex(name, ".")+1:])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// conditions returns the wires of the notes that when and lemma name.
func (r *Row) conditions() []string {
	out := append(slices.Collect(maps.Values(r.When)), r.Lemma...)
	slices.Sort(out)
	return slices.Compact(out)
}

// annotate writes the top module to dir, with the parameters of the row in place of the defaults, and with what the row
// notes, assumes and reaches. It returns the file.
func (r *Row) annotate(text, dir string, facts bool) (string, error) {
	for name, value := range r.Params {
		find := regexp.MustCompile(`(?m)^(\s*parameter int ` + name + `\s*=) [^,\n]*`)
		if len(find.FindAllString(text, -1)) != 1 {
			return "", fmt.Errorf("%w: %s has no parameter %s", ErrProof, r.Top, name)
		}
		text = find.ReplaceAllString(text, "${1} "+strconv.Itoa(value))
	}
	var b strings.Builder
	b.WriteString(r.Notes[r.Top])
	if facts {
		for _, e := range r.Assume {
			fmt.Fprintf(&b, "  always_comb assume(%s);\n", e)
		}
		for _, e := range r.Cover {
			fmt.Fprintf(&b, "`ifdef %s\n  always_comb assert(!(%s));\n`endif\n", reach, e)
		}
	}
	return extend(dir, r.Top, text, b.String())
}

// extend writes a module with more lines at its end to dir and returns the file.
func extend(dir, module, text, more string) (string, error) {
	end := strings.LastIndex(text, "endmodule")
	if end < 0 {
		return "", fmt.Errorf("%w: module %s has no end", ErrProof, module)
	}
	return write(dir, module+".sv", text[:end]+more+text[end:])
}

// module returns the text of a module: of the planted file where that is the module, else of hdl/rtl.
func (t tree) module(name, planted string) (string, error) {
	path := planted
	if filepath.Base(planted) != name+".sv" {
		found, err := filepath.Glob(filepath.Join(t.rtl, "*", name+".sv"))
		if err != nil || len(found) != 1 {
			return "", fmt.Errorf("%w: module %s is not one file of hdl/rtl", ErrProof, name)
		}
		path = found[0]
	}
	text, err := os.ReadFile(path)
	return string(text), harness(err)
}

// circuit elaborates one copy. What the row assumes and reaches stands in the copy without the fault.
func (t tree) circuit(ctx context.Context, r *Row, m mode, planted, dir string) (*circuit, error) {
	var files []string
	for name := range r.Notes {
		if name == r.Top {
			continue
		}
		text, err := t.module(name, planted)
		if err != nil {
			return nil, err
		}
		path, err := extend(dir, name, text, r.Notes[name])
		if err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	changed := strings.TrimSuffix(filepath.Base(planted), ".sv")
	if _, noted := r.Notes[changed]; planted != "" && changed != r.Top && !noted {
		files = append(files, planted)
	}
	text, err := t.module(r.Top, planted)
	if err != nil {
		return nil, err
	}
	top, err := r.annotate(text, dir, planted == "")
	if err != nil {
		return nil, err
	}
	files = append(files, top)
	script, err := t.copyScript(r, m, files)
	if err != nil {
		return nil, err
	}
	if err := yosys(ctx, dir, script); err != nil {
		return nil, err
	}
	return readCircuit(filepath.Join(dir, "copy.aag"))
}

// miter makes the model of a row of two copies; the second has the fault in its file.
func (t tree) miter(ctx context.Context, r *Row, planted, dir string) (*model, error) {
	a, err := r.common.circuit(func() (*circuit, error) {
		return t.circuit(ctx, r, prove, "", filepath.Join(dir, "without"))
	})
	if err != nil {
		return nil, err
	}
	b, err := t.circuit(ctx, r, prove, planted, filepath.Join(dir, "with"))
	if err != nil {
		return nil, err
	}
	w := newWeave(r)
	if err := w.join(a, b); err != nil {
		return nil, err
	}
	if _, err := write(dir, "compared.txt", strings.Join(w.compared, "\n")+"\n"); err != nil {
		return nil, err
	}
	m := &model{dir: dir, file: "model.aig", asserts: len(w.compared), assumes: len(a.constraints)}
	return m, w.write(filepath.Join(dir, m.file))
}

// cover makes the model in which what the row reaches is reached: the copy without the fault, from a reset on.
func (t tree) cover(ctx context.Context, r *Row, dir string) (*model, error) {
	c, err := t.circuit(ctx, r, reach, "", filepath.Join(dir, "without"))
	if err != nil {
		return nil, err
	}
	w := newWeave(r)
	if err := w.alone(c); err != nil {
		return nil, err
	}
	m := &model{dir: dir, file: "model.aig", asserts: len(w.bads)}
	return m, w.write(filepath.Join(dir, m.file))
}

// named reports whether a signal, known by several names, is one of a list: a whole word, a bit, or a prefix with *.
// What autoname gave to the register behind an asynchronous reset is the name, _$ and more.
func named(names, list []string) bool {
	for _, name := range names {
		for _, want := range list {
			rest, ok := strings.CutPrefix(name, strings.TrimSuffix(want, "*"))
			if ok && (rest == "" || rest[0] == '[' || strings.HasPrefix(rest, "_$") || strings.HasSuffix(want, "*")) {
				return true
			}
		}
	}
	return false
}

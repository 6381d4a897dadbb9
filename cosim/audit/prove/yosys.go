package prove

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/bridge/toolchain"
)

// mode is what the macros of a harness become.
type mode string

const (
	prove mode = "GW_PROVE" // PROVE is asserted
	reach mode = "GW_REACH" // the opposite of each REACH is asserted
)

// model is a harness with its design, elaborated and mapped for an engine.
type model struct {
	dir     string
	file    string // AIGER or SMT-LIB
	asserts int
	assumes int
}

// tree is the RTL that a row is played on: that of the repository, or a copy with a planted fault.
type tree struct {
	root  string
	rtl   string
	extra string // one more file to read
}

// inputs returns the types and constants of every block, without which no module can be read, and the folders in which
// hierarchy looks for modules.
func (t tree) inputs() (sources, libs string, err error) {
	var out []string
	for _, kind := range []string{"types", "pkg"} {
		all, err := filepath.Glob(filepath.Join(t.root, "hdl", "gen", "*_"+kind+".sv"))
		if err != nil || len(all) == 0 {
			return "", "", fmt.Errorf("%w: no *_%s.sv in hdl/gen; run: make gen", ErrProof, kind)
		}
		out = append(out, all...)
	}
	all, err := os.ReadDir(t.rtl)
	var dirs []string
	for _, d := range all {
		if d.IsDir() {
			dirs = append(dirs, "-libdir "+filepath.Join(t.rtl, d.Name()))
		}
	}
	return strings.Join(out, " "), strings.Join(dirs, " "), harness(err)
}

// elaborate returns the commands up to one flat module with its processes turned into cells.
func (t tree) elaborate(r *Row, m mode) (string, error) {
	sources, libs, err := t.inputs()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	dir := filepath.Join(t.root, "hdl", "prove")
	harness := filepath.Join(dir, r.Top+".sv")
	if _, err := os.Stat(harness); err != nil {
		harness = filepath.Join(t.root, "hdl", "gen", r.Top+".sv") // a block with flat ports
	}
	fmt.Fprintf(&b, "read_verilog -formal -sv -I%s -D%s%s %s %s %s\n", dir, m, structs(), sources, t.extra, harness)
	fmt.Fprintf(&b, "hierarchy -check -top %s %s", r.Top, libs)
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		fmt.Fprintf(&b, " -chparam %s %d", name, r.Params[name])
	}
	b.WriteString("\n")
	for _, inst := range r.Cut {
		fmt.Fprintf(&b, "select -assert-min 1 */%s\ncutpoint */%s\n", inst, inst)
	}
	if len(r.Cut) > 0 {
		b.WriteString("hierarchy\n")
	}
	b.WriteString("proc\nflatten\n")
	return b.String(), nil
}

// probe connects wires of the harness with signals inside the design. It follows memory_map, so that a row of a memory
// is a signal too.
func (r *Row) probe() string {
	var b strings.Builder
	for _, wire := range slices.Sorted(maps.Keys(r.Probes)) {
		var names []string
		for _, name := range strings.Fields(r.Probes[wire]) {
			base, rows, isMemory := strings.Cut(name, "[*")
			if !isMemory {
				names = append(names, name)
				continue
			}
			n, _ := strconv.Atoi(strings.TrimSuffix(rows, "]"))
			for i := n - 1; i >= 0; i-- {
				names = append(names, fmt.Sprintf("%s[%d]", base, i))
			}
		}
		fmt.Fprintf(&b, "select -assert-count 1 w:%s\nconnect -set %s %s\n", wire, wire, strings.Join(names, ","))
	}
	return b.String()
}

// Memories and registers become what the engines know. A signal without a driver has any value in any cycle. What is
// asserted and assumed is counted after async2sync: later versions of Yosys read both as $check cells, which it makes
// into $assert and $assume.
const (
	registers = "opt_clean\nsetundef -undriven -anyseq\nasync2sync\n" + count + "dffunmap\nopt -keepdc\n" +
		"formalff -clk2ff\nsetundef -anyseq\n"
	count = "tee -q -o asserts.txt select -count t:$assert\ntee -q -o assumes.txt select -count t:$assume\n"
	gates = "techmap\nopt -keepdc -fast\nabc -g AND -fast\nopt_clean\n"
)

// build makes the model of a row for an engine.
func (t tree) build(ctx context.Context, r *Row, m mode, smt bool, dir string) (*model, error) {
	switch {
	case r.Engine == Same && m == prove:
		return t.miter(ctx, r, t.extra, dir)
	case r.Engine == Same:
		return t.cover(ctx, r, dir)
	}
	script, err := t.elaborate(r, m)
	if err != nil {
		return nil, err
	}
	out := &model{dir: dir, file: "model.aig"}
	if len(r.Probes) > 0 || !smt {
		script += "memory_map\n" + r.probe()
	}
	if smt {
		out.file = "model.smt2"
		script += "memory -nomap -nordff\n" + registers + "write_smt2 -wires model.smt2\n"
	} else {
		script += registers + gates + "write_aiger -I -B -zinit model.aig\n"
	}
	if err := yosys(ctx, dir, script); err != nil {
		return nil, err
	}
	for name, into := range map[string]*int{"asserts": &out.asserts, "assumes": &out.assumes} {
		if *into, err = counted(filepath.Join(dir, name+".txt")); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// yosys runs a script in dir, which it makes.
func yosys(ctx context.Context, dir, script string) error {
	if _, err := write(dir, "script.ys", script); err != nil {
		return err
	}
	out, err := command(ctx, dir, 10*time.Minute, "yosys", "-q", "-l", "yosys.log", "-s", "script.ys")
	if err != nil {
		return fmt.Errorf("%w: yosys in %s: %w\n%s", ErrProof, dir, err, tail(out))
	}
	return nil
}

// structs returns the option with which the generated structs are where the installed Yosys can read them; "" for none.
var structs = sync.OnceValue(func() string {
	v, _, err := toolchain.Find(context.Background(), toolchain.Yosys)
	if err == nil && toolchain.BareStruct.In(v) {
		return " -DGW_STRUCTS_IN_PACKAGE"
	}
	return ""
})

// errTimeout means that a tool did not end within its time.
var errTimeout = errors.New("no answer in time")

// command runs a tool in dir and returns what it printed.
func command(ctx context.Context, dir string, limit time.Duration, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	// yosys-smtbmc starts z3, which would go on alone.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return string(out), context.Cause(ctx)
	}
	if errors.Is(err, exec.ErrNotFound) {
		err = fmt.Errorf("%w; run: make tools", err)
	}
	return string(out), err
}

// tail returns the last lines of an output.
func tail(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}

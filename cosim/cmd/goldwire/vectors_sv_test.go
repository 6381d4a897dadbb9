package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/audit/fault"
	gwv "github.com/goldwire/goldwire/vectors/format"
)

// benched describes how a block's bench is tested: the size of the RTL, the stimulus, its events, fewer for Icarus in a
// short test since it runs a hundred times slower, the kinds of record, and ten hand-written faults of the block's
// catalogue that a guard can hold.
type benched struct {
	params  []string
	sources []string
	events  string
	icarus  string
	pers    []string
	faults  []string
}

var benches = map[string]benched{
	"ccc": {
		[]string{"NumContexts=8"}, []string{"random"}, "6000", "1500", []string{gwv.PerCycle, gwv.PerTransaction},
		[]string{
			"sweep-skips-last", "open-needs-invalid", "take-without-valid", "saturated-early-lost", "ctrl-1-ignored",
			"saved-each-time", "md-below-mtu", "fast-count-kept", "loss-not-ignored", "underflow-at-zero",
		},
	},
	"txstate": {
		[]string{"NumPdcs=4", "Depth=8"}, []string{"directed", "random"}, "4000", "1000",
		[]string{gwv.PerCycle, gwv.PerTransaction},
		[]string{
			"sweep-of-half", "nack-frees", "load-rtx-3", "ack-keeps", "load-always-valid",
			"evicted-on-hit", "read-compares", "unknown-rtx-once", "read-echoes", "rtx-wraps",
		},
	},
	"egress": {
		[]string{"NumPorts=4", "Depth=16"}, []string{"random"}, "12000", "12000", []string{gwv.PerCycle},
		[]string{
			"sweep-skips-last", "event-before-grant", "fifo-of-one", "credit-one-short", "take-without-valid",
			"no-hold", "load-of-port-bytes", "depth-before-removal", "sweep-clears-no-content", "write-not-exclusive",
		},
	},
	"trimmer": {
		nil, []string{"random"}, "4000", "1000", []string{gwv.PerCycle},
		[]string{
			"fifo-of-one", "out-one-short", "last-of-input", "release-at-five", "dscp-of-lasthop",
			"keep-64", "one-tag-only", "protocol-any", "config-keeps-value", "vanished-beats-cost",
		},
	},
	"intmd": {
		[]string{"NumPorts=4"}, []string{"random"}, "4000", "1000", []string{gwv.PerCycle},
		[]string{
			"sweep-skips-last", "held-overwritten", "add-sets-queue", "fifo-of-one", "out-one-short",
			"release-at-three", "entry-little-endian", "qlen-saturation", "no-tags", "one-too-many",
		},
	},
	"ackparse": {
		nil, []string{"random"}, "4000", "1000", []string{gwv.PerCycle},
		[]string{
			"fifo-of-one", "credit-one-short", "dropped-keeps-credit", "request-passes", "ip-sum-unchecked",
			"udp-sum-unchecked", "psn-offset-missing", "bitmap-bytes-swapped", "ack-psn-unsigned", "refused-shows-data",
		},
	},
	"ackgen": {
		[]string{"Pdcs=4"}, []string{"random"}, "4000", "1000", []string{gwv.PerCycle},
		[]string{
			"silent-keeps-credit", "dropped-keeps-credit", "access-waits-for-packets", "pdcid-0-taken", "first-pdc-is-0",
			"cack-at-start", "rcvd-rounded-down", "sack-byte-order", "mac-not-swapped", "ip-sum-wrong",
		},
	},
	"txpdc": {
		[]string{"Contexts=2"}, []string{"random"}, "4000", "1000", []string{gwv.PerCycle},
		[]string{
			"gap-one-short", "one-act-short", "silent-keeps-credit", "any-view-ends-wait", "next-stays",
			"last-asks-not", "tick-one-longer", "not-sent-taken", "sample-of-covered", "rotation-records-first",
		},
	},
	"nic": {
		[]string{"Contexts=2", "Receives=4"}, []string{"random"}, "4000", "1000", []string{gwv.PerCycle},
		[]string{
			"action-beside-command", "close-not-sent", "unknown-target-waits", "sum-bytes-swapped", "pdcid-from-zero",
			"keep-off-by-one", "packets-before-answers", "turn-lost", "tag-is-context", "ack-psn-is-psn",
		},
	},
	"switchport": {
		[]string{"NumPorts=4", "Depth=16", "Slots=16"}, []string{"random"}, "20000", "4000", []string{gwv.PerCycle},
		[]string{
			"first-beat-takes-no-slot", "dropped-keeps-slot", "later-beats-in-next-free-slot", "too-long-is-queued",
			"length-in-whole-beats",
			"takes-without-gr", "records-swapped", "bubble-between-packets", "ports-swapped", "queue-not-taken-off",
		},
	},
}

// Benches exported for every block, per cycle and if possible per transaction, pass on our RTL in Icarus and Verilator
// and fail on each of ten faults, naming a field or a control bit.
func TestExportedBenches(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles each block several times")
	}
	for _, tool := range []string{"iverilog", "verilator"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed; make tools installs it", tool)
		}
	}
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	long := launchtest.Longer() // make soak sets it
	for block, b := range benches {
		if !long && block != "txstate" && block != "trimmer" { // one of events, one of packets
			continue
		}
		design, faults := plantable(t, root, block)
		for i, per := range b.pers {
			if i > 0 && !long {
				break
			}
			t.Run(block+"/"+per+"/verilator", func(t *testing.T) {
				if block != "txstate" {
					launchtest.Long(t, "the bench in Icarus, and that of txstate")
				}
				rtl := filepath.Join(t.TempDir(), "rtl")
				require.NoError(t, design.PlantGuarded(faults, rtl))
				bench := exportBench(t, root, block, per, b.sources, b.events)
				bench.verilate(t, rtl)
				bench.passes(t)
				if per == gwv.PerTransaction {
					bench.passes(t, "+idle=30", "+stall=50")
				}
				for i, f := range faults {
					bench.fails(t, f, fmt.Sprintf("+%s=%d", fault.PlusArg, i+1))
				}
			})
			t.Run(block+"/"+per+"/icarus", func(t *testing.T) {
				if block != "trimmer" {
					launchtest.Long(t, "the bench in Verilator, and that of trimmer")
				}
				sources, events := []string{"random"}, b.icarus // the directed cases alone take Icarus ten seconds
				if long {
					sources, events = b.sources, b.events
				}
				bench := exportBench(t, root, block, per, sources, events)
				bench.icarus(t, filepath.Join(root, "hdl", "rtl"))
				bench.passes(t)
				for i, f := range faults {
					// Icarus compiles each for itself: a short test plants a fifth of them.
					if !long && i%5 != len(per)%5 {
						continue
					}
					rtl := filepath.Join(t.TempDir(), "rtl")
					require.NoError(t, design.Plant(f, rtl))
					bench.icarus(t, rtl)
					bench.fails(t, f)
				}
			})
		}
	}
}

// plantable returns the RTL of a block and the ten faults that test its benches.
func plantable(t *testing.T, root, block string) (*fault.Design, []*fault.Fault) {
	t.Helper()
	design, err := fault.Load(root, block)
	require.NoError(t, err)
	var faults []*fault.Fault
	for _, name := range benches[block].faults {
		f, err := design.Find(name, 0)
		require.NoError(t, err)
		faults = append(faults, f)
	}
	require.Len(t, faults, 10)
	return design, faults
}

// svBench is an exported bench in its own folder.
type svBench struct {
	block, dir string
	sources    []string
	command    []string // runs the compiled bench
}

// exportBench generates the block's vectors and exports their bench.
func exportBench(t *testing.T, root, block, per string, sources []string, events string) *svBench {
	t.Helper()
	dir := t.TempDir()
	b := benches[block]
	var files []string
	for _, source := range sources {
		file := filepath.Join(dir, source+".gwv")
		args := []string{"vectors", "gen", "--block", block, "--per", per, "--source", source, "--seed", "3",
			"--events", events, "-o", file}
		for _, p := range b.params {
			args = append(args, "--param", p)
		}
		must(t, args...)
		files = append(files, file)
	}
	file := files[0]
	if len(files) > 1 {
		file = filepath.Join(dir, "all.gwv")
		must(t, append([]string{"vectors", "merge", "-o", file}, files...)...)
	}
	must(t, "vectors", "export", "--to", "sv", file, "-o", dir)
	sb := &svBench{block: block, dir: dir}
	for _, pattern := range []string{"_types.sv", "_pkg.sv"} {
		all, err := filepath.Glob(filepath.Join(root, "hdl", "gen", "*"+pattern))
		require.NoError(t, err)
		sb.sources = append(sb.sources, all...)
	}
	sb.sources = append(sb.sources, filepath.Join(root, "hdl", "gen", block+"_top.sv"), block+"_vec_pkg.sv",
		block+"_vec_dut.sv", block+"_vec_tb.sv")
	return sb
}

func (b *svBench) exec(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = b.dir
	out, err := c.CombinedOutput()
	return string(out), err
}

// folders returns an option for each folder of modules.
func folders(t *testing.T, option, dir string) (args []string) {
	t.Helper()
	rtl, err := launch.ReadRTL(dir)
	require.NoError(t, err)
	for _, f := range rtl.Folders {
		args = append(args, option, filepath.Join(dir, f))
	}
	return args
}

func (b *svBench) icarus(t *testing.T, rtl string) {
	t.Helper()
	out, err := b.exec("iverilog", append([]string{"-g2012", "-s", b.block + "_vec_tb", "-o", "bench.vvp", "-Y", ".sv"},
		append(folders(t, "-y", rtl), b.sources...)...)...)
	require.NoError(t, err, out)
	b.command = []string{"vvp", "bench.vvp"}
}

func (b *svBench) verilate(t *testing.T, rtl string) {
	t.Helper()
	args := append(launchtest.Verilate(), "--top-module", b.block+"_vec_tb", "-Wno-fatal", "--Mdir", "obj", "-o", "bench")
	args = append(args, folders(t, "-y", rtl)...)
	out, err := b.exec("verilator", append(args, b.sources...)...)
	require.NoError(t, err, out)
	b.command = []string{filepath.Join(b.dir, "obj", "bench")}
}

func (b *svBench) passes(t *testing.T, args ...string) {
	t.Helper()
	out, err := b.exec(b.command[0], append(b.command[1:], args...)...)
	require.NoError(t, err, out)
	require.Contains(t, out, "PASS "+b.block+"_vec_tb: ")
	require.NotContains(t, out, "FAIL")
}

func (b *svBench) fails(t *testing.T, f *fault.Fault, args ...string) {
	t.Helper()
	out, err := b.exec(b.command[0], append(b.command[1:], args...)...)
	require.Error(t, err, "fault %s passes\n%s", f.Name, out)
	require.Contains(t, out, "FAIL "+b.block+"_vec_tb: ")
	require.Contains(t, out, ": want ", "what differs is named")
	require.NotContains(t, out, "PASS")
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// No command that fails leaves a result of an earlier run at its output, and none loses it.
func TestEarlierResultsAreSetAside(t *testing.T) {
	const page, sum = `<div class="verdict good"><b>PASS</b></div>`, `{"verdict": "passed"}`
	for args, old := range map[string]string{
		"ci run nosuch.yaml --json OUT":                              sum,
		"ci run --stage nosuch --html OUT":                           page,
		"ci run --stage smoke --annotations OUT --slots -1":          "",
		"ci shard 1/9999 --stage smoke --junit OUT":                  "<testsuites errors=\"0\">",
		"ci merge nosuch --dir nosuch --markdown OUT --bogus":        "### goldwire PASSED: stage smoke",
		"ci triage --bogus --json OUT":                               `{"buckets": []}`,
		"ci coverage merge --bogus --lcov OUT":                       "TN:\nSF:a\n",
		"fabric validate nosuch --html OUT":                          page,
		"fabric run fattree128/incast32 --cc nosuch --html OUT":      page,
		"diff compare nosuch contract --markdown OUT":                "### goldwire diff compare",
		"diff compare contract contract --html OUT":                  page,
		"diff run --block nosuch --json OUT":                         `{"state_bits": 1}`,
		"faults --block nosuch --html OUT":                           page,
		"faults --block nosuch --markdown OUT":                       "Measured by `goldwire faults`",
		"fabric validate --jobs 0 --markdown OUT":                    "Measured by `goldwire fabric validate`",
		"fabric cost txstate --markdown OUT":                         "Measured by `goldwire fabric cost`",
		"fabric cost --seeds 1,2 --markdown OUT":                     "Measured by `goldwire fabric cost`",
		"bench --bogus --markdown OUT":                               "Measured by `goldwire bench --all`",
		"golden step nosuch.jsonl --json OUT":                        `{"expectations": 1}`,
		"cosim --block nosuch --html OUT":                            page,
		"cosim --bogus --json OUT":                                   sum,
		"vectors gen --block nosuch -o OUT":                          "\x89GWV\r\n",
		"vectors gen --dut nosuch.yaml --output=OUT":                 "\x89GWV\r\n",
		"vectors gen --golden unix:/nosuch/socket --events 9 -o OUT": "\x89GWV\r\n",
		"guide --block nosuch -o OUT/..":                             "\ncase guided/1\n",
		"guide --bogus -o OUT/..":                                    "\ncase guided/1\n",
	} {
		t.Run(args, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "corpus.txt")
			require.NoError(t, os.WriteFile(out, []byte(old), 0o644))
			given := strings.Fields(strings.ReplaceAll(args, "OUT", out))
			given[len(given)-1] = strings.TrimSuffix(given[len(given)-1], "/corpus.txt/..")
			o := call(t, newFake(), given...)
			requireBroken(t, o, "what an earlier run left is kept in "+out+".earlier")
			require.Equal(t, old, read(t, out+".earlier"))
			if text, err := os.ReadFile(out); err == nil { // a report of the error
				require.NotContains(t, strings.ToLower(string(text)), "pass")
			}
		})
	}
}

// Wrong input is found before an output is touched.
func TestWrongInputLeavesOutputs(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	for args, why := range map[string]string{
		"fabric run fattree128/incast32 --flow 999 --csv OUT --series s.csv": "--flow: flow 999: there are flows 0 to 31",
		"fabric run fattree128/incast32 --flow 999 --series OUT":             "there are flows 0 to 31",
		"fabric run fattree128/incast32 --cc nosuch --csv OUT":               "nosuch",
		"diff compare nosuch contract --csv OUT":                             `side "nosuch"`,
		"diff compare contract nosuch.json --markdown OUT":                   "nosuch.json",
		"golden step nosuch.jsonl --json OUT":                                "nosuch.jsonl",
	} {
		require.NoError(t, os.WriteFile(out, []byte("precious"), 0o644))
		requireBroken(t, call(t, newFake(), strings.Fields(strings.ReplaceAll(args, "OUT", out))...), why)
		require.Equal(t, "precious", read(t, out), args)
		require.NoFileExists(t, out+".earlier")
	}
	// A switch names no output.
	gwv := "\x89GWV\r\n damaged"
	require.NoError(t, os.WriteFile(out, []byte(gwv), 0o644))
	requireBroken(t, call(t, newFake(), "vectors", "info", "--json", out))
	require.Equal(t, gwv, read(t, out))
	// A report of cosim describes the error; what it replaces is kept.
	const sum = `{"verdict": "passed"}`
	require.NoError(t, os.WriteFile(out, []byte(sum), 0o644))
	requireBroken(t, call(t, newFake(), "cosim", "--block", "nosuch", "--json", out), out+".earlier")
	require.Equal(t, sum, read(t, out+".earlier"))
	require.Contains(t, read(t, out), `"verdict": "error"`)
	// So it is when the next one fails too.
	requireBroken(t, call(t, newFake(), "cosim", "--block", "nosuch", "--json", out), out+".earlier")
	require.Equal(t, sum, read(t, out+".earlier"))
	require.NoError(t, os.Remove(out))
	requireBroken(t, call(t, newFake(), "cosim", "--block", "nosuch", "--json", out), out+".earlier")
	require.Equal(t, sum, read(t, out+".earlier"))
	require.Equal(t, cli.ExitPass, call(t, newFake(), "cosim", "--json", out).code)
	require.NoFileExists(t, out+".earlier", "this run has a verdict")
	// An input that is named as an output stays.
	require.NoError(t, os.WriteFile(out, []byte(gwv), 0o644))
	requireBroken(t, call(t, newFake(), "cosim", "--dut", "nosuch.yaml", "--expect", out, "--json", out), "both name")
	require.Equal(t, gwv, read(t, out))
	require.NoFileExists(t, out+".earlier")
}

// Two outputs, or an output and an input, are two files.
func TestOutputsAreDistinct(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	t.Setenv("GOLDWIRE_ROOT", root)
	t.Chdir(t.TempDir())
	require.NoError(t, os.Symlink("new", "link"))
	trace := with(replayFlags, "trace.csv")
	require.NoError(t, os.WriteFile("trace.csv", []byte("x"), 0o644))
	for _, args := range []string{
		"cosim --json new --html ./new", "cosim --json new --html link", "cosim --pcap new --save-case new",
		"cosim --pcap new --junit link", "faults --json new --html link",
		"fabric run fattree128/incast32 --csv new --json link", "fabric validate 000/fairness --json new --html link",
		"fabric run fattree128/incast32 --html new --pcap host0-tor0=./new",
		"diff run --csv new --markdown link", "diff compare contract rev:HEAD --csv new --markdown link",
		"diff wordlen --json new -o link", "ci merge . --dir x --json new --junit link", "ci trends --json new --html link",
		"ci coverage merge trace.csv --lcov new --json link",
	} {
		f := newFake()
		requireBroken(t, call(t, f, strings.Fields(args)...), "both name", "give two files")
		require.Empty(t, f.configs)
		require.NoFileExists(t, "new", args)
	}
	requireBroken(t, call(t, newFake(), with(trace, "--json", "./trace.csv")...), "it is the trace")
}

// A report that cannot be written is the last line on stdout: a verdict alone would pass for all.
func TestMissingReportFollowsTheVerdict(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	for _, args := range []string{
		"cosim --html /dev/full", "cosim --seeds 1..2 --json /dev/full",
		"golden step ../../../golden/cc/play/testdata/swift-cut.jsonl --json /dev/full",
		"diff run --source random --events 1k --junit /dev/full",
	} {
		o := call(t, newFake(), strings.Fields(args)...)
		requireBroken(t, o, "no space left on device")
		lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
		require.Regexp(t, `^ERROR  a report is missing: .*no space left on device`, lines[len(lines)-1], args)
	}
}

// A corpus has its own seeds: several would play the same events again and count them again.
func TestGuidedHasOneSeed(t *testing.T) {
	f := newFake()
	requireBroken(t, call(t, f, "cosim", "--source", "random,guided", "--seeds", "1..2"),
		"--seeds 1..2: a corpus has its own seeds", "the same events 2 times", "give one seed")
	require.Empty(t, f.configs)
}

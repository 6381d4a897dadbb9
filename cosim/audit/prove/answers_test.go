package prove

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/toolchain"
)

var update = flag.Bool("update", false, "record what the installed Yosys, abc and smtbmc answer in testdata/answers")

// question is put to the installed tools, and to what each version answered when it was recorded.
type question struct {
	name  string
	model func(*network) // of abc; nil: text
	abc   string
	text  string // of a module m
	smt   []string

	answer answer
	count  int
}

// stays asserts that a register is 0, which stays 0, or the inverse; others delay the input, so that abc does not visit
// every state.
func stays(inverse literal) func(*network) {
	return func(n *network) {
		late, l := n.input(), n.register(zero)
		for range 8 {
			d := n.register(zero)
			n.next[d], late = late, d
		}
		n.next[l] = n.and(l, late)
		n.bads = append(n.bads, l^inverse)
	}
}

const counter = `module m(input clk, input up);
  reg [2:0] n = 0;
  always @(posedge clk) if (up && n != 5) n <= n + 1;
  always @* begin %s end
endmodule
`

func questions() []question {
	text := func(facts string) string { return fmt.Sprintf(counter, facts) }
	return []question{
		{name: "pdr holds", model: stays(0), abc: "pdr", answer: holds},
		{name: "pdr fails", model: stays(1), abc: "pdr", answer: fails},
		{name: "bmc3 holds", model: stays(0), abc: "bmc3 -F 5", answer: holds},
		{name: "bmc3 fails", model: stays(1), abc: "bmc3 -F 5", answer: fails},
		{name: "pdr after scorr", model: stays(0), abc: "scorr -F 6; pdr"}, // differs: constant answers in its place
		{name: "smtbmc base holds", text: text("assert(n != 7);"), smt: []string{"-t", "9"}, answer: holds},
		{name: "smtbmc base fails", text: text("assert(n != 5);"), smt: []string{"-t", "9"}, answer: fails},
		{name: "smtbmc step holds", text: text("assert(n < 6);"), smt: []string{"-i", "-t", "1"}, answer: holds},
		{name: "smtbmc step fails", text: text("assert(n != 7);"), smt: []string{"-i", "-t", "1"}, answer: fails},
		{name: "assertions", text: text("assert(n != 7); assert(n != 6); assume(up);"), count: 2},
	}
}

// play returns what the tools print.
func (q question) play(t *testing.T) string {
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		out, err := command(t.Context(), dir, time.Minute, name, args...)
		var exit interface{ ExitCode() int }
		require.True(t, err == nil || errors.As(err, &exit), "%v: %s", err, out)
		return out
	}
	if q.model != nil {
		n := newNetwork()
		q.model(n)
		require.NoError(t, n.write(filepath.Join(dir, "m.aig")))
		return run("yosys-abc", "-c", "read_aiger m.aig; "+joined+"; "+q.abc)
	}
	_, err := write(dir, "m.v", q.text)
	require.NoError(t, err)
	run("yosys", "-q", "-p", "read_verilog -formal m.v; hierarchy -top m; proc; "+
		strings.ReplaceAll(strings.TrimSpace(registers), "\n", "; ")+"; write_smt2 -wires m.smt2")
	if q.smt == nil {
		text, err := os.ReadFile(filepath.Join(dir, "asserts.txt"))
		require.NoError(t, err)
		return string(text)
	}
	return run("yosys-smtbmc", append([]string{"-s", "z3", "--noprogress"}, append(q.smt, "m.smt2")...)...)
}

// read returns the answer in what a version printed.
func (q question) read(t *testing.T, out string) {
	t.Helper()
	m := &model{dir: "DIR"}
	var got answer
	var err error
	switch {
	case q.count > 0:
		path := filepath.Join(t.TempDir(), "count.txt")
		require.NoError(t, os.WriteFile(path, []byte(out), 0o644))
		n, err := counted(path)
		require.NoError(t, err)
		require.Equal(t, q.count, n)
		return
	case q.answer == unknown:
		return
	case q.smt != nil && q.answer == fails:
		got, err = smtAnswer(out, errors.New("exit status 1"))
	case q.smt != nil:
		got, err = smtAnswer(out, nil)
	case strings.HasPrefix(q.abc, "bmc3"):
		got, err = judged(m, out, unknown, nil, abcFrames.MatchString(out), abcFailed.MatchString(out))
	default:
		got, err = judged(m, out, unknown, nil, abcProved.MatchString(out), abcFailed.MatchString(out))
	}
	require.NoError(t, err)
	require.Equal(t, q.answer, got, out)
	require.False(t, abcError.MatchString(out), out)
}

// The recorded answers of each version, and those of the installed one, are read correctly; -update records the latter.
func TestAnswersOfEveryVersion(t *testing.T) {
	const mark = "\n-- "
	for _, version := range []string{"0.23", "0.52", "0.66"} {
		text, err := os.ReadFile(filepath.Join("testdata", "answers", "yosys-"+version+".txt"))
		require.NoError(t, err)
		of := map[string]string{}
		for part := range strings.SplitSeq("\n"+string(text), mark) {
			name, out, _ := strings.Cut(part, "\n")
			of[name] = out
		}
		for _, q := range questions() {
			t.Run(version+"/"+q.name, func(t *testing.T) {
				require.NotEmpty(t, of[q.name])
				q.read(t, of[q.name])
			})
		}
	}
	tools(t)
	v, _, err := toolchain.Find(t.Context(), toolchain.Yosys)
	require.NoError(t, err)
	var b strings.Builder
	for _, q := range questions() {
		out := strings.TrimSpace(q.play(t)) + "\n"
		t.Run("here/"+q.name, func(t *testing.T) { q.read(t, out) })
		b.WriteString(strings.TrimPrefix(mark, "\n") + q.name + "\n" + out)
	}
	if *update {
		_, err := write(filepath.Join("testdata", "answers"), "yosys-"+v.Text+".txt", b.String())
		require.NoError(t, err)
	}
}

// An answer that is both or neither is none.
func TestWhatIsNoAnswer(t *testing.T) {
	for _, out := range []string{"", "Property UNDECIDED.\n", "Property proved.\nOutput 0 of miter \"m\" was " +
		"asserted in frame 0.\n", "x Property proved.\n"} {
		_, err := judged(&model{}, out, unknown, nil, abcProved.MatchString(out), abcFailed.MatchString(out))
		require.ErrorIs(t, err, ErrProof, out)
	}
	for _, out := range []string{"", "Status: PASSED\nStatus: FAILED\n", "## Solver: PREUNSAT\nStatus: PASSED\n"} {
		got, err := smtAnswer(out, nil)
		require.Error(t, err, out)
		require.Equal(t, unknown, got)
	}
	got, err := smtAnswer("Status: PASSED\n", errors.New("exit status 1"))
	require.Error(t, err, "it passed and failed to end")
	require.Equal(t, unknown, got)
}

// A constant counts only where the file has one output, without properties or constraints.
func TestConstant(t *testing.T) {
	for text, want := range map[string]answer{
		"aig 1 1 0 1 0\n0\nc\n": holds, "aig 1 1 0 1 0\n1\n": fails, "aig 2 1 1 1 0\n4\n0\n": holds,
		"aig 2 1 1 1 0\n0\n4\n": unknown, "aig 1 1 0 1 0\n2\n": unknown, "aig 1 1 0 2 0\n0\n0\n": unknown,
		"aig 1 1 0 0 0 1\n0\n": unknown, "aig 1 1 9 1 0\n0\n": unknown, "": unknown, "aag 1 1 0 1 0\n2\n0\n": unknown,
	} {
		require.Equal(t, want, constant([]byte(text)), "%q", text)
	}
}

// The model of one assertion has that one and all constraints.
func TestOnly(t *testing.T) {
	const all = "aig 3 1 2 0 0 3 1\n2\n4\n6\n7\n0\n3\n\x02\x01"
	for i, line := range []string{"6", "7", "0"} {
		got, err := only([]byte(all), i)
		require.NoError(t, err)
		require.Equal(t, "aig 3 1 2 0 0 1 1\n2\n4\n"+line+"\n3\n\x02\x01", string(got))
	}
	for _, bad := range []string{"", "aig 3 1 2 0 0\n", "aag 3 1 2 0 0 3 1\n2\n4\n6\n7\n0\n3\n", all[:20]} {
		_, err := only([]byte(bad), 0)
		require.ErrorIs(t, err, ErrProof, bad)
	}
	_, err := only([]byte(all), 3)
	require.ErrorIs(t, err, ErrProof)
}

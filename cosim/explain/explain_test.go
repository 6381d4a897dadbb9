package explain

import (
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// Without a model that tells, the rules are those of the table for the event's kind, each with its place and its text.
func TestRulesOfTheTable(t *testing.T) {
	x, err := Of(t.Context(), &Failure{Dir: "../../vectors/event/ccc", Block: ccc.Schema(), Kind: "NACK",
		Outputs: []string{"rsp_lb", "rsp_valid"}})
	require.NoError(t, err)
	require.Len(t, x.Rules, 2)
	require.Equal(t, "nack/5", x.Rules[0].Name)
	require.False(t, x.Rules[0].By)
	require.Contains(t, x.Rules[0].Text, "lb = NACK if reason = 1")
	require.Regexp(t, `^vectors/event/ccc/contract.md:\d+$`, x.Rules[0].Where)
	require.Equal(t, "timing", x.Rules[1].Name)

	_, err = Of(t.Context(), &Failure{Dir: t.TempDir(), Block: ccc.Schema()})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// The lines of a long rule that decide are those that the model names, else the rows for the event's kind.
func TestDecidingLines(t *testing.T) {
	const text = "One.\n\n| kind | found |\n|---|---|\n| SEND, hit | 1 |\n| SEND, no hit | 0 |\n| ACK, NACK | 1 |\n\n" +
		"Two, of\ntwo lines.\n\n| other | x |\n|---|---|\n| READ | 1 |"
	head := []string{"| kind | found |", "|---|---|"}
	require.Equal(t, append(head, "| SEND, no hit | 0 |"), passage(text, "SEND, no hit"))
	require.Equal(t, []string{"Two, of", "two lines."}, passage(text, "Two, of"))
	require.Equal(t, []string{"| other | x |", "|---|---|", "| READ | 1 |"}, passage(text, "READ"))
	require.Nil(t, passage(text, "LOAD"))
	require.Equal(t, append(head, "| SEND, hit | 1 |", "| SEND, no hit | 0 |"), rowsOf(text, "SEND"))
	require.Equal(t, append(head, "| ACK, NACK | 1 |"), rowsOf(text, "NACK"))
	require.Nil(t, rowsOf(text, "LOAD"))
	require.Nil(t, rowsOf(text, ""))

	x, err := Of(t.Context(), &Failure{Dir: "../../vectors/event/txstate", Block: txstate.Schema(), Kind: "LOAD",
		Outputs: []string{"rsp_rtx_count"}})
	require.NoError(t, err)
	require.Len(t, x.Rules, 1)
	require.Len(t, x.Rules[0].Deciding, 3)
	require.Regexp(t, `^\| LOAD \|`, x.Rules[0].Deciding[2])
}

const dump = `$scope module TOP $end
$var wire 16 ! delay_s2_q [15:0] $end
$scope module u_a $end
$var wire 16 " delay_s3 [15:0] $end
$var wire 1 # gate_s4 $end
$var wire 17 % ratio_s5 [16:0] $end
$var wire 20 & step_s1 [19:0] $end
$upscope $end
$upscope $end
$scope module goldwire $end
$var wire 16 ' delay_s1 [15:0] $end
$upscope $end
$enddefinitions $end
#100000
b1 !
b1 "
1#
b1 %
b11111111111111111111 &
b1 '
#101000
b1 &
#102000
b101010 !
#105000
b10001 %
`

// A signal of the design is beside a value where its name is the value's with a stage, in the cycle of the stage. A
// difference is marked. A signal that is too narrow, a track of our own and a value of the state stay out.
func TestProbe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.vcd")
	require.NoError(t, os.WriteFile(path, []byte(dump), 0o644))
	step := func(name string, v int64) report.Derived { return report.Derived{Name: name, Raw: big.NewInt(v)} }
	x := &report.Explanation{Issued: 100, Steps: []report.Derived{step("delay", 42), step("gate", 7), step("ratio", 16),
		step("other", 1), step("step", 1), {Name: "delay", State: true, Raw: big.NewInt(42)}}}
	require.NoError(t, Probe(x, path))
	for i, want := range []struct {
		design, probe string
		differs       bool
	}{{"42", "delay_s2_q", false}, {}, {"17", "u_a.ratio_s5", true}, {}, {"1", "u_a.step_s1", false}, {}} {
		s := x.Steps[i]
		require.Equal(t, want.design, s.Design, s.Name)
		require.Equal(t, want.probe, s.Probe, s.Name)
		require.Equal(t, want.differs, s.Differs, s.Name)
	}

	x = &report.Explanation{Issued: 400, Steps: []report.Derived{step("delay", 42)}}
	require.NoError(t, Probe(x, path))
	require.Empty(t, x.Steps[0].Probe, "the dump ends before its stage")

	x = &report.Explanation{Issued: 100, Steps: []report.Derived{step("step", -1)}}
	before, _, _ := strings.Cut(dump, "#101000")
	require.NoError(t, os.WriteFile(path, []byte(before+"#101000\nb11111111111111111111 &\n"), 0o644))
	require.NoError(t, Probe(x, path))
	require.False(t, x.Steps[0].Differs, "two's complement")
	require.ErrorIs(t, Probe(x, filepath.Join(t.TempDir(), "gone")), os.ErrNotExist)
}

// A value with fraction bits is a decimal, with its raw bits beside it.
func TestNumber(t *testing.T) {
	require.Equal(t, "0.5 (raw 32768)", number(big.NewInt(1<<15), 16))
	require.Equal(t, "-1 (raw -256)", number(big.NewInt(-256), 8))
	require.Equal(t, "7", number(big.NewInt(7), 0))
}

package client

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
	"github.com/goldwire/goldwire/bridge/wire"
)

// edited builds the test block from a copy of its RTL in which old is replaced by text.
func edited(t *testing.T, old, text string, edit func(*launch.BuildSpec)) *launch.Binary {
	t.Helper()
	src, err := os.ReadFile("../launch/testdata/tiny/hdl/rtl/adder.sv")
	require.NoError(t, err)
	require.Contains(t, string(src), old)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "adder.sv"),
		[]byte(strings.Replace(string(src), old, text, 1)), 0o644))
	spec := launch.BuildSpec{Root: "../launch/testdata/tiny", Block: "adder", Shell: "../../hdl/shell", RTLDir: dir,
		Opt: "-O1", OutDir: filepath.Join(t.TempDir(), "dut")}
	if edit != nil {
		edit(&spec)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	bin, err := launch.Build(ctx, spec)
	require.NoError(t, err)
	return bin
}

// TestPlantedFault plants an adder that loses the carry out of bit 31 and asks for the first cycle in which
// that shows.
func TestPlantedFault(t *testing.T) {
	bin := edited(t, "{1'b0, ev_i.a} + {1'b0, ev_i.b} + {1'b0, Offset}", "{1'b0, ev_i.a + ev_i.b + Offset}", nil)
	in, want := traffic(60, 10_000)
	first := -1
	for i := 0; i < len(want) && first < 0; i += adder.OutWords {
		var rsp adder.Response
		adder.UnpackResponse(want[i:], &rsp)
		if want[i]&adder.OutRspValid != 0 && rsp.Sum>>32 != 0 {
			first = i / adder.OutWords
		}
	}
	require.Positive(t, first)
	s, err := Start(t.Context(), bin, DefaultOptions())
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.Replay(in, want))
	res, err := s.Finish()
	require.NoError(t, err)
	m := res.Mismatch
	require.NotNil(t, m, "the planted fault must be found")
	require.EqualValues(t, first, m.Cycle)
	at := int(m.Cycle-m.From) * adder.OutWords
	var w, g adder.Response
	adder.UnpackResponse(m.Want[at:], &w)
	adder.UnpackResponse(m.Got[at:], &g)
	require.Equal(t, w.Sum&0xffffffff, g.Sum)
	require.Equal(t, w.Tag, g.Tag)
}

// TestParametersAndAssertions builds with a parameter and an assertion that fails.
func TestParametersAndAssertions(t *testing.T) {
	const check = "`ifdef GW_ASSERT\n  assert property (@(posedge clk_i) disable iff (!rst_ni) accept |-> ev_i.a != " +
		"32'd13) else $error(\"thirteen\");\n`endif\nendmodule"
	bin := edited(t, "endmodule", check, func(s *launch.BuildSpec) {
		s.Params, s.Assert = map[string]int{"Offset": 7}, true
	})
	require.Equal(t, "Offset=7", bin.Params)
	s, err := Start(t.Context(), bin, DefaultOptions())
	require.NoError(t, err)
	defer s.Close()
	require.Equal(t, "Offset=7", s.Hello().Params)
	require.Contains(t, s.Hello().Flags, "--assert")
	out := make([]uint64, 10*adder.OutWords)
	reset := make([]uint64, adder.InWords)
	n, err := s.StepUntil(slices.Concat(reset, record(adder.Event{A: 1, B: 2},
		running|adder.InEvValid)), out, adder.OutRspValid)
	require.NoError(t, err)
	var rsp adder.Response
	adder.UnpackResponse(out[(n-1)*2:], &rsp)
	require.EqualValues(t, 1+2+7, rsp.Sum)
	err = s.Step(slices.Repeat(record(adder.Event{A: 13}, running|adder.InEvValid), 3), out[:6])
	require.ErrorIs(t, err, wire.ErrRTL)
	require.ErrorContains(t, err, "thirteen")
	require.ErrorContains(t, err, ": %Error: ", "without the simulator's time, which is no cycle")
}

const childEnv = "GW_TEST_CHILD"

// TestNoOrphan kills a process that has a session, hard, and looks for its DUT.
func TestNoOrphan(t *testing.T) {
	if os.Getenv(childEnv) != "" {
		s, err := Start(context.Background(), dut(t, false), DefaultOptions())
		require.NoError(t, err)
		fmt.Printf("pid %d\n", s.PID())
		in, want := traffic(61, 50_000)
		t.Fatal(feed(s, in, want))
	}
	dut(t, false)
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoOrphan$")
	cmd.Env = append(os.Environ(), childEnv+"=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	pid := 0
	for sc := bufio.NewScanner(out); pid == 0 && sc.Scan(); {
		if text, ok := strings.CutPrefix(sc.Text(), "pid "); ok {
			pid, err = strconv.Atoi(text)
			require.NoError(t, err)
		}
	}
	require.Positive(t, pid)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	gone(t, pid)
}

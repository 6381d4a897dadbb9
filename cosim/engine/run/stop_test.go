package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
)

// exactTxstate writes a dut.yaml of our txstate, held to its contract cycle by cycle, with texts of its flat top
// replaced. Each must occur once.
func exactTxstate(t *testing.T, replace ...string) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	top, err := os.ReadFile(root + "/hdl/gen/txstate_top.sv")
	require.NoError(t, err)
	for i := 0; i < len(replace); i += 2 {
		require.Equal(t, 1, strings.Count(string(top), replace[i]), replace[i])
	}
	file, err := os.ReadFile(bindData + "/flat/exact.yaml")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "top.sv"),
		[]byte(strings.NewReplacer(replace...).Replace(string(top))), 0o644))
	file = []byte(strings.NewReplacer("../../../../../hdl/gen/txstate_top.sv", "top.sv", "../../../../..",
		root).Replace(string(file)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dut.yaml"), file, 0o644))
	return filepath.Join(dir, "dut.yaml")
}

// An exact run whose design hangs or exits names episode, event and cycle. If the design is never ready, it names the
// offered event and the port. One build does it all, by plusargs.
func TestExactRunThatStops(t *testing.T) {
	t.Parallel()
	const hang, end = `$c("for (;;) { volatile int z = 0; (void)z; }");`, `$c("_exit(3);");`
	file := exactTxstate(t, ".ev_ready_o(ev_ready_o)", ".ev_ready_o(taken)", "endmodule", `
  logic taken, late, zero, hangs, ends, never, finishes;
  initial begin
    late = $test$plusargs("late") != 0;
    zero = $test$plusargs("zero") != 0;
    hangs = $test$plusargs("hang") != 0;
    ends = $test$plusargs("end") != 0;
    finishes = $test$plusargs("finish") != 0;
    never = $test$plusargs("never") != 0;
  end
  assign ev_ready_o = taken && !never;
  int count;
  initial count = 0;
  always_ff @(posedge clk_i)
    if (rst_ni && ev_valid_i) begin
      if (taken) count <= count + 1;
      if (late && taken && count == 19 || zero) begin
        if (hangs) `+hang+`
        if (ends) `+end+`
        if (finishes) $finish;
      end
    end
endmodule`)
	for name, c := range map[string]struct {
		plus []string
		is   error
		want string
	}{
		"hangs": {[]string{"+late", "+hang"}, wire.ErrDUTHung,
			`^episode random/0, event 19, \w+ pdc=.*, cycle \d+: .*no sign of life`},
		"ends": {[]string{"+late", "+end"}, wire.ErrDUTExited, `^episode random/0, event 19, \w+ pdc=.*, cycle \d+: .*`},
		"finishes": {[]string{"+late", "+finish"}, wire.ErrRTL,
			`^episode random/0, event 19, \w+ pdc=.*, cycle \d+: RTL reported an error: \$finish at .*top.sv:\d+ ends the simulation; remove it`},
		"ends at once": {[]string{"+zero", "+end"}, wire.ErrDUTExited,
			`^before the first episode, the event of zeros \w+.*: DUT process ended`},
		"never ready": {[]string{"+never"}, elastic.ErrNeverReady,
			`^before the first episode, the event of zeros \w+.*: the design never became ready: ev_ready \(ev_ready_o\) stayed low`},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cfg := bound(t, file)
			cfg.PlusArgs, cfg.Timeout, cfg.Bind.Patience = c.plus, 2*time.Second, 5000
			_, err := Run(ctx, cfg)
			require.ErrorIs(t, err, c.is)
			require.Regexp(t, c.want, err)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

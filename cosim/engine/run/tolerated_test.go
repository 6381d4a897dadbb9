package run

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/tolerance"
	"github.com/goldwire/goldwire/cosim/report"
)

const narrow = "../../../hdl/examples/ccc_narrow"

// judged returns the section of the tolerances.
func judged(t *testing.T, res *report.Result) *tolerance.Data {
	t.Helper()
	s := res.Section(tolerance.Key)
	require.NotNil(t, s)
	d, ok := s.Data.(*tolerance.Data)
	require.True(t, ok)
	return d
}

// The engine with other word lengths passes within the tolerances of its dut.yaml, on random events and simulated
// traffic, and the report shows what was tolerated. Without them it fails.
func TestNarrowEngineIsWithinItsTolerances(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: the narrow engine takes a build")
	}
	ctx, cfg := bound(t, engines(t), "ccc_narrow", "dut.yaml")
	sources, seeds, events := []string{"random", "fabric:incast32"}, []uint64{5}, uint64(2000)
	if long() {
		sources, seeds, events = append(sources, "directed"), []uint64{4, 5, 6, 7}, 20_000
		ctx = t.Context()
	}
	for _, source := range sources {
		for i, seed := range seeds {
			if source == "directed" && i > 0 {
				continue // the cases are the same
			}
			cfg.Source, cfg.Seed, cfg.Events = source, seed, events
			res, err := Run(ctx, cfg)
			require.NoError(t, err)
			require.Zero(t, res.Mismatches, "%+v", res.FirstMismatch)
			require.Equal(t, report.Pass, res.Verdict(), res.Reason())
			require.Contains(t, res.Reason(), "every output agrees with the model within tolerances")
			require.EqualValues(t, res.Events, res.Responses, "events inserted to read the state are in no count")
			d := judged(t, res)
			require.EqualValues(t, res.Responses, d.Responses)
			require.GreaterOrEqual(t, d.Words, 30*res.Events, "15 state words before each event and after it")
			require.NotZero(t, d.Taken)
			require.NotEmpty(t, d.Calls)
			for i, c := range d.Calls {
				require.LessOrEqual(t, c.Share, 1.)
				require.NotEmpty(t, c.Event)
				require.True(t, i == 0 || c.Share <= d.Calls[i-1].Share, "closest first")
			}
			for _, v := range d.Fields {
				if v.Name == "rsp.avg_delay" {
					require.NotZero(t, v.Differed)
					require.Less(t, v.Differed, v.Compared)
				}
			}
			var text, doc, unit, page strings.Builder
			r := &report.Report{Results: []report.Result{*res}}
			require.NoError(t, report.WriteText(&text, r))
			require.Regexp(t, `^PASS .* responses compared within tolerances, 0 mismatches`, text.String())
			require.Contains(t, text.String(), "close call")
			require.NoError(t, report.WriteJSON(&doc, r))
			var back struct {
				Tolerance tolerance.Data `json:"tolerance"`
			}
			require.NoError(t, json.Unmarshal([]byte(doc.String()), &back))
			require.Equal(t, *d, back.Tolerance)
			require.NoError(t, report.WriteJUnit(&unit, r))
			require.Contains(t, unit.String(), "tolerance.closest")
			require.NoError(t, report.WriteHTML(&page, r))
			require.Contains(t, page.String(), "Tolerances of the dut.yaml")
		}
	}
	exact := *cfg.Bind
	exact.Judging = bind.Judging{}
	cfg.Source, cfg.Bind, cfg.NoShrink = "random", &exact, true
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.EqualValues(t, 1, res.Mismatches)
	require.Equal(t, "rsp_avg_delay", res.FirstMismatch.Fields[0].Name)
}

// Another design as the reference is followed in the same way.
func TestNarrowEngineAgainstTheForeignOne(t *testing.T) {
	t.Parallel()
	launchtest.Long(t, "TestNarrowEngineIsWithinItsTolerances, whose reference is the model")
	ctx, cfg := bound(t, narrow, "dut.yaml")
	cfg.Against = other(t, foreign, "dut.yaml")
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Equal(t, report.Pass, res.Verdict(), res.Reason())
	require.NotZero(t, judged(t, res).Taken)
}

// Bits that a mask of the schema hides are not judged by a tolerance, and not counted as compared.
func TestMasksAndTolerances(t *testing.T) {
	t.Parallel()
	ctx, cfg := bound(t, examples, "stream/new.yaml")
	cfg.Against, cfg.Events = other(t, examples, "stream/old.yaml"), 800
	four := uint64(4)
	r, err := tolerance.Compile(cfg.Bind.Block, "tx.sum", tolerance.Given{Absolute: &four})
	require.NoError(t, err)
	cfg.Bind.Judging.Rules = []tolerance.Rule{r}
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Equal(t, report.Pass, res.Verdict(), res.Reason())
	require.Len(t, res.Masked, 2)
	sum := judged(t, res).Fields[0]
	shown := res.Masked[1].Bits - res.Masked[1].Hidden
	require.EqualValues(t, shown/8, sum.Compared, "8 bits in the last beat of a packet")
	require.NotZero(t, sum.Compared)
}

// A vector file has no answers to inserted events.
func TestResyncNeedsALiveReference(t *testing.T) {
	t.Parallel()
	_, cfg := bound(t, narrow, "dut.yaml")
	cfg.Expect = "x.gwv"
	require.ErrorContains(t, cfg.Validate(), "resync: state inserts events whose answers --expect x.gwv does not have")
}

// A run that ends without the section of its tolerances is not a pass.
func TestTolerancesAreDue(t *testing.T) {
	t.Parallel()
	_, cfg := bound(t, narrow, "dut.yaml")
	r := cfg.Planned()
	require.Equal(t, []string{tolerance.Key}, r.Due)
	r.Events, r.Responses, r.Compared = 1, 1, report.Compared{Responses: 1, Fields: 1}
	require.Equal(t, report.Empty, r.Verdict())
}

// beyondFault is a fault of the narrow engine with an effect beyond the tolerances.
type beyondFault struct{ name, file, find, put string }

// beyondFaults breaks saturations, terms, registers, floors and roundings.
var beyondFaults = []beyondFault{
	{"an average one bit shorter", "acme_cc_terms.sv", "AVG_BITS = 48'hffff_ffff_ffff << (16 - AVG_FRAC)",
		"AVG_BITS = 48'hffff_ffff_ffff << (17 - AVG_FRAC)"},
	{"a time that no response shows", "acme_cc_seq.sv", "c.t_dec                <= rq.t_now;", ""},
	{"bytes skipped do not saturate", "acme_cc_terms.sv", "skip_sum[31:0] | {32{skip_sum[32]}}", "skip_sum[31:0]"},
	{"the sum of increases does not saturate", "acme_cc_terms.sv", "acc_sum[47:0] | {48{acc_over}}", "acc_sum[47:0]"},
	{"the target is left out of a window's end", "acme_cc_terms.sv",
		"{16'd0, c.base} + {16'd0, csr.target};", "{16'd0, c.base};"},
	{"eta is left out", "acme_cc_terms.sv", "(period_over ? {10'd0, csr.eta[31:8]} : 34'd0)", "34'd0"},
	{"the wrong gain for FAIR", "acme_cc_arith.sv", "mul_a = {32'd0, csr.fair};", "mul_a = {32'd0, csr.eta};"},
	{"half the gain of the average", "acme_cc_arith.sv", "mul_b = {8'd0, csr.gain};", "mul_b = {9'd0, csr.gain[23:1]};"},
	{"a ratio of 9 bits", "acme_cc_narrow.sv", "RATIO_FRAC = 16", "RATIO_FRAC = 9"},
	{"a register one bit shorter", "acme_cc_narrow.sv", "GAMMA_FRAC = 12", "GAMMA_FRAC = 11"},
	{"a decrease without its floor", "acme_cc_terms.sv",
		"factor < {1'b0, csr.jump, 16'd0} ? {1'b0, csr.jump, 16'd0} : factor", "factor"},
	{"a decrease 2^-10 too deep", "acme_cc_terms.sv", "mul_p[63:32] < mtu ? mtu : mul_p[63:32];",
		"mul_p[63:32] < mtu ? mtu : mul_p[63:32] - {10'd0, mul_p[63:42]};"},
	{"half the penalty", "acme_cc_terms.sv", "wnd_held > mul_p[38:7] ? wnd_held - mul_p[38:7]",
		"wnd_held > mul_p[38:7] ? wnd_held - mul_p[39:8]"},
	{"a window below the MTU", "acme_cc_terms.sv", "wnd_less < mtu ? mtu : wnd_less;", "wnd_less;"},
	{"fast increase beyond the maximum", "acme_cc_terms.sv",
		"wnd_fast > {9'd0, c.wnd_max} ? c.wnd_max : wnd_fast[31:0];", "wnd_fast[31:0];"},
	{"a service time that is not scaled", "acme_cc_terms.sv", "{7'd0, rq.svc} << shift : 23'd0",
		"{7'd0, rq.svc} : 23'd0"},
	{"half the base RTT as a sample", "acme_cc_seq.sv", "{2'd0, c.base[31:2]}", "{1'd0, c.base[31:1]}"},
	{"a flag that stays set", "acme_cc_seq.sv", "              c.trig    <= 1'b0;\n", ""},
	{"room for a packet that just fits is missed", "acme_cc_terms.sv", "$signed(fly_mtu) <= $signed({2'd0, c.wnd})",
		"$signed(fly_mtu) < $signed({2'd0, c.wnd})"},
}

// Every fault beyond the tolerances is found, whatever the reference takes over. One seed of random events does not
// reach each of them, whether compared with tolerances or without.
func TestFaultsBeyondTheTolerances(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: each fault takes a build")
	}
	found := func(t *testing.T, all string, plus ...string) {
		_, cfg := bound(t, all, "ccc_narrow", "dut.yaml")
		cfg.Events, cfg.NoShrink, cfg.Bind.PlusArgs = 12_000, true, plus
		var res *report.Result
		var err error
		for cfg.Seed = 1; cfg.Seed <= 3 && (res == nil || res.Mismatches == 0); cfg.Seed++ {
			res, err = Run(t.Context(), cfg)
			require.NoError(t, err)
		}
		require.EqualValues(t, 1, res.Mismatches, "%s", res.Reason())
		require.Equal(t, report.Mismatched, res.Verdict())
		t.Logf("%d events: %s: %+v", res.Events, res.FirstMismatch.Event, res.FirstMismatch.Fields)
	}
	found(t, engines(t), "+fault")
	launchtest.Long(t, "a decision on the other side")
	for _, f := range beyondFaults {
		t.Run(f.name, func(t *testing.T) {
			all := engines(t)
			files, err := filepath.Glob(filepath.Join(all, "*", f.file))
			require.NoError(t, err)
			require.Len(t, files, 1)
			launchtest.Edit(t, files[0], f.find, f.put)
			found(t, all)
		})
	}
}

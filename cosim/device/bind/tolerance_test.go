package bind

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

func lookupCCC(name string) (*event.Block, error) {
	if name == "ccc" {
		return ccc.Schema(), nil
	}
	return lookup(name)
}

// loadForeign reads the dut.yaml of the foreign engine with some of its text replaced and more added.
func loadForeign(t *testing.T, more string, edits ...string) (*Binding, error) {
	t.Helper()
	const example = "../../../hdl/examples/ccc_foreign"
	text, err := os.ReadFile(example + "/dut.yaml")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(example)))
	out := strings.NewReplacer(edits...).Replace(string(text)) + more
	require.NoError(t, os.WriteFile(dir+"/dut.yaml", []byte(out), 0o644))
	return Load(dir+"/dut.yaml", lookupCCC)
}

// Each way to pass without a comparison by the keys tolerance and resync is one problem, at its line.
func TestTolerancesRefused(t *testing.T) {
	rule := func(r string) string { return "tolerance:\n  " + r + "\n" }
	sync := "resync: state\n"
	for name, c := range map[string]struct {
		more  string
		edits []string
		want  string
	}{
		"unknown field": {more: rule("rsp.cwd: ignore"),
			want: "tolerance of rsp.cwd: block ccc has no such output field; did you mean rsp.cwnd?"},
		"unknown word": {more: rule("word.cwd: ignore"),
			want: "no such state word; did you mean word.cwnd?"},
		"word in a field": {more: rule("rsp.inc_bytes: ignore"),
			want: "no such output field; did you mean word.inc_bytes?"},
		"unknown way": {more: rule("rsp.cwnd: loose"),
			want: `"loose": give exact, ignore, {absolute: N}`},
		"unknown key": {more: rule("rsp.cwnd: {absolut: 2}"),
			want: `unknown key "absolut"; did you mean absolute?`},
		"twice": {more: rule("rsp.cwnd: {absolute: 2, absolute: 4}"),
			want: "absolute is given twice"},
		"list": {more: rule("rsp.cwnd: [2]"),
			want: "give exact, ignore, or a mapping"},
		"negative": {more: rule("rsp.cwnd: {absolute: -2}"),
			want: "absolute: -2 is not a whole number of 0 or more"},
		"fraction": {more: rule("rsp.cwnd: {absolute: 2.5}"),
			want: "absolute: 2.5 is not a whole number of 0 or more"},
		"text": {more: rule(`rsp.cwnd: {relative: "0.1"}`),
			want: "relative: 0.1 is not a number"},
		"infinite": {more: rule("rsp.cwnd: {relative: .inf}"),
			want: "give at most 0.4"},
		"not a number": {more: rule("rsp.cwnd: {relative: .nan}"),
			want: "is not more than 0"},
		"as wide": {more: rule("rsp.cwnd: {absolute: 4294967295}"),
			want: "as wide as the 32 bits"},
		"relative 1": {more: rule("rsp.cwnd: {relative: 1}"),
			want: "give at most 0.4"},
		"flag": {more: rule("rsp.can_send: {absolute: 1}"),
			want: "a flag or an enum is right or wrong"},
		"mapped to none": {rule("rsp.cwnd: {absolute: 1}"), []string{`rsp.cwnd: "resp_bits[175:144]"`, "rsp.cwnd: none"},
			"rsp.cwnd is mapped to none, so that it is never compared"},
		"ignored and none": {rule("rsp.cwnd: ignore"), []string{`rsp.cwnd: "resp_bits[175:144]"`, "rsp.cwnd: none"},
			"rsp.cwnd is mapped to none, so that it is never compared"},
		"constant": {rule("rsp.cwnd: {absolute: 1}"), []string{`rsp.cwnd: "resp_bits[175:144]"`, "rsp.cwnd: 4096"},
			"rsp.cwnd is a constant of the map"},
		"word of none": {rule("word.cwnd: {absolute: 1}"), []string{`rsp.data: "resp_bits[302:239]"`, "rsp.data: none"},
			"rsp.data is mapped to none"},
		"word of ignored": {more: rule("rsp.data: ignore\n  word.cwnd: {absolute: 1}"),
			want: "it comes through rsp.data, which is ignored"},
		"state ignored": {more: sync + rule("rsp.data: ignore"),
			want: "resync: state reads the state through it"},
		"state of none": {sync, []string{`rsp.data: "resp_bits[302:239]"`, "rsp.data: none"},
			"resync: the state comes through rsp.data"},
		"state constant": {sync, []string{`rsp.data: "resp_bits[302:239]"`, "rsp.data: 0"},
			"resync: the state comes through rsp.data"},
		"unknown resync": {more: "resync: states\n",
			want: `resync "states": give none or state`},
		"exact cycles": {rule("rsp.cwnd: {absolute: 1}"), []string{"latency: elastic\norder: stream", "latency: exact"},
			"tolerance: latency exact compares every bit"},
		"exact, resync": {sync, []string{"latency: elastic\norder: stream", "latency: exact"},
			"resync: latency exact compares every cycle"},
		"order": {sync, []string{"order: stream", "order: context\nkey: ctx"},
			"give order: stream"},
		"matched by it": {rule("rsp.ctx: ignore"), []string{"order: stream", "order: context\nkey: ctx"},
			"responses are matched by it"},
		"flips, no resync": {more: rule("rsp.action: {flips: 2}"),
			want: "give resync: state"},
		"not a mapping": {more: "tolerance: 5\n",
			want: "names with values are required here"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loadForeign(t, c.more, c.edits...)
			var ps Problems
			require.ErrorAs(t, err, &ps)
			require.Len(t, ps, 1, err)
			require.Contains(t, ps[0].Text, c.want)
			require.NotZero(t, ps[0].Line)
		})
	}
}

// Every field ignored leaves nothing to compare, whether by rules alone or with what the map leaves out.
func TestEveryFieldIgnored(t *testing.T) {
	rules := "tolerance:\n"
	for _, f := range ccc.Schema().Stream("rsp").Fields {
		rules += "  rsp." + f.Name + ": ignore\n"
	}
	_, err := loadForeign(t, rules)
	require.ErrorContains(t, err, "no field that the design puts out would be compared: every one is ignored")
	less := strings.Replace(rules, "  rsp.kind: ignore\n", "", 1)
	b, err := loadForeign(t, less)
	require.NoError(t, err)
	require.NotNil(t, b.Uncounted())
	_, err = loadForeign(t, less, `rsp.kind: "resp_bits[238:235]"`, "rsp.kind: none")
	require.ErrorContains(t, err, "every one is ignored")
}

// A state of which nothing is compared cannot be taken over.
func TestEveryWordIgnored(t *testing.T) {
	rules := "tolerance:\n"
	for _, w := range ccc.Schema().Words {
		for _, f := range w.Fields {
			rules += "  word." + f.Name + ": ignore\n"
		}
	}
	_, err := loadForeign(t, rules)
	require.NoError(t, err)
	_, err = loadForeign(t, "resync: state\n"+rules)
	require.ErrorContains(t, err, "every state word is ignored, so that resync: state would take a state")
	_, err = loadForeign(t, "resync: state\n"+strings.Replace(rules, "  word.cwnd: ignore\n", "", 1))
	require.NoError(t, err)
}

// A block without state words cannot be followed, and one that has none of a kind is told so.
func TestResyncNeedsState(t *testing.T) {
	text, err := os.ReadFile("testdata/broken/mute.yaml")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/broken")))
	require.NoError(t, os.WriteFile(dir+"/dut.yaml", append(text, "resync: state\n"...), 0o644))
	_, err = Load(dir+"/dut.yaml", lookup)
	var ps Problems
	require.ErrorAs(t, err, &ps)
	require.Len(t, ps, 1)
	require.Contains(t, ps[0].Text, "resync: state reads the design's state after each event: block txstate ")
}

// How each field is judged can be read.
func TestJudgement(t *testing.T) {
	b, err := loadForeign(t, `resync: state
tolerance:
  rsp.cwnd: {absolute: 4, relative: 0.001}
  rsp.avg_delay: {lsb: 2, format: UQ32.8}
  rsp.entropy: ignore
  rsp.lb: exact
  rsp.can_send: {flips: 2}
  word.inc_bytes: {relative: 0.01}
  register.GAMMA: {lsb: 1, format: UQ0.12}
`, `rsp.delay: "resp_bits[79:48]"`, "rsp.delay: none")
	require.NoError(t, err)
	require.True(t, b.Judging.Any() && b.Judging.Resync)
	all := strings.Join(Judgement(b), "\n")
	for _, want := range []string{`rsp.kind +exact`, `rsp.cwnd +within 4 bytes or 0.001 of the value`,
		`rsp.avg_delay +within 2 LSB of UQ32.8`, `rsp.entropy +ignored`, `rsp.lb +exact`,
		`rsp.can_send +at most 2 flips in 10,000 responses`, `word.inc_bytes +within 0.01 of the value`,
		`register.GAMMA +within 1 LSB of UQ0.12`, `rsp.delay +not compared: none in the map`} {
		require.Regexp(t, regexp.MustCompile("(?m)^"+want+"$"), all)
	}
	require.Equal(t, b.Block.FieldBits([]string{"rsp.delay", "rsp.entropy"}), b.Uncounted())
	require.Equal(t, b.Block.FieldBits([]string{"rsp.delay"}), b.Uncompared(), "what is ignored still keeps the handshake")
	for _, none := range []string{"", "resync: none\n"} {
		b, err = loadForeign(t, none)
		require.NoError(t, err)
		require.False(t, b.Judging.Any())
	}
}

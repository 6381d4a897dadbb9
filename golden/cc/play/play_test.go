package play

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/units"
)

func play(text string, o Options) (*Report, error) {
	if o.Rows == nil {
		o.Rows = cc.Rows()
	}
	return Run(strings.NewReader(text), o)
}

// TestScenarios plays every file of testdata: each expects something, and all of it holds. Every control has one.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	require.NoError(t, err)
	var played []string
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".jsonl"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			rep, err := play(string(text), Options{})
			require.NoError(t, err)
			var table bytes.Buffer
			require.NoError(t, rep.WriteText(&table))
			require.True(t, rep.Pass, table.String())
			require.Positive(t, rep.Expected)
			require.Contains(t, table.String(), "\nPASS: ")
			_, err = json.Marshal(rep)
			require.NoError(t, err)
			played = append(played, rep.CC)
		})
	}
	for _, name := range cc.Names(cc.Rows()) {
		if !slices.Contains([]string{"fixed", "nscc", "nscc-htsim"}, name) {
			require.Contains(t, played, name, "no scenario plays it")
		}
	}
}

// TestWrongExpectations: each kind of value that differs fails the file, and the line is named.
func TestWrongExpectations(t *testing.T) {
	const head = `{"ev":"open","cc":"swift"}` + "\n" + `{"t":0,"ev":"send","expect":`
	for _, c := range []struct{ expect, want string }{
		{`{"w":1}`, "line 2: w: want 1, got "}, {`{"action":"GROW"}`, "line 2: action: want GROW, got \n"},
		{`{"can_send":false}`, "line 2: can_send: want 0, got 1"}, {`{"t_dec":0}`, "line 2: t_dec: want 0, got -inf"},
		{`{"t_dec":"inf"}`, "line 2: t_dec: want inf, got -inf"}, {`{"rate":1e-5}`, "line 2: rate: want 0.00001, got 0"},
		{`{"inflight":0}`, "want 0, got 4096"}, {`{"timer":0}`, "want 0, got 37.5"}, {`{"window":0}`, "want 0"},
	} {
		rep, err := play(head+c.expect+"}", Options{})
		require.NoError(t, err)
		require.False(t, rep.Pass, c.expect)
		var b bytes.Buffer
		require.NoError(t, rep.WriteText(&b))
		require.Contains(t, b.String(), c.want)
		require.Contains(t, b.String(), "\nFAIL: 1 of 1 expectations do not hold\n")
	}
	rep, err := play(`{"ev":"cnp"}`, Options{CC: "dcqcn"})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, rep.WriteText(&b))
	require.Contains(t, b.String(), "the events expect nothing: no verdict")
}

// TestBadInput: each mistake is one error that names the line.
func TestBadInput(t *testing.T) {
	const open = `{"ev":"open","cc":"swift"}` + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "events: there are none"}, {"# only this\n\n", "events: there are none"},
		{`{"ev":"send"}`, "cc: which control? give --cc, or an open event with cc"},
		{`{"ev":"open","cc":"bbr"}`, "line 1: cc = bbr: want one of "},
		{open + "{", "line 2: not a JSON object"}, {open + `[1]`, "line 2: not a JSON object"},
		{open + "\n# x\n" + `{"ev":"sned"}`, `line 4: ev = "sned": want one of open, data, send`},
		{open + `{"ev":"send","rtt":1}`, "line 2: rtt: an event send has no such field"},
		{open + `{"ev":"send","sise":1}`, `line 2: unknown field "sise"`},
		{open + open, "line 2: open: only the first event can be one"},
		{open + `{"ev":"send","n":-1}`, "line 2: n = -1"}, {open + `{"ev":"send","n":0}`, "line 2: n = 0"},
		{open + `{"ev":"send","n":1,"psn":7}`, "line 2: psn and n: give one of them"},
		{open + `{"ev":"send","psn":7}`, "line 2: psn = 7: it is not outstanding, and the next new one is 0"},
		{open + `{"ev":"send"}` + "\n" + `{"ev":"send","psn":0}`, "line 3: psn = 0: it is in flight and not lost"},
		{open + `{"ev":"ack"}`, "line 2: n = 1: 0 packets are outstanding"},
		{open + `{"ev":"ack","acked":[3]}`, "line 2: acked: packet 3 is not outstanding"},
		{open + `{"ev":"send"}` + "\n" + `{"ev":"ack","acked":[0,0]}`, "line 3: acked: packet 0 is not outstanding"},
		{open + `{"ev":"ack","rtt":0}`, "line 2: rtt = 0: want above 0"},
		{open + `{"ev":"send"}` + "\n" + `{"ev":"ack","psn":7}`, "line 3: psn = 7: it was never sent; the next new one is 1"},
		{open + `{"ev":"send","n":"two"}`, "line 2: n: string is not what this field holds"},
		{open + `{"ev":"send","tol":1}`, "line 2: tol: has no effect without expect"},
		{open + `{"ev":"send","tol":1e30,"expect":{"w":100}}`, "line 2: expect.w: tol = 1e+30: it takes nearly any value"},
		{open + `{"ev":"nack"}`, "line 2: psn: no packet is in flight"},
		{open + `{"ev":"loss","psn":4}`, "line 2: psn = 4: it is not in flight"},
		{open + `{"ev":"loss","by":"luck"}`, `line 2: by = "luck": want timeout or hole`},
		{open + `{"ev":"timer"}`, "line 2: timer: the control has asked for none"},
		{open + `{"ev":"send"}` + "\n" + `{"t":1,"ev":"timer"}`, "line 3: timer: it is due at 37.5 us, not at 1"},
		{open + `{"t":5,"ev":"send"}` + "\n" + `{"t":4,"ev":"send"}`, "line 3: t = 4: 5 us have passed already"},
		{open + `{"t":5,"dt":1,"ev":"send"}`, "line 2: t and dt: give one of them"},
		{open + `{"ev":"send","expect":{}}`, "line 2: expect: names nothing"},
		{open + `{"ev":"send","expect":{"x":1}}`, "line 2: expect.x: not known: want one of action, window"},
		{open + `{"ev":"send","expect":{"w":"big"}}`, "line 2: expect.w: big: want a number"},
		{open + `{"ev":"send","times":0}`, "line 2: times = 0"},
		{open + `{"ev":"state","set":{"w":0}}`, "line 2: w = 0: want"},
		{open + `{"ev":"state","set":{"target":0}}`, "line 2: target: it is derived"},
		{open + `{"ev":"state"}`, "line 2: set: names nothing"},
		{open + `{"ev":"state","set":{"w":9},"expect":{"x":1}}`, "line 2: expect.x: not known: want one of w, target"},
		{`{"ev":"open","cc":"swift","set":{"beta":2}}`, "line 1: beta = 2: want from 0 to 1"},
		{`{"ev":"open","cc":"swift","set":{"target":3}}`, "line 1: target: cc = swift does not read it"},
		{`{"ev":"open","cc":"nscc-htsim","set":{"qa_gate":99}}`, "line 1: qa_gate = 99: want"},
		{`{"ev":"open","cc":"swift","set":{"bta":1}}`, "line 1: bta: not known: want one of link_gbps"},
		{`{"ev":"open","cc":"swift","set":{"w_max":1,"w_min":2}}`, "line 1: swift spec: w_max = 1: want 2 or above"},
		{`{"ev":"open","cc":"nscc"}` + "\n" + `{"ev":"state","set":{"cwnd":1}}`, "line 2: state: nscc shows none"},
	} {
		_, err := play(c.text, Options{})
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err := play(open, Options{CC: "lswift"})
	require.ErrorContains(t, err, "line 1: cc = swift: the events are played through lswift")
}

// TestStateHasNoAnswer: the row of an event state shows the new state without the answer to the event before, which
// cannot be expected of it; the next event answers.
func TestStateHasNoAnswer(t *testing.T) {
	const text = `{"ev":"open","cc":"swift","set":{"bdp":50}}` + "\n" + `{"ev":"state","set":{"w":7},"expect":{"w":7%s}}` +
		"\n" + `{"ev":"send","expect":{"window":28672}}`
	rep, err := play(fmt.Sprintf(text, ""), Options{})
	require.NoError(t, err)
	require.True(t, rep.Pass)
	require.Nil(t, rep.Rows[1].Answer)
	var b bytes.Buffer
	require.NoError(t, rep.WriteText(&b))
	require.Regexp(t, `\n2 +0 +state +- +- +- +- +- +7 `, b.String())
	out, err := json.Marshal(rep.Rows)
	require.NoError(t, err)
	var rows []map[string]any
	require.NoError(t, json.Unmarshal(out, &rows))
	require.Contains(t, rows[1], "state")
	for _, name := range answers {
		require.Contains(t, rows[0], name)
		require.Contains(t, rows[2], name)
		if name != "action" {
			require.NotContains(t, rows[1], name)
		}
		_, err = play(fmt.Sprintf(text, `,"`+name+`":0`), Options{})
		require.EqualError(t, err, "line 2: expect."+name+": a state event has no answer: expect it of the next event")
	}
}

// TestNotFinite: no control takes a parameter that is not a number, or an increase or a delay without end.
func TestNotFinite(t *testing.T) {
	for _, row := range cc.Rows() {
		control, err := row.New(cc.Config{LinkGbps: 100, BaseRTT: 12500 * units.Nanosecond, MTU: 4096, QAGate: -1,
			MaxWnd: 234_375})
		require.NoError(t, err)
		inspect, ok := control.(cc.Inspector)
		if !ok {
			continue
		}
		for _, f := range inspect.Params() {
			_, err := play(`{"ev":"cnp"}`, Options{CC: row.Name, Set: map[string]float64{f.Name: math.NaN()}})
			require.ErrorContains(t, err, f.Name+" = NaN: want ", row.Name)
			require.NotContains(t, err.Error(), "Inf", row.Name)
		}
	}
	for name, sets := range map[string][]string{
		"nscc": {"target"}, "swift": {"rtt", "bdp", "base_target", "fs_range", "ai", "w_min", "rto_min"},
		"rocc":   {"line_gbps"},
		"smartt": {"rtt", "bdp", "trtt", "max", "mi", "md", "fi", "fd"}, "hpcc": {"rtt", "n_cfg"},
		"cubic": {"c", "rtt", "first_window"}, "newreno": {"first_window", "min_ssthresh", "rto_min", "rto_scan"},
		"dcqcn": {"ai_gbps", "hai_gbps", "rate_timer"}, "timely": {"step_gbps", "min_rtt", "t_low", "hyper_steps"},
	} {
		for _, set := range sets {
			_, err := play(`{"ev":"cnp"}`, Options{CC: name, Set: map[string]float64{set: math.Inf(1)}})
			require.ErrorContains(t, err, set+" = +Inf: want from ", name)
		}
	}
	_, err := play(`{"ev":"cnp"}`, Options{CC: "timely", Set: map[string]float64{"min_rtt": math.NaN()}})
	require.EqualError(t, err, "min_rtt = NaN: want a number, from 1e-06 to 1e+09 us")
}

// TestOptionsWin: a setting of the caller replaces that of the file.
func TestOptionsWin(t *testing.T) {
	rep, err := play(`{"ev":"open","cc":"swift","set":{"bdp":7},"expect":{"w":9}}`, Options{
		Set: map[string]float64{"bdp": 9, "link_gbps": 400}})
	require.NoError(t, err)
	require.True(t, rep.Pass)
}

package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report/measured"
)

func pageOf(t *testing.T, results ...*Result) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteHTML(&b, results))
	return b.String()
}

// The page has each campaign with its survivors, its problems and every caught fault.
func TestHTML(t *testing.T) {
	caught := Verdict{Fault: &Fault{Class: Hand, Name: "karn", File: "a<b>.sv", Line: 3},
		Finding: &Finding{By: ByHang, Source: "random", Episode: "random/7", Cycle: 12, Field: "rsp_cwnd", Want: "1",
			Got: "2"}}
	survivor := Verdict{Fault: &Fault{Class: Drawn, Number: 4, File: "c.sv", Line: 9}, Argument: "it is the same"}
	good := &Result{Block: "ccc", Seed: 1, Verdicts: []Verdict{caught, survivor},
		Hand:  Score{Total: 1, Caught: 1, By: map[string]int{ByHang: 1}, In: map[string]int{"random": 1}},
		Drawn: Score{Total: 20, Caught: 19}}
	bad := *good
	bad.Block, bad.Problems = "intmd", []string{"survivor x has no argument"}

	page := pageOf(t, good)
	for _, w := range []string{"<b>PASS</b>", "Faults in ccc", "20 of 21 faults caught", "a&lt;b&gt;.sv", "random/7",
		"it is the same", "<span>faults planted</span><b>21</b>", "within bounds"} {
		require.Contains(t, page, w)
	}
	for _, w := range []string{"<script", "http://", "src=", "ZgotmplZ"} {
		require.NotContains(t, page, w)
	}
	page = pageOf(t, good, &bad)
	require.Contains(t, page, `<div class="verdict bad"><b>FAIL</b><span>40 of 42 faults caught`)
	require.Contains(t, page, "<li>survivor x has no argument</li>")
	require.NoError(t, Measured([]*Result{good, &bad}))
}

// A campaign that did not end stands in every form beside one that passed, which is no pass of both.
func TestUnfinishedIsNoPass(t *testing.T) {
	good := &Result{Block: "ccc", Hand: Score{Total: 1, Caught: 1}, Drawn: Score{Total: 20, Caught: 20}}
	results := []*Result{good, Unfinished("intmd", 1, "the disk is full")}
	page := pageOf(t, results...)
	require.Contains(t, page, `<div class="verdict bad"><b>ERROR</b>`)
	require.Contains(t, page, "the campaign did not end: the disk is full")
	var b bytes.Buffer
	require.NoError(t, WriteJSON(&b, results))
	var got []struct {
		Block    string
		OK       bool
		Problems []string
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Len(t, got, 2)
	require.True(t, got[0].OK)
	require.False(t, got[1].OK)
	require.Equal(t, []string{"the campaign did not end: the disk is full"}, got[1].Problems)
}

// A campaign that planted nothing shows nothing, in no form.
func TestNothingPlantedIsNoPass(t *testing.T) {
	none := &Result{Block: "ccc"}
	require.ErrorContains(t, Measured(nil), "no campaign was run")
	require.ErrorContains(t, Measured([]*Result{none}), "faults in ccc: none was planted")
	for _, results := range [][]*Result{nil, {none}} {
		page := pageOf(t, results...)
		require.Contains(t, page, `<div class="verdict bad"><b>EMPTY</b>`)
		require.NotContains(t, page, "PASS")
	}
	var b bytes.Buffer
	require.NoError(t, WriteText(&b, none))
	require.Contains(t, b.String(), "EMPTY  faults in ccc")
	b.Reset()
	require.NoError(t, WriteJSON(&b, []*Result{none}))
	var got []map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, false, got[0]["ok"])
}

// The Markdown has a row for each campaign that ended, and says first what did not end or was empty.
func TestMarkdown(t *testing.T) {
	good := &Result{Block: "ccc", Verdicts: []Verdict{{Fault: &Fault{Class: Drawn}, Argument: "it is the same"}},
		Hand:  Score{Total: 1, Caught: 1, By: map[string]int{ByHang: 1}, In: map[string]int{"random": 1}},
		Drawn: Score{Total: 20, Caught: 19}, Seconds: 7}
	bad := *good
	bad.Block, bad.Problems = "intmd", []string{"survivor x has no argument"}
	bad.Verdicts = []Verdict{{Fault: &Fault{Class: Drawn}}}
	write := func(failed error, results ...*Result) string {
		var b bytes.Buffer
		require.NoError(t, WriteMarkdown(&b, &measured.Doc{Command: "goldwire faults"}, results, failed))
		return b.String()
	}
	text := write(nil, good)
	require.Contains(t, text, "\nPASS: 20 of 21 faults caught.")
	require.Contains(t, text, "| ccc | 1 | 1 | 20 | 19 | 1 | 0 | 0 | 7 |\n")
	require.Contains(t, text, "| ccc | hand-written | "+ByHang+" 1 | random 1 |\n")
	require.NotContains(t, text, measured.Incomplete)

	text = write(nil, good, &bad)
	require.Contains(t, text, "\nFAIL: 40 of 42 faults caught.")
	require.Contains(t, text, "| intmd | 1 | 1 | 20 | 19 | 0 | 1 | 0 | 7 |\n")
	require.Contains(t, text, "- intmd: survivor x has no argument\n")
	require.NotContains(t, text, measured.Incomplete, "every campaign ended")

	text = write(errors.New("interrupted"), good, Unfinished("txstate", 1, "interrupted"))
	require.Contains(t, text, measured.Incomplete)
	require.Contains(t, text, "- txstate: the campaign did not end: interrupted\n")
	require.Contains(t, text, "\nERROR: ")
	require.NotContains(t, text, "| txstate |")
	require.Contains(t, write(errors.New("stdout: closed"), good), measured.Incomplete)
	require.Contains(t, write(nil, &Result{Block: "ccc"}), measured.Incomplete, "nothing was planted")
}

package triage_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/ci/triage"
	"github.com/goldwire/goldwire/cosim/report"
)

func differs(field, event string, shrunk ...string) *campaign.Failure {
	return &campaign.Failure{Episode: "random/3", Cycle: 9, Field: field, Want: "1", Got: "2", Event: event,
		Shrunk: shrunk}
}

func failed(id string, f *campaign.Failure) entry {
	return entry{id: id, outcome: campaign.Failed, reason: "so it is", failure: f}
}

// Failures that differ only in numbers, order and repeats are in one bucket.
func TestBuckets(t *testing.T) {
	x := read(t, folder(t, plan.Goals{},
		failed("a", differs("rsp_rtt", "ACK psn=1")), // not shrunk
		failed("b", differs("rsp_rtt", "ACK psn=3", "SEND psn=1 now=4", "ACK psn=1 now=9")),
		failed("c", differs("rsp_rtt", "ACK psn=8", "SEND psn=7", "SEND psn=8", "ACK psn=8")),
		failed("d", differs("rsp_rtt", "ACK psn=8", "LOAD psn=7", "ACK psn=8")),
		failed("e", differs("rsp_rtt", "ACK psn=8", "ACK psn=8")),
		failed("f", differs("rsp_psn", "ACK psn=3", "SEND psn=1", "ACK psn=1")),
		failed("g", differs("enqr_data", "enq: CFG_READ port=1", "enq: CFG_READ addr=XOFF")),
		failed("h", differs("enqr_data", "enq: CFG_READ port=1", "enq: CFG_READ addr=XON")),
		failed("i", differs("enqr_data", "enq: CFG_READ port=7", "enq: CFG_READ port=2 addr=XOFF")),
		failed("j", nil),
		entry{id: "k", outcome: campaign.Failed, reason: "exit code 1, and it left no result", lost: true},
		entry{id: "l", outcome: campaign.Error, reason: "it took 4213 MB of memory, more than its 4096"},
		entry{id: "m", outcome: campaign.Error, reason: "it took 5001 MB of memory, more than its 4096"},
		entry{id: "n", outcome: campaign.Error, reason: "exit code 2, and it left no result"},
		entry{id: "o", outcome: campaign.Passed},
		entry{id: "p"}))
	var got [][]string
	for _, b := range x.Buckets {
		got = append(got, b.IDs)
		require.Equal(t, len(b.IDs), b.Count)
	}
	require.Equal(t, [][]string{{"a", "e"}, {"b", "c"}, {"g", "i"}, {"j", "k"}, {"d"}, {"f"}, {"h"}}, got)
	total := 0
	for _, b := range x.Buckets {
		total += b.Count
	}
	require.Equal(t, x.Failed, total, "every failure is in a bucket")
	require.Equal(t, []string{"p"}, x.Missing)
	require.Len(t, x.Harness, 2)
	require.Equal(t, []string{"l", "m"}, x.Harness[0].IDs)
	require.Equal(t, "exit code 2, and it left no result", x.Harness[1].Reason)

	require.EqualValues(t, 5, x.Buckets[0].Seed, "of the first run that was shrunk")
	b := x.Buckets[1]
	require.EqualValues(t, 2, b.Seed)
	require.Equal(t, "0123456789ab", b.Revision)
	require.Equal(t, "goldwire cosim --block toy --seed 7 --episode random/3", b.Reproduce)
	require.Regexp(t, `^toy-rsp_rtt-ACK-SEND-[0-9a-f]{8}$`, b.Name)
	require.Equal(t, []string{"ACK", "SEND", "+"}, b.Shape)

	var text, doc bytes.Buffer
	require.NoError(t, x.WriteText(&text))
	require.Contains(t, text.String(), "FAILED  stage smoke, night n, revision 0123456789ab: 7 buckets\n  16 planned = "+
		"1 passed + 11 failed + 3 errors + 1 missing\n")
	require.Contains(t, text.String(), "BUCKET  "+b.Name+": 2 runs\n  runs       b, c\n  seed       2")
	require.Contains(t, text.String(), "MISSING p\n")
	require.NoError(t, report.EncodeJSON(&doc, x))
	var back triage.Triage
	require.NoError(t, json.Unmarshal(doc.Bytes(), &back))
	require.Equal(t, x.Buckets[3].Name, back.Buckets[3].Name)
}

// A handshake represents everything that differs with it; otherwise the last field of the shortest events does.
func TestKey(t *testing.T) {
	run := &plan.Run{Test: "toy/all", Block: "toy"}
	f := differs("tx_data", "packet 2 of rx: data=00", "rx: data=00 keep=0x1", "rx: data=0 last=1")
	f.ShrunkFields = []string{"tx_data", "tx_cause"}
	k := campaign.KeyOf(run, f)
	require.Equal(t, "tx_cause", k.Field)
	require.Equal(t, []string{"rx", "+"}, k.Shape)
	f.ShrunkFields = []string{"rsp_valid", "rsp_pdc"}
	require.Equal(t, "rsp_valid", campaign.KeyOf(run, f).Field)
	k = campaign.KeyOf(run, nil)
	require.Equal(t, "(toy/all)", k.Field)

	f.FoundBy = "checker of packets"
	other := campaign.KeyOf(run, f)
	f.FoundBy = ""
	k = campaign.KeyOf(run, f)
	require.NotEqual(t, k.Name(), other.Name())

	f.Parting = &campaign.Parting{Good: "abc", Signal: "rsp_valid"}
	signal := campaign.KeyOf(run, f)
	f.Parting.Beside = "rsp_data"
	two := campaign.KeyOf(run, f)
	require.NotEqual(t, signal.Name(), two.Name(), "faults that share a signal are told apart by the next")
	require.Contains(t, two.Title(), "good design, beside rsp_data")
	field := signal
	field.Parting = false
	require.NotEqual(t, field.Name(), signal.Name(), "a signal and a field of one name are two buckets")
}

// A bucket states whether a good design was used, and if not, why.
func TestPartingInText(t *testing.T) {
	for want, p := range map[string]*campaign.Parting{
		"not looked for: no good design was given": nil,
		"not known from good design abc: it fails": {Good: "abc", Why: "it fails"},
		"top.x_q, in cycle 3 of the shrunk events, against good design abc; 2 signals that only one": {
			Good: "abc", Signal: "top.x_q", Cycle: 3, Lacking: 2},
	} {
		f := differs("rsp_a", "SEND", "SEND")
		f.Parting = p
		var text bytes.Buffer
		require.NoError(t, read(t, folder(t, plan.Goals{}, failed("a", f))).WriteText(&text))
		require.Contains(t, text.String(), "  parts      "+want)
	}
}

// A campaign is complete only if every run passed.
func TestIncomplete(t *testing.T) {
	passed := entry{id: "a", outcome: campaign.Passed}
	require.NoError(t, read(t, folder(t, plan.Goals{}, passed)).Incomplete())
	closed := plan.Goals{Closed: true, Testpoints: []plan.Goal{{Name: "toy/x", Bins: []string{"*"}}}}
	for want, dir := range map[string]string{
		"1 are missing and 0 ended in errors": folder(t, plan.Goals{}, passed, entry{id: "b"}),
		"0 are missing and 1 ended in errors": folder(t, plan.Goals{}, passed, entry{id: "b", outcome: campaign.Error}),
		"1 of its testpoints are open":        folder(t, closed, passed),
	} {
		x := read(t, dir)
		require.False(t, x.Found())
		require.ErrorContains(t, x.Incomplete(), want)
	}
}

func TestFind(t *testing.T) {
	x := read(t, folder(t, plan.Goals{}, failed("a", differs("rsp_a", "", "SEND")),
		failed("b", differs("rsp_b", "", "SEND"))))
	b, err := x.Find("toy-rsp_b")
	require.NoError(t, err)
	require.Equal(t, []string{"b"}, b.IDs)
	b, err = x.Find(b.Name)
	require.NoError(t, err)
	require.Equal(t, []string{"b"}, b.IDs)
	_, err = x.Find("toy")
	require.ErrorContains(t, err, "2 begin so")
	_, err = x.Find("tay")
	require.ErrorContains(t, err, "unknown; give one of toy-rsp_a")
	_, err = read(t, folder(t, plan.Goals{}, entry{id: "a", outcome: campaign.Passed})).Find("toy")
	require.ErrorContains(t, err, "no run of the campaign failed")
}

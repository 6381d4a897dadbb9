package casefile

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// toyLanguage is for a block that takes numbers and packets of 64-byte beats.
func toyLanguage(t *testing.T) *Language {
	t.Helper()
	b, err := event.Parse([]byte(`block: toy
title: takes numbers and packets
params:
  - {name: N, default: 4, min: 2, max: 8, doc: keys}
enums:
  - {name: kind, width: 2, values: [{name: ADD, value: 0}, {name: READ, value: 1}, {name: CFG_WRITE, value: 2},
    {name: CFG_READ, value: 3}]}
streams:
  - {name: ev, dir: in, fields: [{name: kind, width: 2, enum: kind}, {name: addr, width: 4}, {name: data, width: 32}]}
  - {name: rx, dir: in, fields: [{name: data, width: 512}, {name: keep, width: 64}, {name: last, width: 1}]}
  - {name: rsp, dir: out, fields: [{name: data, width: 32}, {name: ok, width: 1}]}
  - {name: tx, dir: out, fields: [{name: data, width: 512}, {name: keep, width: 64}, {name: last, width: 1}]}
registers:
  - {name: LIMIT, addr: 0, width: 16, reset: 7}
words:
  - {addr: 0, fields: [{name: total, lsb: 0, width: 32}]}
`))
	require.NoError(t, err)
	return &Language{Block: b, Answers: map[string]string{"ev": "rsp", "rx": "tx"},
		Aliases: map[string]string{"plus": "ADD"}}
}

// written returns the layout of the toy block, and the episode and the judge of the one scenario in a text.
func written(t *testing.T, text string) (*event.Layout, *stim.Episode, *Judge) {
	t.Helper()
	return writtenIn(t, toyLanguage(t), text)
}

func writtenIn(t *testing.T, l *Language, text string) (*event.Layout, *stim.Episode, *Judge) {
	t.Helper()
	all, err := l.Read(fstest.MapFS{"x/a.txt": {Data: []byte(text)}}, "x")
	require.NoError(t, err)
	require.NotEmpty(t, all)
	su := stim.Suite{Schema: l.Block, Sources: []stim.Entry{stim.Directed(l.Block, func() []stim.Case {
		return []stim.Case{{Name: all[0].Name, Write: all[0].Write}}
	})}}
	src, err := su.Open("directed", stim.Options{Seed: 1})
	require.NoError(t, err)
	ep, _ := src.Next()
	return event.NewLayout(l.Block), ep, ep.Judge.(*Judge)
}

// cycles feeds the judge: one item of the episode is accepted per cycle, and each answer comes one cycle later.
func cycles(lay *event.Layout, ep *stim.Episode, j *Judge, answers []map[string]uint64) (compared int, wrong []string) {
	it := stim.Item{Words: make([]uint64, lay.In.Words)}
	step := func(lane int, words []uint64, answer map[string]uint64) {
		in, out := make([]uint64, lay.In.Words), make([]uint64, lay.Out.Words)
		in[0] = lay.Reset() | lay.Readies()
		if words != nil {
			p := &lay.Inputs()[lane]
			p.Copy(in, words)
			in[0] |= p.Valid
			out[0] |= p.Ready
		}
		if answer != nil {
			out[0] |= lay.Outputs()[0].Valid
			for name, v := range answer {
				lay.Out.Slot("rsp", name).Set(out, v)
			}
		}
		j.Cycle(in, out)
	}
	var next map[string]uint64
	for ep.NextItem(&it) {
		step(it.Lane, it.Words, next)
		next = nil
		if len(answers) > 0 {
			next, answers = answers[0], answers[1:]
		}
	}
	step(0, nil, next)
	for _, a := range answers {
		step(0, nil, a)
	}
	return j.Verdict()
}

type rsp = map[string]uint64

func TestScenarioIsWrittenAndJudged(t *testing.T) {
	const text = `
define twice
  for i = 1, 2
    ADD data={n}*i -> data=n*i+1 +ok
  end
end
case sums two numbers   # not this
  do twice n=N
  let k=N+6
  plus data={k} addr=LIMIT -> data=2^32-1
  reg LIMIT=k-9
  READ addr=total
  found total=k
  READ addr=total
  final total=k+1
`
	good := []rsp{{"data": 5, "ok": 1}, {"data": 9, "ok": 1}, {"data": 1<<32 - 1}, {}, {"data": 10}, {"data": 11}}
	lay, ep, j := written(t, text)
	n, wrong := cycles(lay, ep, j, good)
	require.Empty(t, wrong)
	require.Equal(t, 7, n)
	for i, spoil := range map[int]rsp{0: {"data": 4, "ok": 1}, 1: {"data": 9}, 2: {"data": 0}, 4: {"data": 11},
		5: {"data": 10}} {
		bad := append([]rsp(nil), good...)
		bad[i] = spoil
		lay, ep, j := written(t, text)
		_, wrong := cycles(lay, ep, j, bad)
		require.Len(t, wrong, 1, "answer %d", i)
		require.Contains(t, wrong[0], "a.txt line")
	}
	words := func() (kinds, data []uint64) {
		_, ep, _ := written(t, text)
		it := stim.Item{Words: make([]uint64, lay.In.Words)}
		for ep.NextItem(&it) {
			kinds = append(kinds, lay.In.Slot("ev", "kind").Get(it.Words))
			data = append(data, lay.In.Slot("ev", "data").Get(it.Words))
		}
		return kinds, data
	}
	kinds, data := words()
	require.Equal(t, []uint64{0, 0, 0, 2, 1, 1}, kinds)
	require.Equal(t, []uint64{4, 8, 10, 1, 0, 0}, data)
}

// A scenario fails if it demands nothing, or if answers are missing or unexpected.
func TestJudgeNeedsEveryAnswer(t *testing.T) {
	for text, x := range map[string]struct {
		answers []rsp
		want    string
	}{
		"case a\nADD data=1":                {[]rsp{{"data": 1}}, "case a demands nothing"},
		"case a\nADD data=1 -> data=1":      {nil, "line 2: never answered"},
		"case a\nADD data=1 -> data=1\nADD": {[]rsp{{"data": 1}}, "1 items without an answer"},
		"case a\nADD data=1 -> data=1 # ": {[]rsp{{"data": 1}, {"data": 1}},
			"an answer that nothing asked for"},
		"case a\nADD data=1 -> unanswered":                 {[]rsp{{"data": 1}}, "got an answer, want none"},
		"case a\nADD data=1 -> unanswered #":               {nil, "line 2: never answered"}, // only a reset may drop it
		"case a\nREAD addr=total -> data=1\nfinal LIMIT=1": {[]rsp{{"data": 1}}, "not read at the end"},
	} {
		lay, ep, j := written(t, text)
		_, wrong := cycles(lay, ep, j, x.answers)
		require.Contains(t, strings.Join(wrong, "\n"), x.want, text)
	}
}

// Lines of a stream that answers no item demand its transfers in order: each has one, every field counts, and there are
// no others.
func TestJudgeFollowsWhatNobodyAskedFor(t *testing.T) {
	const text = "case a\nADD\nrsp data=5\nADD\nrsp data=6 +ok"
	good := []rsp{{"data": 5}, {"data": 6, "ok": 1}}
	for _, x := range []struct {
		answers []rsp
		loose   []string
		want    string
	}{
		{good, nil, ""},
		{[]rsp{{"data": 5, "ok": 1}, good[1]}, []string{"ok"}, ""},
		{[]rsp{{"data": 5, "ok": 1}, good[1]}, nil, "line 3: rsp.ok: want 0, got 1"},
		{[]rsp{good[0], {"data": 6}}, nil, "line 5: rsp.ok: want 1, got 0"},
		{[]rsp{good[1], good[0]}, []string{"ok"}, "line 3: rsp.data: want 5, got 6"},
		{good[:1], nil, "line 5: never answered"},
		{append(good[:2:2], good[0]), nil, "stream rsp: a transfer that no line demands"},
	} {
		l := toyLanguage(t)
		l.Answers, l.Unasked, l.Loose = nil, "rsp", x.loose
		lay, ep, j := writtenIn(t, l, text)
		n, wrong := cycles(lay, ep, j, x.answers)
		if x.want != "" {
			require.Contains(t, strings.Join(wrong, "\n"), x.want)
			continue
		}
		require.Empty(t, wrong)
		require.Equal(t, 4-len(x.loose), n)
	}
}

// An answer that a reset takes away never comes: that is right if the line says so, and a failure otherwise. The judge
// notices an item that the driver adds.
func TestJudgeSeesResetsAndStrangers(t *testing.T) {
	for line, want := range map[string]string{"-> unanswered": "", "-> data=1": "never answered"} {
		lay, ep, j := written(t, "case a\nADD data=1 "+line+"\nADD data=2 -> data=2")
		it := stim.Item{Words: make([]uint64, lay.In.Words)}
		for i := range 2 {
			ep.NextItem(&it)
			in, out := make([]uint64, lay.In.Words), make([]uint64, lay.Out.Words)
			copy(in, it.Words)
			in[0] |= lay.Reset() | lay.Inputs()[0].Valid
			out[0] |= lay.Inputs()[0].Ready
			j.Cycle(in, out)
			if i == 0 {
				in[0] &^= lay.Reset()
				j.Cycle(in, out)
			}
		}
		in, out := make([]uint64, lay.In.Words), make([]uint64, lay.Out.Words)
		in[0] |= lay.Reset() | lay.Readies()
		out[0] |= lay.Outputs()[0].Valid
		lay.Out.Slot("rsp", "data").Set(out, 2)
		j.Cycle(in, out)
		n, wrong := j.Verdict()
		require.Positive(t, n)
		if want == "" {
			require.Empty(t, wrong)
		} else {
			require.Contains(t, strings.Join(wrong, "\n"), want)
		}
	}
	lay, _, j := written(t, "case a\nADD data=1 -> data=1")
	in, out := make([]uint64, lay.In.Words), make([]uint64, lay.Out.Words)
	in[0] |= lay.Reset() | lay.Inputs()[0].Valid
	out[0] |= lay.Inputs()[0].Ready
	lay.In.Slot("ev", "data").Set(in, 9)
	j.Cycle(in, out)
	_, wrong := j.Verdict()
	require.Contains(t, wrong[0], "took an item that is not in the scenario")
}

func TestScenarioErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"ADD data=1":                     "a.txt line 1: \"ADD\" comes before the first case",
		"case A":                         "lower-case name",
		"case a\ncase a":                 "a.txt line 2: case a: named twice",
		"case a\nfor i = 1..2\nADD":      "a.txt line 2: for has no end",
		"case a\nend":                    "a.txt line 2: end without a beginning",
		"case a\nfor i = 1,":             "a.txt line 2: the line after the comma is missing",
		"cases i = 1 2\ncase a{i}\nend":  "want 1 values",
		"define x\nend\ndefine x\nend":   "named twice",
		"case a\nfor i = 1\ncase b\nend": "case inside the for",
		"case a\nparams M=3":             "want the name of a parameter",
		"cases i = 1..2\ncase {j}\nend":  "\"j\" is not known",
	} {
		_, err := toyLanguage(t).Read(fstest.MapFS{"x/a.txt": {Data: []byte(text)}}, "x")
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, "a.txt line", text)
	}
	_, err := toyLanguage(t).Read(fstest.MapFS{"x/a.md": {Data: []byte("x")}}, "x")
	require.ErrorContains(t, err, "no file in x")
	for line, want := range map[string]string{
		"PUSH data=1":                  "\"PUSH\" is neither a keyword nor a stream",
		"ADD colour=1":                 "no field \"colour\"",
		"ADD data":                     "want field=value",
		"ADD data=1 -> colour=1":       "stream rsp: no field \"colour\"",
		"ADD data=1 -> ok":             "want name=value, +flag or -flag",
		"ADD data=1+ -> ok=1":          "operand is missing",
		"reg COLOUR=1":                 "register \"COLOUR\": unknown",
		"do this":                      "no such define",
		"found total=1":                "no earlier line reads it",
		"gate ev density":              "gate",
		"ADD after=up":                 "no stream \"up\"",
		"rx data=1":                    "packets need a frame, other items take none",
		"ADD [ipv4]":                   "packets need a frame, other items take none",
		"for i = 1\nADD data={k}\nend": "\"k\" is not known",
		"ADD data={1 line 2}":          "\"1 line 2\"",

		// Values that would be cut off, dropped or never compared.
		"ADD data=1 -> ok=2":      "ok=2: the field has 1 bits",
		"ADD data=1 -> ok&2=0":    "the mask leaves nothing to compare",
		"ADD data=1 -> data=2^32": "data=4294967296: the field has 32 bits",
		"ADD addr=16":             "addr=16: the field has 4 bits",
		"ADD addr=-9":             "the field has 4 bits",
		"reg LIMIT=2^32":          "data=4294967296: the field has 32 bits",
		"ADD data=1 data=2":       "data already has a value",
		"ADD data=1 gap=65536":    "gap 65536: want 0 to 65535",
		"ADD data=1\ngap -1":      "gap -1: want 0 to 65535",
		"gap 1\nADD data=1":       "gap: no item precedes it",
		"ADD data=1 paired":       "no item precedes it",
		"reset low=0":             "it resets nothing",
		"reset delay=-1":          "want a number above 0",
		"default\nADD data=1":     "default: want a stream or a kind",
		"relief\nADD data=1":      "the kind of the event is missing",
	} {
		msg := panicOf(func() { written(t, "case a\n"+line) })
		require.Contains(t, msg, want, line)
		require.Equal(t, 1, strings.Count(msg, "a.txt line "), msg)
	}
}

func panicOf(f func()) (msg string) {
	defer func() { msg, _ = recover().(string) }()
	f()
	return "no panic"
}

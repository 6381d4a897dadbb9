package schema

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
)

const given = `block: mine
title: a block for tests
params:
  - {name: Depth, default: 8, min: 2, max: 64}
enums:
  - {name: op, width: 2, values: [{name: READ, value: 0}, {name: WRITE, value: 2}, {name: FLUSH, value: 3}]}
streams:
  - name: ev
    dir: in
    fields:
      - {name: op, width: 2, enum: op}
      - {name: len, width: 14}
      - {name: delta, width: 12, signed: true}
      - {name: kind, width: 8}
      - {name: data, width: 100}
  - {name: rsp, dir: out, fields: [{name: op, width: 2, enum: op}, {name: ok, width: 1}, {name: y, width: 8},
      {name: z, width: 8}]}
stimulus:
  streams:
    - name: ev
      fields: [{name: kind, weights: {0..7: 1, "9": 1, 200: 0}}]
      constraints: [len < Depth * 100, op == FLUSH -> len == 0, delta >= -5]
coverage:
  - stream: ev
    fields: [{name: len, classes: [0, 1..63, 64..16383]}]
    crosses: [[op, len], [op, kind]]
  - stream: rsp
    fields: [{name: z, classes: [0, 1..255]}]
`

func TestBins(t *testing.T) {
	b, err := event.Parse([]byte(given))
	require.NoError(t, err)
	o, err := New(b, map[string]int{"Depth": 2}, true)
	require.NoError(t, err)
	r, unreachable, corners := o.Report()
	require.Zero(t, r.Hit)
	require.Equal(t, []string{
		"ev.op READ", "ev.op WRITE", "ev.op FLUSH",
		"ev.len 0", "ev.len 1..63", "ev.len 64..16383", "ev.len least 0", "ev.len between", "ev.len most 199",
		"ev.delta least -5", "ev.delta zero", "ev.delta between", "ev.delta most 2047",
		"ev.kind 0..7", "ev.kind 9", "ev.kind least 0", "ev.kind most 9",
		"ev.data all zeros", "ev.data all ones",
		"ev.op x len READ x 0", "ev.op x len READ x 1..63", "ev.op x len READ x 64..16383",
		"ev.op x len WRITE x 0", "ev.op x len WRITE x 1..63", "ev.op x len WRITE x 64..16383", "ev.op x len FLUSH x 0",
		"ev.op x kind READ x 0..7", "ev.op x kind READ x 9", "ev.op x kind WRITE x 0..7", "ev.op x kind WRITE x 9",
		"ev.op x kind FLUSH x 0..7", "ev.op x kind FLUSH x 9",
		"rsp.op READ", "rsp.op WRITE", "rsp.op FLUSH", "rsp.ok 0", "rsp.ok 1", "rsp.z 0", "rsp.z 1..255",
	}, r.Missed, "the ends of what the constraints leave, with these parameters")
	require.Equal(t, []cover.Unreachable{
		{Bin: "ev.op x len FLUSH x 1..63", Why: whyNever}, {Bin: "ev.op x len FLUSH x 64..16383", Why: whyNever},
	}, unreachable)
	require.Equal(t, r.Bins, len(r.Missed)+r.Unreachable)
	require.Contains(t, corners, "ev.len most 199")
	require.NotContains(t, strings.Join(corners, " "), "rsp", "what a design answers is not driven")
	require.NotContains(t, corners, "ev.len between")

	l := event.NewLayout(b)
	words := make([]uint64, l.In.Words)
	take := func(op, n, delta, kind, data uint64) {
		for name, v := range map[string]uint64{"op": op, "len": n, "delta": delta, "kind": kind} {
			l.In.Slot("ev", name).Set(words, v)
		}
		s := l.In.Slot("ev", "data")
		words[s.Word], words[s.Word+1] = data, data&(1<<36-1)
		o.Take(0, words)
	}
	take(2, 199, 0xffb, 9, ^uint64(0)) // delta -5
	take(0, 0, 0, 3, 1)
	out := make([]uint64, l.Out.Words)
	l.Out.Slot("rsp", "z").Set(out, 7)
	o.Answer(0, out)
	r, _, corners = o.Report()
	for _, hit := range []string{"ev.len most 199", "ev.delta least -5", "ev.delta zero", "ev.kind 9", "ev.kind most 9",
		"ev.data all ones", "ev.op x len WRITE x 64..16383",
		"ev.op x len READ x 0", "ev.op x kind READ x 0..7", "rsp.op READ", "rsp.ok 0", "rsp.z 1..255"} {
		require.NotContains(t, r.Missed, hit)
	}
	for _, missed := range []string{"ev.data all zeros", "ev.delta most 2047", "ev.op x len WRITE x 0",
		"ev.op x len READ x 64..16383", "rsp.ok 1", "rsp.z 0"} {
		require.Contains(t, r.Missed, missed)
	}
	require.Empty(t, r.Impossible)
	require.NotContains(t, corners, "ev.len most 199")
	require.Contains(t, corners, "ev.data all zeros")

	// An event against the constraints is a fault of whoever drew it; one of a file is not.
	take(3, 5, 0, 0, 0)
	r, _, _ = o.Report()
	require.Equal(t, []string{"ev.op x len FLUSH x 1..63"}, r.Impossible)
	free, err := New(b, nil, false)
	require.NoError(t, err)
	free.Take(0, words)
	r, unreachable, _ = free.Report()
	require.Empty(t, unreachable)
	require.Empty(t, r.Impossible)
	require.NotContains(t, r.Missed, "ev.op x len FLUSH x 1..63")
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"stream: rsp", "stream: rps", `key "stream": "rps" is not a stream`},
		{"name: len, classes", "name: lent, classes",
			`line 25: coverage of ev: key "name": "lent" is not a field of the stream`},
		{"1..63, 64..16383", "1..63, 63..100",
			`line 25: coverage of ev.len: key "classes": 1..63 and 63..100 have values in common`},
		{"1..63, 64..16383", "99999", `99999 is not in 0..16383`},
		{"[0, 1..255]", "[]", `coverage of rsp.z: key "classes": there are none`},
		{"[[op, len], [op, kind]]", "[[op]]", `a cross names two fields or more`},
		{"[[op, len], [op, kind]]", "[[op, data]]", `"data" is not a field of the stream of up to 64 bits`},
		{"[[op, len], [op, kind]]", "[op, kind]", `a list is required`},
	} {
		require.Equal(t, 1, strings.Count(given, c.old), c.old)
		_, err := event.Parse([]byte(strings.Replace(given, c.old, c.new, 1)))
		require.ErrorContains(t, err, c.want)
	}
	// An output field without codes or classes has nothing to cross.
	b, err := event.Parse([]byte(given + "    crosses: [[ok, y]]\n"))
	require.NoError(t, err)
	_, err = New(b, nil, true)
	require.ErrorContains(t, err, "cross rsp.ok x y: it has 0 bins, and 1 to 4096 are allowed; give its fields classes")
}

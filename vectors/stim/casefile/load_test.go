package casefile

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

func toyDialect(t *testing.T) *Dialect {
	t.Helper()
	b, err := event.Parse([]byte(`block: toy
title: takes numbers
enums:
  - {name: kind, width: 2, values: [{name: ADD, value: 0}, {name: GET, value: 1}]}
streams:
  - {name: ev, dir: in, fields: [{name: kind, width: 2, enum: kind}, {name: now, width: 32}, {name: x, width: 16}]}
  - {name: rsp, dir: out, fields: [{name: y, width: 16}, {name: ok, width: 1}]}
`))
	require.NoError(t, err)
	return &Dialect{Block: b}
}

func TestLoadInTheOrderOfNames(t *testing.T) {
	d := toyDialect(t)
	cases, err := d.Load(fstest.MapFS{
		"cases/b.txt": {Data: []byte("case third\nADD x=3\n")},
		"cases/a.txt": {Data: []byte("case first one and two # not this\nADD x=1+1 -> y=2 +ok\nGET -> y=-1 -ok\n" +
			"case second\nGET\n")},
		"cases/c.md": {Data: []byte("no case file")},
	}, "cases")
	require.NoError(t, err)
	require.Len(t, cases, 3)
	require.Equal(t, "first", cases[0].Name)
	require.Equal(t, "one and two", cases[0].About)
	require.Equal(t, "third", cases[2].Name)
	l := event.NewLayout(d.Block)
	steps := cases[0].Steps
	require.Len(t, steps, 2)
	require.EqualValues(t, 2, l.In.Slot("ev", "x").Get(steps[0].Words))
	require.EqualValues(t, Epoch, l.In.Slot("ev", "now").Get(steps[0].Words))
	require.Equal(t, "a.txt line 2", steps[0].At)
	require.Len(t, steps[0].Want, 2)
	rsp := make([]uint64, l.Out.Words)
	l.Out.Slot("rsp", "y").Set(rsp, 2)
	require.Equal(t, steps[0].Want[0].Value, steps[0].Want[0].Get(rsp))
	require.NotEqual(t, steps[0].Want[1].Value, steps[0].Want[1].Get(rsp), "+ok demands a 1")
	require.EqualValues(t, 0xffff, steps[1].Want[0].Value, "two's complement of the field's width")
}

// The name of a register means its address in the field addr, and its value everywhere else.
func TestAddrOfARegister(t *testing.T) {
	b, err := event.Parse([]byte(`block: toy
title: has a register
enums:
  - {name: kind, width: 2, values: [{name: ADD, value: 0}, {name: CFG_WRITE, value: 1}]}
streams:
  - name: ev
    dir: in
    fields: [{name: kind, width: 2, enum: kind}, {name: now, width: 32}, {name: addr, width: 4},
      {name: data, width: 32}]
  - {name: rsp, dir: out, fields: [{name: y, width: 16}]}
registers:
  - {name: OTHER, addr: 0, width: 16, reset: 1}
  - {name: LIMIT, addr: 1, width: 16, reset: 7}
`))
	require.NoError(t, err)
	d := &Dialect{Block: b}
	cases, err := d.Parse(nil, "a.txt", "case a\nCFG_WRITE addr=LIMIT data=LIMIT+1\nADD data=LIMIT\n")
	require.NoError(t, err)
	l := event.NewLayout(b)
	for i, want := range []struct{ addr, data uint64 }{{1, 8}, {0, 8}} {
		require.Equal(t, want.addr, l.In.Slot("ev", "addr").Get(cases[0].Steps[i].Words))
		require.Equal(t, want.data, l.In.Slot("ev", "data").Get(cases[0].Steps[i].Words))
	}
}

// A folder without case files is an error: it would mean a block whose rules nobody checks.
func TestLoadRefuses(t *testing.T) {
	d := toyDialect(t)
	_, err := d.Load(fstest.MapFS{"cases/c.md": {Data: []byte("x")}}, "cases")
	require.EqualError(t, err, "directed cases of toy: no file in cases")
	_, err = d.Load(fstest.MapFS{"cases/a.txt": {Data: []byte("case a\nADD\nDROP\n")}}, "cases")
	require.ErrorContains(t, err, "directed cases of toy, a.txt line 3: \"DROP\" is neither a keyword nor an event kind")
	_, err = d.Load(fstest.MapFS{"cases/a.txt": {Data: []byte("case a\nADD\n")},
		"cases/b.txt": {Data: []byte("case a\nADD\n")}}, "cases")
	require.ErrorContains(t, err, "b.txt line 1: case a: named twice")
	for line, want := range map[string]string{ // cut to the field's width, each would be another value
		"GET -> ok=2":     "ok=2: the field has 1 bits",
		"GET -> y=-32769": "y=-32769: the field has 16 bits",
		"GET -> y=2^70":   "the field has 16 bits",
		"ADD x=65536":     "x=65536: the field has 16 bits",
		"ADD x=1 x=2":     "x already has a value",
	} {
		_, err = d.Load(fstest.MapFS{"cases/a.txt": {Data: []byte("case a\n" + line + "\n")}}, "cases")
		require.ErrorContains(t, err, want, line)
		require.ErrorContains(t, err, "a.txt line 2", line)
	}
}

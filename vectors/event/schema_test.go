package event_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// small is a schema with one of everything; the negative cases each break one line of it.
const small = `block: tiny
title: a block for tests
doc: nothing real
params:
  - {name: Depth, default: 8, min: 2, max: 64, pow2: true, doc: entries}
constants:
  - {name: LATENCY, value: 3, unit: cycles, doc: latency}
enums:
  - name: kind
    width: 2
    doc: kinds
    values:
      - {name: A, value: 0, doc: a}
      - {name: B, value: 3, doc: b}
streams:
  - name: ev
    dir: in
    doc: events
    fields:
      - {name: kind, width: 2, enum: kind, doc: kind}
      - {name: addr, width: 3, doc: address}
      - {name: delta, width: 12, signed: true, q: Q8.4, doc: a difference}
  - name: rsp
    dir: out
    doc: responses
    fields:
      - {name: avg, width: 48, q: UQ32.16, doc: an average}
registers:
  - {name: GAIN, addr: 0, width: 8, q: UQ0.8, reset: 16, doc: gain}
  - {name: LIMIT, addr: 1, width: 16, reset: 9, doc: limit}
words:
  - {addr: 0, fields: [{name: lo, lsb: 0, width: 32}, {name: hi, lsb: 32, width: 32}]}
  - {addr: 1, fields: [{name: mode, lsb: 4, width: 2, enum: kind}]}
`

func TestParseRefuses(t *testing.T) {
	_, err := event.Parse([]byte(small))
	require.NoError(t, err)
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown key in a field", "doc: address}", "docs: address}", `schema tiny: line 21: unknown key "docs" of a field`},
		{"unknown key at the top", "title:", "titel:", `line 2: unknown key "titel" of a block`},
		{"key twice", "title:", "doc: x\ntitle:", "line 4"},
		{"wrong type", "width: 3,", "width: three,", `line 21: key "width": three is no int`},
		{"two documents", "words:\n", "---\nblock: other\nwords:\n", "more than one document"},
		{"block name", "block: tiny", "block: Tiny", `line 1: key "block"`},
		{"parameter default", "default: 8", "default: 9", `line 5: key "default": parameter Depth: 9 is not a power of two`},
		{"parameter range", "max: 64", "max: 1", `line 5: param Depth: key "min", "max"`},
		{"constant value", "value: 3, unit", "value: -1, unit", `line 7: constant LATENCY: key "value"`},
		{"enum width", "    width: 2\n", "    width: 0\n", `line 10: enum kind: key "width"`},
		{"enum code too wide", "{name: B, value: 3", "{name: B, value: 4",
			`line 14: enum kind: key "value": B = 4 does not fit 2 bits`},
		{"enum code twice", "{name: B, value: 3", "{name: B, value: 0",
			`line 14: enum kind: key "value": code 0 appears twice`},
		{"enum name twice", "{name: B", "{name: A", `line 14: enum kind: key "name": "A" appears twice`},
		{"field name twice", "{name: addr", "{name: kind", `line 21: stream ev: key "name": "kind" appears twice`},
		{"field name is a keyword", "{name: addr", "{name: logic",
			`line 21: stream ev: key "name": "logic" is a SystemVerilog keyword`},
		{"field name missing", "{name: addr, width", "{width", `line 21: stream ev: key "name": ""`},
		{"field name clashes with the handshake", "{name: addr", "{name: valid", `line 21: field ev.valid: key "name"`},
		{"field width 0", "{name: addr, width: 3", "{name: addr, width: 0", `line 21: field ev.addr: key "width": 0`},
		{"no such enum", "enum: kind, doc: kind", "enum: kin, doc: kind",
			`line 20: field ev.kind: key "enum": there is no enum "kin"`},
		{"enum of another width", "{name: kind, width: 2", "{name: kind, width: 3", `line 20: field ev.kind: key "enum"`},
		{"Q format does not fill the width", "UQ32.16", "UQ32.15",
			`line 27: field rsp.avg: key "q": UQ32.15 has 47 bits, the width is 48`},
		{"Q format of another form", "UQ32.16", "32.16", `line 27: field rsp.avg: key "q"`},
		{"Q format and sign disagree", "Q8.4", "UQ8.4", `line 22: field ev.delta: key "q"`},
		{"direction", "dir: out", "dir: inout", `line 24: stream rsp: key "dir"`},
		{"no output stream", "dir: out", "dir: in", `key "streams": a block needs one stream in and one out`},
		{"register address twice", "addr: 1, width: 16", "addr: 0, width: 16",
			`line 30: register LIMIT: key "addr": 0 appears twice`},
		{"register address left out", "addr: 1, width: 16", "addr: 2, width: 16",
			`key "registers": addresses are not 0..1, 1 is free`},
		{"register address too wide", "addr: 1, width: 16", "addr: 8, width: 16",
			`line 30: register LIMIT: key "addr": 8 does not fit 3 bits`},
		{"reset value too wide", "reset: 16", "reset: 256", `line 29: register GAIN: key "reset": 256 does not fit 8 bits`},
		{"words overlap", "lsb: 32", "lsb: 31", `line 32: word 0 field hi: key "lsb": bits 31..62 overlap`},
		{"word field past the end", "lsb: 32", "lsb: 33",
			`line 32: word 0 field hi: key "lsb": bits 33..64 are not in 0..63`},
		{"word address twice", "{addr: 1, fields", "{addr: 0, fields", `line 33: word 0: key "addr"`},
		{"word field name twice", "{name: mode", "{name: lo", `line 33: word 1: key "name": "lo" appears twice`},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(small, c.old), "the case must change one place")
			_, err := event.Parse([]byte(strings.Replace(small, c.old, c.new, 1)))
			require.ErrorContains(t, err, c.want)
			require.ErrorIs(t, err, event.ErrSchema)
			require.NotContains(t, err.Error(), "\n", "an error is one line")
		})
	}
}

func TestLoadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "schema.yaml")
	_, err := event.Load(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, []byte("block: x\n"), 0o600))
	_, err = event.Load(path)
	require.ErrorContains(t, err, path)
	require.True(t, errors.Is(err, event.ErrSchema))
}

func TestHashSeesTheInterfaceOnly(t *testing.T) {
	hash := func(text string) string {
		b, err := event.Parse([]byte(text))
		require.NoError(t, err)
		return b.Hash()
	}
	base := hash(small)
	require.Regexp(t, "^[0-9a-f]{16}$", base)
	for _, same := range [][2]string{
		{"doc: address", "doc: another text"}, {"title: a block", "title: the block"}, {"default: 8", "default: 16"},
		{"block: tiny", "# a comment\nblock: tiny"},
	} {
		require.Equal(t, base, hash(strings.Replace(small, same[0], same[1], 1)), same[1])
	}
	seen := map[string]string{base: "unchanged"}
	for _, other := range [][2]string{
		{"block: tiny", "block: tin"}, {"name: Depth", "name: Deep"}, {"value: 3, unit", "value: 4, unit"},
		{"{name: B, value: 3", "{name: B, value: 2"}, {"{name: addr, width: 3", "{name: addr, width: 4"},
		{"{name: lo,", "{name: low,"}, {"reset: 9", "reset: 8"}, {"lsb: 4", "lsb: 5"}, {"UQ0.8", "UQ1.7"},
		{"max: 64", "max: 32"}, {"LATENCY", "LAT"}, {"signed: true, q: Q8.4, ", ""},
	} {
		h := hash(strings.Replace(small, other[0], other[1], 1))
		require.Empty(t, seen[h], "%q must give another hash than %s", other[1], seen[h])
		seen[h] = other[1]
	}
}

func TestFormat(t *testing.T) {
	b, err := event.Parse([]byte(small))
	require.NoError(t, err)
	ev := b.Stream("ev")
	require.Equal(t, "B", b.Format(ev.Field("kind"), 3))
	require.Equal(t, "2", b.Format(ev.Field("kind"), 2), "a code without a name")
	require.Equal(t, "-1", b.Format(ev.Field("delta"), 0xfff))
	require.Equal(t, "7", b.Format(ev.Field("addr"), 7))
}

package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

const ownSchema = `block: mine
title: a block for tests
params:
  - {name: Depth, default: 8, min: 2, max: 64, pow2: true}
constants:
  - {name: MTU, value: 9216}
enums:
  - {name: op, width: 2, values: [{name: READ, value: 0}, {name: WRITE, value: 2}, {name: FLUSH, value: 3}]}
streams:
  - name: ev
    dir: in
    fields:
      - {name: op, width: 2, enum: op}
      - {name: addr, width: 64}
      - {name: len, width: 14}
      - {name: delta, width: 12, signed: true}
      - {name: flag, width: 1}
      - {name: data, width: 100}
  - name: side
    dir: in
    fields: [{name: x, width: 8}]
  - {name: rsp, dir: out, fields: [{name: y, width: 8}]}
`

const ownStimulus = `stimulus:
  events: [30, 60]
  streams:
    - name: ev
      fields:
        - {name: op, weights: {READ: 6, WRITE: 3, FLUSH: 1}}
        - {name: len, weights: {0..63: 1, "64": 2, 65..16383: 3}}
      constraints:
        - len <= MTU
        - op == WRITE -> addr < Depth * 3
        - op == FLUSH -> len == 0 && !flag
        - op == READ -> addr % 64 == 0 && addr + len <= 0xffffffff00000000
        - delta * 2 < len
    - {name: side, weight: 2}
`

func parsed(t testing.TB, text string) *event.Block {
	b, err := event.Parse([]byte(text))
	require.NoError(t, err)
	return b
}

// drawn returns every event of a source as a map from stream and field to value.
func drawn(t testing.TB, b *event.Block, source string, o stim.Options) (out []map[string]int64, names []string) {
	src, err := Open(b, source, o)
	require.NoError(t, err)
	l := event.NewLayout(b)
	ins := b.StreamsOf(event.In)
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		it := stim.Item{Words: make([]uint64, l.In.Words)}
		for ep.NextItem(&it) {
			m := map[string]int64{"lane": int64(it.Lane)}
			for i := range l.In.Slots {
				if s := &l.In.Slots[i]; s.Stream == ins[it.Lane].Name {
					m[s.Field.Name] = s.Field.Signed64(s.Get(it.Words))
				}
			}
			out, names = append(out, m), append(names, ep.Name)
			beside := slices.Clone(it.Words)
			for w, m := range l.In.StreamMask(ins[it.Lane].Name) {
				beside[w] &^= m
			}
			require.Equal(t, make([]uint64, l.In.Words), beside, "no bits beside the fields of its stream")
		}
	}
	require.NoError(t, src.Err())
	return out, names
}

func TestOwnEventsKeepTheConstraints(t *testing.T) {
	b := parsed(t, ownSchema+ownStimulus)
	events, names := drawn(t, b, "random", stim.Options{Seed: 3, Events: 4000, Params: map[string]int{"Depth": 4}})
	require.Len(t, events, 4000)
	count, seen := map[string]int{}, map[int64]bool{}
	for _, m := range events {
		if m["lane"] == 1 {
			count["side"]++
			seen[m["x"]] = true
			continue
		}
		op, addr, n := m["op"], uint64(m["addr"]), m["len"]
		count[[]string{"READ", "none", "WRITE", "FLUSH"}[op]]++
		require.LessOrEqual(t, n, int64(9216))
		require.Less(t, m["delta"]*2, n)
		switch op {
		case 0:
			require.Zero(t, addr%64)
			require.LessOrEqual(t, addr+uint64(n), uint64(0xffffffff00000000))
			require.GreaterOrEqual(t, addr+uint64(n), addr)
			if n == 64 {
				count["64"]++
			}
			if n == 9216 {
				count["MTU"]++
			}
			if addr == 0 {
				count["addr 0"]++
			}
			if m["delta"] == -2048 {
				count["least delta"]++
			}
		case 2:
			require.Less(t, addr, uint64(12))
		case 3:
			require.Zero(t, n)
			require.Zero(t, m["flag"])
		}
	}
	require.Zero(t, count["none"])
	require.InDelta(t, 2*4000/3, count["side"], 150, "streams keep their weights")
	ev := 4000 - count["side"]
	require.InDelta(t, 0.6, float64(count["READ"])/float64(ev), 0.08)
	require.InDelta(t, 0.3, float64(count["WRITE"])/float64(ev), 0.08)
	require.Greater(t, count["FLUSH"], 60)
	for _, corner := range []string{"64", "MTU", "addr 0", "least delta"} {
		require.Greater(t, count[corner], 20, corner)
	}
	require.Equal(t, [4]bool{true, true, true, true}, [4]bool{seen[0], seen[1], seen[255], seen[128]},
		"without a word of stimulus, corners come all the same")

	again, _ := drawn(t, b, "random", stim.Options{Seed: 3, Events: 4000, Params: map[string]int{"Depth": 4}})
	require.Equal(t, events, again, "equal arguments give equal stimulus")
	other, _ := drawn(t, b, "random", stim.Options{Seed: 4, Events: 4000, Params: map[string]int{"Depth": 4}})
	require.NotEqual(t, events, other)
	var want []map[string]int64
	for i := range events {
		if names[i] == "random/7" {
			want = append(want, events[i])
		}
	}
	alone, _ := drawn(t, b, "random/7", stim.Options{Seed: 3, Params: map[string]int{"Depth": 4}})
	require.Equal(t, want, alone, "an episode alone is the one of the run")
}

func TestOwnUnsatisfiable(t *testing.T) {
	for _, c := range []struct{ constraints, want string }{
		{"[len > 20000]", `constraint "len > 20000": no event satisfies it`},
		{"[len < 10, op == READ, len > addr + 10]",
			`line 23:47: constraint "len < 10" and line 23:69: constraint "len > addr + 10": no event satisfies them together`},
		{"[addr * addr == 2]", `constraint "addr * addr == 2": 400 tries gave no event that satisfies it: none does, ` +
			`or few do; give the fields ranges or weights`},
		{"[addr / len == 1], fields: [{name: len, range: [0, 0]}]",
			`constraint "addr / len == 1": a division by 0 has no value; write a divisor above 0 after /`},
		{"[addr * addr == len * len + 2, op == READ, addr > 3]", `constraint "addr * addr == len * len + 2": 400 tries`},
		{"[op == READ, addr * len == 18446744073709551557 ]", `constraint "addr * len == 18446744073709551557": 400 tries`},
	} {
		b := parsed(t, ownSchema+"stimulus: {streams: [{name: ev, constraints: "+c.constraints+"}]}\n")
		begin := time.Now()
		_, err := Open(b, "random", stim.Options{Seed: 1})
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, err, "line 23:")
		require.NotContains(t, err.Error(), "\n")
		require.Less(t, time.Since(begin), 20*time.Second)
	}
}

// Bounds that hold for all events are kept from one to the next, bounds from one field are passed to the fields that
// depend on it, and a value that does not fit is taken back before the next is tried.
func TestOwnSearch(t *testing.T) {
	const schema = `block: mine
title: a block for tests
streams:
  - name: ev
    dir: in
    fields: [{name: a, width: 64}, {name: c, width: 64}, {name: b, width: 64},
      {name: p, width: 8}, {name: q, width: 8}, {name: r, width: 8}]
  - {name: rsp, dir: out, fields: [{name: y, width: 8}]}
  - {name: log, dir: out, fields: [{name: y, width: 8}]}
  - {name: cut, dir: out, fields: [{name: y, width: 8}]}
stimulus:
  streams:
    - name: ev
      fields: [{name: a, corners: 0}, {name: b, corners: 0}, {name: c, corners: 0},
        {name: p, corners: 0}, {name: q, corners: 0}, {name: r, corners: 0}]
      constraints: [%s]
`
	for constraint, holds := range map[string]func(m map[string]int64) bool{
		"a % 4096 == 5":  func(m map[string]int64) bool { return m["a"]&4095 == 5 },
		"a == b, b == c": func(m map[string]int64) bool { return m["a"] == m["b"] && m["b"] == m["c"] },
		"p * p % 29 == 1, q * q % 29 == 1, r * r % 29 == 1": func(m map[string]int64) bool {
			return m["p"]*m["p"]%29 == 1 && m["q"]*m["q"]%29 == 1 && m["r"]*m["r"]%29 == 1
		},
	} {
		events, _ := drawn(t, parsed(t, fmt.Sprintf(schema, constraint)), "random", stim.Options{Seed: 3, Events: 500})
		require.Len(t, events, 500)
		seen := map[int64]bool{}
		for _, m := range events {
			require.True(t, holds(m), "%s: %v", constraint, m)
			seen[m["a"]] = true
		}
		require.Greater(t, len(seen), 400, constraint)
	}
}

// The largest value of a field is drawn like any other, with corners or without.
func TestOwnDrawsTheWholeRange(t *testing.T) {
	b := parsed(t, "block: mine\ntitle: a block for tests\nstreams:\n"+
		"  - {name: ev, dir: in, fields: [{name: x, width: 2}, {name: s, width: 2, signed: true}]}\n"+
		"  - {name: rsp, dir: out, fields: [{name: y, width: 8}]}\n"+
		"stimulus: {streams: [{name: ev, fields: [{name: x, corners: 0}, {name: s, corners: 0}]}]}\n")
	events, _ := drawn(t, b, "random", stim.Options{Seed: 1, Events: 4000})
	count := map[string]int{}
	for _, m := range events {
		count[fmt.Sprint("x=", m["x"])]++
		count[fmt.Sprint("s=", m["s"])]++
	}
	for _, value := range []string{"x=0", "x=1", "x=2", "x=3", "s=-2", "s=-1", "s=0", "s=1"} {
		require.Greater(t, count[value], 600, value)
	}
}

// Every output has its own back-pressure, whatever the number of inputs.
func TestOwnStallsEveryOutput(t *testing.T) {
	for _, n := range [][2]int{{1, 3}, {3, 1}, {2, 2}} {
		text := "block: mine\ntitle: a block for tests\nstreams:\n"
		for i := range n[0] {
			text += fmt.Sprintf("  - {name: i%d, dir: in, fields: [{name: x, width: 8}]}\n", i)
		}
		for i := range n[1] {
			text += fmt.Sprintf("  - {name: o%d, dir: out, fields: [{name: y, width: 8}]}\n", i)
		}
		src, err := Open(parsed(t, text), "random", stim.Options{Seed: 1, Events: 3000})
		require.NoError(t, err)
		idle, stall := make([]bool, n[0]), make([]bool, n[1])
		for ep, ok := src.Next(); ok; ep, ok = src.Next() {
			require.Len(t, ep.Drive.IdleMore, n[0]-1)
			require.Len(t, ep.Drive.StallMore, n[1]-1)
			for i, g := range append([]stim.Gate{ep.Drive.Idle}, ep.Drive.IdleMore...) {
				idle[i] = idle[i] || g != stim.Gate{}
			}
			for i, g := range append([]stim.Gate{ep.Drive.Stall}, ep.Drive.StallMore...) {
				stall[i] = stall[i] || g != stim.Gate{}
			}
		}
		require.NotContains(t, append(idle, stall...), false)
	}
}

func TestOwnRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"len <= MTU", "len <= ", `line 31:17: constraint "len <=": an operand is missing`},
		{"len <= MTU", "len <= MTUU",
			`line 31:18: constraint "len <= MTUU": "MTUU" is not a field of stream ev, enum value, constant or parameter`},
		{"len <= MTU", "data == 3", `field data has 100 bits; a constraint takes up to 64`},
		{"len <= MTU", "'len = 3'", `line 31:16: constraint "len = 3": "= 3" is left over`},
		{"len <= MTU", "len / 0 == 1",
			`line 31:15: constraint "len / 0 == 1": a division by 0 has no value; write a divisor above 0 after /`},
		{"len <= MTU", "len % (MTU - 9216) == 1",
			`line 31:15: constraint "len % (MTU - 9216) == 1": a division by 0 has no value; write a divisor above 0 after %`},
		{"READ: 6", "REED: 6", `line 28: stimulus of ev.op: key "weights": "REED" is not a number nor a value of enum op`},
		{"READ: 6", "READ: 0.5", `line 28: key "weights": READ: "0.5" is not a weight; give 0 to 2^20`},
		{"READ: 6, WRITE", "READ: 0, WRITE: 0}} #",
			`line 28: stimulus of ev.op: key "weights": no weight is above 0; give one that is`},
		{"{READ: 6", "{}} # {READ: 6", `line 28: stimulus of ev.op: key "weights": no weight is above 0`},
		{"weights: {READ: 6, WRITE: 3, FLUSH: 1}", "range: []",
			`line 28: stimulus of ev.op: key "range": a range is [LEAST, MOST], not 0 values`},
		{"[30, 60]", "30", `key "events": a list is required, in brackets: [30]`},
		{"READ: 6", "READ: -6", `line 28: key "weights": READ: "-6" is not a weight; give 0 to 2^20`},
		{"65..16383", "65..16384", `16384 is not in 0..16383, which its 14 bits hold`},
		{"65..16383", "65..64", `65..64: the least comes first`},
		{"name: len, weights", "name: length, weights", `"length" is not a field of the stream`},
		{"name: len, weights", "name: len, wights", `unknown key "wights" of a field of the stimulus`},
		{"name: side, weight", "name: rsp, weight", `"rsp" is not an input stream, or appears twice`},
		{"[30, 60]", "[30]", `key "events": give [LEAST, MOST]`},
		{"  events:", "  resets: never\n  events:", `key "resets": "never" is neither any nor start`},
	} {
		text := ownSchema + ownStimulus
		require.Equal(t, 1, strings.Count(text, c.old), c.old)
		_, err := event.Parse([]byte(strings.Replace(text, c.old, c.new, 1)))
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err := Open(parsed(t, ownSchema), "fabric:incast32", stim.Options{})
	require.ErrorContains(t, err, "random and random/N")
}

func BenchmarkOwnDraw(b *testing.B) {
	src, err := Open(parsed(b, ownSchema+ownStimulus), "random", stim.Options{Seed: 1, Events: b.N})
	require.NoError(b, err)
	it := stim.Item{Words: make([]uint64, 8)}
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		for ep.NextItem(&it) {
		}
	}
}

package schema

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// each calls see for every event of every episode; begin marks an event before which the block was reset.
func each(t *testing.T, b *event.Block, o stim.Options,
	see func(begin bool, lane int, wait uint8, m map[string]int64)) {
	t.Helper()
	src, err := Open(b, "random", o)
	require.NoError(t, err)
	l := event.NewLayout(b)
	ins := b.StreamsOf(event.In)
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		n := 0
		for it := (stim.Item{Words: make([]uint64, l.In.Words)}); ep.NextItem(&it); n++ {
			begin := false
			for _, r := range ep.Drive.Resets {
				begin = begin || r.After == n
			}
			m := map[string]int64{}
			for i := range l.In.Slots {
				if s := &l.In.Slots[i]; s.Stream == ins[it.Lane].Name {
					m[s.Field.Name] = s.Field.Signed64(s.Get(it.Words))
				}
			}
			see(begin, it.Lane, it.Wait, m)
		}
	}
	require.NoError(t, src.Err())
}

const frameSchema = `block: frames
title: frames of two to five beats
streams:
  - {name: rx, dir: in, fields: [{name: data, width: 8}, {name: last, width: 1}]}
  - {name: tx, dir: out, fields: [{name: data, width: 8}]}
stimulus:
  events: [5, 60]
  state:
    - {name: beat, steps: [{stream: rx, when: last, next: 0}, {stream: rx, next: beat + 1}]}
  streams:
    - name: rx
      constraints: [beat == 4 -> last, last -> beat >= 1, beat == 0 -> data >= 200]
`

// A constraint knows how far a frame has come, and a reset starts a new frame.
func TestOwnFrameLengths(t *testing.T) {
	beat, seen := 0, map[int]int{}
	each(t, parsed(t, frameSchema), stim.Options{Seed: 2, Events: 6000}, func(begin bool, _ int, wait uint8,
		m map[string]int64) {
		if begin {
			beat = 0
		}
		require.Zero(t, wait)
		if beat == 0 {
			require.GreaterOrEqual(t, m["data"], int64(200))
		}
		if beat++; m["last"] == 1 {
			seen[beat]++
			beat = 0
		}
	})
	require.Len(t, seen, 4)
	for n := 2; n <= 5; n++ {
		require.Greater(t, seen[n], 50, n)
	}
}

const ackSchema = `block: acks
title: acknowledge only what was sent
params:
  - {name: Window, default: 4, min: 1, max: 64}
enums:
  - {name: op, width: 1, values: [{name: SEND, value: 0}, {name: ACK, value: 1}]}
streams:
  - {name: ev, dir: in, fields: [{name: op, width: 1, enum: op}, {name: psn, width: 16}]}
  - {name: rsp, dir: out, fields: [{name: y, width: 8}]}
stimulus:
  state:
    - {name: sent, start: 100, steps: [{stream: ev, when: op == SEND, next: sent + 1}]}
    - name: flying
      set: true
      steps:
        - {stream: ev, when: op == SEND, add: psn}
        - {stream: ev, when: op == ACK, remove: psn}
  streams:
    - name: ev
      fields:
        - {name: psn, from: flying, when: op == ACK}
      constraints: [op == SEND -> psn == sent && flying < Window]
`

// An event takes one of the values that were sent, and is not drawn while there is none.
func TestOwnAcksWhatWasSent(t *testing.T) {
	var flying map[int64]bool
	var sent int64
	order, most, acks := false, 0, 0
	oldest := int64(0)
	o := stim.Options{Seed: 2, Events: 5000, Params: map[string]int{"Window": 3}}
	each(t, parsed(t, ackSchema), o, func(begin bool, _ int, _ uint8, m map[string]int64) {
		if begin {
			flying, sent, oldest = map[int64]bool{}, 100, 100
		}
		if m["op"] == 0 {
			require.Equal(t, sent, m["psn"])
			flying[sent] = true
			sent++
			most = max(most, len(flying))
			require.LessOrEqual(t, len(flying), 3)
			return
		}
		require.True(t, flying[m["psn"]], "%d was not sent", m["psn"])
		delete(flying, m["psn"])
		acks++
		order = order || m["psn"] != oldest
		oldest = m["psn"] + 1
	})
	require.Equal(t, 3, most)
	require.Greater(t, acks, 2000)
	require.True(t, order, "any that was sent, not the oldest only")
}

// An event that depends on events of another stream waits until those were accepted; no reset comes in between.
func TestOwnStatesAcrossStreams(t *testing.T) {
	text := strings.NewReplacer(
		"  - {name: ev, dir: in, fields: [{name: op, width: 1, enum: op}, {name: psn, width: 16}]}\n",
		"  - {name: ev, dir: in, fields: [{name: psn, width: 16}]}\n"+
			"  - {name: ack, dir: in, fields: [{name: psn, width: 16}]}\n"+
			"  - {name: cfg, dir: in, fields: [{name: c, width: 1}]}\n",
		"when: op == SEND, ", "", "{stream: ev, when: op == ACK, remove", "{stream: ack, remove",
		"        - {name: psn, from: flying, when: op == ACK}\n"+
			"      constraints: [op == SEND -> psn == sent && flying < Window]\n",
		"        - {name: psn}\n      constraints: [psn == sent, flying < Window]\n"+
			"    - {name: ack, fields: [{name: psn, from: flying}]}\n").Replace(ackSchema)
	text = strings.Replace(text,
		"enums:\n  - {name: op, width: 1, values: [{name: SEND, value: 0}, {name: ACK, value: 1}]}\n", "", 1)
	var flying map[int64]bool
	count := [3]int{}
	each(t, parsed(t, text), stim.Options{Seed: 2, Events: 3000}, func(begin bool, lane int, wait uint8,
		m map[string]int64) {
		if begin {
			flying = map[int64]bool{}
		}
		count[lane]++
		require.Equal(t, lane != 2, wait == stim.WaitAll, lane)
		switch lane {
		case 0:
			flying[m["psn"]] = true
			require.LessOrEqual(t, len(flying), 4)
		case 1:
			require.True(t, flying[m["psn"]])
			delete(flying, m["psn"])
		}
	})
	require.Greater(t, min(count[0], count[1], count[2]), 500)
}

func TestOwnStatesRefused(t *testing.T) {
	for _, c := range []struct{ text, old, new, want string }{
		{frameSchema, "name: beat,", "name: data,",
			`line 9: state data: key "name": stream rx has a field of that name`},
		{frameSchema, "next: beat + 1", "next: beet + 1", `state beat: key "next": "beet + 1": `},
		{frameSchema, "next: beat + 1", "next: beat >= 1", `a number is required here`},
		{frameSchema, "when: last, next: 0", "when: lost, next: 0",
			`state beat: key "when": "lost": column 1: "lost" is not a field`},
		{frameSchema, "when: last, next: 0", "when: last, add: data", `a step of a number has the key "next"`},
		{frameSchema, "{stream: rx, next", "{stream: tx, next", `"tx" is not an input stream`},
		{frameSchema, "beat == 4 -> last", "beet == 4 -> last", `"beet" is not a field of stream rx`},
		{ackSchema, "set: true", "set: false", `a step of a number has the key "next"`},
		{ackSchema, "from: flying", "from: sent", `key "from": "sent" is not a state with set: true`},
		{ackSchema, "from: flying, ", "", `key "when": it goes with "from"`},
		{ackSchema, "remove: psn", "remove: x", `"x" is not a field of stream ev`},
	} {
		require.Equal(t, 1, strings.Count(c.text, c.old), c.old)
		_, err := event.Parse([]byte(strings.Replace(c.text, c.old, c.new, 1)))
		require.ErrorContains(t, err, c.want)
	}
	// If the states allow no event, the error gives their values.
	_, err := Open(parsed(t, strings.Replace(frameSchema, "beat == 4 -> last", "beat < 3, last == 0", 1)), "random",
		stim.Options{Seed: 1})
	require.ErrorContains(t, err, `constraint "beat < 3": no event satisfies it where beat is 3`)
	_, err = Open(parsed(t, strings.Replace(ackSchema, "constraints: [op", "constraints: [op == ACK, op", 1)), "random",
		stim.Options{Seed: 1})
	require.ErrorContains(t, err,
		`and "psn from flying": no event satisfies them together where sent is 100 and flying is 0`)
	_, err = Open(parsed(t, strings.Replace(frameSchema, "next: beat + 1", "next: beat * 4 + 5 ^ 36", 1)), "random",
		stim.Options{Seed: 1})
	require.ErrorContains(t, err, "beyond 2^80")
}

// checked returns what is wrong with a list of events.
func checked(t *testing.T, b *event.Block, resets []stim.Reset, items []stim.Item) error {
	t.Helper()
	g, err := NewLegal(b, nil)
	require.NoError(t, err)
	return g.Check(resets, items)
}

// The stimulus allows what it draws, but not a list with an event removed or a value changed.
func TestCheckSchema(t *testing.T) {
	for _, text := range []string{ackSchema, frameSchema} {
		b := parsed(t, text)
		l := event.NewLayout(b)
		src, err := Open(b, "random", stim.Options{Seed: 2, Events: 300})
		require.NoError(t, err)
		refused := 0
		for ep, ok := src.Next(); ok; ep, ok = src.Next() {
			var items []stim.Item
			for it := (stim.Item{Words: make([]uint64, l.In.Words)}); ep.NextItem(&it); {
				items = append(items, it.Clone())
			}
			require.NoError(t, checked(t, b, ep.Drive.Resets, items))
			if checked(t, b, ep.Drive.Resets[:1], items[1:]) != nil {
				refused++
			}
			if text == ackSchema {
				psn := l.In.Slot("ev", "psn")
				psn.Set(items[0].Words, 7)
				require.ErrorContains(t, checked(t, b, nil, items),
					`event 0: stimulus of ev: line 22:21: constraint "op == SEND -> psn == sent && flying < Window": `+
						`it does not hold where sent is 100`)
				l.In.Slot("ev", "op").Set(items[0].Words, 1)
				require.ErrorContains(t, checked(t, b, nil, items), `"psn from flying": the field is not in the set`)
			}
		}
		require.NotZero(t, refused)
	}
	b := parsed(t, ownSchema+ownStimulus)
	l := event.NewLayout(b)
	words := make([]uint64, l.In.Words)
	l.In.Slot("ev", "op").Set(words, 1)
	require.ErrorContains(t, checked(t, b, nil, []stim.Item{{Words: words}}),
		"field ev.op: 1 is not a value that the stimulus draws")
}

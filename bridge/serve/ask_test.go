package serve

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/twin"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// films keep the control bits that each model of a server saw, cycle by cycle.
type films struct {
	sync.Mutex
	control [][]uint64
}

type film struct {
	twin.Model
	of     *films
	number int
}

func (m *film) Cycle(in, out []uint64) {
	m.of.Lock()
	m.of.control[m.number] = append(m.of.control[m.number], in[0]&(adder.InRstN|adder.InEvValid|adder.InRspReady))
	m.of.Unlock()
	m.Model.Cycle(in, out)
}

func (f *films) make() (Model, error) {
	f.Lock()
	defer f.Unlock()
	f.control = append(f.control, nil)
	return &film{of: f, number: len(f.control) - 1}, nil
}

// seen returns what model n saw; the server makes the first to see that it can.
func (f *films) seen(n int) []uint64 {
	f.Lock()
	defer f.Unlock()
	return slices.Clone(f.control[n])
}

// ask sends events and returns the answer and the tags of its responses.
func (k *raw) ask(events ...[]uint64) (a wire.Answer, tags []uint64) {
	k.t.Helper()
	var bulk []uint64
	for _, ev := range events {
		bulk = append(bulk, ev...)
	}
	f := k.call(wire.TypeAsk, wire.Ask{Events: len(events)}, wire.TypeAnswer, &a, bulk)
	require.Len(k.t, f.Bulk, a.Responses*adder.OutWords)
	for i := 0; i < len(f.Bulk); i += adder.OutWords {
		var rsp adder.Response
		adder.UnpackResponse(f.Bulk[i:], &rsp)
		tags = append(tags, rsp.Tag)
	}
	return a, tags
}

func tagged(n uint64) []uint64 { return record(adder.Event{Tag: n}) }

// A model that has seen no cycle since configure is reset before its first event, and no other.
func TestFirstAskResets(t *testing.T) {
	var models films
	spec := tinySpec()
	spec.New = models.make
	k := talk(t, start(t, spec, sock(t)))
	const idle, offer = adder.InRstN | adder.InRspReady, adder.InRstN | adder.InRspReady | adder.InEvValid
	first := []uint64{0, 0, 0, 0, offer, idle}
	for n := range 2 { // configure forgets that the model before it had run
		a, _ := k.ask(tagged(1))
		require.EqualValues(t, len(first), a.Cycles)
		a, _ = k.ask(tagged(2))
		require.EqualValues(t, 2, a.Cycles)
		require.Equal(t, append(first[:6:6], offer, idle), models.seen(n+1))
		k.call(wire.TypeConfigure, wire.Configure{}, wire.TypeConfigured, nil)
	}
	k.call(wire.TypeStep, wire.Step{Cycles: 1}, wire.TypeStepped, nil, make([]uint64, 3))
	a, _ := k.ask(tagged(3))
	require.NotZero(t, a.Responses)
	require.Equal(t, []uint64{0, offer, idle}, models.seen(3)[:3])
	k.call(wire.TypeConfigure, wire.Configure{}, wire.TypeConfigured, nil)
	k.call(wire.TypeBatch, wire.Batch{Cycles: 1}, wire.TypeResult, nil, make([]uint64, 3+2))
	k.call(wire.TypeFinish, nil, wire.TypeFinished, nil)
	k.ask(tagged(4))
	require.Equal(t, []uint64{0, offer, idle}, models.seen(4)[:3])
}

// slow is a model whose response to an event comes as many cycles later as its tag says; for 0 never, and for
// thrice three times. It takes no event meanwhile for thrice and hold, the latter longer than an ask waits.
type slow struct {
	now, busy uint64
	due       map[uint64]uint64 // tags by cycle
}

const (
	thrice = 1 << 40
	hold   = stallCycles + 1000
)

func (m *slow) Reset() { *m = slow{due: map[uint64]uint64{}} }

func (m *slow) Cycle(in, out []uint64) {
	clear(out)
	m.now++
	if tag, ok := m.due[m.now]; ok {
		delete(m.due, m.now)
		adder.PackResponse(&adder.Response{Tag: tag}, out)
		out[0] |= adder.OutRspValid
	}
	if m.now >= m.busy {
		out[0] |= adder.OutEvReady
	}
	if in[0]&adder.InEvValid == 0 || m.now < m.busy {
		return
	}
	var ev adder.Event
	adder.UnpackEvent(in, &ev)
	switch ev.Tag {
	case 0:
	case thrice:
		m.due[m.now+1], m.due[m.now+2], m.due[m.now+3] = thrice, thrice, thrice
		m.busy = m.now + 4
	default:
		m.due[m.now+ev.Tag] = ev.Tag
		if ev.Tag == hold {
			m.busy = m.now + hold
		}
	}
}

// Responses that come late, twice or never do not make the next ask stop early or wait for what it has.
func TestAskLeftOver(t *testing.T) {
	spec := tinySpec()
	spec.New = func() (Model, error) { return &slow{}, nil }
	address := start(t, spec, sock(t))
	check := func(t *testing.T, k *raw, cycles int, tags []uint64, events ...[]uint64) {
		t.Helper()
		a, got := k.ask(events...)
		require.Equal(t, tags, got)
		require.EqualValues(t, cycles, a.Cycles)
	}
	t.Run("by count", func(t *testing.T) {
		k := talk(t, address)
		check(t, k, resetCycles+2, []uint64{1}, tagged(1))
		check(t, k, 1+700, []uint64{7, 700}, tagged(700), tagged(7))
		check(t, k, 1+quietAsOne, []uint64{quietAsOne}, tagged(quietAsOne))
	})
	t.Run("never", func(t *testing.T) {
		k := talk(t, address)
		check(t, k, resetCycles+1+quietAsOne, nil, tagged(0))
		check(t, k, 2+quietCycles, []uint64{1}, tagged(1)) // what is missing might still come
		check(t, k, 2, []uint64{1}, tagged(1))
	})
	t.Run("late", func(t *testing.T) {
		k := talk(t, address)
		check(t, k, resetCycles+1+quietAsOne, nil, tagged(quietAsOne+10))
		check(t, k, 1+100+quietCycles, []uint64{quietAsOne + 10, 100}, tagged(100))
		check(t, k, 2+quietCycles, []uint64{1}, tagged(1))
		check(t, k, 2, []uint64{1}, tagged(1))
	})
	t.Run("thrice", func(t *testing.T) {
		k := talk(t, address)
		check(t, k, resetCycles+2, []uint64{thrice}, tagged(thrice))
		check(t, k, 3+20+quietCycles, []uint64{thrice, thrice, 20}, tagged(20))
		k.call(wire.TypeConfigure, wire.Configure{}, wire.TypeConfigured, nil)
		check(t, k, resetCycles+2, []uint64{1}, tagged(1))
	})
	t.Run("of an ask that failed", func(t *testing.T) {
		k := talk(t, address)
		k.say(wire.TypeAsk, wire.Ask{Events: 2}, tagged(hold), tagged(1))
		k.refused("stalled", "event 1 of the ask: ready stayed low for 262144 cycles; configure anew")
		_, tags := k.ask(tagged(40)) // without configure
		require.Equal(t, []uint64{hold, 40}, tags)
	})
	t.Run("of a step", func(t *testing.T) {
		k := talk(t, address)
		in := tagged(20)
		in[0] |= adder.InRstN | adder.InRspReady
		k.call(wire.TypeStep, wire.Step{Cycles: 1}, wire.TypeStepped, nil, in)
		check(t, k, 1+40+quietCycles, []uint64{20, 40}, tagged(40))
		check(t, k, 2+quietCycles, []uint64{1}, tagged(1))
		check(t, k, 2, []uint64{1}, tagged(1))
		k.call(wire.TypeBatch, wire.Batch{Cycles: 1}, wire.TypeResult, nil, in, []uint64{adder.OutEvReady, 0})
		k.call(wire.TypeFinish, nil, wire.TypeFinished, nil)
		check(t, k, 1+40+quietCycles, []uint64{20, 40}, tagged(40))
		k.call(wire.TypeStep, wire.Step{Cycles: 1}, wire.TypeStepped, nil, in)
		k.call(wire.TypeConfigure, wire.Configure{}, wire.TypeConfigured, nil)
		check(t, k, resetCycles+2, []uint64{1}, tagged(1))
	})
}

// pair is a block of two streams each way: to an event of a, y answers as many cycles later as its field says.
type pair struct{ now, due uint64 }

func (m *pair) Reset() { *m = pair{} }

func (m *pair) Cycle(in, out []uint64) {
	m.now++
	out[0] = 3 | 0xbad<<4 // both ready; x, which is not valid, has anything
	if m.due == m.now {
		out[0] |= 8 | 0x55<<20
	}
	if in[0]&2 != 0 {
		m.due = m.now + in[0]>>5&0xffff
	}
}

const pairSchema = `block: pair
title: two streams each way
doc: for a test
params: []
constants: []
enums: []
streams:
  - {name: a, dir: in, doc: d, fields: [{name: gap, width: 16, doc: d}]}
  - {name: b, dir: in, doc: d, fields: [{name: n, width: 1, doc: d}]}
  - {name: x, dir: out, doc: d, fields: [{name: v, width: 16, doc: d}]}
  - {name: y, dir: out, doc: d, fields: [{name: v, width: 8, doc: d}]}
registers: []
words: []
`

// A block of several streams is asked until nothing has moved for quietCycles; what comes later is of the next ask.
func TestAskOfStreams(t *testing.T) {
	b, err := event.Parse([]byte(pairSchema))
	require.NoError(t, err)
	k := talk(t, start(t, Spec{Block: b, New: func() (Model, error) { return &pair{}, nil }}, sock(t)))
	const a, both, y = 2, 6, 8 | 0x55<<20
	ask := func(cycles int, want []uint64, events ...uint64) {
		t.Helper()
		var m wire.Answer
		f := k.call(wire.TypeAsk, wire.Ask{Events: len(events)}, wire.TypeAnswer, &m, events)
		require.EqualValues(t, cycles, m.Cycles)
		require.Equal(t, len(want), m.Responses)
		require.Equal(t, want, append([]uint64(nil), f.Bulk...))
	}
	require.Equal(t, 256, quietCycles, "as PROTOCOL.md says")
	ask(resetCycles+1+256+256, []uint64{y}, a|256<<5)
	ask(1+256, nil, a|257<<5)
	ask(1+10+256, []uint64{y, y}, both|10<<5) // the first is of the ask before
	ask(1+256, nil, a|300<<5)
	ask(1+43+256, []uint64{y}, 4) // an event of b has no response; that of the ask before comes now
}

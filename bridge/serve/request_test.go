package serve

import (
	"fmt"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
	"github.com/goldwire/goldwire/bridge/wire"
)

// configure ends a run without an answer: nothing of it is left in the next one.
func TestConfigureEndsRun(t *testing.T) {
	k := talk(t, start(t, tinySpec(), sock(t)))
	in, want := traffic(1, 60)
	var res wire.Result
	k.call(wire.TypeBatch, wire.Batch{Cycles: 60}, wire.TypeResult, &res, in, want)
	require.Equal(t, 60, res.Cycles)
	k.call(wire.TypeConfigure, wire.Configure{}, wire.TypeConfigured, nil)
	var end wire.Finished
	k.call(wire.TypeFinish, nil, wire.TypeFinished, &end)
	require.Equal(t, wire.Finished{}, end)

	want[55*2] ^= adder.OutEvReady // a difference whose report waits for cycles behind it
	k.call(wire.TypeConfigure, wire.Configure{}, wire.TypeConfigured, nil)
	k.call(wire.TypeBatch, wire.Batch{Cycles: 60}, wire.TypeResult, nil, in, want)
	k.call(wire.TypeConfigure, wire.Configure{}, wire.TypeConfigured, nil)
	k.call(wire.TypeFinish, nil, wire.TypeFinished, &end)
	require.Equal(t, wire.Finished{}, end)
}

// What a request must not say, by what comes back: unsupported fails it alone, protocol ends the conversation.
func TestBadRequests(t *testing.T) {
	address := start(t, tinySpec(), sock(t))
	words := func(n int) []uint64 {
		w := make([]uint64, n)
		for i := range w {
			w[i] = adder.InRstN | adder.InEvValid | adder.InRspReady
		}
		return w
	}
	for _, c := range []struct {
		of         wire.Type
		ctrl       any
		words      int
		kind, text string
	}{
		{wire.TypeConfigure, map[string]any{"seed": uint64(1) << 32}, 0, "protocol", "impossible seed or reset mode"},
		{wire.TypeConfigure, map[string]any{"seed": uint64(1)<<63 | 1}, 0, "protocol", "impossible seed or reset mode"},
		{wire.TypeConfigure, map[string]any{"reset": 3}, 0, "protocol", "impossible seed or reset mode"},
		{wire.TypeConfigure, map[string]any{"reset": -1}, 0, "protocol", "impossible seed or reset mode"},
		{wire.TypeConfigure, wire.Configure{Shm: "/dev/shm/x", ShmLen: 4096}, 0, "unsupported", "shared memory"},
		{wire.TypeBatch, wire.Batch{Cycles: 2, Shm: true}, 0, "unsupported", "shared memory"},
		{wire.TypeBatch, wire.Batch{Cycles: 2}, 9, "protocol", "batch of 2 cycles carries 9 words"},
		{wire.TypeBatch, wire.Batch{Cycles: 2}, 11, "protocol", "batch of 2 cycles carries 11 words"},
		{wire.TypeBatch, wire.Batch{}, 0, "protocol", "batch of 0 cycles"},
		{wire.TypeBatch, wire.Batch{Cycles: -1}, 0, "protocol", "batch of -1 cycles"},
		{wire.TypeStep, wire.Step{Cycles: 2}, 5, "protocol", "step of 2 cycles, at most 0, carries 5 words"},
		{wire.TypeStep, wire.Step{Cycles: 2}, 9, "protocol", "carries 9 words"},
		{wire.TypeStep, wire.Step{}, 0, "protocol", "step of 0 cycles"},
		{wire.TypeStep, wire.Step{Cycles: 1, Max: 5}, 3, "protocol", "step of 1 cycles, at most 5"},
		{wire.TypeStep, wire.Step{Cycles: 1, Until: 1}, 3, "protocol", "step of 1 cycles, at most 0"},
		{wire.TypeStep, wire.Step{Cycles: 1, Until: 1, Max: -1}, 3, "protocol", "at most -1"},
		{wire.TypeStep, wire.Step{Cycles: 1, Until: 1, Max: 1<<20 + 1}, 3, "protocol", "at most 1048577"},
		{wire.TypeStep, wire.Step{Cycles: 1<<20 + 1}, 3 * (1<<20 + 1), "protocol", "step of 1048577 cycles"},
		{wire.TypeAsk, wire.Ask{Events: 2}, 5, "protocol", "ask of 2 events carries 5 words"},
		{wire.TypeAsk, wire.Ask{Events: 2}, 9, "protocol", "ask of 2 events carries 9 words"},
		{wire.TypeAsk, wire.Ask{}, 0, "protocol", "ask of 0 events"},
		{wire.TypeAsk, wire.Ask{Events: 1<<20 + 1}, 3 * (1<<20 + 1), "protocol", "ask of 1048577 events"},
		{wire.TypeStepped, nil, 0, "protocol", "stepped is not a request here"},
		{wire.TypeAnswer, nil, 0, "protocol", "answer is not a request here"},
	} {
		t.Run(fmt.Sprintf("%s %+v", c.of, c.ctrl), func(t *testing.T) {
			k := talk(t, address)
			k.say(c.of, c.ctrl, words(c.words))
			k.refused(c.kind, c.text)
			if c.kind == "protocol" {
				k.ended()
				return
			}
			_, tags := k.ask(tagged(7))
			require.Equal(t, []uint64{7}, tags)
		})
	}
	k := talk(t, address)
	k.call(wire.TypeConfigure, map[string]any{"seed": uint64(1)<<32 - 1, "reset": 2}, wire.TypeConfigured, nil)
}

// until stops at any of its bits, not only where all of them show.
func TestUntilAnyBit(t *testing.T) {
	s := dial(t, start(t, tinySpec(), sock(t)), nil)
	ev := tagged(1)
	ev[0] |= adder.InRstN // but no response is taken: from the second cycle on valid shows, and ready no more
	out := make([]uint64, 20*adder.OutWords)
	n, err := s.StepUntil(append(make([]uint64, adder.InWords), ev...), out, adder.OutEvReady|adder.OutRspValid)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, adder.OutEvReady, out[adder.OutWords]&adder.OutControl)
	n, err = s.StepUntil(ev, out, adder.OutEvReady|adder.OutRspValid)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, adder.OutRspValid, out[0]&adder.OutControl)
}

// The neighbourhood of a difference is whole wherever it is, also where older cycles are forgotten just before.
func TestNeighbourhood(t *testing.T) {
	s := dial(t, start(t, tinySpec(), sock(t)), nil)
	const n = 1200
	in, want := traffic(2, n)
	for at := 490; at < n; at++ {
		require.NoError(t, s.Restart(1))
		want[at*adder.OutWords] ^= adder.OutEvReady
		require.NoError(t, s.Replay(in, want))
		res, err := s.Finish()
		require.NoError(t, err)
		m := res.Mismatch
		require.NotNil(t, m)
		require.EqualValues(t, at, m.Cycle)
		require.EqualValues(t, at-before, m.From)
		to := min(n, at+after+1)
		require.Equal(t, in[(at-before)*adder.InWords:to*adder.InWords], m.In)
		require.Equal(t, want[(at-before)*adder.OutWords:to*adder.OutWords], m.Want)
		want[at*adder.OutWords] ^= adder.OutEvReady
	}
}

// The time limit is one of the hello: a conversation after it may be silent for longer.
func TestHelloDeadlineEnds(t *testing.T) {
	t.Parallel()
	spec := tinySpec()
	spec.HelloTimeout = 3 * time.Second
	k := talk(t, start(t, spec, sock(t)))
	time.Sleep(spec.HelloTimeout + 300*time.Millisecond)
	_, tags := k.ask(tagged(1))
	require.Equal(t, []uint64{1}, tags)
}

// Who has not shown the token takes no client's place, no large frame, and no more than a share of the
// server's descriptors.
func TestStrangers(t *testing.T) {
	spec := tinySpec()
	spec.MaxClients, spec.Token, spec.HelloTimeout = 1, "secret", time.Minute
	address := start(t, spec, sock(t))
	good := func(o *client.Options) { o.Token = "secret" }

	first, _ := connect(t, address)
	for range maxStrangers - 1 {
		connect(t, address)
	}
	s := dial(t, address, good)
	_, err := s.Ask(tagged(1))
	require.NoError(t, err)
	first.ended() // the oldest went for the client

	// A client is none of them any more, however many come. The server is full: they get busy, no hello.
	for range maxStrangers + 50 {
		c, err := net.Dial("unix", address[len("unix:"):])
		require.NoError(t, err)
		defer c.Close()
		f, err := wire.NewReader(c, wire.DefaultLimits()).Next()
		require.NoError(t, err)
		require.Equal(t, wire.TypeError, f.Type)
	}
	_, err = s.Ask(tagged(2))
	require.NoError(t, err)
	require.NoError(t, s.Close())

	// A wrong hello takes no place while its refusal is told either.
	wrong, h := connect(t, address)
	wrong.say(wire.TypeHello, h)
	wrong.refused("token", "")
	require.Eventually(t, func() bool {
		opt := client.DefaultOptions()
		good(&opt)
		s, err := client.Dial(t.Context(), address, adder.Schema(), nil, opt)
		if err == nil {
			err = s.Close()
		}
		return err == nil
	}, 2*time.Minute, time.Millisecond)

	big, _ := connect(t, address)
	h.Token = "secret"
	big.say(wire.TypeHello, h, make([]uint64, strangerBytes/8+1))
	big.refused("too-large", "the limit is 65536")

	// Two connections are let in while there is a place; the one that says its hello later finds none.
	early, _ := connect(t, address)
	late, _ := connect(t, address)
	early.say(wire.TypeHello, h)
	early.call(wire.TypeConfigure, wire.Configure{}, wire.TypeConfigured, nil)
	late.say(wire.TypeHello, h)
	late.refused("busy", "1 clients are served, no more")
	late.ended()
	_, err = client.Dial(t.Context(), address, adder.Schema(), nil, client.Options{})
	require.Error(t, err)
}

// A step until something shows costs memory for the cycles that are run, not for those that it may have.
func TestStepMemory(t *testing.T) {
	k := talk(t, start(t, tinySpec(), sock(t)))
	var m wire.Stepped
	step := func(until uint64, most int) {
		ev := tagged(1)
		ev[0] |= adder.InRstN
		k.call(wire.TypeStep, wire.Step{Cycles: 1, Until: until, Max: most}, wire.TypeStepped, &m, ev)
	}
	step(adder.OutEvReady, 1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 8 {
		step(adder.OutEvReady|adder.OutRspValid, 1<<20)
		require.Equal(t, 1, m.Cycles)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20))
	step(1<<63, 5000) // shows never
	require.Equal(t, 5000, m.Cycles)
}

package client

import (
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
	"github.com/goldwire/goldwire/bridge/wire"
)

// strange dials a server that answers what it is asked as reply says, and configure and goodbye as it should.
func strange(t *testing.T, reply func(w *wire.Writer, f *wire.Frame)) *Session {
	t.Helper()
	s, err := dialStrange(t, func(*wire.Hello) {}, reply)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// dialStrange dials such a server, which says of itself what edit makes of the truth and takes any hello.
func dialStrange(t *testing.T, edit func(*wire.Hello), reply func(w *wire.Writer, f *wire.Frame)) (*Session, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		w, r := wire.NewWriter(c), wire.NewReader(c, wire.DefaultLimits())
		hello := wire.Hello{Version: wire.Version, Block: "adder", SchemaHash: adder.SchemaHash, Params: "Offset=1",
			InWords: adder.InWords, OutWords: adder.OutWords, Requests: "configure,step,ask"}
		edit(&hello)
		_ = w.Write(wire.TypeHello, &hello)
		for {
			f, err := r.Next()
			if err != nil {
				return
			}
			switch f.Type {
			case wire.TypeConfigure:
				_ = w.Write(wire.TypeConfigured, nil)
			case wire.TypeStep, wire.TypeAsk, wire.TypeBatch, wire.TypeFinish:
				reply(w, f)
			case wire.TypeBye:
				_ = w.Write(wire.TypeBye, nil)
			}
		}
	}()
	return Dial(t.Context(), "unix:"+path, adder.Schema(), nil, DefaultOptions())
}

// A server of something else is refused by the client too, whatever it takes itself.
func TestOtherServerIsRefused(t *testing.T) {
	for kind, edit := range map[error]func(*wire.Hello){
		wire.ErrVersion:    func(h *wire.Hello) { h.Version++ },
		wire.ErrBlock:      func(h *wire.Hello) { h.Block = "other" },
		wire.ErrSchemaHash: func(h *wire.Hello) { h.SchemaHash = "0123456789abcdef" },
		wire.ErrParams:     func(h *wire.Hello) { h.Params = "Offset=2" },
		wire.ErrLayout:     func(h *wire.Hello) { h.OutWords++ },
	} {
		_, err := dialStrange(t, edit, func(*wire.Writer, *wire.Frame) {})
		require.ErrorIs(t, err, kind)
	}
	_, err := dialStrange(t, func(h *wire.Hello) { h.InWords-- }, func(*wire.Writer, *wire.Frame) {})
	require.ErrorIs(t, err, wire.ErrLayout)
}

// An answer whose words do not fit what it says of itself ends the session; what came is not taken for outputs.
func TestAnswersOfWrongLength(t *testing.T) {
	for want, c := range map[string]struct {
		cycles, words int
		until         bool
	}{
		"outputs of 3 cycles carry 5 words, not 6":       {3, 5, false},
		"outputs of 3 cycles carry 7 words, not 6":       {3, 7, false},
		"outputs of 3 cycles carry 0 words, not 6":       {3, 0, false},
		"outputs of 2 cycles carry 6 words, not 4":       {2, 6, true},
		"outputs of 4 cycles carry 6 words, not 8":       {4, 6, true},
		"the DUT ran 2 cycles of a step of 3":            {2, 4, false},
		"the DUT ran 4 cycles of a step of 3":            {4, 8, false},
		"the DUT ran 0 cycles of a step of 3":            {0, 0, true},
		"the DUT ran 6 cycles of a step of 3":            {6, 12, true},
		"the DUT ran -9223372036854775808 cycles of a s": {-1 << 63, 0, true},
	} {
		t.Run(want, func(t *testing.T) {
			s := strange(t, func(w *wire.Writer, _ *wire.Frame) {
				_ = w.Write(wire.TypeStepped, &wire.Stepped{Cycles: c.cycles}, make([]uint64, c.words))
			})
			in, out := make([]uint64, 3*adder.InWords), make([]uint64, 5*adder.OutWords)
			var err error
			if c.until {
				_, err = s.StepUntil(in, out, adder.OutRspValid)
			} else {
				err = s.Step(in, out[:3*adder.OutWords])
			}
			require.ErrorIs(t, err, wire.ErrProtocol)
			oneLine(t, err, want)
			require.ErrorIs(t, s.Step(in, out[:3*adder.OutWords]), wire.ErrProtocol, "the session is over")
		})
	}
	for want, c := range map[string][2]int{
		"answer of 1 responses carries 3 words": {1, 3}, "answer of 2 responses carries 2 words": {2, 2},
		"answer of 0 responses carries 2 words": {0, 2}, "answer of -1 responses carries 0 words": {-1, 0},
	} {
		t.Run(want, func(t *testing.T) {
			s := strange(t, func(w *wire.Writer, _ *wire.Frame) {
				_ = w.Write(wire.TypeAnswer, &wire.Answer{Responses: c[0]}, make([]uint64, c[1]))
			})
			_, err := s.Ask(record(adder.Event{A: 1}, adder.InEvValid))
			require.ErrorIs(t, err, wire.ErrProtocol)
			oneLine(t, err, want)
		})
	}
}

// A second answer to one request is not taken for that to the next, and does not touch what the first filled.
func TestAnswerTwice(t *testing.T) {
	in, out := make([]uint64, adder.InWords), make([]uint64, adder.OutWords)
	second := make(chan struct{})
	s := strange(t, func(w *wire.Writer, _ *wire.Frame) {
		_ = w.Write(wire.TypeStepped, &wire.Stepped{Cycles: 1}, []uint64{7, 8})
		<-second
		_ = w.Write(wire.TypeStepped, &wire.Stepped{Cycles: 1}, []uint64{9, 10})
	})
	require.NoError(t, s.Step(in, out))
	close(second)
	require.Eventually(t, func() bool { return s.failure() != nil }, soon, time.Millisecond)
	oneLine(t, s.Step(in, slices.Clone(out)), "the DUT sent stepped, which was not requested")
	require.Equal(t, []uint64{7, 8}, out)

	again := make(chan struct{})
	s = strange(t, func(w *wire.Writer, _ *wire.Frame) {
		_ = w.Write(wire.TypeAnswer, &wire.Answer{}, nil)
		<-again
		_ = w.Write(wire.TypeAnswer, &wire.Answer{Responses: 1}, []uint64{9, 10})
	})
	ev := record(adder.Event{A: 1}, adder.InEvValid)
	got, err := s.Ask(ev)
	require.NoError(t, err)
	require.Empty(t, got)
	close(again)
	require.Eventually(t, func() bool { return len(s.replies) == 1 || s.failure() != nil }, soon, time.Millisecond)
	_, err = s.Ask(ev)
	oneLine(t, err, "the DUT sent answer, which was not requested")
}

// What a server says of a run must fit what was sent and what it said before.
func TestRunThatContradictsItself(t *testing.T) {
	for want, c := range map[string]struct {
		result   wire.Result
		finished wire.Finished
	}{
		"the DUT ran 3 cycles of a batch of 2":      {wire.Result{Cycles: 3}, wire.Finished{Cycles: 3}},
		"the DUT ran -1 cycles of a batch of 2":     {wire.Result{Cycles: -1}, wire.Finished{}},
		"totals and its mismatch report contradict": {wire.Result{Cycles: 1}, wire.Finished{Cycles: 1, Mismatch: true}},
		"": {wire.Result{Cycles: 2}, wire.Finished{Cycles: 2}},
	} {
		t.Run(want, func(t *testing.T) {
			s := strange(t, func(w *wire.Writer, f *wire.Frame) {
				if f.Type == wire.TypeBatch {
					_ = w.Write(wire.TypeResult, &c.result)
				} else {
					_ = w.Write(wire.TypeFinished, &c.finished)
				}
			})
			require.NoError(t, s.Replay(make([]uint64, 2*adder.InWords), make([]uint64, 2*adder.OutWords)))
			_, err := s.Finish()
			if want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, wire.ErrProtocol)
			oneLine(t, err, want)
		})
	}
}

// A batch sends the cycles put into it and not taken back, in their order, however they came in.
func TestBatchHoldsWhatWasPut(t *testing.T) {
	sent := make(chan []uint64, 1)
	s := strange(t, func(w *wire.Writer, f *wire.Frame) {
		if f.Type == wire.TypeBatch {
			sent <- slices.Clone(f.Bulk)
			_ = w.Write(wire.TypeResult, &wire.Result{})
		}
	})
	b, err := s.Get()
	require.NoError(t, err)
	next := func(v uint64) {
		in, want := b.Next()
		for i := range in {
			in[i] = v
		}
		for i := range want {
			want[i] = 100 + v
		}
	}
	next(1)
	next(2)
	b.Undo()
	require.Equal(t, 1, b.Len())
	next(3)
	require.Equal(t, 1, b.Append(slices.Repeat([]uint64{4}, adder.InWords), slices.Repeat([]uint64{104}, adder.OutWords)))
	next(5)
	b.Undo()
	require.NoError(t, s.Submit(b))
	var all []uint64
	for _, v := range []uint64{1, 3, 4} {
		all = append(all, slices.Repeat([]uint64{v}, adder.InWords)...)
	}
	for _, v := range []uint64{101, 103, 104} {
		all = append(all, slices.Repeat([]uint64{v}, adder.OutWords)...)
	}
	require.Equal(t, all, <-sent)

	// No more is appended than fits.
	b, err = s.Get()
	require.NoError(t, err)
	next(1)
	n := b.Cap() + 5
	require.Equal(t, b.Cap()-1, b.Append(make([]uint64, n*adder.InWords), make([]uint64, n*adder.OutWords)))
	require.True(t, b.Full())
	require.Panics(t, func() { b.Next() })
}

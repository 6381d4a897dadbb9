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

// strange dials a server that answers each step and ask as reply says, and all else as it should.
func strange(t *testing.T, reply func(w *wire.Writer, f *wire.Frame)) *Session {
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
		_ = w.Write(wire.TypeHello, &wire.Hello{Version: wire.Version, Block: "adder", SchemaHash: adder.SchemaHash, Params: "Offset=1",
			InWords: adder.InWords, OutWords: adder.OutWords, Requests: "configure,step,ask"})
		for {
			f, err := r.Next()
			if err != nil {
				return
			}
			switch f.Type {
			case wire.TypeConfigure:
				_ = w.Write(wire.TypeConfigured, nil)
			case wire.TypeStep, wire.TypeAsk:
				reply(w, f)
			case wire.TypeBye:
				_ = w.Write(wire.TypeBye, nil)
			}
		}
	}()
	s, err := Dial(t.Context(), "unix:"+path, adder.Schema(), nil, DefaultOptions())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
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
	require.Eventually(t, func() bool { return s.failure() != nil }, 5*time.Second, time.Millisecond)
	oneLine(t, s.Step(in, slices.Clone(out)), "the DUT sent stepped, which nobody asked for")
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
	require.Eventually(t, func() bool { return len(s.replies) == 1 || s.failure() != nil }, 5*time.Second, time.Millisecond)
	_, err = s.Ask(ev)
	oneLine(t, err, "the DUT sent answer, which nobody asked for")
}

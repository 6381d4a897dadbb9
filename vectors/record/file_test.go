package record

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	rtltxstate "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/stim"
	stimccc "github.com/goldwire/goldwire/vectors/stim/ccc"
	stimtxstate "github.com/goldwire/goldwire/vectors/stim/txstate"
)

// fileSpec returns a specification for small tables, so that sweeps are short.
func fileSpec(t testing.TB, block, source, per string, events int) *Spec {
	s := &Spec{Source: source, Per: per, Options: stim.Options{Seed: 11, Events: events}}
	var err error
	if block == ccc.BlockName {
		s.Block, s.Params = ccc.Schema(), map[string]int{"NumContexts": 16, "NumPdcs": ccc.DefaultNumPdcs,
			"NumProfiles": ccc.DefaultNumProfiles}
		s.Model, err = rtlccc.New(rtlccc.Spec{NumContexts: 16, NumPdcs: ccc.DefaultNumPdcs,
			NumProfiles: ccc.DefaultNumProfiles})
	} else {
		s.Block, s.Params = txstate.Schema(), map[string]int{"NumPdcs": 4, "Depth": 16}
		s.Model, err = rtltxstate.New(rtltxstate.Spec{NumPdcs: 4, Depth: 16})
	}
	require.NoError(t, err)
	s.Open = func() (stim.Source, error) { return opener[block].Open(s.Source, s.Options) }
	return s
}

// opener are the sources of the blocks that the tests make files of.
var opener = map[string]*stim.Suite{ccc.BlockName: &stimccc.Suite, txstate.BlockName: &stimtxstate.Suite}

func written(t testing.TB, s *Spec) ([]byte, format.Totals) {
	var buf bytes.Buffer
	totals, err := Write(t.Context(), &buf, s)
	require.NoError(t, err)
	return buf.Bytes(), totals
}

func reader(t testing.TB, data []byte) *format.Reader {
	r, err := format.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	return r
}

func forAll(t *testing.T, events int, f func(t *testing.T, s *Spec)) {
	for _, block := range []string{ccc.BlockName, txstate.BlockName} {
		for _, source := range []string{"directed", "random", "fabric:permutation", "fabric:incast32"} {
			for _, per := range []string{format.PerCycle, format.PerTransaction} {
				t.Run(block+"/"+source+"/"+per, func(t *testing.T) { f(t, fileSpec(t, block, source, per, events)) })
			}
		}
	}
}

func TestFilesVerify(t *testing.T) {
	forAll(t, 5000, func(t *testing.T, s *Spec) {
		data, totals := written(t, s)
		require.NotZero(t, totals.Records)
		if s.Source != "directed" {
			require.EqualValues(t, 5000, totals.Transfers["ev"])
		}
		if s.Per == format.PerTransaction {
			require.Equal(t, totals.Records, totals.Transfers["ev"])
			require.Equal(t, totals.Records, totals.Transfers["rsp"], "every event has its answer")
		}
		r := reader(t, data)
		model := fileSpec(t, s.Block.Name, s.Source, s.Per, 0).Model
		bad, err := Verify(t.Context(), r, model, func(m Mismatch) bool {
			t.Logf("%+v", m)
			return true
		})
		require.NoError(t, err)
		require.Zero(t, bad)
		require.Equal(t, totals, r.Totals())
	})
}

// A file is a function of its specification: not of the number of processors, nor of what the process, the
// model or the encoder did before.
func TestFilesAreTheSameByteForByte(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	forAll(t, 3000, func(t *testing.T, s *Spec) {
		runtime.GOMAXPROCS(1)
		a, _ := written(t, s)
		runtime.GOMAXPROCS(2)
		b, _ := written(t, s) // the same model once more
		fresh := fileSpec(t, s.Block.Name, s.Source, s.Per, 3000)
		c, _ := written(t, fresh)
		require.True(t, bytes.Equal(a, b))
		require.True(t, bytes.Equal(a, c))
		fresh.Seed++
		d, _ := written(t, fresh)
		require.False(t, bytes.Equal(a, d))
	})
}

// The events of a file per transaction are those of the source, in its order, whatever its resets.
func TestTransactionsAreTheSourcesEvents(t *testing.T) {
	for _, source := range []string{"directed", "random"} {
		s := fileSpec(t, txstate.BlockName, source, format.PerTransaction, 20000)
		data, _ := written(t, s)
		r := reader(t, data)
		src, err := s.Open()
		require.NoError(t, err)
		defer src.Close()
		ev := make([]uint64, txstate.EventWords)
		ep, ok := src.Next()
		require.True(t, ok)
		first := true
		control := r.Layout().In.ControlMask()
		for rec, err := range r.All() {
			require.NoError(t, err)
			for !ep.Next(ev) {
				ep, ok = src.Next()
				require.True(t, ok)
				first = true
			}
			require.Equal(t, first, rec.Mark != nil)
			if first {
				require.Equal(t, format.Mark{Name: ep.Name, Seed: ep.Seed}, *rec.Mark)
				require.Zero(t, rec.In[0]&1, "an episode begins with a reset")
				first = false
			}
			rec.In[0] &^= control
			require.Equal(t, ev, rec.In)
		}
		for ok {
			require.False(t, ep.Next(ev), "an event is missing")
			ep, ok = src.Next()
		}
	}
}

// Every single expected bit that is changed is found, at its record and by its name.
func TestVerifyFindsAChangedBit(t *testing.T) {
	for _, per := range []string{format.PerCycle, format.PerTransaction} {
		s := fileSpec(t, txstate.BlockName, "random", per, 400)
		data, totals := written(t, s)
		out := event.NewLayout(s.Block).Out
		for i := range out.Slots {
			slot := &out.Slots[i]
			r := reader(t, data)
			var buf bytes.Buffer
			w, err := format.NewWriter(&buf, *r.Header())
			require.NoError(t, err)
			at, done := totals.Records/2, false
			for rec, err := range r.All() {
				require.NoError(t, err)
				if !done && rec.Number >= at && rec.Out[0]&out.Control("rsp_valid") != 0 {
					slot.Set(rec.Out, slot.Get(rec.Out)^1<<(slot.Field.Width-1))
					at, done = rec.Number, true
				}
				require.NoError(t, w.Write(rec.In, rec.Out))
			}
			require.True(t, done)
			_, err = w.Close()
			require.NoError(t, err)
			var found []Mismatch
			bad, err := Verify(t.Context(), reader(t, buf.Bytes()), s.Model, func(m Mismatch) bool {
				found = append(found, m)
				return true
			})
			require.NoError(t, err)
			require.EqualValues(t, 1, bad)
			require.Equal(t, at, found[0].Record)
			require.Len(t, found[0].Fields, 1)
			require.Equal(t, "rsp."+slot.Field.Name, found[0].Fields[0].Name)
		}
	}
}

func TestVerifyStops(t *testing.T) {
	s := fileSpec(t, txstate.BlockName, "random", format.PerTransaction, 3000)
	data, _ := written(t, s)
	wrong := &lyingTwin{Model: s.Model}
	n := 0
	bad, err := Verify(t.Context(), reader(t, data), wrong, func(Mismatch) bool { n++; return n < 3 })
	require.NoError(t, err)
	require.EqualValues(t, 3, bad)
	require.Equal(t, 3, n)

	_, err = Verify(t.Context(), reader(t, data[:len(data)-100]), s.Model, func(Mismatch) bool { return true })
	require.ErrorIs(t, err, format.ErrTruncated)

	_, err = Verify(t.Context(), reader(t, data), deadTwin{}, func(Mismatch) bool { return true })
	require.ErrorContains(t, err, "record 0: the model neither takes nor gives anything")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Verify(ctx, reader(t, data), deadTwin{}, func(Mismatch) bool { return true })
	require.ErrorIs(t, err, context.Canceled)
	s = fileSpec(t, txstate.BlockName, "random", format.PerTransaction, 1_000_000)
	_, err = Write(ctx, io.Discard, s)
	require.ErrorIs(t, err, context.Canceled)
	s.Source = "nothing"
	_, err = Write(t.Context(), io.Discard, s)
	require.ErrorContains(t, err, "nothing")
}

// lyingTwin flips a bit of every response.
type lyingTwin struct{ event.Model }

func (l *lyingTwin) Cycle(in, out []uint64) {
	l.Model.Cycle(in, out)
	out[0] ^= 1 << 2
}

// deadTwin never raises ready.
type deadTwin struct{}

func (deadTwin) Reset()                 {}
func (deadTwin) Cycle(in, out []uint64) { clear(out) }

const twoWays = `block: ways
title: two streams each way
streams:
  - {name: a, dir: in, fields: [{name: x, width: 100}]}
  - {name: b, dir: in, fields: [{name: y, width: 7}]}
  - {name: c, dir: out, fields: [{name: x, width: 100}]}
  - {name: d, dir: out, fields: [{name: y, width: 7}]}
`

// waysTwin hands a to c and b to d through queues of different depth, each in its own time.
type waysTwin struct {
	l    *event.Layout
	c, d [][2]uint64
	n    int
	late int // cycles between two answers
}

func (w *waysTwin) Reset() { w.c, w.d, w.n = nil, nil, 0 }

func (w *waysTwin) Cycle(in, out []uint64) {
	clear(out)
	if in[0]&1 == 0 {
		w.Reset()
		return
	}
	w.n++
	x, y := w.l.In.Slot("a", "x"), w.l.In.Slot("b", "y")
	if len(w.c) > 0 && w.n%w.late == 0 {
		out[0] |= w.l.Out.Control("c_valid")
		s := w.l.Out.Slot("c", "x")
		out[s.Word], out[s.Word+1] = w.c[0][0], w.c[0][1]
		if in[0]&w.l.In.Control("c_ready") != 0 {
			w.c = w.c[1:]
		}
	}
	if len(w.d) > 0 {
		out[0] |= w.l.Out.Control("d_valid")
		w.l.Out.Slot("d", "y").Set(out, w.d[0][0])
		if in[0]&w.l.In.Control("d_ready") != 0 {
			w.d = w.d[1:]
		}
	}
	if len(w.c) < 9 {
		out[0] |= w.l.Out.Control("a_ready")
		if in[0]&w.l.In.Control("a_valid") != 0 {
			w.c = append(w.c, [2]uint64{in[x.Word], in[x.Word+1]})
		}
	}
	if len(w.d) < 2 {
		out[0] |= w.l.Out.Control("b_ready")
		if in[0]&w.l.In.Control("b_valid") != 0 {
			w.d = append(w.d, [2]uint64{y.Get(in)})
		}
	}
}

// Streams of several lanes are compared each in its own order, whatever the time between them.
func TestVerifyOfSeveralStreams(t *testing.T) {
	b, err := event.Parse([]byte(twoWays))
	require.NoError(t, err)
	l := event.NewLayout(b)
	file := func(spoil uint64) []byte {
		var buf bytes.Buffer
		w, err := format.NewWriter(&buf, format.Header{Block: "ways", Per: format.PerTransaction,
			Pairing:    format.PairOrder,
			SchemaHash: b.Hash(), Params: map[string]int{}, Source: "hand", Generator: "test", Args: []string{},
			Schema: twoWays})
		require.NoError(t, err)
		in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
		// Answers stand far behind what they answer, or in the same record.
		for i := range uint64(400) {
			clear(in)
			clear(out)
			if i != 0 {
				in[0] = 1
			}
			if i < 300 {
				in[0] |= l.In.Control("a_valid")
				s := l.In.Slot("a", "x")
				in[s.Word], in[s.Word+1] = i*0x9e3779b97f4a7c15, i
			}
			if i%3 == 0 {
				in[0] |= l.In.Control("b_valid")
				l.In.Slot("b", "y").Set(in, i)
				out[0] |= l.Out.Control("d_valid")
				l.Out.Slot("d", "y").Set(out, i)
			}
			if i >= 100 {
				out[0] |= l.Out.Control("c_valid")
				s := l.Out.Slot("c", "x")
				out[s.Word], out[s.Word+1] = (i-100)*0x9e3779b97f4a7c15, i-100
			}
			if i == spoil {
				out[l.Out.Slot("c", "x").Word+1] ^= 1 << 35
			}
			require.NoError(t, w.Write(in, out))
		}
		_, err = w.Close()
		require.NoError(t, err)
		return buf.Bytes()
	}
	for _, late := range []int{1, 2, 7} {
		var found []Mismatch
		collect := func(m Mismatch) bool { found = append(found, m); return true }
		bad, err := Verify(t.Context(), reader(t, file(1000)), &waysTwin{l: l, late: late}, collect)
		require.NoError(t, err)
		require.Zero(t, bad, "%+v", found)
		bad, err = Verify(t.Context(), reader(t, file(250)), &waysTwin{l: l, late: late}, collect)
		require.NoError(t, err)
		require.EqualValues(t, 1, bad)
		require.EqualValues(t, 250, found[0].Record)
		require.Equal(t, "c.x", found[0].Fields[0].Name)
	}
}

// Live memory after a file of ten times the length is the same, but for the index: 16 bytes a frame.
func TestFileMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("a million transactions")
	}
	peak := func(events int) (most uint64) {
		s := fileSpec(t, txstate.BlockName, "random", format.PerTransaction, events)
		next := uint64(0)
		s.Progress = func(done, _ uint64) {
			if done < next {
				return
			}
			next = done + uint64(events)/8
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
		_, err := Write(t.Context(), io.Discard, s)
		require.NoError(t, err)
		return most
	}
	short, long := peak(100_000), peak(1_000_000)
	t.Logf("live heap: %d bytes at 10^5 transactions, %d at 10^6", short, long)
	require.NotZero(t, short)
	require.Less(t, long, short+1<<20)
}

func BenchmarkFile(b *testing.B) {
	const events = 200_000
	for _, block := range []string{ccc.BlockName, txstate.BlockName} {
		for _, per := range []string{format.PerTransaction, format.PerCycle} {
			s := fileSpec(b, block, "random", per, events)
			data, _ := written(b, s)
			b.Run(fmt.Sprintf("write/%s/%s", block, per), func(b *testing.B) {
				for b.Loop() {
					_, err := Write(b.Context(), io.Discard, s)
					require.NoError(b, err)
				}
				b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "transactions/s")
				b.ReportMetric(float64(len(data))*float64(b.N)/b.Elapsed().Seconds()/1e6, "MB/s")
			})
			b.Run(fmt.Sprintf("verify/%s/%s", block, per), func(b *testing.B) {
				for b.Loop() {
					bad, err := Verify(b.Context(), reader(b, data), s.Model, func(Mismatch) bool { return true })
					require.NoError(b, err)
					require.Zero(b, bad)
				}
				b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "transactions/s")
			})
		}
	}
}

func TestAFileNeedsASource(t *testing.T) {
	s := fileSpec(t, txstate.BlockName, "random", format.PerCycle, 10)
	s.Open = nil
	_, err := Write(t.Context(), io.Discard, s)
	require.ErrorContains(t, err, "source random: nothing opens it")
}

package client

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/twin"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
	"github.com/goldwire/goldwire/bridge/wire"
)

func TestReplayAgrees(t *testing.T) {
	in, want := traffic(1, 100_000)
	eachTransport(t, func(t *testing.T, tr Transport) {
		s := open(t, func(o *Options) { o.Transport = tr })
		require.Equal(t, "adder", s.Hello().Block)
		require.Contains(t, s.Hello().Simulator, "Verilator")
		require.Contains(t, s.Hello().Flags, "-march=native")
		for run := range 3 { // the runs of one session do not see one another
			require.NoError(t, s.Restart(uint32(run)))
			require.NoError(t, s.Replay(in, want))
			res, err := s.Finish()
			require.NoError(t, err)
			require.Nil(t, res.Mismatch)
			require.EqualValues(t, 100_000, res.Cycles)
			require.Equal(t, digest(want), res.Digest)
			require.Positive(t, res.Busy)
		}
	})
}

func TestBatchSizeAdaptsAndDoesNotChangeResults(t *testing.T) {
	in, want := traffic(2, 300_000)
	s := open(t, func(o *Options) { o.Batch, o.MinBatch = 64, 16 })
	require.NoError(t, s.Replay(in, want))
	res, err := s.Finish()
	require.NoError(t, err)
	require.Equal(t, digest(want), res.Digest)
	require.Greater(t, s.target.Load(), int64(64), "a block this fast must get longer batches")

	s = open(t, func(o *Options) { o.Batch, o.MinBusy, o.MaxBusy = 4096, 0, 1 })
	require.NoError(t, s.Replay(in, want))
	res, err = s.Finish()
	require.NoError(t, err)
	require.Equal(t, digest(want), res.Digest)
	require.EqualValues(t, 256, s.target.Load(), "batches that take too long must shrink")
}

// TestMismatch plants one wrong bit in the expected outputs and asks for cycle, neighbourhood and values.
func TestMismatch(t *testing.T) {
	const n = 5000
	in, want := traffic(3, n)
	eachTransport(t, func(t *testing.T, tr Transport) {
		for name, c := range map[string]struct {
			at, batch   int
			from, count uint64
		}{
			"in the middle":          {2000, 4096, 1968, 41},
			"at the start of a run":  {0, 4096, 0, 9},
			"near the start":         {5, 4096, 0, 14},
			"at the end of a run":    {n - 1, 4096, n - 33, 33},
			"across batches":         {100, 20, 68, 41},
			"at the end of a batch":  {39, 20, 7, 41},
			"one cycle to the batch": {50, 1, 18, 41},
		} {
			t.Run(name, func(t *testing.T) {
				s := open(t, func(o *Options) { o.Transport, o.Batch, o.MinBatch, o.MaxBatch = tr, c.batch, 1, c.batch })
				bad := slices.Clone(want)
				bad[c.at*adder.OutWords] ^= adder.OutEvReady
				require.NoError(t, s.Replay(in, bad))
				res, err := s.Finish()
				require.NoError(t, err)
				m := res.Mismatch
				require.NotNil(t, m)
				require.EqualValues(t, c.at, m.Cycle)
				require.EqualValues(t, c.at, res.Cycles)
				require.Equal(t, digest(want[:c.at*adder.OutWords]), res.Digest)
				require.Equal(t, c.from, m.From)
				require.Len(t, m.In, int(c.count)*adder.InWords)
				lo, hi := int(m.From), int(m.From+c.count)
				require.Equal(t, in[lo*adder.InWords:hi*adder.InWords], m.In)
				require.Equal(t, bad[lo*adder.OutWords:hi*adder.OutWords], m.Want)
				for i := lo; i < hi; i++ { // the DUT is right, so it returns what was expected before
					require.True(t, adder.EqualOut(want[i*2:i*2+2], m.Got[(i-lo)*2:(i-lo)*2+2]), "cycle %d", i)
				}

				// The session goes on: the next run is judged by itself.
				require.NoError(t, s.Restart(1))
				require.NoError(t, s.Replay(in, want))
				res, err = s.Finish()
				require.NoError(t, err)
				require.Nil(t, res.Mismatch)
				require.EqualValues(t, n, res.Cycles)
			})
		}
	})
}

func TestGetStopsAfterFinding(t *testing.T) {
	in, want := traffic(4, 1000)
	s := open(t, func(o *Options) { o.Batch, o.MinBatch = 100, 100 })
	want[500*adder.OutWords] ^= adder.OutEvReady
	stopped := false
	for range 1_000_000 { // a producer that never ends by itself
		b, err := s.Get()
		if err != nil {
			require.ErrorIs(t, err, ErrStopped)
			stopped = true
			break
		}
		b.Append(in, want)
		require.NoError(t, s.Submit(b))
	}
	require.True(t, stopped)
	res, err := s.Finish()
	require.NoError(t, err)
	require.NotNil(t, res.Mismatch)
}

// TestCompareRule shows that fields count only where valid is expected.
func TestCompareRule(t *testing.T) {
	in, want := traffic(5, 2000)
	s := open(t, nil)
	valid := -1
	for i := 100; i < 2000; i++ {
		if want[i*2]&adder.OutRspValid == 0 {
			want[i*2+1] = ^want[i*2+1] // not compared
		} else {
			valid = i
		}
	}
	require.NoError(t, s.Replay(in, want))
	res, err := s.Finish()
	require.NoError(t, err)
	require.Nil(t, res.Mismatch)
	want[valid*2+1] ^= 1 << 63 // compared
	require.NoError(t, s.Restart(1))
	require.NoError(t, s.Replay(in, want))
	res, err = s.Finish()
	require.NoError(t, err)
	require.NotNil(t, res.Mismatch)
	require.EqualValues(t, valid, res.Mismatch.Cycle)
}

func TestStep(t *testing.T) {
	const n = 3000 // more than one mailbox
	in, want := traffic(6, n)
	eachTransport(t, func(t *testing.T, tr Transport) {
		s := open(t, func(o *Options) { o.Transport = tr })
		check := func(at int, got []uint64) {
			for i := 0; i < len(got); i += 2 {
				require.True(t, adder.EqualOut(want[at*2+i:at*2+i+2], got[i:i+2]), "cycle %d", at+i/2)
			}
		}
		out := make([]uint64, n*2)
		for i := range 200 {
			require.NoError(t, s.Step(in[i*3:i*3+3], out[:2]))
			check(i, out[:2])
		}
		require.NoError(t, s.Step(in[200*3:], out[200*2:]))
		check(200, out[200*2:])
		if tr == Shm {
			require.EqualValues(t, 203, s.shm.seq, "every step went through the mailbox")
		}
		// Steps and batches mix.
		require.NoError(t, s.Restart(9))
		require.NoError(t, s.Replay(in, want))
		res, err := s.Finish()
		require.NoError(t, err)
		require.Nil(t, res.Mismatch)
		require.NoError(t, s.Restart(9))
		require.NoError(t, s.Step(in[:3], out[:2]))
		check(0, out[:2])
		require.Error(t, s.Step(in[:4], out[:2]))
		require.Error(t, s.Step(nil, nil))
		b, err := s.Get()
		require.NoError(t, err)
		b.Append(in, want)
		require.NoError(t, s.Submit(b))
		if err := s.Step(in[:3], out[:2]); err != nil { // the batch may be back already
			require.ErrorIs(t, err, errInRun)
		}
		_, err = s.Finish()
		require.NoError(t, err)
	})
}

// The mailbox works however long each side spins before it sleeps, and however long the client takes between steps.
func TestStepsThatSleep(t *testing.T) {
	in, want := traffic(6, 300)
	for _, spin := range []time.Duration{0, time.Microsecond, time.Millisecond} {
		t.Run(spin.String(), func(t *testing.T) {
			s := open(t, func(o *Options) { o.Transport, o.Spin = Shm, spin })
			out := make([]uint64, adder.OutWords)
			for i := range 300 {
				if i%50 == 0 {
					time.Sleep(time.Duration(i) * time.Millisecond / 25) // the DUT falls asleep on the mailbox, then on its socket
				}
				require.NoError(t, s.Step(in[i*3:i*3+3], out))
				require.True(t, adder.EqualOut(want[i*2:i*2+2], out), "cycle %d", i)
			}
			require.EqualValues(t, 300, s.shm.seq)
		})
	}
}

// A side that sleeps on the mailbox is woken: otherwise most steps would last until a sleep of one side ends, after
// 1 ms of the DUT or 4 ms of the client. One good round of several is enough, because others may need the processors.
func TestSleepersAreWoken(t *testing.T) {
	const asleep, woken = 100 * time.Microsecond, 600 * time.Microsecond
	const cycles = 1000 // of a step, so that the client sleeps before it has the answer
	in, _ := traffic(6, cycles)
	s := open(t, func(o *Options) { o.Transport, o.Spin = Shm, 0 })
	out := make([]uint64, cycles*adder.OutWords)
	var took []time.Duration
	for range 8 {
		took = took[:0]
		for range 100 {
			for start := time.Now(); time.Since(start) < asleep; {
			}
			start := time.Now()
			require.NoError(t, s.Step(in, out))
			took = append(took, time.Since(start))
		}
		if slices.Sort(took); took[50] < woken {
			return
		}
	}
	// Where processes wait for processors, so does one that was woken.
	if text, err := os.ReadFile("/proc/pressure/cpu"); err == nil && !strings.HasPrefix(string(text), "some avg10=0.") {
		t.Skipf("half of the steps take %v or more, on a busy machine: %s", took[50], text)
	}
	t.Fatalf("half of the steps take %v or more", took[50])
}

func TestStepUntil(t *testing.T) {
	eachTransport(t, func(t *testing.T, tr Transport) {
		s := open(t, func(o *Options) { o.Transport = tr })
		out := make([]uint64, 20*adder.OutWords)
		reset := make([]uint64, adder.InWords)
		ev := record(adder.Event{A: 4, B: 5, Tag: 77}, running|adder.InEvValid)
		n, err := s.StepUntil(slices.Concat(reset, ev), out, adder.OutRspValid)
		require.NoError(t, err)
		require.Equal(t, 3, n)
		var rsp adder.Response
		adder.UnpackResponse(out[2*adder.OutWords:], &rsp)
		require.Equal(t, adder.Response{Sum: 10, Tag: 77}, rsp)
		n, err = s.StepUntil(reset, out, adder.OutRspValid)
		require.NoError(t, err)
		require.Equal(t, 20, n, "nothing is valid in reset, so the limit ends the step")
	})
}

// TestSeedGivesRegisters peeks at a register that has no reset.
func TestSeedGivesRegisters(t *testing.T) {
	s := open(t, nil)
	peek := func(seed uint32) uint64 {
		require.NoError(t, s.Restart(seed))
		out := make([]uint64, 8*adder.OutWords)
		n, err := s.StepUntil(slices.Concat(make([]uint64, 3), record(adder.Event{Op: adder.OpPeek},
			running|adder.InEvValid)), out, adder.OutRspValid)
		require.NoError(t, err)
		var rsp adder.Response
		adder.UnpackResponse(out[(n-1)*2:], &rsp)
		return rsp.Sum
	}
	a, b := peek(11), peek(12)
	require.NotEqual(t, a, b)
	require.Equal(t, a, peek(11))
	require.Equal(t, peek(0), peek(0), "seed 0 is a seed like any other")
}

func TestRTLErrorIsAResult(t *testing.T) {
	in, want := traffic(7, 1000)
	fail := record(adder.Event{Op: adder.OpFail, Tag: 123}, running|adder.InEvValid)
	copy(in[600*3:], slices.Concat(record(adder.Event{}, running), record(adder.Event{}, running), fail))
	var m twin.Model
	for i := range 1000 {
		m.Cycle(in[i*3:i*3+3], want[i*2:i*2+2])
	}
	eachTransport(t, func(t *testing.T, tr Transport) {
		s := open(t, func(o *Options) { o.Transport = tr })
		require.NoError(t, s.Replay(in, want))
		res, err := s.Finish()
		require.ErrorIs(t, err, wire.ErrRTL)
		var rtl *RTLError
		require.ErrorAs(t, err, &rtl)
		require.EqualValues(t, 602, rtl.Cycle)
		require.EqualValues(t, 602, res.Cycles)
		require.Contains(t, rtl.Text, "adder.sv:")
		require.Contains(t, rtl.Text, "operation FAIL with tag 123")

		require.NoError(t, s.Restart(1))
		reset := make([]uint64, 3)
		err = s.Step(slices.Concat(reset, fail, reset), make([]uint64, 6))
		require.ErrorIs(t, err, wire.ErrRTL)
		require.ErrorContains(t, err, "tag 123")

		// At the clock edge after a step: returned by the next step, or by the next run.
		require.NoError(t, s.Restart(1))
		require.NoError(t, s.Step(slices.Concat(reset, fail), make([]uint64, 4)))
		require.ErrorIs(t, s.Step(reset, make([]uint64, 2)), wire.ErrRTL)
		require.NoError(t, s.Step(reset, make([]uint64, 2)), "it is returned once")
		require.NoError(t, s.Step(fail, make([]uint64, 2)))
		require.NoError(t, s.Replay(in, want))
		_, err = s.Finish()
		require.ErrorIs(t, err, wire.ErrRTL)
		// Or by the end, where neither comes.
		require.NoError(t, s.Restart(1))
		require.NoError(t, s.Step(slices.Concat(reset, fail), make([]uint64, 4)))
		require.ErrorIs(t, s.End(), wire.ErrRTL)
		require.NoError(t, s.End(), "it is returned once")
		// A bench has its own model.
		file := filepath.Join(t.TempDir(), "v.bin")
		require.NoError(t, WriteVectors(file, s.bin, in, want))
		require.NoError(t, s.Restart(1))
		require.NoError(t, s.Step(slices.Concat(reset, fail), make([]uint64, 4)))
		_, err = s.Bench(file, 1)
		require.ErrorIs(t, err, wire.ErrRTL, "the vectors hold a failing event")
		require.NoError(t, s.End())

		require.NoError(t, s.Restart(1))
		clean, ok := traffic(8, 1000)
		require.NoError(t, s.Replay(clean, ok))
		_, err = s.Finish()
		require.NoError(t, err, "the session must go on after an error of the RTL")

		require.NoError(t, s.Step(fail, make([]uint64, 2)))
		require.ErrorIs(t, s.Close(), wire.ErrRTL)
		require.NoError(t, s.Close())
	})
}

func TestBench(t *testing.T) {
	in, want := traffic(9, 20_000)
	s := open(t, nil)
	file := filepath.Join(t.TempDir(), "v.bin")
	require.NoError(t, WriteVectors(file, s.bin, in, want))
	r, err := s.Bench(file, 3)
	require.NoError(t, err)
	require.EqualValues(t, 60_000, r.Cycles)
	require.Zero(t, r.Mismatches)
	require.Positive(t, r.CyclesPerSecond())
	want[2*5000] ^= 1
	require.NoError(t, WriteVectors(file, s.bin, in, want))
	r, err = s.Bench(file, 2)
	require.NoError(t, err)
	require.EqualValues(t, 2, r.Mismatches, "one wrong cycle in each repetition")
	_, err = s.Bench(filepath.Join(t.TempDir(), "absent"), 1)
	require.ErrorIs(t, err, wire.ErrVectors)
	require.NoError(t, s.Restart(1))
}

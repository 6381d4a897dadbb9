package loop

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// both plays a spec ahead and step by step.
func both(t *testing.T, cfg Config, spec settings.Spec) (res [2]*result.Result, played [2]Played) {
	t.Helper()
	cfg.Root = "../../.."
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	require.NoError(t, cfg.Build(ctx))
	for i, step := range []bool{false, true} {
		cfg.Step = step
		var err error
		res[i], played[i], err = Run(ctx, cfg, spec, nil)
		require.NoError(t, err)
	}
	return res, played
}

// Ahead and step by step, the device is given the same events, and the network goes the same way.
func TestAheadEqualsStep(t *testing.T) {
	for name, resident := range map[string]int{"a row for each": 0, "few rows": 5} {
		t.Run(name, func(t *testing.T) {
			res, played := both(t, Config{Resident: resident}, incast(t, RTL, 40_000))
			same(t, res[1], res[0])
			require.Positive(t, played[0].Asked)
			require.Equal(t, played[1].Asked, played[0].Asked)
			require.Equal(t, played[1].Events, played[0].Events)
			require.Greater(t, played[0].Events, played[0].Asked, "registers are written")
			require.Less(t, played[0].Cycles*4, played[1].Cycles, "the pipeline is full")
			require.Equal(t, []bool{false, true}, []bool{played[0].Step, played[1].Step})
			require.Nil(t, played[0].Left)
			require.Nil(t, played[1].Left)
		})
	}
}

// cut is a device that is not given everything, and claims that nothing is missing.
type cut struct {
	*device.Device
	skip   func(n int) bool // batches that are dropped
	n      int
	finish func(*device.Outcome) // changes the outcome
}

func (c *cut) Submit(b *client.Batch) error {
	if c.n++; c.skip != nil && c.skip(c.n) {
		b.Undo()
		for b.Len() > 0 {
			b.Undo()
		}
	}
	return c.Device.Submit(b)
}

func (c *cut) Finish() (device.Outcome, error) {
	out, err := c.Device.Finish()
	if c.finish != nil {
		c.finish(&out)
	}
	return out, err
}

// A run whose device has not compared everything ends in an error.
func TestNothingGoesUncompared(t *testing.T) {
	cfg := Config{Root: "../../.."}
	require.NoError(t, cfg.Build(t.Context()))
	spec := incast(t, RTL, 200_000)
	for name, c := range map[string]struct {
		cut  cut
		want string
	}{
		"no batch comes":       {cut{skip: func(int) bool { return true }}, "the device compared 0 of"},
		"the last one is lost": {cut{skip: func(n int) bool { return n >= 2 }}, "the device compared"},
		"one cycle is missing": {cut{finish: func(o *device.Outcome) { o.Cycles-- }}, "the device compared"},
		"other outputs":        {cut{finish: func(o *device.Outcome) { o.Digest ^= 1 }}, "the device compared"},
		"an empty outcome":     {cut{finish: func(o *device.Outcome) { *o = device.Outcome{} }}, "the device compared 0 of"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := cfg
			cfg.tamper = func(d *device.Device) device.Side { c.cut.Device = d; return &c.cut }
			res, _, err := Run(t.Context(), cfg, spec, nil)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "block ccc: ")
			require.Nil(t, res)
		})
	}
}

// dying is a device that is killed when it is given a batch, or asked for the end.
type dying struct {
	*device.Device
	batches int // before it dies; -1: at the end
}

func (d *dying) kill() {
	if p, err := os.FindProcess(d.Session.PID()); err == nil {
		_ = p.Kill()
	}
}

func (d *dying) Submit(b *client.Batch) error {
	if d.batches--; d.batches == 0 {
		d.kill()
	}
	return d.Device.Submit(b)
}

func (d *dying) Finish() (device.Outcome, error) {
	if d.batches < 0 {
		d.kill()
		time.Sleep(100 * time.Millisecond)
	}
	return d.Device.Finish()
}

// A device that dies ends the run with an error: it is not played again event by event.
func TestDeviceDiesAhead(t *testing.T) {
	cfg := Config{Root: "../../.."}
	require.NoError(t, cfg.Build(t.Context()))
	for name, batches := range map[string]int{"at once": 1, "during the run": 2, "at the end": -1} {
		t.Run(name, func(t *testing.T) {
			cfg, attempts := cfg, 0
			cfg.tamper = func(d *device.Device) device.Side { return &dying{d, batches} }
			_, _, err := Run(t.Context(), cfg, incast(t, RTL, 200_000), func() ([]fabric.Option, error) {
				attempts++
				return nil, nil
			})
			require.ErrorContains(t, err, "block ccc: ")
			require.Equal(t, 1, attempts)
		})
	}
}

// A device that hangs ends the run with an error.
func TestDeviceHangsAhead(t *testing.T) {
	cfg := Config{Root: "../../..", hang: 500 * time.Millisecond}
	require.NoError(t, cfg.Build(t.Context()))
	cfg.tamper = func(d *device.Device) device.Side {
		p, err := os.FindProcess(d.Session.PID())
		require.NoError(t, err)
		require.NoError(t, p.Signal(syscall.SIGSTOP))
		return d
	}
	_, _, err := Run(t.Context(), cfg, incast(t, RTL, 200_000), nil)
	require.ErrorIs(t, err, wire.ErrDUTHung)
}

// taps collects what an attempt's tap has seen.
type taps struct{ attempts []*[]cc.Event }

func (s *taps) options() ([]fabric.Option, error) {
	seen := &[]cc.Event{}
	s.attempts = append(s.attempts, seen)
	return []fabric.Option{fabric.WithTap(func(ev *cc.Event) bool {
		*seen = append(*seen, cc.Event{Time: ev.Time, NIC: ev.NIC, CCC: ev.CCC, Kind: ev.Kind, Out: ev.Out})
		return true
	})}, nil
}

// A design that differs from the model gives the result of step mode, and its taps see that run alone.
func TestDesignLeavesTheModel(t *testing.T) {
	cfg := faulty(t, "+halves") // a decrease comes after the first round trip
	require.NoError(t, cfg.Build(t.Context()))
	spec := incast(t, RTL, 200_000)
	var ahead, step taps
	got, played, err := Run(t.Context(), cfg, spec, ahead.options)
	require.NoError(t, err)
	require.NotNil(t, played.Left)
	require.True(t, played.Step)
	require.Greater(t, played.Left.Event, uint64(1000), "the fault shows late")
	require.NotEmpty(t, played.Left.Kind)
	t.Log(played.Left)

	cfg.Step = true
	want, stepped, err := Run(t.Context(), cfg, spec, step.options)
	require.NoError(t, err)
	require.Nil(t, stepped.Left)
	same(t, want, got)
	played.Left = nil
	require.Equal(t, stepped, played)
	require.Len(t, ahead.attempts, 2)
	require.Len(t, step.attempts, 1)
	require.Equal(t, step.attempts[0], ahead.attempts[1])

	fixed := run(t, Config{}, incast(t, Fixed, 200_000))
	require.NotEqual(t, fixed.Digest, got.Digest, "the network follows the design")
}

// flip is a device that sees another expected answer of one cycle, as if the design gave another one there.
type flip struct {
	*device.Device
	cycle func(want []uint64, n uint64) bool
	n     uint64
}

func (f *flip) Submit(b *client.Batch) error {
	_, want := b.Records()
	for ; len(want) > 0; want = want[ccc.OutWords:] {
		if f.cycle(want, f.n) {
			want[ccc.OutWords-1] ^= 1
		}
		f.n++
	}
	return f.Device.Submit(b)
}

// A difference in the last answer of a run, or in the first, is found, and named.
func TestFirstAndLastAnswerCount(t *testing.T) {
	cfg := Config{Root: "../../.."}
	require.NoError(t, cfg.Build(t.Context()))
	spec := incast(t, RTL, 40_000)
	want, all, err := Run(t.Context(), cfg, spec, nil)
	require.NoError(t, err)
	for name, nth := range map[string]uint64{"first": 1, "last": all.Events} {
		t.Run(name, func(t *testing.T) {
			cfg, answers := cfg, uint64(0)
			cfg.tamper = func(d *device.Device) device.Side {
				return &flip{Device: d, cycle: func(out []uint64, _ uint64) bool {
					if out[0]&ccc.OutRspValid != 0 {
						answers++
					}
					return out[0]&ccc.OutRspValid != 0 && answers == nth
				}}
			}
			got, played, err := Run(t.Context(), cfg, spec, nil)
			require.NoError(t, err)
			require.True(t, played.Step)
			require.NotNil(t, played.Left)
			same(t, want, got)
			if name == "first" {
				require.EqualValues(t, 1, played.Left.Event)
				require.Equal(t, "CFG_WRITE", played.Left.Kind)
			} else {
				require.Equal(t, all.Cycles-1, played.Left.Cycle)
			}
		})
	}
}

// The clocked model must give what the network was told: otherwise the device is held against something else.
func TestNetworkIsToldWhatIsCompared(t *testing.T) {
	cfg := Config{Root: "../../.."}
	require.NoError(t, cfg.Build(t.Context()))
	r := &closed{Config: cfg, ctx: t.Context(), cancel: func() {}, tickNs: 1}
	defer r.close()
	require.NoError(t, r.start())
	a := r.table.hw.(*ahead)
	var rsp ccc.Response
	require.NoError(t, a.do(&ccc.Event{Kind: ccc.KindOpen}, &rsp))
	rsp.Cwnd++
	require.NoError(t, a.feed.put(&ccc.Event{Kind: ccc.KindRead}, &rsp, &origin{}))
	_, err := r.end()
	require.ErrorContains(t, err, "the clocked model answers event 2, READ of host 0")
}

// An answer that no context was given, and one too few, are errors.
func TestAnswersAreCounted(t *testing.T) {
	cfg := Config{Root: "../../.."}
	require.NoError(t, cfg.Build(t.Context()))
	for _, step := range []bool{false, true} {
		r := &closed{Config: cfg, ctx: t.Context(), cancel: func() {}, tickNs: 1}
		r.Step = step
		defer r.close()
		require.NoError(t, r.start())
		var rsp ccc.Response
		require.NoError(t, r.table.hw.do(&ccc.Event{Kind: ccc.KindOpen}, &rsp))
		r.asked = 2
		_, err := r.end()
		require.ErrorContains(t, err, "the contexts had 2 answers and the device gave 1")
	}
}

// Events of one row keep their order, a register's write keeps its place among all, and nothing is lost or doubled.
func TestOrderOfABatch(t *testing.T) {
	r := stim.Seeded(1, "loop", "order", 0)
	f := newFeed()
	var rsp ccc.Response
	const total = 5*batchLen + 77
	type step struct {
		number uint64
		write  bool
	}
	last := map[uint16]uint64{}
	seen := map[uint64]bool{}
	var write, most uint64
	taken := 0
	check := func(b *batch) {
		for _, i := range b.order {
			it := &b.items[i]
			taken++
			require.False(t, seen[it.number])
			seen[it.number] = true
			most = max(most, it.number)
			if it.kind == ccc.KindCfgWrite {
				require.Equal(t, it.number, most, "nothing after it is played before it")
				require.EqualValues(t, it.number, len(seen), "everything before it is")
				write = it.number
				continue
			}
			require.Greater(t, it.number, write)
			require.Greater(t, it.number, last[it.row])
			last[it.row] = it.number
		}
		f.free <- b
	}
	for range total {
		ev := ccc.Event{Kind: ccc.KindAck, Ctx: uint16(r.U64() % 40)}
		if ev.Ctx > 20 {
			ev.Ctx = 3 // one row has more than others
		}
		if r.U64()%3000 == 0 {
			ev = ccc.Event{Kind: ccc.KindCfgWrite}
		}
		require.NoError(t, f.put(&ev, &rsp, &origin{}))
		for len(f.full) > 0 {
			check(<-f.full)
		}
	}
	f.close()
	for b := range f.full {
		check(b)
	}
	require.Equal(t, total, taken)
	require.Positive(t, write)
}

// The journal holds every answer that the device may still report.
func TestJournal(t *testing.T) {
	opt := client.DefaultOptions()
	require.GreaterOrEqual(t, journalLen, (opt.Window+1)*maxBatch)
	var j journal
	require.Equal(t, "reset", j.at(3).Kind)
	for i := range uint64(journalLen + 100) {
		j.add(entry{cycle: 10 + 2*i, event: i + 1, kind: ccc.KindAck})
	}
	require.EqualValues(t, 5001, j.at(10010).Event)
	require.EqualValues(t, 5002, j.at(10011).Event)
	require.EqualValues(t, journalLen+100, j.at(1<<40).Event)
	require.EqualValues(t, 101, j.at(0).Event, "the oldest kept")
}

// Putting an event allocates nothing.
func TestFeedAllocatesNothing(t *testing.T) {
	f := newFeed()
	ev, rsp, from := ccc.Event{Kind: ccc.KindAck}, ccc.Response{}, origin{}
	require.Zero(t, testing.AllocsPerRun(3*batchLen, func() {
		ev.Ctx = (ev.Ctx + 1) % 64
		if err := f.put(&ev, &rsp, &from); err != nil {
			t.Fatal(err)
		}
		for len(f.full) > 0 {
			f.free <- <-f.full
		}
	}))
}

package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Config says what to measure.
type Config struct {
	Root   string
	Block  string
	Source string // whose first Events events are recorded and replayed, over as many episodes as needed
	Events uint64 // 0 for as many as take the block half a million cycles or more
	Rounds int    // each measures everything once; medians are reported
	Seed   uint64
	Log    func(format string, args ...any) // progress; may be nil
}

// DefaultConfig returns the fabric's permutation on the first block of the list, five rounds.
func DefaultConfig() Config {
	return Config{Block: block.All()[0].Name(), Source: "fabric:permutation", Rounds: 5, Seed: 1}
}

// Metric is one measured figure: the median over the rounds, with their least and greatest. Its bound is for an
// otherwise idle machine.
type Metric = report.Metric

// bounds holds the required figures of ccc, and those of every other block.
var (
	bounds = map[string]float64{
		"cosim_shm_ratio": 0.90, "cosim_unix_ratio": 0.85, "model_vs_dut_cycles": 2, "model_cycles_per_s": 2e6,
		"step_shm_vs_socket": 50, "step_shm_vs_native": 0.1,
	}
	otherBounds = map[string]float64{"cosim_shm_ratio": 0.90, "model_vs_dut_cycles": 2}
)

// leastOf returns the least that a figure must be, and whether there is a bound.
func leastOf(name string) (least float64, ok bool) {
	if least, ok = bounds[name]; ok {
		return least, true
	}
	blk, figure, _ := strings.Cut(name, "_")
	if b, err := block.Lookup(blk); err != nil || b.Bench.Light {
		return 0, false
	}
	least, ok = otherBounds[figure]
	return least, ok
}

// codeBound is the most that counting the coverage of a design's code may cost, as a ratio of times with and without.
const codeBound = 1.3

// cpuBound is the most processor time that a co-simulated cycle may take, as a ratio to a native one.
const cpuBound = 1.3

// benchSteps are the cycles of one measurement in step mode. A blocking socket takes about 1000 times as
// long for each as a batch does.
const benchShmSteps, benchSocketSteps = 40_000, 2_000

// benchLeast is the fewest cycles worth measuring, some milliseconds of simulation.
const benchLeast = 10_000

// benchmark measures one block.
type benchmark struct {
	Config
	kind   *block.Block
	params map[string]int
	recs   []*play.Recording // an episode each
	in     []uint64          // the recordings as cycle records, one after the other, for the native replay
	want   []uint64
	cycles int
	file   string

	accepted int // events

	samples map[string][]float64
	order   []Metric
}

// Run measures the speeds of one block in one run: the native replay inside the simulator's process with
// an inline compare and no bridge, the same stimulus through driver, model, coverage and bridge on each
// transport, the model alone, and step mode. Everything is measured once a round, one after the other, so
// that ratios compare neighbours in time.
func Run(ctx context.Context, cfg Config) ([]Metric, error) {
	b := &benchmark{Config: cfg, samples: map[string][]float64{}}
	if err := b.prepare(ctx); err != nil {
		return nil, err
	}
	defer os.Remove(b.file)
	for r := range cfg.Rounds {
		b.log("round %d of %d", r+1, cfg.Rounds)
		if err := b.round(ctx); err != nil {
			return nil, err
		}
	}
	for i := range b.order {
		m := &b.order[i]
		m.Median(b.samples[m.Name])
	}
	return b.order, nil
}

func (b *benchmark) log(format string, args ...any) {
	if b.Log != nil {
		b.Log(format, args...)
	}
}

// add notes a sample of a metric. The figures of all blocks but one have the block's name in front, so that one file
// holds them all.
func (b *benchmark) add(name, what string, v float64) {
	if prefix := b.Block + "_"; !b.kind.Bench.Plain && !strings.HasPrefix(name, prefix) {
		name = prefix + name
	}
	if _, ok := b.samples[name]; !ok {
		m := Metric{Name: name, What: what}
		if least, ok := leastOf(name); ok {
			m.Bound = report.AtLeast(least)
		}
		switch {
		case strings.Contains(name, "code_"):
			m.Bound = report.AtMost(codeBound)
		case strings.HasSuffix(name, "cpu_ratio"):
			m.Bound = report.AtMost(cpuBound)
		case strings.Contains(name, "stim_") && strings.HasSuffix(name, "_ratio"):
			m.Bound = report.AtLeast(stimBound)
		}
		b.order = append(b.order, m)
	}
	b.samples[name] = append(b.samples[name], v)
}

// prepare records the stimulus, as events and as cycle records.
func (b *benchmark) prepare(ctx context.Context) (err error) {
	if b.kind, err = block.Lookup(b.Block); err != nil {
		return err
	}
	if b.params, err = (&run.Config{Block: b.Block, Source: b.Source}).Values(); err != nil {
		return err
	}
	if b.Events == 0 {
		b.Events = b.kind.Bench.Events
	}
	b.log("recording %d events of %s", b.Events, b.Source)
	src, err := b.open(b.Source)
	if err != nil {
		return err
	}
	defer src.Close()
	p, err := b.player()
	if err != nil {
		return err
	}
	in, out := make([]uint64, p.InWords), make([]uint64, p.OutWords)
	// Random sources have short episodes: one of them would measure the start of a process.
	for p.Events < b.Events {
		ep, ok := src.Next()
		if !ok {
			break
		}
		b.recs = append(b.recs, play.NewRecording(ep))
		for p.Begin(ep); p.More(in); {
			p.Cycle(in, out)
			b.in, b.want = append(b.in, in...), append(b.want, out...)
		}
	}
	if err := src.Err(); err != nil {
		return err
	}
	b.cycles, b.accepted = int(p.Cycles), int(p.Events)
	if b.cycles < benchLeast {
		return fmt.Errorf("bench: source %s with %d events lasts %d cycles: ratios of fewer than %d are not reliable; give "+
			"more --events or a source with more",
			b.Source, b.Events, b.cycles, benchLeast)
	}
	b.log("recorded %d events in %d cycles, episodes: %d", b.accepted, b.cycles, len(b.recs))
	f, err := os.CreateTemp("", "goldwire-bench-*.vec")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	b.file, err = filepath.Abs(f.Name())
	return errors.Join(err, f.Close())
}

func (b *benchmark) player() (*play.Player, error) {
	model, err := play.NewModel(b.kind, b.params)
	if err != nil {
		return nil, err
	}
	return play.New(b.kind.Schema, b.layout(), model), nil
}

// watched returns a player with the observers of a run.
func (b *benchmark) watched() (*play.Player, *watch.All, error) {
	p, err := b.player()
	if err != nil {
		return nil, nil, err
	}
	all, err := watch.New(watch.Spec{Block: b.kind.Schema, Layout: b.layout(), Params: b.params})
	if err == nil {
		all.Watch(p)
	}
	return p, all, err
}

func (b *benchmark) round(ctx context.Context) error {
	native, err := b.native(ctx)
	if err != nil {
		return err
	}
	b.add("native_cycles_per_s", "native replay with inline compare, cycles/s", native)
	for _, t := range []client.Transport{client.Shm, client.Unix, client.TCP} {
		took, err := b.cosim(ctx, t)
		if err != nil {
			return err
		}
		rate := float64(b.cycles) / took.Seconds()
		b.add(fmt.Sprintf("cosim_%s_ratio", t), fmt.Sprintf("co-simulation over %s, live model and coverage, against native",
			t), rate/native)
		if t == client.Shm {
			b.add(b.Block+"_events_per_s", "events/s of the co-simulation over shm", float64(b.accepted)/took.Seconds())
			b.add(b.Block+"_cycles_per_s", "cycles/s of the co-simulation over shm", rate)
		}
	}
	b.add(b.Block+"_events_per_cycle", "accepted events per cycle of the recorded stimulus",
		float64(b.accepted)/float64(b.cycles))
	for _, part := range []func(context.Context) error{b.cpu, b.code, b.stimulus} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	model, allocs, err := b.model()
	if err != nil {
		return err
	}
	b.add("model_cycles_per_s", "Go model alone, cycles/s", model)
	b.add("model_vs_dut_cycles", "Go model alone against native", model/native)
	b.add("model_allocs_per_cycle", "memory allocations per cycle of the Go model", allocs)

	shm, err := b.step(ctx, client.Shm, benchShmSteps)
	if err != nil {
		return err
	}
	socket, err := b.step(ctx, client.Unix, benchSocketSteps)
	if err != nil {
		return err
	}
	b.add("step_shm_cycles_per_s", "step mode over shm, one round trip a cycle, cycles/s", shm)
	b.add("step_socket_cycles_per_s", "step mode over a blocking Unix socket, cycles/s", socket)
	b.add("step_shm_vs_socket", "step mode, shm against socket", shm/socket)
	b.add("step_shm_vs_native", "step mode over shm against native", shm/native)
	return nil
}

// code measures what counting the coverage of the design's code costs as a run does it, beside a run without.
func (b *benchmark) code(ctx context.Context) error {
	dev, err := b.start(ctx, client.Shm)
	if err != nil {
		return err
	}
	defer dev.Close()
	dir, err := os.MkdirTemp("", "goldwire-bench-")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(dir)
	c, err := device.StartCounting(ctx, b.device(client.Shm), device.Share{Least: b.Events / 64}, dir)
	if err != nil {
		return err
	}
	defer c.Close()
	off, err := b.episodes(ctx, dev)
	if err != nil {
		return err
	}
	on, err := b.episodes(ctx, c)
	if err != nil {
		return err
	}
	if lines, all := c.Cycles(); lines == 0 || all != uint64(b.cycles) {
		return fmt.Errorf("bench: lines were counted in %d cycles and toggles in %d of %d: it measures something else", lines,
			all, b.cycles)
	}
	b.add("code_coverage_cost", "co-simulation over shm with code coverage, time against without",
		on.Seconds()/off.Seconds())
	return nil
}

// episodes returns how long the recorded episodes take one by one.
func (b *benchmark) episodes(ctx context.Context, to device.Side) (time.Duration, error) {
	p, all, err := b.watched()
	if err != nil {
		return 0, err
	}
	cycles := uint64(0)
	begin := time.Now()
	for _, rec := range b.recs {
		p.Begin(rec.Episode(b.Block))
		if err := to.Restart(1); err != nil {
			return 0, err
		}
		if err := p.Stream(ctx, to); err != nil {
			return 0, err
		}
		out, err := to.Finish()
		if err == nil && (out.Failed() || out.Digest != p.Sum) {
			err = errors.New("bench: co-simulation of single episodes differs: run `make cosim` first")
		}
		if err != nil {
			return 0, err
		}
		cycles += out.Cycles
	}
	return time.Since(begin), errors.Join(b.whole("co-simulation of single episodes", cycles), b.saw(all))
}

func (b *benchmark) device(t client.Transport) device.Spec {
	return device.Spec{Root: b.Root, Block: b.Block, Params: b.params, Transport: t}
}

func (b *benchmark) start(ctx context.Context, t client.Transport) (*device.Device, error) {
	return device.Start(ctx, b.device(t))
}

// native returns the cycles per second of the replay inside the simulator's process.
func (b *benchmark) native(ctx context.Context) (float64, error) {
	return with(ctx, b, client.Shm, func(dev *device.Device) (float64, error) {
		if err := client.WriteVectors(b.file, dev.Bin, b.in, b.want); err != nil {
			return 0, err
		}
		res, err := b.replay(dev, 1)
		return res.CyclesPerSecond(), err
	})
}

// replay plays everything recorded natively, so many times.
func (b *benchmark) replay(dev *device.Device, reps int) (client.BenchResult, error) {
	res, err := dev.Session.Bench(b.file, reps)
	if err == nil && res.Mismatches > 0 {
		err = fmt.Errorf("bench: native replay differs in %d cycles: run `make cosim` first", res.Mismatches)
	}
	return res, errors.Join(err, b.whole("native replay", res.Cycles/uint64(reps)))
}

func with[T any](ctx context.Context, b *benchmark, t client.Transport,
	f func(*device.Device) (T, error)) (none T, err error) {
	dev, err := b.start(ctx, t)
	if err != nil {
		return none, err
	}
	defer dev.Close()
	return f(dev)
}

// saw returns an error unless coverage and the packet judge were on.
func (b *benchmark) saw(w *watch.All) error {
	if w.Cover.C.Cycles != uint64(b.cycles) || w.Packets != nil && w.Packets.Judged() == 0 {
		return fmt.Errorf("bench: coverage saw %d cycles of %d, and not every packet was judged: a run does more",
			w.Cover.C.Cycles, b.cycles)
	}
	return errors.Join(w.Beside()...)
}

// whole returns an error unless a measurement played exactly what was recorded: ratios need equal work.
func (b *benchmark) whole(what string, cycles uint64) error {
	if cycles == uint64(b.cycles) {
		return nil
	}
	return fmt.Errorf("bench: %s played %d cycles of %d that were recorded: it measures something else", what, cycles,
		b.cycles)
}

// cosim returns how long the recorded events take through driver, model, observers and bridge.
func (b *benchmark) cosim(ctx context.Context, t client.Transport) (time.Duration, error) {
	return with(ctx, b, t, func(dev *device.Device) (time.Duration, error) { return b.play(ctx, dev, t) })
}

// play returns how long the recorded events take on a device.
func (b *benchmark) play(ctx context.Context, dev *device.Device, t client.Transport) (time.Duration, error) {
	p, all, err := b.watched()
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	for _, rec := range b.recs {
		if err := goOn(ctx, p, rec.Episode(b.Block), dev); err != nil {
			return 0, err
		}
	}
	out, err := dev.Finish()
	took := time.Since(begin)
	if err == nil && (out.Failed() || out.Digest != p.Sum) {
		err = fmt.Errorf("bench: co-simulation over %s differs: run `make cosim` first", t)
	}
	if err == nil && p.Events != uint64(b.accepted) {
		err = fmt.Errorf("bench: co-simulation over %s played %d events of %d that were recorded: it measures something else",
			t, p.Events, b.accepted)
	}
	return took, errors.Join(err, b.whole("co-simulation over "+string(t), out.Cycles), b.saw(all))
}

// goOn plays an episode in the stream of the device that those before it began.
func goOn(ctx context.Context, p *play.Player, ep *stim.Episode, dev *device.Device) error {
	sum := p.Sum
	p.Begin(ep)
	p.Sum = sum
	return p.Stream(ctx, dev)
}

// model returns the model's cycles per second on the recorded inputs and its allocations per cycle.
func (b *benchmark) model() (perSecond, allocs float64, err error) {
	if err := b.sameModel(); err != nil {
		return 0, 0, err
	}
	model, err := play.NewModel(b.kind, b.params)
	if err != nil {
		return 0, 0, err
	}
	words := b.layout().In.Words
	out := make([]uint64, b.layout().Out.Words)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	n := uint64(0)
	for in := b.in; len(in) > 0; in = in[words:] {
		model.Cycle(in[:words], out)
		n++
	}
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	return float64(n) / took.Seconds(), float64(after.Mallocs-before.Mallocs) / float64(n),
		b.whole("Go model alone", n)
}

// sameModel returns an error unless a model gives the recorded outputs for the recorded inputs in every cycle. It runs
// outside the measurement, which compares nothing.
func (b *benchmark) sameModel() error {
	model, err := play.NewModel(b.kind, b.params)
	if err != nil {
		return err
	}
	l := b.layout()
	out := make([]uint64, l.Out.Words)
	for n := range len(b.in) / l.In.Words {
		model.Cycle(b.in[n*l.In.Words:(n+1)*l.In.Words], out)
		if !l.Equal(b.want[n*l.Out.Words:(n+1)*l.Out.Words], out) {
			return fmt.Errorf("bench: the Go model alone gives other outputs at cycle %d than were recorded", n)
		}
	}
	return nil
}

func (b *benchmark) layout() *event.Layout { return event.NewLayout(b.kind.Schema) }

// step returns the cycles per second of step mode, one round trip a cycle, each answer compared.
func (b *benchmark) step(ctx context.Context, t client.Transport, cycles int) (float64, error) {
	l := b.layout()
	cycles = min(cycles, b.cycles)
	got := make([]uint64, l.Out.Words)
	return with(ctx, b, t, func(dev *device.Device) (float64, error) {
		begin := time.Now()
		for n := range cycles {
			in, want := b.in[n*l.In.Words:(n+1)*l.In.Words], b.want[n*l.Out.Words:(n+1)*l.Out.Words]
			if err := dev.Session.Step(in, got); err != nil {
				return 0, err
			}
			if !l.Equal(want, got) {
				return 0, fmt.Errorf("bench: step mode over %s differs at cycle %d", t, n)
			}
		}
		return float64(cycles) / time.Since(begin).Seconds(), nil
	})
}

package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/cache"
)

// stimBound is the least speed of a source that is played as it is made, or read, as a ratio to playing its recording.
const stimBound = 0.7

// stimulus measures every source of the block that a simulated network makes, against playing a recording of the same
// events in memory. The first pass makes the events and writes those to a cache that are worth keeping, as a user's
// first run does; the second reads them, as the runs after it do. Both last from opening the source to closing it, so
// the first includes the writing of the whole file, and the second the check of the whole file before its first event.
// Neither includes the hash of the program, which a run computes once.
func (b *benchmark) stimulus(ctx context.Context) error {
	for i := range b.kind.Stimulus.Sources {
		source := b.kind.Stimulus.Sources[i].Name
		if name, ok := strings.CutPrefix(source, stim.Fabric); ok {
			if err := b.againstRecorded(ctx, name, source); err != nil {
				return fmt.Errorf("bench: source %s: %w", source, err)
			}
		}
	}
	return nil
}

func (b *benchmark) againstRecorded(ctx context.Context, name, source string) error {
	dir, err := os.MkdirTemp("", "goldwire-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	kept := cache.New(dir)
	hashed, err := kept.Open(b.kind.Stimulus, source, b.options())
	if err != nil {
		return err
	}
	hashed.Close()
	live, first, err := b.through(ctx, kept, source)
	if err != nil {
		return err
	}
	var read timedPass
	if first.Written() {
		var second *cache.Source
		if read, second, err = b.through(ctx, kept, source); err != nil {
			return err
		}
		if _, ok := second.Made(); !ok {
			return errors.New("it is in the cache and was not read from it")
		}
	}
	recs, err := b.recorded(source)
	if err != nil {
		return err
	}
	again, err := b.timed(ctx, func() (stim.Source, error) { return &shelf{block: b.Block, recs: recs}, nil })
	if err != nil {
		return err
	}
	if live.events == 0 || live.pass != again.pass || first.Written() && read.pass != again.pass {
		return fmt.Errorf("made: %s; from the cache: %s; recorded: %s: it measures something else", live.pass, read.pass,
			again.pass)
	}
	made := source + " played as it is made, with the writing to the cache, against playing its recording"
	b.add("stim_"+name+"_events_per_s", "events/s of "+source+", played as they are made and written to the cache",
		float64(live.events)/live.took.Seconds())
	b.add("stim_"+name+"_ratio", made, again.took.Seconds()/live.took.Seconds())
	b.add("stim_"+name+"_cpu", "processor time of "+made, live.cpu.Seconds()/again.cpu.Seconds())
	if first.Written() {
		b.add("stim_"+name+"_cached_ratio", source+" read from the cache and played, against playing its recording",
			again.took.Seconds()/read.took.Seconds())
	}
	return nil
}

// through plays a source through a cache.
func (b *benchmark) through(ctx context.Context, kept *cache.Cache, source string) (timedPass, *cache.Source, error) {
	var src *cache.Source
	t, err := b.timed(ctx, func() (_ stim.Source, err error) {
		src, err = kept.Open(b.kind.Stimulus, source, b.options())
		return src, err
	})
	return t, src, err
}

func (b *benchmark) options() stim.Options {
	return stim.Options{Seed: b.Seed, Events: int(b.Events), Params: b.params}
}

// open opens a source of as many events as are measured.
func (b *benchmark) open(source string) (stim.Source, error) {
	return b.kind.Stimulus.Open(source, b.options())
}

// recorded returns the episodes of a source in memory.
func (b *benchmark) recorded(source string) (recs []*play.Recording, err error) {
	src, err := b.open(source)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	it := stim.Item{Words: make([]uint64, b.layout().In.Words)}
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		recs = append(recs, play.NewRecording(ep))
		for words := it.Words; ep.NextItem(&it); it.Words = words {
		}
	}
	return recs, src.Err()
}

// shelf is a source of recordings.
type shelf struct {
	block string
	recs  []*play.Recording
}

func (s *shelf) Next() (*stim.Episode, bool) {
	if len(s.recs) == 0 {
		return nil, false
	}
	ep := s.recs[0].Episode(s.block)
	s.recs = s.recs[1:]
	return ep, true
}

func (s *shelf) Err() error { return nil }

func (s *shelf) Close() {}

// pass is what a measurement has played. Two with equal passes have played the same.
type pass struct {
	episodes       int
	events, cycles uint64
	digest         uint64 // of all outputs
}

func (p pass) String() string {
	return fmt.Sprintf("%d events in %d cycles and %d episodes, digest %016x", p.events, p.cycles, p.episodes, p.digest)
}

// timedPass is a pass, how long it took, and its processor time in both processes.
type timedPass struct {
	pass
	took, cpu time.Duration
}

// timed plays a source through driver, model, observers and a new device over shm. The time is that from opening the
// source to the device's last answer and the closing of the source.
func (b *benchmark) timed(ctx context.Context, open func() (stim.Source, error)) (t timedPass, err error) {
	dev, err := b.start(ctx, client.Shm)
	if err != nil {
		return t, err
	}
	defer dev.Close()
	p, all, err := b.watched()
	if err != nil {
		return t, err
	}
	used, err := bothTimes(dev)
	if err != nil {
		return t, err
	}
	begin := time.Now()
	src, err := open()
	if err != nil {
		return t, err
	}
	defer src.Close()
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		if err := goOn(ctx, p, ep, dev); err != nil {
			return t, err
		}
		t.episodes++
	}
	out, err := dev.Finish()
	src.Close()
	t.took = time.Since(begin)
	if t.cpu, _ = bothTimes(dev); t.cpu <= used {
		return t, errors.Join(err, errors.New("it took no processor time: the clock of processes does not work here"))
	}
	t.cpu -= used
	t.events, t.cycles, t.digest = p.Events, p.Cycles, uint64(p.Sum)
	return t, errors.Join(err, src.Err(), agreed(&out, p), errors.Join(all.Beside()...))
}

// agreed returns an error unless the device compared every cycle and found no difference.
func agreed(out *device.Outcome, p *play.Player) error {
	if out.Failed() || out.Cycles != p.Cycles || out.Digest != p.Sum {
		return fmt.Errorf("the device compared %d of %d cycles, or differs: run `make cosim` first", out.Cycles, p.Cycles)
	}
	return nil
}

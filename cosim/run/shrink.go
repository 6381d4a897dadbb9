package run

import (
	"context"
	"slices"

	"github.com/goldwire/goldwire/cosim/shrink"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/gen"
)

// Bounds of the search for a short case: trials in all, and cycles simulated in all of them. They are counts,
// not times, so that the same run always ends in the same case; each is reached within a minute or two.
const shrinkTrials, shrinkCycles = 3000, 20_000_000

// shrink returns the recording with fewer items and a plainer drive that still fails. first is the attempt
// of the whole recording. With an error comes the shortest found until then.
func (e *engine) shrink(ctx context.Context, rec *recording, first attempt, seed uint32) (*recording, error) {
	return shorten(ctx, &e.cfg, e.kind.Schema, rec, first.cycles, func(r *recording) (bool, uint64, error) {
		a, err := e.try(ctx, r, seed)
		return a.out.failed(), a.cycles, err
	})
}

// shorten looks for a shorter recording of a block's episode that still fails; try plays one and says
// whether it fails and how many cycles that took. spent cycles count as used already. With an error comes the
// shortest found until then.
func shorten(ctx context.Context, cfg *Config, b *event.Block, rec *recording, spent uint64, try func(*recording) (bool, uint64, error)) (*recording, error) {
	best, trials := *rec, 0
	fails := func(r *recording) (bool, error) {
		if spent > shrinkCycles || trials >= shrinkTrials {
			return false, nil
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		trials++
		cfg.say("mismatch in %s, shrinking: %d of %d events still fail, %d of at most %d trials", rec.name, len(best.items), len(rec.items), trials, shrinkTrials)
		failed, cycles, err := try(r)
		spent += cycles
		if err != nil || !failed {
			return false, err
		}
		best = *r
		return true, nil
	}
	// A plain drive first: every trial after it is shorter.
	plain := gen.DriveSpec{Resets: best.drive.Resets[:min(1, len(best.drive.Resets))], Ahead: best.drive.Ahead, Relief: best.drive.Relief}
	for _, drive := range []gen.DriveSpec{plain, best.drive.Calm()} {
		if bad, err := fails(rec.with(drive, rec.items)); err != nil {
			return &best, err
		} else if bad {
			break
		}
	}
	drive := best.drive
	with := func(items []gen.Item) (bool, error) { return fails(rec.with(drive, items)) }
	// Whole packets before single beats: the rest of a packet cut in two says little.
	if groups := best.groups(); len(groups) < len(best.items) {
		if _, err := shrink.Minimize(ctx, groups, shrinkTrials, func(g [][]gen.Item) (bool, error) { return with(flat(g)) }); err != nil {
			return &best, err
		}
	}
	if _, err := shrink.Minimize(ctx, best.items, shrinkTrials, with); err != nil {
		return &best, err
	}
	// What is left of noise in the fields goes too, so that a person sees what matters.
	in := &event.NewLayout(b).In
	streams := b.StreamsOf(event.In)
	for i := range best.items {
		for k := range in.Slots {
			if in.Slots[k].Stream != streams[best.items[i].Lane].Name {
				continue
			}
			it := best.items[i].Clone()
			if clearSlot(&in.Slots[k], it.Words); slices.Equal(it.Words, best.items[i].Words) {
				continue
			}
			trial := append([]gen.Item(nil), best.items...)
			trial[i] = it
			if _, err := with(trial); err != nil {
				return &best, err
			}
		}
	}
	return &best, nil
}

// clearSlot writes 0 to a field of any width.
func clearSlot(s *event.Slot, rec []uint64) {
	s.Set(rec, 0)
	for w := 1; 64*w < s.Field.Width; w++ {
		rec[s.Word+w] = 0
	}
}

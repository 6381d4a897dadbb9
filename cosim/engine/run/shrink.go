package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/shrink"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

// Limits of the search for a short case: trials in all, and cycles simulated in all of them. They are counts rather
// than times, so that the same run mostly ends in the same case. shrinkTime limits their cost on a slow machine or with
// a long episode.
const (
	shrinkTrials, shrinkCycles = 3000, 20_000_000
	shrinkTime                 = time.Minute
)

// errEnded marks a search that reached one of its limits.
var errEnded = errors.New("the search has ended")

// trial plays a recording and reports whether it fails as the whole does, and how many cycles that took.
type trial func(ctx context.Context, r *play.Recording) (bool, uint64, error)

type shortest struct {
	play.Recording
	ended string // the limit that ended the search early; "" for none
}

// search looks for a short recording that still fails.
type search struct {
	ctx    context.Context // of the run
	timed  context.Context // ends when the search must end
	cfg    *Config
	rec    *play.Recording // the whole recording
	best   shortest        // the shortest so far
	legal  *schema.Legal   // nil: everything is legal
	ins    []*event.Slot   // by lane: the field last, or nil
	try    trial
	trials int
	spent  uint64
	ended  string // the limit reached; "" for none
}

// shorten looks for a shorter recording of a block's episode that still fails and that the schema allows: legal values
// of fields, whole packets. spent cycles count as already used. The recording returned names the limit that ended the
// search early, if one did. With an error, shorten returns the shortest recording found until then.
func shorten(ctx context.Context, cfg *Config, b *event.Block, legal *schema.Legal, rec *play.Recording, spent uint64,
	try trial) (*shortest, error) {
	timed, cancel := context.WithTimeout(ctx, cmp.Or(cfg.ShrinkTime, shrinkTime))
	defer cancel()
	s := &search{ctx: ctx, timed: timed, cfg: cfg, rec: rec, best: shortest{Recording: *rec}, legal: legal, try: try,
		spent: spent}
	in := &event.NewLayout(b).In
	for _, st := range b.StreamsOf(event.In) {
		s.ins = append(s.ins, in.Slot(st.Name, "last"))
	}
	err := s.all(b, in)
	s.best.ended = s.ended
	if errors.Is(err, errEnded) {
		err = nil
	}
	return &s.best, err
}

// over returns the error of a search that must end.
func (s *search) over() error {
	switch {
	case s.ctx.Err() != nil:
		return fmt.Errorf("interrupted: %w", s.ctx.Err())
	case s.timed.Err() != nil:
		s.ended = fmt.Sprintf("after %s", cmp.Or(s.cfg.ShrinkTime, shrinkTime))
	case s.trials >= shrinkTrials:
		s.ended = fmt.Sprintf("after %d trials", s.trials)
	case s.spent > shrinkCycles:
		s.ended = fmt.Sprintf("after %d trials of %d cycles in all", s.trials, s.spent)
	default:
		return nil
	}
	return errEnded
}

// fails tries a recording and keeps it if it fails.
func (s *search) fails(r *play.Recording) (bool, error) {
	if err := s.over(); err != nil {
		return false, err
	}
	if s.legal != nil && !s.legal.Sequence(r.Drive.Resets, r.Items) && s.legal.Sequence(s.rec.Drive.Resets, s.rec.Items) {
		return false, nil // the stimulus could not draw this list
	}
	s.trials++
	s.cfg.say("mismatch in %s, shrinking: %d of %d events still fail, %d of at most %d trials", s.rec.Name,
		len(s.best.Items), len(s.rec.Items), s.trials, shrinkTrials)
	failed, cycles, err := s.try(s.timed, r)
	s.spent += cycles
	var model *play.ModelError
	switch {
	case err != nil && s.timed.Err() != nil:
		return false, s.over()
	case errors.As(err, &model): // a case must be playable by the model
		return false, nil
	case err != nil || !failed:
		return false, err
	}
	s.best.Recording = *r
	return true, nil
}

// all tries a plainer drive, then fewer packets, then fewer beats, then plainer fields.
func (s *search) all(b *event.Block, in *event.Record) error {
	// Try a plain drive first: every later trial is shorter.
	whole := s.best.Drive
	plain := stim.DriveSpec{Resets: whole.Resets[:min(1, len(whole.Resets))], Ahead: whole.Ahead, Relief: whole.Relief,
		ByLane: whole.ByLane, Yield: whole.Yield}
	for _, drive := range []stim.DriveSpec{plain, whole.Calm()} {
		if bad, err := s.fails(s.rec.With(drive, s.rec.Items)); err != nil {
			return err
		} else if bad {
			break
		}
	}
	drive := s.best.Drive
	with := func(items []stim.Item) (bool, error) { return s.fails(s.rec.With(drive, items)) }
	// Try whole packets before single beats: half a packet explains little.
	if groups := play.Groups(s.best.Items, s.ends); len(groups) < len(s.best.Items) {
		_, err := shrink.Minimize(s.timed, groups, shrinkTrials, func(g [][]stim.Item) (bool, error) {
			return with(slices.Concat(g...))
		})
		if err != nil {
			return cmp.Or(s.over(), err)
		}
	}
	units := s.units()
	_, err := shrink.Minimize(s.timed, units, shrinkTrials, func(us []unit) (bool, error) {
		items, whole := joined(us)
		if !whole {
			return false, s.over()
		}
		return with(items)
	})
	if err != nil {
		return cmp.Or(s.over(), err)
	}
	// Constraints tie fields together: one may become plain only after another did.
	for changed, passes := true, 0; changed && passes < 3; passes++ {
		if changed, err = s.clear(b, in, with); err != nil {
			return err
		}
	}
	return nil
}

// ends reports whether an item is the last of a packet or not in a packet.
func (s *search) ends(it *stim.Item) bool {
	last := s.ins[it.Lane]
	return !it.More && (last == nil || last.Get(it.Words) != 0)
}

// unit is an item with the number of its packet.
type unit struct {
	item   stim.Item
	packet int
	ends   bool
	whole  bool // the packet is complete
}

func (s *search) units() []unit {
	var out []unit
	open, packets := map[int]int{}, 0
	ended := map[int]bool{}
	for _, it := range s.best.Items {
		p, ok := open[it.Lane]
		if !ok {
			packets++
			p = packets
		}
		u := unit{item: it, packet: p, ends: s.ends(&it)}
		if delete(open, it.Lane); !u.ends {
			open[it.Lane] = p
		}
		ended[p] = ended[p] || u.ends
		out = append(out, u)
	}
	for i := range out {
		out[i].whole = ended[out[i].packet]
	}
	return out
}

// joined returns the items, and whether every packet with a remaining beat still ends as before.
func joined(us []unit) (items []stim.Item, whole bool) {
	ended := map[int]bool{}
	for i := range us {
		items = append(items, us[i].item)
		ended[us[i].packet] = ended[us[i].packet] || us[i].ends
	}
	for i := range us {
		if us[i].whole && !ended[us[i].packet] {
			return nil, false
		}
	}
	return items, true
}

// clear removes the remaining noise from the fields, as far as the schema allows, so that a reader sees what matters.
// It keeps the framing of packets. It reports whether it changed anything.
func (s *search) clear(b *event.Block, in *event.Record, with func([]stim.Item) (bool, error)) (changed bool,
	err error) {
	streams := b.StreamsOf(event.In)
	for i := range s.best.Items {
		lane := s.best.Items[i].Lane
		for k := range in.Slots {
			slot := &in.Slots[k]
			if slot.Stream != streams[lane].Name || slices.Contains([]string{"last", "keep"}, slot.Field.Name) {
				continue
			}
			for _, value := range s.plain(lane, slot) {
				it := s.best.Items[i].Clone()
				clearSlot(slot, it.Words)
				if slot.Field.Width <= 64 {
					slot.Set(it.Words, value)
				}
				if slices.Equal(it.Words, s.best.Items[i].Words) {
					break
				}
				if !s.allows(&it, &s.best.Items[i]) {
					continue
				}
				trial := slices.Clone(s.best.Items)
				trial[i] = it
				if bad, err := with(trial); err != nil {
					return changed, err
				} else if bad {
					changed = true
					break
				}
			}
		}
	}
	return changed, nil
}

// plain returns the values to try instead of a field's value, the plainest first.
func (s *search) plain(lane int, slot *event.Slot) []uint64 {
	if s.legal == nil {
		return []uint64{0}
	}
	return s.legal.Plain(lane, slot)
}

// allows reports whether an item may replace another: a legal item must stay legal.
func (s *search) allows(it, was *stim.Item) bool {
	return s.legal == nil || s.legal.Item(it) || !s.legal.Item(was)
}

// clearSlot writes 0 to a field of any width.
func clearSlot(s *event.Slot, rec []uint64) {
	s.Set(rec, 0)
	for w := 1; 64*w < s.Field.Width; w++ {
		rec[s.Word+w] = 0
	}
}

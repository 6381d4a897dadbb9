package run

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/stim"
)

// recording is an episode with its items in memory.
type recording struct {
	name  string
	seed  uint64
	drive stim.DriveSpec
	items []stim.Item
	ended string   // of the outcome of a search: which bound ended it early, "" for none
	store []uint64 // words of the items to come, in one piece so that a replay reads memory in order
}

// newRecording returns a recording that fills with what is taken from the episode from now on.
func newRecording(ep *stim.Episode) *recording {
	r := &recording{name: ep.Name, seed: ep.Seed, drive: kept(ep.Drive)}
	ep.Tap = r.add
	return r
}

// kept is a drive that outlives its episode: sources write the next one over its lists.
func kept(d stim.DriveSpec) stim.DriveSpec {
	d.Resets, d.Gaps = slices.Clone(d.Resets), slices.Clone(d.Gaps)
	d.IdleMore, d.StallMore = slices.Clone(d.IdleMore), slices.Clone(d.StallMore)
	d.Relief = slices.Clone(d.Relief)
	for i := range d.Relief {
		d.Relief[i].Words = slices.Clone(d.Relief[i].Words)
	}
	return d
}

// add appends a copy of an item.
func (r *recording) add(it *stim.Item) {
	const piece = 1 << 12 // items
	n := len(it.Words)
	if len(r.store) < n {
		r.store = make([]uint64, piece*n)
	}
	kept := *it
	kept.Words = r.store[:n:n]
	copy(kept.Words, it.Words)
	r.store = r.store[n:]
	r.items = append(r.items, kept)
}

func (r *recording) episode(block string) *stim.Episode {
	return stim.Recorded(r.name, block, r.seed, r.drive, r.items)
}

// with returns the recording with other items.
func (r *recording) with(drive stim.DriveSpec, items []stim.Item) *recording {
	return &recording{name: r.name, seed: r.seed, drive: drive, items: append([]stim.Item(nil), items...)}
}

// groups returns the items with those that belong together in one piece; ends reports which is the last of one.
func (r *recording) groups(ends func(*stim.Item) bool) [][]stim.Item {
	var out [][]stim.Item
	open := map[int]int{} // group that the stream's next item belongs to
	for _, it := range r.items {
		g, ok := open[it.Lane]
		if !ok {
			g = len(out)
			out = append(out, nil)
		}
		out[g] = append(out[g], it)
		if delete(open, it.Lane); !ends(&it) {
			open[it.Lane] = g
		}
	}
	return out
}

// flat is the inverse of groups, for any of the groups.
func flat(groups [][]stim.Item) (out []stim.Item) {
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

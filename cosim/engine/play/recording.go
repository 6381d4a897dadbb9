package play

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/stim"
)

// Recording is an episode with its items in memory.
type Recording struct {
	Name  string
	Seed  uint64
	Drive stim.DriveSpec
	Items []stim.Item

	store []uint64 // words of items to come, in one piece so that a replay reads memory in order
}

// NewRecording returns a recording of the items taken from the episode from now on.
func NewRecording(ep *stim.Episode) *Recording {
	r := &Recording{Name: ep.Name, Seed: ep.Seed, Drive: kept(ep.Drive)}
	ep.Tap = r.add
	return r
}

// kept copies a drive so that it outlives its episode, because sources reuse its lists for the next one.
func kept(d stim.DriveSpec) stim.DriveSpec {
	d.Resets, d.Gaps = slices.Clone(d.Resets), slices.Clone(d.Gaps)
	d.IdleMore, d.StallMore = slices.Clone(d.IdleMore), slices.Clone(d.StallMore)
	d.Relief = slices.Clone(d.Relief)
	for i := range d.Relief {
		d.Relief[i].Words = slices.Clone(d.Relief[i].Words)
	}
	return d
}

func (r *Recording) add(it *stim.Item) {
	const piece = 1 << 12 // items
	n := len(it.Words)
	if len(r.store) < n {
		r.store = make([]uint64, piece*n)
	}
	kept := *it
	kept.Words = r.store[:n:n]
	copy(kept.Words, it.Words)
	r.store = r.store[n:]
	r.Items = append(r.Items, kept)
}

// Episode returns the recording as an episode of a block.
func (r *Recording) Episode(block string) *stim.Episode {
	return stim.Recorded(r.Name, block, r.Seed, r.Drive, r.Items)
}

// With returns the recording with another drive and other items.
func (r *Recording) With(drive stim.DriveSpec, items []stim.Item) *Recording {
	return &Recording{Name: r.Name, Seed: r.Seed, Drive: drive, Items: slices.Clone(items)}
}

// Plainer reports whether a recording that was made from another differs from it, in the number or contents of its
// items.
func (r *Recording) Plainer(than *Recording) bool {
	return !slices.EqualFunc(r.Items, than.Items, func(a, b stim.Item) bool { return slices.Equal(a.Words, b.Words) })
}

// Groups returns items in groups that belong together; ends reports whether an item is the last of its group.
// slices.Concat is the inverse, for any selection of groups.
func Groups(items []stim.Item, ends func(*stim.Item) bool) (out [][]stim.Item) {
	open := map[int]int{} // group that the stream's next item belongs to
	for _, it := range items {
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

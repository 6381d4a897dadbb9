package stim

// Recorded returns an episode of the given items, for example an earlier episode without the items that do not matter.
// Equal name, seed and drive give equal idles and back-pressure. The items are not copied.
func Recorded(name, block string, seed uint64, drive DriveSpec, items []Item) *Episode {
	pos := 0
	ep := &Episode{
		Name: name, Block: block, Seed: seed, Drive: drive, Len: len(items),
		Items: func(it *Item) bool {
			if pos == len(items) {
				return false
			}
			*it = items[pos]
			pos++
			return true
		},
	}
	if drive.ByLane {
		ep.Len, ep.Lanes = byLane(items)
	}
	return ep
}

// byLane returns the number of items that are not late, and a function that gives each stream its items in order.
func byLane(items []Item) (own int, next func(lane int, late bool, it *Item) bool) {
	lanes := map[int][]*Item{}
	for i := range items {
		it := &items[i]
		lanes[it.Lane] = append(lanes[it.Lane], it)
		if !it.Late {
			own++
		}
	}
	return own, func(lane int, late bool, it *Item) bool {
		q := lanes[lane]
		if len(q) == 0 || q[0].Late != late {
			return false
		}
		*it, lanes[lane] = *q[0], q[1:]
		return true
	}
}

// Again returns an episode of the items already taken from ep, followed by the rest of ep.
func Again(ep *Episode, taken []Item) *Episode {
	first := Recorded(ep.Name, ep.Block, ep.Seed, ep.Drive, taken)
	again := &Episode{Name: ep.Name, Block: ep.Block, Seed: ep.Seed, Drive: ep.Drive, Len: ep.Len}
	again.Items = func(it *Item) bool { return first.NextItem(it) || ep.NextItem(it) }
	if ep.Drive.ByLane {
		again.Lanes = func(lane int, late bool, it *Item) bool {
			return first.NextOf(lane, late, it) || ep.NextOf(lane, late, it)
		}
	}
	return again
}

// Streamed returns an episode whose items come from next; it is Recorded without a list.
func Streamed(name, block string, seed uint64, drive DriveSpec, next func(*Item) bool) *Episode {
	return &Episode{Name: name, Block: block, Seed: seed, Drive: drive, Items: next}
}

package gen

// Recorded returns an episode made of the given items, for example those of an earlier episode without the
// ones that do not matter. Name, seed and drive decide idles and back-pressure as they did there. The items
// are not copied.
func Recorded(name, block string, seed uint64, drive DriveSpec, items []Item) *Episode {
	pos := 0
	return &Episode{
		Name: name, Block: block, Seed: seed, Drive: drive, Len: len(items),
		items: func(it *Item) bool {
			if pos == len(items) {
				return false
			}
			*it = items[pos]
			pos++
			return true
		},
	}
}

// Streamed returns an episode whose items next fills in, as Recorded does from a list.
func Streamed(name, block string, seed uint64, drive DriveSpec, next func(*Item) bool) *Episode {
	return &Episode{Name: name, Block: block, Seed: seed, Drive: drive, items: next}
}

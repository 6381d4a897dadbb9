package gen

// Recorded returns an episode made of the given packed events, for example those of an earlier episode
// without the ones that do not matter. Name, seed and drive decide idles and back-pressure as they did
// there. The events are not copied.
func Recorded(name, block string, seed uint64, drive DriveSpec, events [][]uint64) *Episode {
	pos := 0
	return &Episode{
		Name: name, Block: block, Seed: seed, Drive: drive, Len: len(events),
		next: func(dst []uint64) bool {
			if pos == len(events) {
				return false
			}
			copy(dst, events[pos])
			pos++
			return true
		},
	}
}

// Package cache keeps the stimulus that a simulated network made for a block in files, so that a later run reads it
// instead of simulating the network again.
//
//	c := cache.FromEnv()
//	src, err := c.Open(&suite, "fabric:incast32", options)
//	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
//		play(ep)                // equal items, whether they are made or read
//	}
//	made, read := src.Made()
//
// # What a file belongs to
//
// The name of a file is the SHA-256 of everything that decides its contents: the bytes of the running program, the
// block and its schema hash, the source, and every field of stim.Options. A program built from other code therefore
// never reads this program's files. The sources of a simulated network read no file and no environment variable: their
// settings are in the program.
//
// # When a file counts
//
// A source that is played for the first time is written to a temporary file. The file gets its final name only after
// the source has ended by itself, with every episode played to its last item and as many events as the options ask for.
// Each chunk has a checksum, and the last record holds totals; all of them are checked before the first item is played.
// A damaged file is removed, and the stimulus is made again.
//
// The checksums find damage, not forgery. A folder that another user owns or can write to is therefore not used.
//
// # What is not kept
//
// Only whole sources of a simulated network are kept: single episodes are short, and making the other sources is faster
// than reading them. Packets, events of up to 6,000 bytes, are not kept either: a first run would be slower, and a
// second hardly faster. An episode is not a fixed list of items if its items depend on the block's answers
// (DriveSpec.ByLane) or if it judges answers (Episode.Judge); a source with such an episode is played but not kept. An
// unusable folder, a full disk or a file above its share of the limit costs the cache, not the run.
package cache

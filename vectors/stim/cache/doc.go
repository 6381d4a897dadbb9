// Package cache keeps what a simulated network gave a block in files, so that a later run reads it instead of
// simulating the network again.
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
// The name of a file is the SHA-256 of everything that decides its contents: the content of the running program, the
// block and the hash of its schema, the source, and every field of stim.Options. A program that was built of other code
// is another program, so it never reads the files of this one. The sources of a simulated network read no file and no
// environment variable: their settings are in the program.
//
// # When a file counts
//
// A source that is played for the first time is written to a temporary file. It gets its name only after the source has
// ended by itself, every episode to its last item, with as many events as the options ask for. Each chunk of a file has
// a checksum, and the last record has totals. All of them are checked before the first item is played. A damaged file
// is removed, and the stimulus is made again.
//
// The checksums find damage, not forgery. So a folder that another user owns, or may write to, is not used.
//
// # What is not kept
//
// Only whole sources of a simulated network are kept: single episodes are short, and the other sources are made
// faster than they are read. Packets, events of up to 6,000 bytes, are not kept either: a first run would be slower,
// and a second hardly faster. An episode whose items depend on what the block answers (DriveSpec.ByLane), or that
// judges answers (Episode.Judge), is not a list of items; its source is played and never kept. A folder that cannot
// be used, a full disk and a file beyond its share of the limit cost the cache, not the run.
package cache

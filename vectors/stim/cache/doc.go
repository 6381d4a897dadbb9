// Package cache keeps what a simulated network gave a block in files, so that a later run reads it instead of
// simulating the network again.
//
//	c := cache.FromEnv()
//	src := c.Open(schema, "fabric:incast32", o, func() (stim.Source, error) { return suite.Open("fabric:incast32", o) })
//	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
//		play(ep)                // equal items, whether they are made or read
//	}
//	made, read := src.Made()
//
// # What a file belongs to
//
// The name of a file is the SHA-256 of everything that decides its contents: the content of the running program, the
// block and the hash of its schema, the source, and every field of stim.Options. A program that was built of other code
// is another program, so it never meets the files of this one.
//
// # When a file counts
//
// A source that is played for the first time is written to a temporary file. It gets its name only after the source has
// ended by itself, every episode to its last item. Each chunk of a file has a checksum, and the last chunk has totals.
// All of them are checked before the first item is played. A damaged file is removed, and the stimulus is made again.
// The checksums find damage, not forgery: whoever may write to the folder decides what is played.
//
// # What is not kept
//
// Only sources of a simulated network are kept: the others are made faster than they are read. An episode whose items
// depend on what the block answers (DriveSpec.ByLane), or that judges answers (Episode.Judge), is not a list of items;
// its source is played and never kept. A folder that cannot be written, a full disk and a file beyond its share of the
// limit cost the cache, not the run.
package cache

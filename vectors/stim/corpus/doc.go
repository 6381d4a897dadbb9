// Package corpus reads and writes the cases that a search has kept (cosim/guide), as text in the language of
// scenarios (casefile/README.md): one case an episode, one item a line, with the seed of the driver, gates and resets.
//
//	c, err := corpus.Read("build/guided", schema)
//	src, err := c.Open("guided/17", params)
//
// The first line of the file has the block, the hash of its schema, its parameters, and how many cases and events
// follow. A file that is empty, cut off or of another schema is an error: a run of it would compare less than it seems.
package corpus

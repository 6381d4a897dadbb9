// Package corpus reads and writes the cases that a search (cosim/audit/guide) has kept. They are text in the scenario
// language (casefile/README.md): one episode per case, one item per line, with the driver's seed, gates and resets.
//
//	c, err := corpus.Read("build/guided", schema)
//	src, err := c.Open("guided/17", params)
//
// The first line of the file gives the block, the hash of its schema, its parameters, and the number of cases and
// events. A file that is empty, cut off or of another schema is an error, because a run of it would compare less than
// it appears to.
package corpus

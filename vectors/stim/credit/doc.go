// Package credit makes the stimulus of the block credit: senders whose targets rise, that ask, open and close, under
// any rate.
package credit

// Package result is the outcome of a run: the fate of every flow, counters and queues, with the
// checks that they balance (Result.Verify) and the figures of one or several runs (Summarise).
package result

// Package campaign runs the runs of a plan's stage: longest first, on a number of slots, each as a process of its own
// that leaves one record. Records are the truth: a campaign that was stopped goes on with the runs that have none,
// shards of one campaign are put together by their records, and a run without a record is missing, never passed.
package campaign

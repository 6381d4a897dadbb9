// Package campaign runs a stage of a plan: longest runs first, on a number of slots, each in its own process, which
// leaves one record. Only records count. A stopped campaign continues with the runs that have none, shards of one
// campaign are combined by their records, and a run without a record is missing, never passed.
package campaign

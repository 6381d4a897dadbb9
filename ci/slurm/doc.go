// Package slurm runs a stage of a plan on a Slurm cluster: one array of jobs for the shards and one job that merges
// them, which takes two calls of sbatch for any number of runs. Program, repository and folder must be on a file system
// that all nodes share.
//
//	DIR/submission.json   what was submitted
//	DIR/goldwire          the program, as it was then
//	DIR/planned           the campaign without a record, so that a shard that never began is accounted for
//	DIR/shard/I           the campaign's folder of shard I
//	DIR/log               what the jobs printed
//	DIR/scheduler.txt     what Slurm knew of the shards when the last one had ended
//	DIR/merged            all records
//	DIR/summary.json      of all runs
//
// The outcome of a run is read from its record, never from the scheduler: an array task that ended with exit code 0 and
// left no record has not passed. The scheduler and the logs only explain missing runs. Nothing needs Slurm's
// accounting.
package slurm

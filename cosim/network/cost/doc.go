// Package cost answers what a size of the NIC costs, in completion time of flows and in area. Each question is a row of
// All: a setting of the simulated network, its values, the workloads that it is tried on, and, where the setting is a
// parameter of a block, that block. The first value is what the others are compared with.
//
//	q, err := cost.Find([]string{"ack-pipeline"})
//	a, err := cost.Ask(ctx, &q[0], []uint64{1, 2, 3}, root, nil)
//	sheets := a.Sheets()
//
// Every value meets the same flows with the same seed, so that differences are taken seed by seed. The scatter is the
// standard deviation of these differences over the seeds. A mean difference of at most twice as much is within scatter:
// a network in which one packet is a little later sprays all later ones differently, and differs by that much for any
// cause. Where no packet of any seed differs the answer is so too.
package cost

// Package bench measures how fast fixed point is held against float64 and exact numbers, and the memory that it takes.
//
//	metrics, err := bench.Run(ctx, bench.Spec{Source: "fabric:incast32", Events: 200_000, Rounds: 5})
package bench

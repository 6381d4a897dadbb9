// Package wordlen searches the narrowest formats of ccc that keep bounds on the error against exact numbers: integer
// bits from ranges, fraction bits by the sensitivity of each value alone and a greedy search from there.
//
// A table is evaluated on recorded events, as package diff measures it. The winner is the cheapest table that keeps the
// bounds on the events of the search and, with seeds that the search has not seen, on the held-out ones.
//
//	res, err := wordlen.Run(ctx, wordlen.Spec{
//		Sources: []string{"fabric:incast32"}, Seeds: []uint64{1, 2}, HeldOut: []uint64{101, 102}, Events: 20_000,
//		Values: wordlen.Defaults(), Errors: []wordlen.Bound{{Name: "cwnd", Max: 64}}, Flips: 10,
//	})
package wordlen

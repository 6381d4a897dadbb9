// Package baseline holds what fixed point answered on a stimulus as a file that git keeps, and compares two of them.
//
// A File has one line for each signal and each decision: a digest of all its numbers, and its error against exact
// numbers. Two lines are identical when they are equal in all of it; a change passes only within the bound that the
// file has for the line, or after somebody accepted it, with a reason.
//
//	f, err := diff.Take(ctx, diff.TakeSpec{Sources: []string{"random"}, Seed: 1, Events: 20_000})
//	err = f.Write(w)
//	old, err := baseline.Read(text)
//	err = old.Fits(diff.Now())            // schema, contract and formats are those of the tree
//	rep, err := baseline.Compare(old, f)  // rep.Failed(): something is beyond its bound, or a decision flipped
package baseline

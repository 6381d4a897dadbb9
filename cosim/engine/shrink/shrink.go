// Package shrink finds a short list that still fails: delta debugging over the events of a failing episode.
//
//	short, err := shrink.Minimize(ctx, events, 2000, func(es []Event) (bool, error) { return fails(es) })
//
// The result is 1-minimal when the budget lasts: no single item can be left out. Source: A. Zeller and
// R. Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28(2), 2002 (ddmin, complements
// only, since a failing subset shows up as complements in later rounds anyway).
package shrink

import "context"

// Minimize returns a list that still fails, its items in their old order. fails reports whether a candidate
// does; it is called at most budget times. items itself must fail and is not changed. The error is that of
// fails or of ctx; the best list so far comes with it.
func Minimize[T any](ctx context.Context, items []T, budget int, fails func([]T) (bool, error)) ([]T, error) {
	best := append([]T(nil), items...)
	trial := make([]T, 0, len(items))
	chunk := (len(best) + 1) / 2
	for chunk >= 1 && len(best) > 1 {
		removed := false
		// From the back: what follows the failure is dead weight, and what comes late is rarely a precondition.
		for end := len(best); end > 0; end -= chunk {
			start := max(end-chunk, 0)
			if len(best) == end-start {
				continue
			}
			if err := ctx.Err(); err != nil {
				return best, err
			}
			if budget <= 0 {
				return best, nil
			}
			budget--
			trial = append(append(trial[:0], best[:start]...), best[end:]...)
			bad, err := fails(trial)
			if err != nil {
				return best, err
			}
			if bad {
				best = append(best[:0], trial...)
				removed = true
			}
		}
		switch {
		case chunk > 1:
			chunk = (chunk + 1) / 2
		case !removed:
			return best, nil
		}
	}
	return best, nil
}
